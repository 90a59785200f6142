package envelope

import (
	"reflect"
	"strings"
)

// structMembers are the members of a struct, with their types, by the names that JSON has for them.
type structMembers map[string]reflect.Type

// openMember stands for all names, in a struct that takes any.
const openMember = "\x00"

// addAll adds the members of a struct, and of those that are embedded in it. Those in seen are done.
func (m structMembers) addAll(t reflect.Type, seen map[reflect.Type]bool) {
	seen[t] = true
	for field := range t.Fields() {
		tag := field.Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		inner := field.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		embedded := field.Anonymous && name == "" || strings.Contains(options, "embed") || strings.Contains(options, "inline")
		switch {
		case tag == "-":
		case strings.HasPrefix(name, "'"), strings.Contains(options, "case:"):
			m[openMember] = nil // Quoted names, and those of any spelling.
		case embedded && inner.Kind() == reflect.Struct:
			if !seen[inner] {
				m.addAll(inner, seen)
			}
		case embedded && !field.Anonymous:
			m[openMember] = nil // A JSON value that takes what is left.
		case !field.IsExported():
		case name == "":
			m[field.Name] = field.Type
		default:
			m[name] = field.Type
		}
	}
}

// similar returns the name of a member that differs from a field's in capitals alone and has no field of its own, or
// nothing.
func (m structMembers) similar(field string, matched map[string]bool) string {
	for name := range m {
		if strings.EqualFold(name, field) && !matched[name] {
			return name
		}
	}
	return ""
}
