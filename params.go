package rpcfleet

import "reflect"

// cloned copies parameters, what their pointers point to and their lists included, so that a call or an iteration does
// not depend on what the caller does with them meanwhile. Nil parameters become empty ones.
func cloned[T any](params *T) *T {
	if params == nil {
		return new(T)
	}
	c := *params
	fields := reflect.ValueOf(&c).Elem()
	for i := range fields.NumField() {
		field := fields.Field(i)
		switch {
		case field.Kind() == reflect.Pointer && !field.IsNil():
			value := reflect.New(field.Type().Elem())
			value.Elem().Set(field.Elem())
			field.Set(value)
		case field.Kind() == reflect.Slice && !field.IsNil():
			list := reflect.MakeSlice(field.Type(), field.Len(), field.Len())
			reflect.Copy(list, field)
			field.Set(list)
		}
	}
	return &c
}
