package reply

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/scan"
	"github.com/rpcfleet/rpcfleet-go/internal/variant"
)

// The reasons why a body cannot be used. The root package exports them.
const (
	HTML        = "an HTML page instead of JSON"
	ContentType = "unexpected content type"
	Empty       = "empty body"
	NoData      = "no data in the response"
	Truncated   = "response cut short"
	TooLarge    = "response too large"
	Trailing    = "text after the JSON value"
	Syntax      = "invalid JSON"
	Shape       = "unexpected type"
	TooDeep     = "nested too deeply"
)

// Malformed is the error of a body that cannot be used. Its text contains no value of the body.
type Malformed struct {
	Reason string
	// Detail contains the position and the cause, or is empty.
	Detail string
	// NotFound is set if the service reports that the object does not exist, with null data and a null error.
	NotFound bool
}

// Error returns the reason and the detail.
func (m *Malformed) Error() string {
	if m.Detail == "" {
		return m.Reason
	}
	return m.Reason + ": " + m.Detail
}

// isSyntax reports whether the body is not JSON.
func (m *Malformed) isSyntax() bool {
	return m.Reason == Truncated || m.Reason == Trailing || m.Reason == Syntax
}

// Module is the prefix of the paths of this library's packages.
const Module = "github.com/rpcfleet/rpcfleet-go/"

// invalid describes the error of a body that is not one JSON value, or returns nil.
func (b *Body) invalid() *Malformed {
	s := b.scan(b.text)
	defer s.Release()
	reason := Trailing
	if s.Skip(); s.Fault.Reason != 0 {
		reason = Syntax
	}
	if s.End() {
		return nil
	}
	at := s.Fault.At
	_, err := jsontext.NewDecoder(bytes.NewBuffer(b.text[at:]), variant.Lenient).ReadToken()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &Malformed{Reason: Truncated,
			Detail: fmt.Sprintf("the JSON value is not complete after %d bytes", len(b.text))}
	}
	if within, is := errors.AsType[*jsontext.SyntacticError](err); is {
		at += int(within.ByteOffset)
	}
	return &Malformed{Reason: reason, Detail: fmt.Sprintf("at byte %d", at)}
}

// Describe describes the fault of a Scanner in a text that is valid JSON.
func Describe(text []byte, fault scan.Fault) *Malformed {
	place, kind := Locate(text, fault.At)
	found := &json.SemanticError{}
	if sorted, is := errors.AsType[*Malformed](fault.Err); is {
		return sorted
	} else if errors.As(fault.Err, &found) { // Within the value of a caller.
		place, kind = place+found.JSONPointer, found.JSONKind
	}
	switch fault.Reason {
	case scan.Deep:
		return &Malformed{Reason: TooDeep, Detail: fmt.Sprintf("more than %d levels at %q", scan.MaxDepth, string(place))}
	case scan.Large:
		return &Malformed{Reason: TooLarge,
			Detail: fmt.Sprintf("the records up to %q take too much memory for their text", string(place))}
	}
	detail := fmt.Sprintf("%s at %q", kindName(kind), string(place))
	if found.GoType != nil {
		detail += " cannot be read as " + typeName(found.GoType)
	}
	return &Malformed{Reason: Shape, Detail: detail}
}

// Locate returns the JSON Pointer to the value at an offset of a text that is valid JSON, and its kind.
func Locate(text []byte, at int) (jsontext.Pointer, jsontext.Kind) {
	before, rest := cut(text[:at], scan.MaxDepth), text[at:]
	dec := jsontext.NewDecoder(io.MultiReader(bytes.NewReader(before), bytes.NewReader(rest)), variant.Lenient)
	for dec.InputOffset() <= int64(len(before)) {
		if _, err := dec.ReadToken(); err != nil {
			break
		}
	}
	return dec.StackPointer(), jsontext.Value(rest).Kind()
}

// typeName returns the name of a type that callers know, or the kind of JSON that it is decoded from.
func typeName(t reflect.Type) string {
	switch kind, name := t.Kind(), t.String(); {
	case kind == reflect.Pointer:
		return typeName(t.Elem())
	case t.Name() != "" && !strings.Contains(name, "[") && !strings.HasPrefix(t.PkgPath(), Module+"internal/"):
		return name
	case kind == reflect.Slice || kind == reflect.Array:
		return "a list"
	case kind == reflect.Struct || kind == reflect.Map || kind == reflect.Interface:
		return "an object"
	default:
		return kind.String()
	}
}

// kindName returns the name of a kind of JSON value.
func kindName(kind jsontext.Kind) string { return cmp.Or(kindNames[kind], "a value") }

var kindNames = map[jsontext.Kind]string{
	'n': "a null", 't': "a boolean", 'f': "a boolean", '"': "a string", '0': "a number", '{': "an object", '[': "an array",
}
