// Package variant decodes the interfaces of a GraphQL schema: each value into the record for the name of its type.
package variant

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Of decodes the interface I into the record that choose makes for the name of the value's type, which is empty if
// there is none. whole returns the value as it came.
func Of[I any](choose func(typename string, whole func() stdjson.RawMessage) I) *json.Unmarshalers {
	return json.UnmarshalFromFunc(func(dec *jsontext.Decoder, into *I) error {
		value, err := dec.ReadValue()
		if err != nil {
			return err
		}
		switch value.Kind() {
		case 'n':
			reflect.ValueOf(into).Elem().SetZero()
			return nil
		case '{':
		default:
			return &json.SemanticError{JSONKind: value.Kind(), GoType: reflect.TypeFor[I]()}
		}
		record := choose(Name(value), func() (raw stdjson.RawMessage) {
			err = json.Unmarshal(value, &raw, dec.Options())
			return raw
		})
		if err == nil {
			err = json.Unmarshal(value, record, dec.Options())
		}
		*into = record
		return At(dec.StackPointer(), err)
	})
}

// Name returns the name of the type of the object that a text begins with, or nothing if it has none. The last one of
// several counts.
func Name(text []byte) (typename string) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if begin, err := dec.ReadToken(); err != nil || begin.Kind() != '{' {
		return ""
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		isName := err == nil && name.String() == "__typename"
		value, err := dec.ReadValue()
		if err != nil {
			break
		}
		if isName {
			typename = ""
			_ = json.Unmarshal(value, &typename, jsontext.AllowInvalidUTF8(true)) // Of another kind, it is no name.
		}
	}
	return typename
}

// At adds to an error the place of the value that it is about.
func At(place jsontext.Pointer, err error) error {
	var fault *json.SemanticError
	if errors.As(err, &fault) {
		fault.JSONPointer = place + fault.JSONPointer
	}
	return err
}
