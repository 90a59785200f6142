package rpcfleet

import "reflect"

// deepCopy copies parameters, with all that their pointers and lists lead to, so that a call or an iteration does not
// depend on what the caller does with them meanwhile.
func deepCopy[T any](params T) T {
	copyValue(reflect.ValueOf(&params).Elem())
	return params
}

// selected copies a filter. One that selects nothing, which is the zero one, is nil and is not sent.
func selected[T any](filter T) *T {
	if reflect.ValueOf(filter).IsZero() {
		return nil
	}
	return new(deepCopy(filter))
}

// unlessZero points to a value, or is nil where the value is the zero one, as for what is to be left out.
func unlessZero[T comparable](value T) *T {
	if value == *new(T) {
		return nil
	}
	return &value
}

// copyValue gives a value pointers and lists of its own. Values with unexported fields, such as times, have none that a
// caller could reach.
func copyValue(value reflect.Value) {
	switch value.Kind() {
	case reflect.Pointer:
		if !value.IsNil() {
			own := reflect.New(value.Type().Elem())
			own.Elem().Set(value.Elem())
			copyValue(own.Elem())
			value.Set(own)
		}
	case reflect.Slice:
		if !value.IsNil() {
			own := reflect.MakeSlice(value.Type(), value.Len(), value.Len())
			reflect.Copy(own, value)
			for i := range own.Len() {
				copyValue(own.Index(i))
			}
			value.Set(own)
		}
	case reflect.Struct:
		for i := range value.NumField() {
			if field := value.Field(i); field.CanSet() {
				copyValue(field)
			}
		}
	}
}
