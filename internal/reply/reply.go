// Package reply decodes responses of the admin and alerts areas into data or typed failures, leniently and in a fixed
// number of linear passes.
package reply

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
	"github.com/rpcfleet/rpcfleet-go/scalar"
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
	if op.Response != api.ResponseMaybe && MayBeJSON(contentType) {
		hider, _ := ctx.(scan.Hider)
		content, ok := decodeFast[T](raw, isBare(op, raw), hider)
		lacksData := promisesRecord(op) && (missingID(op, content.Data) != nil || !holdsAnything(content.Data))
		mayBeFailure := op.Response == api.ResponseRecord && bytes.Contains(raw, []byte(`"error"`))
		if ok && !lacksData && !mayBeFailure {
			return content, nil
		}
	}
	return readUndocumented[T](NewBody(ctx, contentType, raw), op)
}

// MayBeJSON reports whether a content type is a JSON type or missing.
func MayBeJSON(contentType string) bool {
	mediaType := mediaTypeOf(contentType)
	return mediaType == "" || mediaType == "application/json" || mediaType == "text/json" ||
		strings.HasSuffix(mediaType, "+json")
}

// mediaTypeOf returns a content type in lower case, without its parameters.
func mediaTypeOf(contentType string) string {
	mediaType, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	return strings.TrimSpace(mediaType)
}

// decodeFast decodes a body with the generated decoders, and reports whether it is documented: a known record or list
// with data, without an error, and without anything that requires lenient decoding. If not, the content is incomplete.
//
// This decoder was chosen by the times for a page of 250 endpoints and a page of 1,000 log entries, which "go run
// ./internal/benchmarks -decoders" prints.
func decodeFast[T any](raw []byte, bare bool, hider scan.Hider) (content Content[T], ok bool) {
	s := scan.New(raw)
	s.Hider = hider
	defer s.Release()
	if bare {
		api.ReadRecord(s, &content.Data)
	} else {
		readEnvelope(s, &content)
	}
	return content, s.End()
}

// readEnvelope reads the payload and its envelope.
func readEnvelope[T any](s *scan.Scanner, content *Content[T]) {
	var names scan.FieldSet
	var info *Page
	for s.Object(); s.Member(); {
		switch string(s.Name) {
		case "data":
			api.ReadRecord(s.Field(&names, 0), &content.Data)
		case "error":
			if !s.Field(&names, 1).Null() {
				s.Fail()
			}
		case "pagination":
			api.ReadOptional(s.Field(&names, 2), &content.Page, readPage)
		case "pageInfo":
			api.ReadOptional(s.Field(&names, 3), &info, readPage)
		case "next_at":
			api.ReadText(s.Field(&names, 4), &content.NextAt)
		default:
			s.Skip()
		}
	}
	if !names.Has(0) {
		s.Fail()
	}
	if content.Page == nil && info != nil && info.Limit != nil {
		content.Page = &Page{Limit: info.Limit}
	}
}

func readPage(s *scan.Scanner, page *Page) {
	var names scan.FieldSet
	for s.Object(); s.Member(); {
		switch string(s.Name) {
		case "total":
			api.ReadOptional(s.Field(&names, 0), &page.Total, api.ReadInt)
		case "limit":
			api.ReadOptional(s.Field(&names, 1), &page.Limit, api.ReadInt)
		default:
			s.Skip()
		}
	}
}

// requiresPayload reports whether a kind of response must contain a record or a list.
func requiresPayload(kind string) bool {
	return kind != api.ResponseEmpty && kind != api.ResponseConfirm && kind != api.ResponseNone &&
		kind != api.ResponseMaybe
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

// missingID rejects the response to a create if the record has no id. The object exists then, and the caller could not
// address it: an empty id would look valid until it is used. For other operations the caller knows the id, and entries
// under security/ are documented without ids.
func missingID(op *api.Operation, data any) error {
	record := reflect.Indirect(reflect.ValueOf(data))
	if op.Idempotent || !promisesRecord(op) || record.Kind() != reflect.Struct {
		return nil
	}
	id := record.FieldByName("ID")
	switch {
	case id.IsValid() && id.IsZero():
		return &Malformed{Reason: NoData, Detail: "no id of the created object"}
	case !id.IsValid() && !holdsAnything(data):
		return &Malformed{Reason: NoData, Detail: "the record is empty"}
	}
	return nil
}

// holdsAnything reports whether a payload contains anything except unknown fields.
func holdsAnything(data any) bool {
	value := reflect.Indirect(reflect.ValueOf(data))
	if value.Kind() != reflect.Struct {
		return value.IsValid() && !value.IsZero()
	}
	for i := range value.NumField() {
		if field := value.Field(i); field.Type() != reflect.TypeFor[scalar.Extra]() && !field.IsZero() {
			return true
		}
	}
	return false
}

// readUndocumented reads a body that may differ from the documentation.
func readUndocumented[T any](b *Body, op *api.Operation) (content Content[T], err error) {
	if !requiresPayload(op.Response) && len(bytes.TrimSpace(b.text)) == 0 {
		return Content[T]{NoRecord: op.Response == api.ResponseMaybe}, nil
	}
	if err := b.Admit(); err != nil {
		return content, err
	}
	top, err := b.failureInfo()
	switch {
	case op.Response == api.ResponseEmpty && (err != nil || top.value.Kind() == 'f'):
		return content, nil // The body is ignored, and may be any text.
	case err != nil:
		return content, err
	case requiresPayload(op.Response):
		return readPromised[T](b, op, top)
	}
	// A response without a body by contract may still report a failure.
	if err := b.rejection(top); err != nil || op.Response != api.ResponseMaybe {
		return content, err
	}
	return readMaybe[T](b, op, top)
}

// readPromised reads a response that must contain a record or a list.
func readPromised[T any](b *Body, op *api.Operation, top failureInfo) (Content[T], error) {
	if IsFailure(top.Error) {
		return Content[T]{}, b.failure(top)
	}
	bare := isBare(op, b.text)
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
func (b *Body) unusable(op *api.Operation, top failureInfo, payload jsontext.Value, fault error) error {
	malformed, isMalformed := errors.AsType[*Malformed](fault)
	explainable := fault == nil || isMalformed && (malformed.Reason == Shape || malformed.Reason == NoData)
	if !explainable {
		return fault
	}
	if err := b.rejection(top); err != nil {
		return err
	}
	if !promisesRecord(op) {
		return fault
	}
	// Null data alone only means missing data. Together with a null error, it is the response to a lookup that found
	// nothing.
	if op.Idempotent && top.Data.Kind() == 'n' && top.Error.Kind() == 'n' {
		return &Malformed{Reason: NoData, NotFound: true}
	}
	if isMalformed && !op.Idempotent && payload.Kind() != '{' {
		malformed.Reason = NoData // The record is missing.
	}
	return fault
}

// readMaybe reads the response to a write that may contain a record of the written object. Any body that is not a
// failure counts as success.
func readMaybe[T any](b *Body, op *api.Operation, top failureInfo) (Content[T], error) {
	none, bare := Content[T]{NoRecord: true}, isBare(op, b.text)
	if payload := top.payload(bare); payload.Kind() != '[' && !b.isRecord(payload, reflect.TypeFor[T]()) ||
		isEmptyValue(payload) {
		return none, nil
	}
	content, err := decode[T](b, bare)
	if malformed, is := errors.AsType[*Malformed](err); is && malformed.Reason == Shape {
		return none, nil
	}
	return content, err
}
