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

// writeRecord encodes a record as encoding/json does, by way of a type that is the same and does not write itself.
// Marshalers of the caller's, such as those that reveal secrets, write what is in it.
func writeRecord(enc *jsontext.Encoder, plain any) error {
	return json.MarshalEncode(enc, plain, jsonv1.DefaultOptionsV1())
}

// readRecord decodes a record, by way of a type that is the same and does not read itself. It reads the interfaces in it
// if the decoder has no unmarshalers for them, as the decoder of encoding/json has none. An error names the record.
func readRecord[P any](dec *jsontext.Decoder, plain *P, record any) error {
	return named[P](json.UnmarshalDecode(dec, plain, readingInterfaces(dec)), record)
}

// readUnknown decodes a record as readRecord does, and keeps the whole of it in raw.
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

// readingInterfaces returns the unmarshalers of the decoder, which are those of this package or of the caller, or else
// those of this package.
func readingInterfaces(dec *jsontext.Decoder) json.Options {
	if given, _ := json.GetOption(dec.Options(), json.WithUnmarshalers); given != nil {
		return nil
	}
	return json.WithUnmarshalers(interfaces)
}

// named is an error about a record that was decoded by way of the type P.
func named[P any](err error, record any) error {
	var fault *json.SemanticError
	if errors.As(err, &fault) && fault.GoType == reflect.TypeFor[P]() {
		fault.GoType = reflect.TypeOf(record).Elem()
	}
	return err
}
