// Package variant decodes interfaces with the JSON library by the names of their types.
package variant

import (
	stdjson "encoding/json"
	"errors"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Interface decodes the interface I into the record that choose returns for the value's __typename, or for "" if it has
// none.
func Interface[I any](choose func(typename string) I) *json.Unmarshalers {
	return json.UnmarshalFromFunc(func(dec *jsontext.Decoder, into *I) error {
		if dec.PeekKind() == 'n' {
			return errors.ErrUnsupported // The library sets nil.
		}
		value, err := dec.ReadValue()
		if err != nil {
			return err
		}
		if value.Kind() != '{' {
			return &json.SemanticError{JSONKind: value.Kind(), GoType: reflect.TypeFor[I]()}
		}
		var object struct {
			Typename any `json:"__typename"` // A value that is not a text is not a name.
		}
		_ = json.Unmarshal(value, &object, dec.Options())
		typename, _ := object.Typename.(string)
		*into = choose(typename)
		return addPlace(dec.StackPointer(), json.Unmarshal(value, *into, dec.Options()))
	})
}

// Record decodes a record as the identical type P without an UnmarshalJSON method, which could not pass on the options.
// An error names the record.
func Record[P any](dec *jsontext.Decoder, plain *P, record any) error {
	return named[P](json.UnmarshalDecode(dec, plain), record)
}

// UnknownRecord decodes a record like Record, and keeps its whole JSON in raw.
func UnknownRecord[P any](dec *jsontext.Decoder, plain *P, record any, raw *stdjson.RawMessage) error {
	value, err := dec.ReadValue()
	if err != nil {
		return err
	}
	if err = json.Unmarshal(value, raw, dec.Options()); err == nil {
		err = json.Unmarshal(value, plain, dec.Options())
	}
	return named[P](addPlace(dec.StackPointer(), err), record)
}

// named returns an error about a record that was decoded as the type P.
func named[P any](err error, record any) error {
	if fault, is := errors.AsType[*json.SemanticError](err); is && fault.GoType == reflect.TypeFor[P]() {
		fault.GoType = reflect.TypeOf(record).Elem()
	}
	return err
}

// Lenient accepts duplicate names, of which the last one counts, and invalid UTF-8, which is replaced.
var Lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// EachField reads an object, and calls read to read the value of each field.
func EachField(dec *jsontext.Decoder, read func(name string) error) error {
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err == nil {
			err = read(name.String())
		}
		if err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return err
}

// addPlace adds to an error the place of the value that it is about.
func addPlace(place jsontext.Pointer, err error) error {
	if fault, is := errors.AsType[*json.SemanticError](err); is {
		fault.JSONPointer = place + fault.JSONPointer
	}
	return err
}
