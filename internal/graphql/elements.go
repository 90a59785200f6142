package graphql

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// Element is a value that is decoded apart from its neighbours: what is wrong with it is no fault of theirs.
type Element[T any] struct {
	// Value is the value where there is one, and Read says whether. There is none for a null, for what cannot be read, and
	// for what is absent.
	Value T
	Read  bool
	// Place is the JSON pointer to what is there in the place of a value. It is empty where nothing is.
	Place string
	// Fault says what is wrong with a value that cannot be read.
	Fault *reply.Malformed
}

// UnmarshalJSONFrom implements the JSON library's streaming interface.
func (e *Element[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() == 'n' {
		err := dec.SkipValue()
		e.Place = string(dec.StackPointer())
		return err
	}
	depth := dec.StackDepth()
	_, before := dec.StackIndex(depth)
	err := json.UnmarshalDecode(dec, &e.Value)
	if err == nil {
		e.Read = true
		return nil
	}
	fault := reply.Misshapen(err)
	if forgives, _ := json.GetOption(dec.Options(), jsontext.AllowDuplicateNames); !forgives || fault == nil {
		return err // Another pass will be made, or the body is not one that can be read on.
	}
	*e = Element[T]{} // What was read of it is no value.
	e.Fault, e.Place = reply.Shapeless(fault), string(fault.JSONPointer)
	for dec.StackDepth() > depth {
		if _, err := dec.ReadToken(); err != nil {
			return err
		}
	}
	if _, after := dec.StackIndex(depth); after == before {
		return dec.SkipValue()
	}
	return nil
}

// inside is the value, or nil where there is none.
func (e *Element[T]) inside() reflect.Value {
	if !e.Read {
		return reflect.ValueOf((*T)(nil))
	}
	return reflect.ValueOf(&e.Value)
}

// holdsNull keeps the list's own rule about nulls from a value that has its own.
func (*Element[T]) holdsNull() {}

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
		in := &Reading{Dec: dec}
		into.descend(in, path)
		return in.Err
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
func (l *Located[T]) descend(in *Reading, path []string) {
	switch kind := in.Kind(); {
	case kind == 'n':
		in.Value()
	case len(path) == 0:
		l.Found = true
		in.Err = json.UnmarshalDecode(in.Dec, &l.Value)
	case kind != '{' && kind != 0:
		in.Err = &reply.Malformed{Reason: reply.Shape, Detail: fmt.Sprintf("there is %s where %q should be in an object", reply.KindName(kind), path[0])}
	default:
		found := false
		in.Field(path[0], func() {
			found = true
			l.descend(in, path[1:])
		})
		if in.Err == nil && !found {
			in.Err = &reply.Malformed{Reason: reply.Shape, Detail: fmt.Sprintf("there is no %q where the path leads", path[0])}
		}
	}
}
