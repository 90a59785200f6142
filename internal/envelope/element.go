package envelope

import (
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Element is a value that is decoded apart from its neighbours: what is wrong with it is no fault of theirs.
type Element[T any] struct {
	// Value is the value where there is one, and Read says whether. There is none for a null, for what cannot be read, and
	// for what is absent.
	Value T
	Read  bool
	// Place is the JSON pointer to what is there in the place of a value. It is empty where nothing is.
	Place string
	// Fault says what is wrong with a value that cannot be read.
	Fault *Malformed
}

// UnmarshalJSONFrom implements the JSON library's streaming interface.
func (e *Element[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
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
	fault := misshapen(err)
	if forgives, _ := json.GetOption(dec.Options(), jsontext.AllowDuplicateNames); !forgives || fault == nil {
		return err // Another pass will be made, or the body is not one that can be read on.
	}
	*e = Element[T]{} // What was read of it is no value.
	e.Fault, e.Place = shapeless(fault), string(fault.JSONPointer)
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

// inside is the value, or nil where there is none.
func (e *Element[T]) inside() reflect.Value {
	if !e.Read {
		return reflect.ValueOf((*T)(nil))
	}
	return reflect.ValueOf(&e.Value)
}

// holdsNull keeps the list's own rule about nulls from a value that has its own.
func (*Element[T]) holdsNull() {}
