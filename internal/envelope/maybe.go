package envelope

import (
	"errors"
	"reflect"
	"strings"
)

// readMaybe reads the response to a write that may bring a record of what was written. The write was carried out unless
// a failure is stated: a body that holds no record of the shape that was asked for is none the worse for it. The record
// is the payload of an envelope, or in a bare area the whole body.
func readMaybe[T any](b *body, bare bool) (Content[T], error) {
	none := Content[T]{NoRecord: true}
	if b.blank() {
		return none, nil
	}
	if err := b.admit(); err != nil {
		return Content[T]{}, err
	}
	top, err := b.walk(fieldsOf(reflect.TypeFor[T]()))
	if err != nil {
		return Content[T]{}, b.malformed(err)
	}
	if err := statedFailure(top); err != nil {
		return Content[T]{}, err
	}
	record := top
	if !bare && top.inner != nil {
		record = top.inner.data
	} else if !bare {
		return none, nil
	}
	if record.kind == '[' && record.empty || record.kind != '[' && (record.inner == nil || !record.inner.isRecord()) {
		return none, nil
	}
	content, _, err := decodeContent[T](b, bare)
	if err == nil {
		return content, nil
	}
	var malformed *Malformed
	if err := b.malformed(err); !errors.As(err, &malformed) || malformed.Reason != Shape {
		return Content[T]{}, err
	}
	return none, nil
}

// confirmationNames are names that a record may have, too. One of them alone does not make an object a record.
var confirmationNames = map[string]bool{
	"error": true, "errors": true, "message": true, "data": true, "success": true, "result": true, "status": true,
}

// fieldsOf returns the names by which an object is known as a record of a type.
func fieldsOf(record reflect.Type) map[string]bool {
	if many, is := reflect.New(record).Interface().(interface{ item() reflect.Type }); is {
		record = many.item()
	}
	if record.Kind() == reflect.Pointer {
		record = record.Elem()
	}
	names := map[string]bool{}
	if record.Kind() != reflect.Struct {
		return names
	}
	for field := range record.Fields() {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" && !confirmationNames[name] {
			names[name] = true
		}
	}
	return names
}
