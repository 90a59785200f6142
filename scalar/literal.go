package scalar

import (
	"bytes"
	"fmt"
	"reflect"
	"strconv"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// kind is a JSON value's kind. Kinds can be joined with | to a set of them.
type kind uint8

const (
	kindBoolean kind = 1 << iota
	kindNull
	kindString
	kindNumber
	kindObject
	kindArray
)

// String words the kind for an error message. There is none about null, which every type reads.
func (k kind) String() string {
	switch k {
	case kindString:
		return "a JSON string"
	case kindBoolean:
		return "a JSON boolean"
	case kindObject:
		return "a JSON object"
	case kindArray:
		return "a JSON array"
	default:
		return "a JSON number"
	}
}

// kindOf tells a valid JSON value's kind by its first byte.
func kindOf(first byte) kind {
	switch first {
	case 'n':
		return kindNull
	case '"':
		return kindString
	case 't', 'f':
		return kindBoolean
	case '{':
		return kindObject
	case '[':
		return kindArray
	default:
		return kindNumber
	}
}

// unmarshal is UnmarshalJSON of a type that read reads: it hands data to read, without the space around it, if it is
// one valid JSON value. Its error does not quote data, which may be a credential.
func unmarshal(typeName string, data []byte, read func(value []byte) error) error {
	value, ok := validate(data)
	if !ok {
		return fmt.Errorf("scalar: %s cannot be read from malformed JSON", typeName)
	}
	return read(value)
}

// unmarshalFrom is UnmarshalJSONFrom of such a type, T: it hands the next value to read, which the decoder has
// validated. Its error is complete: encoding/json of Go 1.27 makes one of its own of it, and completes nothing.
func unmarshalFrom[T any](dec *jsontext.Decoder, read func(value []byte) error) error {
	value, err := dec.ReadValue()
	if err != nil {
		return err
	}
	if err := read(value); err != nil {
		return &jsonv2.SemanticError{
			JSONPointer: dec.StackPointer(), JSONKind: value.Kind(), GoType: reflect.TypeFor[T](), Err: err,
		}
	}
	return nil
}

// literal is one JSON value as the decoders of this package look at it: its kind, and its text, which is unquoted for a
// string and verbatim otherwise. The text may lie in the memory of the decoder: it is copied by whoever keeps it.
type literal struct {
	kind kind
	text []byte
}

// readLiteral takes a valid JSON value apart that is null or of one of the accepted kinds. Its errors name the type and
// the kind but never quote the value.
func readLiteral(typeName string, value []byte, accepted kind) (literal, error) {
	k := kindOf(value[0])
	if k&(accepted|kindNull) == 0 {
		return literal{}, fmt.Errorf("scalar: %s cannot be read from %s", typeName, k)
	}
	if k != kindString {
		return literal{kind: k, text: value}, nil
	}
	if text := value[1 : len(value)-1]; bytes.IndexByte(text, '\\') < 0 && utf8.Valid(text) {
		return literal{kind: k, text: text}, nil
	}
	// The error is about what is not valid Unicode. It stands for itself in the text, as with encoding/json.
	text, _ := jsontext.AppendUnquote(nil, value)
	return literal{kind: k, text: text}, nil
}

// quoted returns text as a JSON string.
func quoted[T ~string | ~[]byte](text T) []byte {
	out, _ := jsontext.AppendQuote(nil, text) // The error is about invalid UTF-8, which is replaced.
	return out
}

// quote shows text in an error message, cut to a length that suits one.
func quote[T ~string | ~[]byte](text T) string {
	const most = 40
	if len(text) <= most {
		return strconv.Quote(string(text))
	}
	return strconv.Quote(string(text[:most])) + "..."
}
