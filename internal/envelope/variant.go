package envelope

import (
	"bytes"
	"cmp"
	"context"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Variants tell how to decode the interfaces of a GraphQL schema: into which Go types.
type Variants struct {
	of []func(*typenames) *json.Unmarshalers
	// notNull refuses nulls in lists, or is nil.
	notNull *json.Unmarshalers
	// keepExtra is set where records keep the members that they have no field for.
	keepExtra bool
}

// JoinVariants makes one of several. Their rules about nulls hold together.
func JoinVariants(all ...Variants) Variants {
	var joined Variants
	var notNull []*json.Unmarshalers
	for _, v := range all {
		joined.of = append(joined.of, v.of...)
		if v.notNull != nil {
			notNull = append(notNull, v.notNull)
		}
	}
	if len(notNull) > 0 {
		joined.notNull = json.JoinUnmarshalers(notNull...)
	}
	return joined
}

// VariantOf tells how to decode the interface I: into the record that choose makes for the name of the value's type,
// which is empty where the service left it out. raw returns the value as it came, which choose must not keep.
func VariantOf[I any](choose func(typename string, raw func() []byte) I) Variants {
	return Variants{of: []func(*typenames) *json.Unmarshalers{func(names *typenames) *json.Unmarshalers {
		return json.UnmarshalFromFunc(func(dec *jsontext.Decoder, into *I) error {
			if dec.PeekKind() == 'n' {
				return dec.SkipValue()
			}
			if kind := dec.PeekKind(); kind != '{' && kind != jsontext.KindInvalid {
				if err := dec.SkipValue(); err != nil {
					return err
				}
				return &json.SemanticError{JSONKind: kind, GoType: reflect.TypeFor[I]()}
			}
			start := nextValue(dec, names.raw)
			typename, err := names.at(start)
			if err != nil {
				return err
			}
			var deep error
			record := choose(typename, func() (whole []byte) {
				whole, deep = names.body.asked(names.value(start))
				return whole
			})
			if err := cmp.Or(json.UnmarshalDecode(dec, record), deep); err != nil {
				return err
			}
			*into = record
			return nil
		})
	}}}
}

// unmarshalers decode the interfaces in one body, and the numbers of callers' own types.
func (v Variants) unmarshalers(b *body, raw []byte) *json.Unmarshalers {
	names := &typenames{body: b, raw: raw}
	var all []*json.Unmarshalers
	if v.notNull != nil && mayHoldNulls(raw) {
		all = append(all, v.notNull) // It is asked about every value.
	}
	all = append(all, numbers)
	for _, of := range v.of {
		all = append(all, of(names))
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

// Typenames returns a function that finds the name of the type of the object at an offset of a body, which is empty
// where the object has none. All together, its calls are linear in the size of the body.
func Typenames(raw []byte) func(start int) string {
	names := &typenames{body: newBody(context.Background(), "", raw), raw: raw}
	return func(start int) string {
		name, _ := names.at(start) // The error is that of a context that has ended.
		return name
	}
}

// at returns the name of the type of the value at an offset, or nothing for one that is no object.
func (t *typenames) at(start int) (string, error) {
	in := tokens(t.raw[start:])
	defer func() { t.body.read += in.dec.InputOffset() }()
	if in.token().Kind() != '{' || in.kind() != '"' {
		return "", nil // Where it is no value at all, the decoder of the body says what is wrong with it.
	}
	if in.token().String() == typenameField {
		return text(in), nil
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
	if ended := t.body.ctx.Err(); ended != nil && err != nil {
		return ended
	}
	return nil
}

// text returns the next value if that is a text, and nothing otherwise.
func text(in *reading) string {
	if in.kind() != '"' {
		return ""
	}
	return in.token().String()
}

// value returns the value at an offset, or nothing where the decoder of the body will come to an error.
func (t *typenames) value(start int) []byte {
	in := tokens(t.raw[start:])
	value := in.value()
	t.body.read += in.dec.InputOffset()
	return value
}
