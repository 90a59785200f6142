package graph

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/rpcfleet/rpcfleet-go/internal/variant"
)

// Unmarshal parses JSON that encoding/json has written for records of this package, and stores the result in the value
// pointed to by into. Beyond encoding/json, it decodes the interfaces of this package wherever they occur: an [NFT], a
// list of [Event], or a field in the caller's struct. The member __typename selects the type.
//
//	text, err := json.Marshal(page.Items) // of the type []graph.Event
//	...
//	var events []graph.Event
//	err = graph.Unmarshal(text, &events)
//
// If the value is a record with interfaces in its fields, json.Unmarshal works as well.
func Unmarshal(text []byte, into any) error {
	if err := json.Unmarshal(text, into, asEncodingJSON, json.WithUnmarshalers(interfaces)); err != nil {
		return fmt.Errorf("graph: %w", err)
	}
	return nil
}

// asEncodingJSON decodes like encoding/json, but its errors contain the whole path.
var asEncodingJSON = json.JoinOptions(jsonv1.DefaultOptionsV1(), jsonv1.ReportErrorsWithLegacySemantics(false))

// writeRecord encodes a record like encoding/json, as an identical type without a MarshalJSON method. The caller's
// marshalers, such as the ones that reveal secrets, apply to its fields.
func writeRecord(enc *jsontext.Encoder, plain any) error {
	return json.MarshalEncode(enc, plain, jsonv1.DefaultOptionsV1())
}

// readRecord decodes a record as an identical type without an UnmarshalJSON method. If the decoder has no unmarshalers
// for interfaces, as in encoding/json, it uses this package's. An error names the record.
func readRecord[P any](dec *jsontext.Decoder, plain *P, record any) error {
	return named[P](json.UnmarshalDecode(dec, plain, readingInterfaces(dec)), record)
}

// readUnknown decodes a record like readRecord, and keeps its whole JSON in raw.
func readUnknown[P any](dec *jsontext.Decoder, plain *P, record any, raw *stdjson.RawMessage) error {
	value, err := dec.ReadValue()
	if err != nil {
		return err
	}
	options := json.JoinOptions(dec.Options(), readingInterfaces(dec))
	if err = json.Unmarshal(value, raw, options); err == nil {
		err = json.Unmarshal(value, plain, options)
	}
	return named[P](variant.At(dec.StackPointer(), err), record)
}

// readingInterfaces returns the decoder's unmarshalers or, if it has none, this package's.
func readingInterfaces(dec *jsontext.Decoder) json.Options {
	if given, _ := json.GetOption(dec.Options(), json.WithUnmarshalers); given != nil {
		return nil
	}
	return json.WithUnmarshalers(interfaces)
}

// named returns an error about a record that was decoded as the type P.
func named[P any](err error, record any) error {
	var fault *json.SemanticError
	if errors.As(err, &fault) && fault.GoType == reflect.TypeFor[P]() {
		fault.GoType = reflect.TypeOf(record).Elem()
	}
	return err
}
