package envelope

import (
	"bytes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Variants tell how to decode the interfaces of a GraphQL schema: into which Go types.
type Variants struct{ unmarshalers *json.Unmarshalers }

// JoinVariants makes one of several.
func JoinVariants(all ...Variants) Variants {
	unmarshalers := make([]*json.Unmarshalers, len(all))
	for i, v := range all {
		unmarshalers[i] = v.unmarshalers
	}
	return Variants{json.JoinUnmarshalers(unmarshalers...)}
}

// VariantOf tells how to decode the interface I: into the record that choose makes for the name of the value's type,
// which is empty where the service left it out. It is also given the value, as it came, and must not keep it.
func VariantOf[I any](choose func(typename string, raw []byte) I) Variants {
	return Variants{json.UnmarshalFromFunc(func(dec *jsontext.Decoder, into *I) error {
		value, err := dec.ReadValue()
		if err != nil {
			return err
		}
		if value.Kind() == 'n' {
			var none I
			*into = none
			return nil
		}
		record := choose(typename(value), value)
		if err := json.Unmarshal(value, record, dec.Options()); err != nil {
			return err
		}
		*into = record
		return nil
	})}
}

// typename returns the name of an object's type. The client asks for it first, so that this reads little of a value.
func typename(value jsontext.Value) string {
	dec := jsontext.NewDecoder(bytes.NewReader(value), liberal)
	if token, err := dec.ReadToken(); err != nil || token.Kind() != '{' {
		return ""
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return ""
		}
		if name.String() == "__typename" {
			found, err := dec.ReadValue()
			if err != nil {
				return ""
			}
			return textOf(found)
		}
		if dec.SkipValue() != nil {
			return ""
		}
	}
	return ""
}
