package envelope

import (
	"errors"
	"reflect"
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
	top, err := b.walk(shapeOf(reflect.TypeFor[T]()).names)
	if err != nil {
		return Content[T]{}, b.malformed(err)
	}
	if err := statedFailure(top); err != nil {
		return Content[T]{}, err
	}
	record := top
	if !bare && top.inner != nil {
		record = top.inner.data
	}
	if record.kind == '[' && record.empty || record.kind != '[' && (record.inner == nil || !record.inner.isRecord()) {
		return none, nil
	}
	content, scanned, ok := documented[T](b.raw, bare, b.hider)
	b.read += scanned
	if !ok {
		content, _, err = undocumented[T](b, bare)
	}
	if err == nil {
		return content, nil
	}
	var malformed *Malformed
	if err := b.malformed(err); !errors.As(err, &malformed) || malformed.Reason != Shape {
		return Content[T]{}, err
	}
	return none, nil
}
