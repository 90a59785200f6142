package graphql

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// numbers decodes into json.Number without rounding. As in encoding/json, a string that contains a number is accepted,
// and a null changes nothing.
var numbers = json.UnmarshalFromFunc(func(dec *jsontext.Decoder, into *stdjson.Number) error {
	kind := dec.PeekKind()
	switch kind {
	case 'n':
		return dec.SkipValue()
	case '0', '"':
		literal, err := dec.ReadToken()
		if err != nil {
			return err
		}
		if text := literal.String(); reply.IsNumber(text) {
			*into = stdjson.Number(text)
			return nil
		}
	}
	return &json.SemanticError{JSONKind: kind, GoType: reflect.TypeFor[stdjson.Number]()}
})

// Element is a value that is decoded separately, so one bad element does not fail its neighbours.
type Element[T any] struct {
	// Value is the value if Read is set. Read is not set if the value is null, unreadable or absent.
	Value T
	Read  bool
	// Place is the JSON Pointer of a null or an unreadable value. It is empty if the value is absent.
	Place string
	// Fault is the error of an unreadable value.
	Fault *reply.Malformed
}

// UnmarshalJSONFrom implements the JSON library's streaming interface.
func (e *Element[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	*e = Element[T]{}
	if dec.PeekKind() == 'n' {
		err := dec.SkipValue()
		e.Place = string(dec.StackPointer())
		return err
	}
	depth := dec.StackDepth()
	_, before := dec.StackIndex(depth)
	err := json.UnmarshalDecode(dec, &e.Value)
	if err == nil {
		e.Read = true
		return nil
	}
	fault, malformed := reply.SemanticError(err), (*reply.Malformed)(nil)
	forgives, _ := json.GetOption(dec.Options(), jsontext.AllowDuplicateNames)
	if !forgives || fault == nil || errors.As(err, &malformed) {
		return err // Another pass follows, or the rest of the body is unreadable.
	}
	*e = Element[T]{} // Discard the partly decoded value.
	e.Fault, e.Place = reply.UnexpectedType(fault), string(fault.JSONPointer)
	for dec.StackDepth() > depth {
		if _, err := dec.ReadToken(); err != nil {
			return err
		}
	}
	if _, after := dec.StackIndex(depth); after == before {
		return dec.SkipValue()
	}
	return nil
}

// Located is the value at a path of names in the data of a response. Everything beside the path is skipped. A null on
// the path ends it. A name that is missing is an error, since the query did not ask for it.
type Located[T any] struct {
	Path  []string
	Value T
	// Found is set if the value is present and not null.
	Found bool
}

func (l *Located[T]) reset() { *l = Located[T]{Path: l.Path} }

// UnmarshalJSONFrom implements the JSON library's streaming interface.
func (l *Located[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error { return l.descend(dec, l.Path) }

// descend decodes the value at a path below the next value.
func (l *Located[T]) descend(dec *jsontext.Decoder, path []string) error {
	switch kind := dec.PeekKind(); {
	case kind == 'n':
		return dec.SkipValue()
	case len(path) == 0:
		l.Found = true
		return json.UnmarshalDecode(dec, &l.Value)
	case kind != '{' && kind != jsontext.KindInvalid:
		return misplaced("%s instead of an object with %q", reply.KindName(kind), path[0])
	}
	found := false
	err := scan.EachField(dec, func(name string) error {
		if name != path[0] {
			return dec.SkipValue()
		}
		found = true
		return l.descend(dec, path[1:])
	})
	if err == nil && !found {
		return misplaced("no %q on the path", path[0])
	}
	return err
}

func misplaced(format string, args ...any) error {
	return &reply.Malformed{Reason: reply.Shape, Detail: fmt.Sprintf(format, args...)}
}
