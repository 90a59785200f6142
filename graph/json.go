package graph

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// Unmarshal reads what encoding/json has written of the records of this package, into what into points to. It reads
// what encoding/json reads and, beyond that, the interfaces of this package, wherever they are: an [NFT], a list of
// [Event], a struct of the caller's with one in it. The name of its type, in the member __typename, says what each is.
//
//	text, err := json.Marshal(page.Items) // of the type []graph.Event
//	...
//	var events []graph.Event
//	err = graph.Unmarshal(text, &events)
//
// Records that hold interfaces read themselves; for those, json.Unmarshal does as well.
func Unmarshal(text []byte, into any) error {
	if err := json.Unmarshal(text, into, asEncodingJSON, json.WithUnmarshalers(interfaces)); err != nil {
		return fmt.Errorf("graph: %w", err)
	}
	return nil
}

// asEncodingJSON reads what encoding/json reads. Its errors are others: they have the whole path.
var asEncodingJSON = json.JoinOptions(jsonv1.DefaultOptionsV1(), jsonv1.ReportErrorsWithLegacySemantics(false))

// variant decodes an interface.
type variant = *json.Unmarshalers

var interfaces = json.JoinUnmarshalers(variants...)

// variantOf decodes the interface I into the record that choose makes for the name of the value's type, which is empty
// where there is none.
func variantOf[I any](choose func(typename string, raw []byte) I) variant {
	return json.UnmarshalFromFunc(func(dec *jsontext.Decoder, into *I) error {
		value, err := dec.ReadValue()
		if err != nil {
			return err
		}
		if value.Kind() != '{' {
			var none I
			*into = none
			if value.Kind() != 'n' {
				return &json.SemanticError{JSONKind: value.Kind(), GoType: reflect.TypeFor[I]()}
			}
			return nil
		}
		var named struct {
			Typename string `json:"__typename"`
		}
		if err := json.Unmarshal(value, &named, dec.Options()); err != nil {
			return at(dec.StackPointer(), err)
		}
		record := choose(named.Typename, value)
		if err := json.Unmarshal(value, record, dec.Options()); err != nil {
			return at(dec.StackPointer(), err)
		}
		*into = record
		return nil
	})
}

// at adds to an error where the value is that it is about.
func at(place jsontext.Pointer, err error) error {
	var fault *json.SemanticError
	if errors.As(err, &fault) {
		fault.JSONPointer = place + fault.JSONPointer
	}
	return err
}

// writeRecord encodes a record as encoding/json does, by way of a type that is the same and does not write itself.
// Marshalers of the caller's, such as those that reveal secrets, write what is in it.
func writeRecord(enc *jsontext.Encoder, plain any) error {
	return json.MarshalEncode(enc, plain, jsonv1.DefaultOptionsV1())
}

// readRecord decodes a record, by way of a type that is the same and does not read itself. It reads the interfaces in it
// where the decoder has no unmarshalers for them, as that of encoding/json has none. An error names the record.
func readRecord[P any](dec *jsontext.Decoder, plain *P, record any) error {
	if readsInterfaces(dec) {
		return named[P](json.UnmarshalDecode(dec, plain), record)
	}
	return named[P](json.UnmarshalDecode(dec, plain, json.WithUnmarshalers(interfaces)), record)
}

// readUnknown decodes a record as readRecord does, and keeps the whole of it in raw, where the unmarshaler of an
// interface has not done so.
func readUnknown[P any](dec *jsontext.Decoder, plain *P, record any, raw *[]byte) error {
	if readsInterfaces(dec) {
		return readRecord(dec, plain, record)
	}
	value, err := dec.ReadValue()
	if err != nil {
		return err
	}
	*raw = bytes.Clone(value)
	err = json.Unmarshal(value, plain, dec.Options(), json.WithUnmarshalers(interfaces))
	return named[P](at(dec.StackPointer(), err), record)
}

// readsInterfaces reports whether the decoder has unmarshalers, which are those of this package or of the caller.
func readsInterfaces(dec *jsontext.Decoder) bool {
	given, _ := json.GetOption(dec.Options(), json.WithUnmarshalers)
	return given != nil
}

// named is an error about a record that was decoded by way of the type P.
func named[P any](err error, record any) error {
	var fault *json.SemanticError
	if errors.As(err, &fault) && fault.GoType == reflect.TypeFor[P]() {
		fault.GoType = reflect.TypeOf(record).Elem()
	}
	return err
}
