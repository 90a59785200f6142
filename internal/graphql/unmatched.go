package graphql

import (
	"context"
	"encoding"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// Unmatched reports what is lost of the data of a response in the type of the value that into points to, because no
// member has its name. At the top, each field that was asked for needs a member, and for one member at least there must
// be a field. Further in, a field without a member is an error where one differs from it in capitals alone, and is not
// another field's: that is a mistake, while to leave a field out may be meant.
//
// Asked are the fields at the top that were asked for, or nil where that is not known.
//
// Types that read themselves, and interfaces, are left to themselves. The data is that of a response that was decoded
// into the value without an error. The error is nil or a *reply.Malformed.
func Unmatched(raw []byte, asked map[string]bool, into any) error {
	body := reply.NewBody(context.Background(), "", raw)
	if err := body.Fold(); err != nil {
		return err
	}
	m := matcher{in: Tokens(body.Text), asked: asked, known: map[reflect.Type]structMembers{}}
	m.in.Field("data", func() {
		m.fault = nil // The last one counts.
		m.value(reflect.TypeOf(into), true)
	})
	return m.fault
}

// matcher holds a body against a type.
type matcher struct {
	in    *Reading
	asked map[string]bool
	known map[reflect.Type]structMembers
	// fault is what is unmatched, the first and innermost of all, or nil.
	fault error
}

// value reads the next value, which a value of the type is decoded from.
func (m *matcher) value(t reflect.Type, top bool) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch kind := m.in.Kind(); {
	case readsItself(t):
		m.in.Value()
	case kind == '{' && t.Kind() == reflect.Struct:
		m.object(t, top)
	case kind == '{' && t.Kind() == reflect.Map:
		m.in.Fields(func(string) { m.value(t.Elem(), false) })
	case kind == '[' && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array):
		m.in.Items(func() { m.value(t.Elem(), false) })
	default:
		m.in.Value()
	}
}

// object reads an object that a struct is decoded from.
func (m *matcher) object(t reflect.Type, top bool) {
	all, known := m.known[t]
	if !known {
		all = structMembers{}
		all.addAll(t, map[reflect.Type]bool{})
		m.known[t] = all
	}
	if _, open := all[openMember]; open {
		m.in.Value()
		return
	}
	matched := map[string]bool{}
	without := map[string]jsontext.Pointer{}
	m.in.Fields(func(name string) {
		if member, found := all[name]; found {
			matched[name] = true
			m.value(member, false)
			return
		}
		if name != typenameField {
			without[name] = m.in.Dec.StackPointer()
		}
		m.in.Value()
	})
	if m.in.Err == nil && m.fault == nil {
		m.fault = m.judge(t, top, all, matched, without)
	}
}

// judge returns what is unmatched in an object: matched are the names of its fields that have a member in the struct, and
// without those that have none, with their places.
func (m *matcher) judge(t reflect.Type, top bool, all structMembers, matched map[string]bool, without map[string]jsontext.Pointer) error {
	for _, name := range slices.Sorted(maps.Keys(without)) {
		if similar := all.similar(name, matched); similar != "" {
			return unmatched("the field at %q has no member in %s: names match exactly, and a member is named %q",
				without[name], nameOf(t), similar)
		} else if top && (m.asked == nil || m.asked[name]) {
			return unmatched("the field at %q has no member in %s: names match exactly, capitals included", without[name], nameOf(t))
		}
	}
	if top && len(matched) == 0 && len(all) > 0 {
		return unmatched("there is no field for any member of %s", nameOf(t))
	}
	return nil
}

func unmatched(format string, args ...any) error {
	return &reply.Malformed{Reason: reply.NoMember, Detail: fmt.Sprintf(format, args...)}
}

// nameOf names a type of the caller's. One without a name is not spelled out.
func nameOf(t reflect.Type) string {
	if t.Name() == "" {
		return "the struct"
	}
	return strings.ReplaceAll(t.String(), reply.Module, "")
}

// readsItself reports whether a type has its own way of being decoded.
func readsItself(t reflect.Type) bool {
	t = reflect.PointerTo(t)
	return t.Implements(reflect.TypeFor[json.Unmarshaler]()) || t.Implements(reflect.TypeFor[json.UnmarshalerFrom]()) ||
		t.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

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
