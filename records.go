package rpcfleet

import (
	"reflect"
)

// deepCopy copies parameters deeply, so that later changes by the caller do not affect a call or an iteration.
func deepCopy[T any](params T) T {
	copyValue(reflect.ValueOf(&params).Elem())
	return params
}

// filterOrNil copies a filter. It returns nil for the zero filter, which is not sent.
func filterOrNil[T any](filter T) *T {
	if reflect.ValueOf(filter).IsZero() {
		return nil
	}
	return new(deepCopy(filter))
}

// orNew returns the record, or an empty record if it is nil.
func orNew[T any](record *T) *T {
	if record == nil {
		return new(T)
	}
	return record
}

// deref returns the value of a pointer, or the zero value if the pointer is nil.
func deref[T any](pointer *T) T { return *orNew(pointer) }

// ptrOrNil returns a pointer to a value, or nil for the zero value.
func ptrOrNil[T comparable](value T) *T {
	if value == *new(T) {
		return nil
	}
	return &value
}

// copyValue replaces the pointers and lists of a value by copies. Unexported fields, as in times, are skipped: a caller
// cannot reach them.
func copyValue(value reflect.Value) {
	switch value.Kind() {
	case reflect.Interface, reflect.Pointer:
		if value.IsNil() {
			return
		}
		own := reflect.New(value.Elem().Type())
		own.Elem().Set(value.Elem())
		copyValue(own.Elem())
		if value.Kind() == reflect.Interface {
			own = own.Elem()
		}
		value.Set(own)
	case reflect.Slice:
		own := reflect.AppendSlice(value.Slice3(0, 0, 0), value) // Like slices.Clone, nil if the list is nil.
		for i := range own.Len() {
			copyValue(own.Index(i))
		}
		value.Set(own)
	case reflect.Struct:
		for i := range value.NumField() {
			if field := value.Field(i); field.CanSet() {
				copyValue(field)
			}
		}
	}
}
