package redact

import (
	"cmp"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

const (
	maxRecord = 2000 // Bytes of a record.
	maxText   = 200  // Bytes of one text in it.
)

// Record writes a struct for people: Endpoint{ID: "1003", Tags: [{TagID: 7, Label: "b"}]}. Pointers are dereferenced,
// absent values are left out, and values with a String method, such as secrets and times, are formatted with it.
// Secrets in the names of a map are redacted. The size is bounded for any record, and the work is linear in the record.
func Record(w io.Writer, record any) {
	value := reflect.ValueOf(record)
	var p printer
	p.WriteString(value.Type().Name())
	p.fields(value)
	text := p.String()
	if len(text) > maxRecord {
		text = strings.ToValidUTF8(text[:maxRecord], "") + "…"
	}
	_, _ = io.WriteString(w, text)
}

// printer builds the text of a record.
type printer struct{ strings.Builder }

// optional are the kinds of values that are absent if they are zero. False, 0 and an empty string are present.
var optional = []reflect.Kind{reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map, reflect.Struct}

// fields prints the fields of a struct that are present.
func (p *printer) fields(record reflect.Value) {
	p.WriteString("{")
	before := ""
	for field, value := range record.Fields() {
		isAbsent := value.IsZero() && slices.Contains(optional, value.Kind())
		if p.Len() > maxRecord || !field.IsExported() || isAbsent {
			continue
		}
		p.WriteString(before + field.Name + ": ")
		before = ", "
		p.value(value)
	}
	p.WriteString("}")
}

func (p *printer) value(value reflect.Value) {
	if p.Len() > maxRecord {
		return
	}
	switch value.Kind() {
	case reflect.Invalid: // The element of a nil pointer.
		p.WriteString("nil")
	case reflect.Pointer, reflect.Interface:
		if value.Kind() == reflect.Interface && value.Elem().Kind() == reflect.Struct {
			p.WriteString(value.Elem().Type().Name())
		}
		p.value(value.Elem())
	case reflect.Struct:
		if text, ok := value.Interface().(fmt.Stringer); ok {
			p.text(text.String(), false)
			return
		}
		p.fields(value)
	case reflect.String:
		p.text(value.String(), true)
	case reflect.Slice, reflect.Array:
		if value.Type().Elem().Kind() == reflect.Uint8 {
			_, _ = fmt.Fprintf(p, "(%d bytes)", value.Len()) // The contents are arbitrary.
			return
		}
		p.items("[", value.Len(), func(i int) { p.value(value.Index(i)) }, "]")
	case reflect.Map:
		keys := value.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
		p.items("{", len(keys), func(i int) {
			p.text(Name(keys[i].String()), true)
			p.WriteString(": ")
			p.value(value.MapIndex(keys[i]))
		}, "}")
	default:
		_, _ = fmt.Fprint(p, value.Interface())
	}
}

// items prints the items of a list or map.
func (p *printer) items(begin string, count int, item func(i int), end string) {
	p.WriteString(begin)
	for i := 0; i < count && p.Len() <= maxRecord; i++ {
		if i > 0 {
			p.WriteString(", ")
		}
		item(i)
	}
	p.WriteString(end)
}

// text prints a string, truncated if it is long, and quoted if it needs quotes or quotes is set.
func (p *printer) text(text string, quotes bool) {
	if len(text) > maxText {
		p.WriteString(strconv.Quote(strings.ToValidUTF8(text[:maxText], "")) + "…")
		return
	}
	if quoted := strconv.Quote(text); quotes || quoted != `"`+text+`"` {
		text = quoted
	}
	p.WriteString(text)
}
