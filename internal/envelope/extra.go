package envelope

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
func keepExtra[T any](b *body, bare bool, data *T) error {
	payload := reflect.ValueOf(data).Elem()
	if many, is := any(data).(interface{ items() reflect.Value }); is {
		payload = many.items()
	}
	if !keepsExtra(payload.Type()) {
		return nil
	}
	return b.over(b.latest, func(in *reading) {
		if bare {
			extraOf(in, payload)
		} else {
			in.field("data", func() { extraOf(in, payload) })
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
func extraOf(in *reading, into reflect.Value) {
	for into.Kind() == reflect.Pointer && !into.IsNil() {
		into = into.Elem()
	}
	kind := in.kind()
	switch {
	case !keepsExtra(into.Type()):
		in.value()
	case kind == '[' && into.Kind() == reflect.Slice:
		i := 0
		in.items(func() {
			extraOf(in, into.Index(i))
			i++
		})
	case kind == '{' && into.Kind() == reflect.Slice && into.Len() == 1: // One record in the place of a list.
		extraOf(in, into.Index(0))
	case into.Kind() == reflect.Map:
		in.fields(func(name string) { extraOfEntry(in, into, reflect.ValueOf(name)) })
	case into.Kind() == reflect.Struct:
		extraOfStruct(in, into, extraOf)
	default:
		in.value()
	}
}

// extraOfEntry is extraOf for an entry of a map, which has no address.
func extraOfEntry(in *reading, into, name reflect.Value) {
	entry := into.MapIndex(name)
	if !entry.IsValid() {
		in.value()
		return
	}
	changed := reflect.New(entry.Type()).Elem()
	changed.Set(entry)
	extraOf(in, changed)
	into.SetMapIndex(name, changed)
}

// extraOfStruct reads the value of a struct, and hands the members that it has fields for on. One without a place for
// the others does without them.
func extraOfStruct(in *reading, record reflect.Value, of func(*reading, reflect.Value)) {
	l := layoutOf(record.Type())
	in.fields(func(name string) {
		if i, known := l.fields[name]; known {
			of(in, record.Field(i))
		} else if value := in.value(); l.extra >= 0 {
			extra := record.Field(l.extra).Addr().Interface().(*scalar.Extra)
			if in.of.hider != nil {
				name = in.of.hider.Hide(name)
			}
			whole, _ := in.of.whole(value)
			extra.Add(name, []byte(strings.ToValidUTF8(string(whole), "\uFFFD")))
		}
	})
}
