package envelope

import (
	"bytes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Variants tell how to decode the interfaces of a GraphQL schema: into which Go types.
type Variants struct {
	of []func(*typenames) *json.Unmarshalers
}

// JoinVariants makes one of several.
func JoinVariants(all ...Variants) Variants {
	var joined Variants
	for _, v := range all {
		joined.of = append(joined.of, v.of...)
	}
	return joined
}

// VariantOf tells how to decode the interface I: into the record that choose makes for the name of the value's type,
// which is empty where the service left it out. raw returns the value as it came, which choose must not keep.
func VariantOf[I any](choose func(typename string, raw func() []byte) I) Variants {
	return Variants{[]func(*typenames) *json.Unmarshalers{func(names *typenames) *json.Unmarshalers {
		return json.UnmarshalFromFunc(func(dec *jsontext.Decoder, into *I) error {
			if dec.PeekKind() == 'n' {
				var none I
				*into = none
				return dec.SkipValue()
			}
			start := names.next(dec)
			typename, err := names.at(start)
			if err != nil {
				return err
			}
			record := choose(typename, func() []byte { return names.value(start) })
			if err := json.UnmarshalDecode(dec, record); err != nil {
				return err
			}
			*into = record
			return nil
		})
	}}}
}

// unmarshalers decode the interfaces in one body.
func (v Variants) unmarshalers(b *body, raw []byte) *json.Unmarshalers {
	names := &typenames{body: b, raw: raw}
	all := make([]*json.Unmarshalers, len(v.of))
	for i, of := range v.of {
		all[i] = of(names)
	}
	return json.JoinUnmarshalers(all...)
}

// typenames finds the names of the types of the objects in a body, so that each object can be decoded where it stands.
type typenames struct {
	body *body
	raw  []byte
	// index has the name for each object that has one, by the offset behind the object's brace. It is made when an
	// object does not begin with the name: the client asks for the name first.
	index map[int]string
}

// next returns the offset of the value that a decoder of the body comes to next.
func (t *typenames) next(dec *jsontext.Decoder) int {
	start := int(dec.InputOffset())
	return start + len(t.raw[start:]) - len(bytes.TrimLeft(t.raw[start:], " \t\r\n:,"))
}

// at returns the name of the type of the value at an offset, or nothing for one that is no object.
func (t *typenames) at(start int) (string, error) {
	dec := tokens(t.raw[start:])
	defer func() { t.body.read += dec.InputOffset() }()
	if brace, err := dec.ReadToken(); err != nil || brace.Kind() != '{' {
		return "", nil // The decoder of the body says what is wrong with it.
	}
	if dec.PeekKind() != '"' {
		return "", nil
	}
	if name, err := dec.ReadToken(); err == nil && name.String() == typenameField {
		return text(dec), nil
	}
	if t.index == nil {
		t.index = map[int]string{}
		if err := t.find(); err != nil {
			return "", err
		}
	}
	return t.index[start+1], nil
}

const typenameField = "__typename"

// find makes the index, in one pass. Where the body is not complete, it is that of what there is.
func (t *typenames) find() error {
	err := t.body.eachMember(t.raw, func(m member) {
		if m.name == typenameField {
			rest := bytes.TrimLeft(t.raw[m.end:], " \t\r\n:")
			t.index[m.object] = text(tokens(rest))
		}
	})
	if ended := t.body.ended(); ended != nil && err != nil {
		return ended
	}
	return nil
}

// text returns the next value of a decoder if that is a text, and nothing otherwise.
func text(dec *jsontext.Decoder) string {
	if dec.PeekKind() != '"' {
		return ""
	}
	token, err := dec.ReadToken()
	if err != nil {
		return ""
	}
	return token.String()
}

// value returns the value at an offset.
func (t *typenames) value(start int) []byte {
	dec := tokens(t.raw[start:])
	value, err := dec.ReadValue()
	if err != nil {
		return nil // The decoder of the body will come to the same error.
	}
	t.body.read += dec.InputOffset()
	return value
}
