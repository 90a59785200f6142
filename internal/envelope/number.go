package envelope

import (
	stdjson "encoding/json"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// numbers reads a number into encoding/json's type of one, with its spelling, so that nothing is rounded. As
// encoding/json does, it reads a text that is spelled as a number, and leaves nothing behind of a null.
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
		if text := literal.String(); isNumber(text) {
			*into = stdjson.Number(text)
			return nil
		}
	}
	return &json.SemanticError{JSONKind: kind, GoType: reflect.TypeFor[stdjson.Number]()}
})
