package rpcfleet

import "reflect"

// deepCopy copies parameters, with all that their pointers and lists lead to, so that a call or an iteration does not
// depend on what the caller does with them meanwhile. Nil parameters become empty ones.
func deepCopy[T any](params *T) *T {
	if params == nil {
		return new(T)
	}
	c := *params
	copyValue(reflect.ValueOf(&c).Elem())
	return &c
}

// deepCopyFilter copies a filter, and leaves one that is not there away.
func deepCopyFilter[T any](filter *T) *T {
	if filter == nil {
		return nil
	}
	return deepCopy(filter)
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
