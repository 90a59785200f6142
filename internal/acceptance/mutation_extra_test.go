package acceptance

import (
	"reflect"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// takeExtras returns a value without the extras that its records keep beside their fields, and the extras themselves,
// record by record. The value may lose them, too.
func takeExtras(of any) (any, []scalar.Extra) {
	if of == nil {
		return nil, nil
	}
	var taken []scalar.Extra
	var visit func(v reflect.Value)
	visit = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if v.Kind() == reflect.Interface && !v.IsNil() {
				content := reflect.New(v.Elem().Type()).Elem()
				content.Set(v.Elem())
				visit(content)
				v.Set(content)
			} else if !v.IsNil() {
				visit(v.Elem())
			}
		case reflect.Slice:
			for i := range v.Len() {
				visit(v.Index(i))
			}
		case reflect.Map:
			for _, name := range v.MapKeys() {
				entry := reflect.New(v.Type().Elem()).Elem()
				entry.Set(v.MapIndex(name))
				visit(entry)
				v.SetMapIndex(name, entry)
			}
		case reflect.Struct:
			if extra, is := v.Addr().Interface().(*scalar.Extra); is {
				taken, *extra = append(taken, *extra), scalar.Extra{}
				return
			}
			for field, inside := range v.Fields() {
				if field.IsExported() {
					visit(inside)
				}
			}
		}
	}
	content := reflect.New(reflect.TypeOf(of)).Elem()
	content.Set(reflect.ValueOf(of))
	visit(content)
	return content.Interface(), taken
}
