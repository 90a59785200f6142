// Package reply decodes responses of the admin and alerts areas into data or typed failures, leniently and in a fixed
// number of linear passes.
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

// Page is the paging record of a listing. Missing fields are nil: a total of zero would end the listing.
type Page struct {
	Total *int `json:"total"`
	Limit *int `json:"limit"`
}

// Content is the payload of a successful response.
type Content[T any] struct {
	// Data is the zero value if the response may lack it.
	Data T
	// Page is nil unless the response contains a paging record.
	Page *Page
	// NextAt is the cursor of the next page, or empty at the end.
	NextAt string
	// NoRecord is set if the service executed a write and sent no record of the written object.
	NoRecord bool
}

// Read decodes the body of a response to the operation with a success status. The error is a *Failure, a *Malformed, or
// the context's. If the context is a scan.Hider, it hides secrets in the names that records keep.
//
// A documented body is decoded once, by the generated decoders. Any other body is searched for a failure and decoded by
// the JSON library. Unknown fields, nulls, missing fields and invalid UTF-8 are accepted; one more pass accepts
// numbers for strings, strings for numbers, and duplicate names, which are read as in encoding/json. The context is
// checked between passes.
func Read[T any](ctx context.Context, op *api.Operation, contentType string, raw []byte) (Content[T], error) {
	content, _, err := read[T](ctx, op, contentType, raw)
	return content, err
}

// read is Read, and also returns the number of bytes that its passes scanned.
func read[T any](ctx context.Context, op *api.Operation, contentType string, raw []byte) (Content[T], int64, error) {
	raw = bytes.TrimPrefix(raw, byteOrderMark)
	hider, _ := ctx.(scan.Hider)
	var scanned int64
	if requiresPayload(op.Response) && checkLooks(contentType, raw) == nil {
		content, n, ok := decodeFast[T](raw, isBare(op, raw), hider)
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

// requiresPayload reports whether a kind of response must contain a record or a list.
func requiresPayload(kind string) bool {
	switch kind {
	case api.ResponseEmpty, api.ResponseConfirm, api.ResponseNone, api.ResponseMaybe:
		return false
	}
	return true
}

// promisesRecord reports whether a response to the operation must contain a record, and not a list.
func promisesRecord(op *api.Operation) bool {
	return op.Response == api.ResponseData || op.Response == api.ResponseRecord
}

// isBare reports whether the payload is the whole body. Lists of areas without envelopes sometimes have one (observed).
func isBare(op *api.Operation, raw jsontext.Value) bool {
	switch op.Response {
	case api.ResponseRecord:
		return true
	case api.ResponseArray:
		return raw.Kind() != '{'
	}
	return op.Response == api.ResponseMaybe && op.Area == api.AreaAlerts
}

// inDoubt reports whether a documented body may report a failure, or lacks data that the operation must return.
func inDoubt(op *api.Operation, raw []byte, data any) bool {
	return missingID(op, data) != nil || promisesRecord(op) && !holdsAnything(data) ||
		op.Response == api.ResponseRecord && bytes.Contains(raw, []byte(`"error"`))
}

// readUndocumented reads a body that may differ from the documentation.
func readUndocumented[T any](b *Body, op *api.Operation) (content Content[T], err error) {
	if !requiresPayload(op.Response) && len(bytes.TrimSpace(b.raw)) == 0 {
		return Content[T]{NoRecord: op.Response == api.ResponseMaybe}, nil
	}
	if err := b.Admit(); err != nil {
		return content, err
	}
	top, err := b.state()
	switch {
	case op.Response == api.ResponseEmpty && (err != nil || top.value.Kind() == 'f'):
		return content, nil // The body is ignored, and may be any text.
	case err != nil:
		return content, err
	case requiresPayload(op.Response):
		return readPromised[T](b, op, top)
	}
	// A response without a body by contract may still report a failure.
	if err := b.refusal(top); err != nil || op.Response != api.ResponseMaybe {
		return content, err
	}
	return readMaybe[T](b, op, top)
}

// readPromised reads a response that must contain a record or a list.
func readPromised[T any](b *Body, op *api.Operation, top statement) (Content[T], error) {
	if IsFailure(top.members["error"]) {
		return Content[T]{}, &Failure{b.wordsOf(top)}
	}
	bare := isBare(op, b.Text)
	payload := top.payload(bare)
	content, err := decode[T](b, bare)
	if kind := payload.Kind(); err == nil && (kind == 0 || kind == 'n' && promisesRecord(op)) {
		err = &Malformed{Reason: NoData} // A null list is empty; an absent list is an error.
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

// unusable classifies a body without the requested data: a stated failure, which may contain data of any shape; a null
// for an object that does not exist; or the fault.
func (b *Body) unusable(op *api.Operation, top statement, payload jsontext.Value, fault error) error {
	var malformed *Malformed
	if errors.As(fault, &malformed) && malformed.Reason != Shape && malformed.Reason != NoData || fault != nil &&
		malformed == nil {
		return fault
	}
	if err := b.refusal(top); err != nil {
		return err
	}
	if !promisesRecord(op) {
		return fault
	}
	// Null data alone only means missing data. Together with a null error, it is the response to a lookup that found
	// nothing.
	if op.Idempotent && top.members["data"].Kind() == 'n' && top.members["error"].Kind() == 'n' {
		return &Malformed{Reason: NoData, NotFound: true}
	}
	if malformed != nil && !op.Idempotent && payload.Kind() != '{' {
		malformed.Reason = NoData // The record is missing.
	}
	return fault
}

// readMaybe reads the response to a write that may contain a record of the written object. Any body that is not a
// failure counts as success.
func readMaybe[T any](b *Body, op *api.Operation, top statement) (Content[T], error) {
	none, bare := Content[T]{NoRecord: true}, isBare(op, b.Text)
	if payload := top.payload(bare); payload.Kind() != '[' && !b.isRecord(payload, reflect.TypeFor[T]()) ||
		isEmptyValue(payload) {
		return none, nil
	}
	content, scanned, ok := decodeFast[T](b.raw, bare, b.hider)
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
