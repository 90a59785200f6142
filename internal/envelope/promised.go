package envelope

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// documentedPromise reads a response that has to bring a record or a list, where it is as documented and nothing about
// it is in doubt. A body in doubt is left to readPromised.
func documentedPromise[T any](s source, op *api.Operation, hider scan.Hider) (content Content[T], scanned int64, ok bool) {
	if s.admitLooks() != nil {
		return
	}
	content, scanned, ok = documented[T](s.raw, s.bare(op.Response), hider)
	inDoubt := missingID(op, content.Data) != nil || promisesRecord(op) && holdsNothing(content.Data) ||
		op.Response == api.ResponseRecord && s.mentionsError()
	return content, scanned, ok && !inDoubt
}

// readPromised reads a response that has to bring a record or a list.
func readPromised[T any](b *body, op *api.Operation) (Content[T], error) {
	if err := b.admit(); err != nil {
		return Content[T]{}, err
	}
	content, it, err := undocumented[T](b, b.bare(op.Response))
	if err != nil {
		return Content[T]{}, b.unusable(op, b.malformed(err))
	}
	if it.failed {
		return Content[T]{}, b.stated()
	}
	if err := missing(op.Response, &it.data); err != nil {
		return Content[T]{}, b.unusable(op, err)
	}
	if err := missingID(op, content.Data); err != nil {
		return Content[T]{}, b.unusable(op, err)
	}
	switch {
	case it.data.null, promisesRecord(op) && holdsNothing(content.Data):
		err = b.unusable(op, nil)
	case op.Response == api.ResponseRecord:
		err = b.besideRecord()
	}
	if err != nil {
		return Content[T]{}, err
	}
	return content, nil
}

// bare reports whether the record or the list is the whole body. Lists of areas without envelopes were seen in one all
// the same.
func (s *source) bare(kind string) bool {
	return kind == api.ResponseRecord ||
		kind == api.ResponseArray && jsontext.Value(s.raw).Kind() != '{'
}

// mentionsError reports whether an error field may be in the body.
func (s *source) mentionsError() bool { return bytes.Contains(s.raw, []byte(`"error"`)) }

// missing reports a payload that is not there where the kind of response promises one. A null list is an empty one; an
// absent list is not.
func missing(kind string, data *presence) error {
	record := kind == api.ResponseData || kind == api.ResponseRecord
	if !data.present || record && data.null {
		return &Malformed{Reason: NoData}
	}
	return nil
}

// promisesRecord reports whether a response to the operation has to bring a record, and not a list.
func promisesRecord(op *api.Operation) bool {
	return op.Response == api.ResponseData || op.Response == api.ResponseRecord
}

// unusable finds out what a body is that does not bring what was asked for: a stated failure, which may carry data of
// any shape; the null that stands for a thing that does not exist; or what fault says.
func (b *body) unusable(op *api.Operation, fault error) error {
	var malformed *Malformed
	if errors.As(fault, &malformed) && malformed.Reason != Shape && malformed.Reason != NoData {
		return fault
	}
	top, err := b.walk(nil)
	if err != nil {
		return err
	}
	if err := statedFailure(top); err != nil {
		return err
	}
	if !promisesRecord(op) {
		return fault
	}
	data := top
	if said := top.inner; said != nil {
		// A data member on its own only says that nothing came. The error beside it, which is none, is what the service
		// says of a thing that it looked for.
		if op.Idempotent && said.data.kind == 'n' && said.err.kind == 'n' {
			return &Malformed{Reason: NoData, NotFound: true}
		}
		if op.Response == api.ResponseData {
			data = said.data
		}
	}
	if malformed != nil && !op.Idempotent && data.kind != '{' {
		malformed.Reason = NoData // There is no record at all.
	}
	return fault
}

// stated returns the failure of a body whose error field holds one.
func (b *body) stated() error {
	top, err := b.walk(nil)
	if err != nil {
		return err
	}
	return &Failure{top.words}
}

// besideRecord returns the failure that stands beside the fields of a record, or nil. Only an error field is one there:
// a status may be a field of the record.
func (b *body) besideRecord() error {
	if !b.mentionsError() {
		return nil
	}
	top, err := b.walk(nil)
	if err != nil {
		return err
	}
	if top.inner == nil || !top.inner.err.set() {
		return nil
	}
	return &Failure{top.words}
}
