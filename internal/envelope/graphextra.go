package envelope

import (
	"reflect"
)

// KeepingExtra returns the variants with what they keep: the members that records have no field for. It takes one more
// pass over a body, which is for who asks for drift.
func (v Variants) KeepingExtra() Variants {
	v.keepExtra = true
	return v
}

// keepGraphExtra is keepExtra for the data of a response of the graph area, which was decoded into what into points to.
func (b *body) keepGraphExtra(into any) error {
	return b.over(b.latest, func(in *reading) {
		in.field("data", func() { graphExtraOf(in, reflect.ValueOf(into).Elem()) })
	})
}

// graphExtraOf reads the next value, which is what into was decoded from. Beside records it goes through
// what holds them: interfaces, elements of lists, and structs that are no records.
func graphExtraOf(in *reading, into reflect.Value) {
	for (into.Kind() == reflect.Pointer || into.Kind() == reflect.Interface) && !into.IsNil() {
		into = into.Elem()
	}
	switch {
	case in.kind() == '[' && into.Kind() == reflect.Slice:
		i := 0
		in.items(func() {
			graphExtraOf(in, into.Index(i))
			i++
		})
	case into.Kind() == reflect.Struct:
		if element, is := into.Addr().Interface().(interface{ inside() reflect.Value }); is {
			graphExtraOf(in, element.inside())
		} else {
			extraOfStruct(in, into, graphExtraOf)
		}
	default:
		in.value()
	}
}
