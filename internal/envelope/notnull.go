package envelope

import (
	"bytes"
	"errors"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

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
