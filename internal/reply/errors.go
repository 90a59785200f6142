package reply

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/scan"
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

// invalid describes the error of a text that is not one JSON value, or returns nil.
func invalid(text []byte) error {
	s := scan.New(text)
	defer s.Release()
	reason := Trailing
	if s.Skip(); s.Fault.Reason != 0 {
		reason = Syntax
	}
	switch {
	case s.End():
		return nil
	case s.Fault.At == len(text):
		return &Malformed{Reason: Truncated,
			Detail: fmt.Sprintf("the JSON value is not complete after %d bytes", len(text))}
	}
	return &Malformed{Reason: reason, Detail: fmt.Sprintf("at byte %d", s.Fault.At)}
}

// Describe describes the fault of a Scanner in a text that is valid JSON.
func Describe(text []byte, fault scan.Fault) *Malformed {
	place, kind := Locate(text, fault.At)
	found := &json.SemanticError{}
	if stated, is := errors.AsType[*Malformed](fault.Err); is {
		return stated
	} else if errors.As(fault.Err, &found) { // Within the value of a caller.
		place, kind = place+found.JSONPointer, found.JSONKind
	}
	switch fault.Reason {
	case scan.Deep:
		return &Malformed{Reason: TooDeep, Detail: fmt.Sprintf("more than %d levels at %q", scan.MaxDepth, place)}
	case scan.Large:
		return &Malformed{Reason: TooLarge,
			Detail: fmt.Sprintf("the records up to %q take too much memory for their text", place)}
	}
	detail := fmt.Sprintf("%s at %q", cmp.Or(kindNames[kind], "a value"), place)
	if found.GoType != nil && found.GoType.Name() != "" {
		detail += " cannot be read as " + found.GoType.String()
	}
	return &Malformed{Reason: Shape, Detail: detail}
}

// Locate returns the JSON Pointer to the value at an offset of a text that is valid JSON, and its kind. Behind a value
// that is too deep for the JSON library, it points to that.
func Locate(text []byte, at int) (jsontext.Pointer, jsontext.Kind) {
	dec := jsontext.NewDecoder(io.MultiReader(bytes.NewReader(text[:at]), bytes.NewReader(text[at:])),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for dec.InputOffset() <= int64(at) {
		if _, err := dec.ReadToken(); err != nil {
			break
		}
	}
	return dec.StackPointer(), jsontext.Value(text[at:]).Kind()
}

var kindNames = map[jsontext.Kind]string{
	'n': "a null", 't': "a boolean", 'f': "a boolean", '"': "a string", '0': "a number", '{': "an object", '[': "an array",
}
