package contestant

import (
	"encoding"
	"fmt"
	"reflect"
	"strings"
)

// tree converts a value of any contestant's types into texts, lists and maps by JSON name. Empty values are left out,
// so that null, absent and zero are equal: contestants differ in them.
func tree(v reflect.Value) any {
	if !v.IsValid() || v.IsZero() {
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return tree(v.Elem())
	case reflect.Slice:
		return list(v)
	}
	switch value := v.Interface().(type) {
	case interface{ Reveal() string }:
		return value.Reveal()
	case encoding.TextMarshaler: // Times, UUIDs, large integers.
		text, err := value.MarshalText()
		if err != nil {
			return err
		}
		return string(text)
	}
	switch v.Kind() {
	case reflect.Struct:
		return record(v)
	case reflect.Map:
		fields := map[string]any{}
		for _, name := range v.MapKeys() {
			put(fields, name.String(), tree(v.MapIndex(name)))
		}
		return filled(fields)
	}
	if text := fmt.Sprint(v.Interface()); text != "0" { // A number kept as a text is zero, too.
		return text
	}
	return nil
}

// list converts a slice into a list, and edges into their nodes.
func list(v reflect.Value) any {
	items := make([]any, v.Len())
	for i := range items {
		items[i] = tree(v.Index(i))
		if fields, ok := items[i].(map[string]any); ok && fields["node"] != nil {
			items[i] = fields["node"]
		}
	}
	if len(items) == 0 {
		return nil
	}
	return items
}

// record converts a struct into a map. ogen's optional values stand for their contents.
func record(v reflect.Value) any {
	if value := v.FieldByName("Value"); value.IsValid() &&
		(v.FieldByName("Set").IsValid() || v.FieldByName("Null").IsValid()) {
		return tree(value)
	}
	fields := map[string]any{}
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if name != "$extra" { // rpcfleet's unknown fields, which no other contestant keeps.
			put(fields, name, tree(v.Field(i)))
		}
	}
	return filled(fields)
}

func filled(fields map[string]any) any {
	if len(fields) == 0 {
		return nil
	}
	return fields
}

func put(fields map[string]any, name string, value any) {
	if value != nil {
		fields[name] = value
	}
}
