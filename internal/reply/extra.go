package reply

import (
	"reflect"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// skipExtra keeps the JSON library from reading a member of a response as what a record keeps beside its fields: that
// has a name only where a record is written.
var skipExtra = json.UnmarshalFromFunc(func(dec *jsontext.Decoder, _ *scalar.Extra) error { return dec.SkipValue() })

// keepExtra keeps the members that the records of a payload have no field for, in one pass over what was decoded. The
// generated decoders keep them as they go; this is for what the JSON library has read.
func keepExtra[T any](b *Body, bare bool, data *T) error {
	payload := reflect.ValueOf(data).Elem()
	if many, is := any(data).(interface{ items() reflect.Value }); is {
		payload = many.items()
	}
	if !keepsExtra(payload.Type()) {
		return nil
	}
	return b.Over(b.Latest, func(in *Reading) {
		if bare {
			extraOf(in, payload)
		} else {
			in.Field("data", func() { extraOf(in, payload) })
		}
	})
}

// keepsExtra reports whether values of a type are records that keep unknown members, or lead to such.
func keepsExtra(of reflect.Type) bool {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice || of.Kind() == reflect.Map {
		of = of.Elem()
	}
	return of.Kind() == reflect.Struct && layoutOf(of).extra >= 0
}

// layout tells which fields of a record have which names.
type layout struct {
	fields map[string]int
	extra  int // The field for the rest, or -1 where there is none.
}

var layouts sync.Map // By the type of the record.

func layoutOf(record reflect.Type) *layout {
	if known, is := layouts.Load(record); is {
		return known.(*layout)
	}
	l := &layout{fields: map[string]int{}, extra: -1}
	for field := range record.Fields() {
		if field.Type == reflect.TypeFor[scalar.Extra]() {
			l.extra = field.Index[0]
		} else if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" {
			l.fields[name] = field.Index[0]
		}
	}
	layouts.Store(record, l)
	return l
}

// extraOf reads the next value, which is what into was decoded from.
func extraOf(in *Reading, into reflect.Value) {
	for into.Kind() == reflect.Pointer && !into.IsNil() {
		into = into.Elem()
	}
	kind := in.Kind()
	switch {
	case !keepsExtra(into.Type()):
		in.Value()
	case kind == '[' && into.Kind() == reflect.Slice:
		i := 0
		in.Items(func() {
			extraOf(in, into.Index(i))
			i++
		})
	case kind == '{' && into.Kind() == reflect.Slice && into.Len() == 1: // One record in the place of a list.
		extraOf(in, into.Index(0))
	case into.Kind() == reflect.Map:
		in.Fields(func(name string) { extraOfEntry(in, into, reflect.ValueOf(name)) })
	case into.Kind() == reflect.Struct:
		ExtraOfStruct(in, into, extraOf)
	default:
		in.Value()
	}
}

// extraOfEntry is extraOf for an entry of a map, which has no address.
func extraOfEntry(in *Reading, into, name reflect.Value) {
	entry := into.MapIndex(name)
	if !entry.IsValid() {
		in.Value()
		return
	}
	changed := reflect.New(entry.Type()).Elem()
	changed.Set(entry)
	extraOf(in, changed)
	into.SetMapIndex(name, changed)
}

// ExtraOfStruct reads the value of a struct, and hands the members that it has fields for on. One without a place for
// the others does without them.
func ExtraOfStruct(in *Reading, record reflect.Value, of func(*Reading, reflect.Value)) {
	l := layoutOf(record.Type())
	in.Fields(func(name string) {
		if i, known := l.fields[name]; known {
			of(in, record.Field(i))
		} else if value := in.Value(); l.extra >= 0 {
			extra := record.Field(l.extra).Addr().Interface().(*scalar.Extra)
			if in.of.hider != nil {
				name = in.of.hider.Hide(name)
			}
			whole, _ := in.of.whole(value)
			extra.Add(name, []byte(strings.ToValidUTF8(string(whole), "\uFFFD")))
		}
	})
}

// OneOrMany is a payload that comes as a list of records or as a single one.
type OneOrMany[T any] struct {
	Items []T
	// One is set where a single record came.
	One bool
}

// UnmarshalJSONFrom implements the JSON library's streaming interface.
func (m *OneOrMany[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	*m = OneOrMany[T]{One: dec.PeekKind() == '{'}
	if !m.One {
		return json.UnmarshalDecode(dec, &m.Items)
	}
	m.Items = make([]T, 1)
	return json.UnmarshalDecode(dec, &m.Items[0])
}

// item is the type of each record.
func (*OneOrMany[T]) item() reflect.Type { return reflect.TypeFor[T]() }

// items are the records.
func (m *OneOrMany[T]) items() reflect.Value { return reflect.ValueOf(&m.Items).Elem() }
