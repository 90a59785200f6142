package envelope

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Located is a value at a path in the data of a response. Variants that LocatedAt makes decode it.
type Located[T any] struct {
	Value T
	// Found reports whether there is a value other than null.
	Found bool
}

// LocatedAt tells how to decode what stands at a path of names. All beside the path is skipped. A null on the path ends
// it; a name that is not there is an error, since the query did not ask for it.
func LocatedAt[T any](path []string) Variants {
	unmarshalers := json.UnmarshalFromFunc(func(dec *jsontext.Decoder, into *Located[T]) error {
		in := &reading{dec: dec}
		into.descend(in, path)
		return in.err
	})
	return Variants{of: []func(*typenames) *json.Unmarshalers{func(*typenames) *json.Unmarshalers { return unmarshalers }}}
}

// UnmatchedAt is [Unmatched] for what stands at a path of names, which values of type T are decoded from. All fields may
// be left out of T.
func UnmatchedAt[T any](raw []byte, path []string) error {
	around := reflect.TypeFor[T]()
	for _, name := range slices.Backward(path) {
		tag := reflect.StructTag(`json:"` + name + `"`)
		around = reflect.StructOf([]reflect.StructField{{Name: "At", Type: around, Tag: tag}})
	}
	return Unmatched(raw, map[string]bool{}, reflect.New(around).Interface())
}

// descend decodes what stands at a path below the next value.
func (l *Located[T]) descend(in *reading, path []string) {
	switch kind := in.kind(); {
	case kind == 'n':
		in.value()
	case len(path) == 0:
		l.Found = true
		in.err = json.UnmarshalDecode(in.dec, &l.Value)
	case kind != '{' && kind != 0:
		in.err = &Malformed{Reason: Shape, Detail: fmt.Sprintf("there is %s where %q should be in an object", kindName(kind), path[0])}
	default:
		found := false
		in.field(path[0], func() {
			found = true
			l.descend(in, path[1:])
		})
		if in.err == nil && !found {
			in.err = &Malformed{Reason: Shape, Detail: fmt.Sprintf("there is no %q where the path leads", path[0])}
		}
	}
}
