package envelope

import (
	"encoding"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Unmatched reports what is lost of the data of a response in the type of the value that into points to, because no
// member has its name. At the top, each field that was asked for needs a member, and for one member at least there must
// be a field. Further in, a field without a member is an error where one differs from it in capitals alone, and is not
// another field's: that is a mistake, while to leave a field out may be meant.
//
// Asked are the fields at the top that were asked for, or nil where that is not known.
//
// Types that read themselves, and interfaces, are left to themselves. The data is that of a response that was decoded
// into the value without an error. The error is nil or a *Malformed.
func Unmatched(raw []byte, asked map[string]bool, into any) error {
	body, err := fold(newSource("", raw).raw)
	if err != nil {
		return err
	}
	m := matcher{in: tokens(body.text), asked: asked, known: map[reflect.Type]structMembers{}}
	m.in.field("data", func() {
		m.fault = nil // The last one counts.
		m.value(reflect.TypeOf(into), true)
	})
	return m.fault
}

// matcher holds a body against a type.
type matcher struct {
	in    *reading
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
	switch kind := m.in.kind(); {
	case readsItself(t):
		m.in.value()
	case kind == '{' && t.Kind() == reflect.Struct:
		m.object(t, top)
	case kind == '{' && t.Kind() == reflect.Map:
		m.in.fields(func(string) { m.value(t.Elem(), false) })
	case kind == '[' && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array):
		m.in.items(func() { m.value(t.Elem(), false) })
	default:
		m.in.value()
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
		m.in.value()
		return
	}
	matched := map[string]bool{}
	without := map[string]jsontext.Pointer{}
	m.in.fields(func(name string) {
		if member, found := all[name]; found {
			matched[name] = true
			m.value(member, false)
			return
		}
		if name != typenameField {
			without[name] = m.in.dec.StackPointer()
		}
		m.in.value()
	})
	if m.in.err == nil && m.fault == nil {
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
	return &Malformed{Reason: NoMember, Detail: fmt.Sprintf(format, args...)}
}

// nameOf names a type of the caller's. One without a name is not spelled out.
func nameOf(t reflect.Type) string {
	if t.Name() == "" {
		return "the struct"
	}
	return strings.ReplaceAll(t.String(), module, "")
}

// readsItself reports whether a type has its own way of being decoded.
func readsItself(t reflect.Type) bool {
	t = reflect.PointerTo(t)
	return t.Implements(reflect.TypeFor[json.Unmarshaler]()) || t.Implements(reflect.TypeFor[json.UnmarshalerFrom]()) ||
		t.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}
