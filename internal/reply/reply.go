// Package reply turns the body of a response of the admin and alerts areas into data or into a typed failure.
//
// A body of the documented shape is decoded once, by the generated decoders. Any other is looked through for a stated
// failure, and decoded by the JSON library: unknown members, nulls, absences and invalid UTF-8 are forgiven, and in one
// more pass numbers for texts and texts for numbers. Names that come twice are read as encoding/json reads them. Each
// pass is linear in the size of the body, and between two of them the context of the call is asked.
package reply

import (
	"bytes"
	"context"
	"errors"
	"reflect"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// Page is the paging record of a listing. What the service leaves out is nil: a total of zero would end the listing.
type Page struct {
	Total *int `json:"total"`
	Limit *int `json:"limit"`
}

// Content is the payload of a successful response.
type Content[T any] struct {
	// Data is the zero value if the kind of response allows its absence.
	Data T
	// Page is nil unless the response carries a paging record.
	Page *Page
	// NextAt is the cursor of the next page, or empty at the end.
	NextAt string
	// NoRecord is set if the service carried a write out and sent no record of what it wrote.
	NoRecord bool
}

// Read decodes the body of a response to the operation with a success status. The error is a *Failure, a *Malformed, or
// the context's. A context that is a scan.Hider hides secrets in the names that records keep.
func Read[T any](ctx context.Context, op *api.Operation, contentType string, raw []byte) (Content[T], error) {
	content, _, err := read[T](ctx, op, contentType, raw)
	return content, err
}

// read is Read, and returns how many bytes its passes went through.
func read[T any](ctx context.Context, op *api.Operation, contentType string, raw []byte) (Content[T], int64, error) {
	raw = bytes.TrimPrefix(raw, byteOrderMark)
	hider, _ := ctx.(scan.Hider)
	var scanned int64
	if promised(op.Response) && checkLooks(contentType, raw) == nil {
		content, n, ok := documented[T](raw, isBare(op, raw), hider)
		if ok && !inDoubt(op, raw, content.Data) {
			return content, n, nil
		}
		scanned = n
	}
	b := NewBody(ctx, contentType, raw)
	b.Work = scanned
	content, err := readUndocumented[T](b, op)
	return content, b.Work, err
}

// promised reports whether a kind of response has to bring a record or a list.
func promised(kind string) bool {
	switch kind {
	case api.ResponseEmpty, api.ResponseConfirm, api.ResponseNone, api.ResponseMaybe:
		return false
	}
	return true
}

// promisesRecord reports whether a response to the operation has to bring a record, and not a list.
func promisesRecord(op *api.Operation) bool {
	return op.Response == api.ResponseData || op.Response == api.ResponseRecord
}

// isBare reports whether the payload is the whole body. Lists of areas without envelopes were seen in one all the same.
func isBare(op *api.Operation, raw jsontext.Value) bool {
	switch op.Response {
	case api.ResponseRecord:
		return true
	case api.ResponseArray:
		return raw.Kind() != '{'
	}
	return op.Response == api.ResponseMaybe && op.Area == api.AreaAlerts
}

// inDoubt reports whether a body of the documented shape may state a failure, or lacks what the operation promises.
func inDoubt(op *api.Operation, raw []byte, data any) bool {
	return missingID(op, data) != nil || promisesRecord(op) && !holdsAnything(data) ||
		op.Response == api.ResponseRecord && bytes.Contains(raw, []byte(`"error"`))
}

// readUndocumented reads a body of which it is not known yet that it is as documented.
func readUndocumented[T any](b *Body, op *api.Operation) (content Content[T], err error) {
	if !promised(op.Response) && len(bytes.TrimSpace(b.raw)) == 0 {
		return Content[T]{NoRecord: op.Response == api.ResponseMaybe}, nil
	}
	if err := b.Admit(); err != nil {
		return content, err
	}
	top, err := b.state()
	switch {
	case op.Response == api.ResponseEmpty && (err != nil || top.value.Kind() == 'f'):
		return content, nil // The body is of no interest, and may be any text.
	case err != nil:
		return content, err
	case promised(op.Response):
		return readPromised[T](b, op, top)
	}
	// A failure can come even if no body was to come at all.
	if err := b.refusal(top); err != nil || op.Response != api.ResponseMaybe {
		return content, err
	}
	return readMaybe[T](b, op, top)
}

// readPromised reads a response that has to bring a record or a list.
func readPromised[T any](b *Body, op *api.Operation, top statement) (Content[T], error) {
	if IsFailure(top.members["error"]) {
		return Content[T]{}, &Failure{b.wordsOf(top)}
	}
	bare := isBare(op, b.Text)
	payload := top.payload(bare)
	content, err := decode[T](b, bare)
	if kind := payload.Kind(); err == nil && (kind == 0 || kind == 'n' && promisesRecord(op)) {
		err = &Malformed{Reason: NoData} // A null list is an empty one; an absent list is not.
	}
	if err == nil {
		err = missingID(op, content.Data)
	}
	if err != nil || payload.Kind() == 'n' || promisesRecord(op) && !holdsAnything(content.Data) {
		err = b.unusable(op, top, payload, err)
	}
	if err != nil {
		return Content[T]{}, err
	}
	return content, nil
}

// unusable finds out what a body is that does not bring what was asked for: a stated failure, which may carry data of
// any shape; the null that stands for a thing that does not exist; or what fault says.
func (b *Body) unusable(op *api.Operation, top statement, payload jsontext.Value, fault error) error {
	var malformed *Malformed
	if errors.As(fault, &malformed) && malformed.Reason != Shape && malformed.Reason != NoData || fault != nil && malformed == nil {
		return fault
	}
	if err := b.refusal(top); err != nil {
		return err
	}
	if !promisesRecord(op) {
		return fault
	}
	// A data member on its own only says that nothing came. The error beside it, which is none, is what the service says
	// of a thing that it looked for.
	if op.Idempotent && top.members["data"].Kind() == 'n' && top.members["error"].Kind() == 'n' {
		return &Malformed{Reason: NoData, NotFound: true}
	}
	if malformed != nil && !op.Idempotent && payload.Kind() != '{' {
		malformed.Reason = NoData // There is no record at all.
	}
	return fault
}

// readMaybe reads the response to a write that may bring a record of what was written. Any body that states no failure
// counts as success.
func readMaybe[T any](b *Body, op *api.Operation, top statement) (Content[T], error) {
	none, bare := Content[T]{NoRecord: true}, isBare(op, b.Text)
	if payload := top.payload(bare); payload.Kind() != '[' && !b.isRecord(payload, reflect.TypeFor[T]()) || isEmptyValue(payload) {
		return none, nil
	}
	content, scanned, ok := documented[T](b.raw, bare, b.hider)
	b.Work += scanned
	if !ok {
		var err error
		content, err = decode[T](b, bare)
		var malformed *Malformed
		if errors.As(err, &malformed) && malformed.Reason == Shape {
			return none, nil
		}
		if err != nil {
			return Content[T]{}, err
		}
	}
	return content, nil
}
