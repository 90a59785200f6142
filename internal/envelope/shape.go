package envelope

import (
	"reflect"
	"strings"
	"sync"
)

// shape is what must be known of the type of a record before one is read.
type shape struct {
	// names are those by which an object is known as such a record.
	names map[string]bool
	// id is the index of the field of that name, or nil.
	id []int
}

// shapes are those of the types that were met so far.
var shapes sync.Map

// shapeOf returns the shape of a type, of what a pointer to one points to, or of the items of a [OneOrMany].
func shapeOf(record reflect.Type) *shape {
	if known, ok := shapes.Load(record); ok {
		return known.(*shape)
	}
	made, _ := shapes.LoadOrStore(record, newShape(record))
	return made.(*shape)
}

// HasNames reports whether an object can be known as a record of a type by the names of its members.
func HasNames(record reflect.Type) bool { return len(shapeOf(record).names) > 0 }

// confirmationNames are names that a record may have, too. One of them alone does not make an object a record.
var confirmationNames = map[string]bool{
	"error": true, "errors": true, "message": true, "data": true, "success": true, "result": true, "status": true,
}

func newShape(record reflect.Type) *shape {
	if many, is := reflect.New(record).Interface().(interface{ item() reflect.Type }); is {
		record = many.item()
	}
	if record.Kind() == reflect.Pointer {
		record = record.Elem()
	}
	s := &shape{names: map[string]bool{}}
	if record.Kind() != reflect.Struct {
		return s
	}
	for field := range record.Fields() {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" && name != "$extra" && !confirmationNames[name] {
			s.names[name] = true
		}
	}
	if id, ok := record.FieldByName("ID"); ok {
		s.id = id.Index
	}
	return s
}
