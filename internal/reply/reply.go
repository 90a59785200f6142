// Package reply decodes responses of the admin and alerts areas into data or typed failures, leniently and in a fixed
// number of linear passes.
package reply

import (
	"bytes"
	"reflect"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// Content is a successful response beside its payload.
type Content struct {
	// Total and Limit are in the paging record of a listing. They are nil if they are missing: a total of zero would end
	// the listing.
	Total, Limit *int
	NextAt       string // The cursor of the next page, or empty at the end.
	// NoRecord is set if the service executed a write and sent no record of the written object. The payload is undefined.
	NoRecord bool
}

// Payload is the variable that the payload of a response is decoded into.
type Payload struct {
	into any                   // A pointer to the variable.
	read func(s *scan.Scanner) // It is called again for a duplicate.
}

// Record returns the payload of a record.
func Record[T any](into *T, read func(*scan.Scanner, *T)) Payload {
	return Payload{into, func(s *scan.Scanner) { api.ReadStruct(s, into, read) }}
}

// List returns the payload of a list of records.
func List[T any](into *[]T, read func(*scan.Scanner, *T)) Payload {
	return Payload{into, func(s *scan.Scanner) { api.ReadList(s, into, read) }}
}

// OneOrMany returns the payload of a list of records, or of a single record without the list, and sets one for it.
func OneOrMany[T any](into *[]T, one *bool, read func(*scan.Scanner, *T)) Payload {
	return Payload{into, func(s *scan.Scanner) {
		if *one = s.Peek() == '{'; !*one {
			api.ReadList(s, into, read)
			return
		}
		*into = make([]T, 1)
		read(s, &(*into)[0])
	}}
}

// Own returns the payload of a type of the caller, which may be a record of the library.
func Own(into any) Payload {
	return Payload{into, func(s *scan.Scanner) {
		if !api.ReadRecord(s, into) {
			ReadOwn(s, into)
		}
	}}
}

// ReadOwn reads a value of a caller's type like encoding/json, and the interfaces of package graph in it.
func ReadOwn(s *scan.Scanner, into any) {
	at := s.At
	text, deep := s.Raw()
	if deep {
		s.Fail(scan.Deep, at)
	}
	if s.Fault.Reason != 0 {
		return
	}
	if err := graph.Unmarshal(api.Repaired(text), into); err != nil {
		s.Fail(scan.Unreadable, at)
		s.Fault.Err = err
	}
}

// Read decodes the body of a response to the operation with a success status. The error is a *Failure or a *Malformed.
// The hider hides secrets in the names that records keep.
//
// Unknown fields, nulls, missing fields, duplicate names, invalid UTF-8, numbers for strings and strings for numbers
// are accepted. If a body has an error or lacks data, it is searched for a stated failure, which explains more than the
// fault.
func Read(op *api.Operation, contentType string, raw []byte, hider scan.Hider, into Payload) (Content, error) {
	maybe, isRecord := false, false // The response may or must contain a record, and not a list.
	switch op.Response {
	case api.ResponseConfirm, api.ResponseNone, api.ResponseEmpty:
		return Content{}, readConfirmation(op, contentType, raw)
	case api.ResponseMaybe:
		if maybe = true; len(bytes.TrimSpace(raw)) == 0 {
			return Content{NoRecord: true}, nil
		}
	case api.ResponseData, api.ResponseRecord:
		isRecord = true
	}
	text, err := Admit(contentType, raw)
	if err != nil {
		return Content{}, err
	}
	e, err := readEnvelope(op, text, hider, into)
	if err != nil {
		return Content{}, err
	}
	created := isRecord && !op.Idempotent
	found := e.fault.Reason == 0 && e.payload != 0 && e.payload != 'n' &&
		(!isRecord && !maybe || holdsAnything(reflect.ValueOf(into.into).Elem(), created))
	if found && !e.failed {
		return e.Content, nil
	}
	stated, _ := statementOf(text) // The body is valid JSON.
	if data := stated.fields["data"]; maybe && e.fault.Reason == 0 {
		if e.isBare {
			data = stated
		}
		found = found || hasFields(into.into, data.others)
	}
	isShape := e.fault.Reason == scan.Unreadable
	switch {
	case found && !stated.fields["error"].isFailure():
		return e.Content, nil
	case found || stated.isRejection():
		return Content{}, &Failure{stated.text}
	case maybe && (e.fault.Reason == 0 || isShape):
		return Content{NoRecord: true}, nil
	case isRecord && !created && stated.fields["data"].kind == 'n' && stated.fields["error"].kind == 'n':
		// The response to a lookup that found nothing. Null data alone only means missing data.
		return Content{}, &Malformed{Reason: NoData, NotFound: true}
	case e.fault.Reason != 0:
		malformed := Describe(text, e.fault)
		if isShape && e.payload != '{' && created {
			malformed.Reason = NoData // The record is missing.
		}
		return Content{}, malformed
	case e.payload == 0 || e.payload == 'n' && isRecord:
		return Content{}, &Malformed{Reason: NoData}
	case created:
		// The object exists, and the caller could not address it: an empty id would look valid until it is used.
		return Content{}, &Malformed{Reason: NoData, Detail: "no id of the created object"}
	}
	return e.Content, nil
}

// Admit returns the text of a body, without spaces around it and without a byte order mark, which has no meaning in
// UTF-8. It rejects a body that does not look like JSON, for a better error than about its first byte.
func Admit(contentType string, raw []byte) ([]byte, error) {
	text := bytes.TrimSpace(bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")))
	mediaType, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	switch {
	case len(text) == 0:
		return nil, &Malformed{Reason: Empty}
	case mediaType == "text/html" || text[0] == '<':
		return nil, &Malformed{Reason: HTML}
	case mediaType == "" || strings.Contains(mediaType, "json"),
		mediaType == "text/plain" || mediaType == "application/octet-stream":
		return text, nil
	}
	return nil, &Malformed{Reason: ContentType, Detail: mediaType}
}

// AdmitText rejects a body that is not plain text, such as the page of a gateway. It may be empty.
func AdmitText(contentType string, raw []byte) error {
	switch mediaType, _, _ := strings.Cut(strings.ToLower(contentType), ";"); {
	case mediaType == "text/html" || bytes.HasPrefix(bytes.TrimSpace(raw), []byte("<")):
		return &Malformed{Reason: HTML}
	case mediaType != "" && mediaType != "text/plain":
		return &Malformed{Reason: ContentType, Detail: mediaType}
	}
	return nil
}

// Finish releases a Scanner of a whole body. If the Scanner failed, the error is a *Malformed.
func Finish(s *scan.Scanner) error {
	defer s.Release()
	if s.End() {
		return nil
	}
	if invalid := invalid(s.Data); invalid != nil {
		return invalid
	}
	return Describe(s.Data, s.Fault)
}

// readConfirmation reads a body without a payload, which may still report a failure.
func readConfirmation(op *api.Operation, contentType string, raw []byte) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil
	}
	text, err := Admit(contentType, raw)
	if err != nil {
		return err
	}
	stated, err := statementOf(text)
	switch {
	case op.Response == api.ResponseEmpty && (err != nil || stated.kind == 'f'):
		return nil // The body is ignored, and may be any text.
	case err == nil && stated.isRejection():
		return &Failure{stated.text}
	}
	return err
}

// envelope is a body with its payload.
type envelope struct {
	Content
	isBare  bool       // The payload is the whole body. A bare list may also have an envelope.
	payload byte       // The first byte of the payload, or 0 if there is none.
	failed  bool       // The body has an error that is not null, or may have one.
	fault   scan.Fault // The fault of the payload or the paging record.
}

// readEnvelope reads the payload and its envelope, if the body has one: lists of areas without envelopes sometimes do
// (observed).
func readEnvelope(op *api.Operation, text []byte, hider scan.Hider, into Payload) (e envelope, err error) {
	s := scan.New(text)
	s.Hider = hider
	first := s.Peek()
	e.isBare = op.Response == api.ResponseRecord || op.Response == api.ResponseArray ||
		op.Response == api.ResponseMaybe && api.Prefixes[op.Area] != ""
	if e.isBare && (first != '{' || op.Response != api.ResponseArray) {
		e.failed = first == '{' && bytes.Contains(text, []byte(`"error"`))
		from := s.Mark
		e.payload = first
		into.read(s)
		e.fault = s.Recover(from)
		return e, Finish(s)
	}
	if first != '{' {
		if s.Skip(); first != 'n' {
			e.fault.Reason = scan.Unreadable
		}
		return e, Finish(s)
	}
	for s.Open('{'); s.Member(); {
		from := s.Mark
		switch string(s.Name) {
		case "data":
			e.payload = s.Peek()
			into.read(s)
		case "error":
			e.failed = s.Peek() != 'n'
			s.Skip()
		case "pagination", "pageInfo": // Some areas have the one, and some the other.
			if s.Null() {
				break
			}
			for s.Open('{'); s.Member(); {
				switch string(s.Name) {
				case "total":
					api.ReadOptional(s, &e.Total, api.ReadInt)
				case "limit":
					api.ReadOptional(s, &e.Limit, api.ReadInt)
				default:
					s.Skip()
				}
			}
		case "next_at", "cursor":
			api.ReadText(s, &e.NextAt)
		default:
			s.Skip()
		}
		if s.Fault.Reason != 0 { // The rest of the body is still read.
			s.Recover(from)
		}
	}
	e.fault = s.Mended
	return e, Finish(s)
}

// holdsAnything reports whether a payload contains anything except unknown fields, and the id of a created record if it
// has one: entries under security/ are documented without ids.
func holdsAnything(value reflect.Value, created bool) bool {
	switch value.Kind() {
	case reflect.Pointer:
		if value.IsNil() || value.Elem().Kind() != reflect.Struct {
			return !value.IsNil()
		}
		return holdsAnything(value.Elem(), created)
	case reflect.Slice:
		return value.Len() > 0 && holdsAnything(value.Index(0), false)
	case reflect.Struct:
		if id := value.FieldByName("ID"); created && id.IsValid() {
			return !id.IsZero()
		}
		for i := range value.NumField() {
			if value.Field(i).Type() != reflect.TypeFor[scalar.Extra]() && holdsAnything(value.Field(i), false) {
				return true
			}
		}
		return false
	}
	return !value.IsZero()
}

// hasFields reports whether an object with a number of fields beside those that state success or failure has any that
// the record knows. Its values may be zero.
func hasFields(data any, count int) bool {
	value := reflect.Indirect(reflect.ValueOf(data).Elem())
	if value.Kind() == reflect.Slice && value.Len() > 0 {
		value = value.Index(0)
	}
	if value.Kind() != reflect.Struct {
		return false
	}
	field := value.FieldByName("Extra")
	if !field.IsValid() {
		return false
	}
	extra, received := field.Interface().(scalar.Extra)
	for _, name := range extra.Names() {
		if !slices.Contains(names, name) {
			count--
		}
	}
	return received && count > 0
}
