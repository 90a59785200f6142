// Package reply decodes responses of the admin and alerts areas into data or typed failures, leniently and in a fixed
// number of linear passes.
package reply

import (
	"bytes"
	"errors"
	"reflect"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// Page is the paging record of a listing. Missing fields are nil: a total of zero would end the listing.
type Page struct {
	Total *int
	Limit *int
}

// Content is a successful response beside its payload.
type Content struct {
	// Page is nil unless the response contains a paging record.
	Page *Page
	// NextAt is the cursor of the next page, or empty at the end.
	NextAt string
	// NoRecord is set if the service executed a write and sent no record of the written object. The payload is undefined.
	NoRecord bool
}

// Read decodes the body of a response to the operation with a success status. The error is a *Failure or a *Malformed.
// The hider hides secrets in the names that records keep.
//
// Unknown fields, nulls, missing fields, duplicate names, invalid UTF-8, numbers for strings and strings for numbers
// are accepted. A body without the promised data is searched for a failure.
func Read(op *api.Operation, contentType string, raw []byte, hider scan.Hider, into Payload) (Content, error) {
	return read(NewBody(contentType, raw, hider), op, into)
}

func read(b *Body, op *api.Operation, into Payload) (Content, error) {
	promised := promisesPayload(op.Response)
	if !promised && len(bytes.TrimSpace(b.text)) == 0 {
		return Content{NoRecord: op.Response == api.ResponseMaybe}, nil
	}
	if err := b.Admit(); err != nil {
		return Content{}, err
	}
	if promised {
		return readPromised(b, op, into)
	}
	stated, err := b.statement()
	switch {
	case op.Response == api.ResponseEmpty && (err != nil || jsontext.Value(b.text).Kind() == 'f'):
		return Content{}, nil // The body is ignored, and may be any text.
	case err != nil:
		return Content{}, err
	case b.isRejection(stated): // A response without a body by contract may still report a failure.
		return Content{}, b.failure(stated)
	case op.Response == api.ResponseMaybe:
		return readMaybe(b, op, stated, into)
	}
	return Content{}, nil
}

// readPromised reads a response that must contain a record or a list. If it has an error or lacks data, it is searched
// for a stated failure, which explains more than the fault.
func readPromised(b *Body, op *api.Operation, into Payload) (Content, error) {
	e, err := decode(b, isBare(op, b.text), into)
	if err == nil {
		err = e.missing(op, into.Data())
	}
	hasData := err == nil && e.payload != 'n' && (!promisesRecord(op) || holdsAnything(into.Data()))
	if hasData && !e.failed {
		return e.Content, nil
	}
	fault, is := errors.AsType[*Malformed](err)
	if err != nil && (!is || fault.isSyntax() || fault.Reason == TooLarge && !e.failed) {
		return Content{}, err
	}
	stated, _ := b.statement() // The body is valid JSON.
	switch {
	case IsFailure(stated["error"]) || !hasData && b.isRejection(stated):
		return Content{}, b.failure(stated)
	case hasData:
		return e.Content, nil
	case op.Idempotent && promisesRecord(op) && stated["data"].Kind() == 'n' && stated["error"].Kind() == 'n':
		// The response to a lookup that found nothing. Null data alone only means missing data.
		return Content{}, &Malformed{Reason: NoData, NotFound: true}
	case !op.Idempotent && promisesRecord(op) && err != nil && fault.Reason == Shape && e.payload != '{':
		fault.Reason = NoData // The record is missing.
	}
	if err != nil {
		return Content{}, err
	}
	return e.Content, nil
}

// readMaybe reads the response to a write that may contain a record of the written object. Any body that is not a
// failure counts as success.
func readMaybe(b *Body, op *api.Operation, stated object, into Payload) (Content, error) {
	none, bare, payload := Content{NoRecord: true}, isBare(op, b.text), stated["data"]
	if bare {
		payload = b.text
	}
	if isEmptyValue(payload) || payload.Kind() != '[' && !b.hasRecord(payload, reflect.TypeOf(into.Data()).Elem()) {
		return none, nil
	}
	e, err := decode(b, bare, into)
	if malformed, is := errors.AsType[*Malformed](err); is && malformed.Reason == Shape {
		return none, nil
	}
	return e.Content, err
}

// envelope is a body with its payload.
type envelope struct {
	Content
	payload jsontext.Kind // 0 if there is none.
	failed  bool          // The body has an error that is not null, or may have one.
}

// decode decodes the body.
func decode(b *Body, bare bool, into Payload) (e envelope, err error) {
	s := b.Scanner()
	if bare {
		e.payload = jsontext.Kind(s.Peek())
		e.failed = e.payload == '{' && bytes.Contains(b.text, []byte(`"error"`))
		into.Read(s)
	} else {
		e.read(s, into)
	}
	return e, b.Finish(s)
}

// read reads the payload and its envelope. Some listings of areas without envelopes have a pageInfo, of which only the
// limit is useful (observed). If pageInfo has another form, the listing is still decoded.
func (e *envelope) read(s *scan.Scanner, into Payload) {
	var info Page
	if s.Null() {
		return
	}
	for s.Object(); s.Member(); {
		switch string(s.Name) {
		case "data":
			e.payload = jsontext.Kind(s.Peek())
			into.Read(s)
		case "error":
			if e.failed = !s.Null(); e.failed {
				s.Skip()
			}
		case "pagination":
			api.ReadOptional(s, &e.Page, readPage)
		case "pageInfo":
			info = Page{}
			at := s.Mark()
			if api.ReadStruct(s, &info, readPage); s.Fault.Reason != 0 {
				s.Rewind(at)
				s.Skip()
			}
		case "next_at":
			api.ReadText(s, &e.NextAt)
		default:
			s.Skip()
		}
	}
	if e.Page == nil && info.Limit != nil {
		e.Page = &Page{Limit: info.Limit}
	}
}

func readPage(s *scan.Scanner, page *Page) {
	for s.Object(); s.Member(); {
		switch string(s.Name) {
		case "total":
			api.ReadOptional(s, &page.Total, api.ReadInt)
		case "limit":
			api.ReadOptional(s, &page.Limit, api.ReadInt)
		default:
			s.Skip()
		}
	}
}

// promisesPayload reports whether a kind of response must contain a record or a list.
func promisesPayload(kind string) bool {
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

// missing returns the error of a body without its payload, or of the response to a create if the record has no id. The
// object exists then, and the caller could not address it: an empty id would look valid until it is used. For other
// operations the caller knows the id, and entries under security/ are documented without ids. A null list is empty.
func (e *envelope) missing(op *api.Operation, data any) error {
	if e.payload == 0 || e.payload == 'n' && promisesRecord(op) {
		return &Malformed{Reason: NoData}
	}
	record := pointed(data)
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
	value := pointed(data)
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

// pointed returns the value behind a pointer, or behind a pointer to a pointer.
func pointed(data any) reflect.Value { return reflect.Indirect(reflect.ValueOf(data).Elem()) }
