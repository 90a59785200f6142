package graphql

import (
	"bytes"
	"cmp"
	"context"
	stdjson "encoding/json"
	"errors"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/reply"
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
				whole, deep = names.body.Asked(names.value(start))
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
func (v Variants) unmarshalers(b *reply.Body, raw []byte) *json.Unmarshalers {
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
	body *reply.Body
	raw  []byte
	// index has the name for each object that has one, by the offset behind the object's brace. It is made when an
	// object does not begin with the name: the client asks for the name first.
	index map[int]string
}

// Typenames returns a function that finds the name of the type of the object at an offset of a body, which is empty
// where the object has none. All together, its calls are linear in the size of the body.
func Typenames(raw []byte) func(start int) string {
	names := &typenames{body: reply.NewBody(context.Background(), "", raw), raw: raw}
	return func(start int) string {
		name, _ := names.at(start) // The error is that of a context that has ended.
		return name
	}
}

// at returns the name of the type of the value at an offset, or nothing for one that is no object.
func (t *typenames) at(start int) (string, error) {
	in := Tokens(t.raw[start:])
	defer func() { t.body.Work += in.Dec.InputOffset() }()
	if in.Token().Kind() != '{' || in.Kind() != '"' {
		return "", nil // Where it is no value at all, the decoder of the body says what is wrong with it.
	}
	if in.Token().String() == typenameField {
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
	err := EachMember(t.body, t.raw, func(m NameAt) {
		if m.Name == typenameField {
			rest := bytes.TrimLeft(t.raw[m.End:], " \t\r\n:")
			t.index[m.Object] = text(Tokens(rest))
		}
	})
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

// text returns the next value if that is a text, and nothing otherwise.
func text(in *Reading) string {
	if in.Kind() != '"' {
		return ""
	}
	return in.Token().String()
}

// value returns the value at an offset, or nothing where the decoder of the body will come to an error.
func (t *typenames) value(start int) []byte {
	in := Tokens(t.raw[start:])
	value := in.Value()
	t.body.Work += in.Dec.InputOffset()
	return value
}

// NotNull returns the variants with a rule about lists: a null is refused in the place of an element of a type that
// holds says yes to and that has no place for a null. Pointers, slices and maps have one.
func (v Variants) NotNull(holds func(element reflect.Type) bool) Variants {
	v.notNull = json.UnmarshalFromFunc(func(dec *jsontext.Decoder, into any) error {
		if dec.PeekKind() != 'n' {
			return errors.ErrUnsupported
		}
		if around, _ := dec.StackIndex(dec.StackDepth()); around != '[' {
			return errors.ErrUnsupported
		}
		element := reflect.TypeOf(into).Elem()
		switch element.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			return errors.ErrUnsupported
		}
		if _, own := into.(interface{ holdsNull() }); own || !holds(element) {
			return errors.ErrUnsupported
		}
		if err := dec.SkipValue(); err != nil {
			return err
		}
		return &json.SemanticError{JSONKind: 'n', GoType: element}
	})
	return v
}

// NotNullOf are variants with a rule about a type: a null is refused in the place of a value of it, wherever it is. A
// pointer to one has a place for a null.
func NotNullOf[T any]() Variants {
	unmarshalers := json.UnmarshalFromFunc(func(dec *jsontext.Decoder, _ *T) error {
		if dec.PeekKind() != 'n' {
			return errors.ErrUnsupported
		}
		if err := dec.SkipValue(); err != nil {
			return err
		}
		return &json.SemanticError{JSONKind: 'n', GoType: reflect.TypeFor[T]()}
	})
	return Variants{of: []func(*typenames) *json.Unmarshalers{func(*typenames) *json.Unmarshalers { return unmarshalers }}}
}

// mayHoldNulls reports whether there may be a null in a list of a body. That of a member comes after a colon.
func mayHoldNulls(raw []byte) bool {
	for {
		before, after, found := bytes.Cut(raw, []byte("null"))
		if !found {
			return false
		}
		before = bytes.TrimRight(before, " \t\r\n")
		if bytes.HasSuffix(before, []byte("[")) || bytes.HasSuffix(before, []byte(",")) {
			return true
		}
		raw = after
	}
}

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
		if text := literal.String(); reply.IsNumber(text) {
			*into = stdjson.Number(text)
			return nil
		}
	}
	return &json.SemanticError{JSONKind: kind, GoType: reflect.TypeFor[stdjson.Number]()}
})

// nextValue returns the offset of the value that a decoder of a text comes to next.
func nextValue(dec *jsontext.Decoder, text []byte) int {
	start := int(dec.InputOffset())
	return start + len(text[start:]) - len(bytes.TrimLeft(text[start:], " \t\r\n:,"))
}
