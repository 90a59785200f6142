package reply

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
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

// Module is the prefix of the paths of this library's packages.
const Module = "github.com/rpcfleet/rpcfleet-go/"

// malformed classifies an error of the JSON library, and drops quoted parts of the body. Nil is returned unchanged.
func (b *Body) malformed(err error) error {
	var sorted *Malformed
	var semantic *json.SemanticError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &sorted):
		return sorted
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &Malformed{Reason: Truncated, Detail: fmt.Sprintf("the JSON value is not complete after %d bytes",
			len(b.text))}
	case errors.As(err, &semantic):
		return UnexpectedType(semantic)
	}
	fault := &Malformed{Reason: Syntax}
	if syntactic, is := errors.AsType[*jsontext.SyntacticError](err); is {
		fault.Detail = fmt.Sprintf("at byte %d", syntactic.ByteOffset)
		if strings.Contains(syntactic.Err.Error(), "after top-level value") {
			fault.Reason = Trailing
		}
	}
	return fault
}

// UnexpectedType describes an unreadable value.
func UnexpectedType(fault *json.SemanticError) *Malformed {
	if errors.Is(fault.Err, errTooDeep) {
		return &Malformed{Reason: TooDeep, Detail: fmt.Sprintf("%v at %q", fault.Err, string(fault.JSONPointer))}
	}
	detail := fmt.Sprintf("%s at %q", KindName(fault.JSONKind), string(fault.JSONPointer))
	if fault.GoType != nil {
		detail += " cannot be read as " + typeName(fault.GoType)
	}
	return &Malformed{Reason: Shape, Detail: detail}
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

// SemanticError returns the error of an unreadable value, or nil if more than the value is invalid.
func SemanticError(err error) *json.SemanticError {
	fault, _ := errors.AsType[*json.SemanticError](err)
	return fault
}

// KindName returns the name of a kind of JSON value.
func KindName(kind jsontext.Kind) string { return cmp.Or(kindNames[kind], "a value") }

var kindNames = map[jsontext.Kind]string{
	'n': "a null", 't': "a boolean", 'f': "a boolean", '"': "a string", '0': "a number", '{': "an object", '[': "an array",
}
