// Package show prints records for people: Endpoint{ID: "1003", Label: "a", Tags: [{TagID: 7, Label: "b"}]}. Pointers show
// what they point to, what is not there is left out, and values that have a text of their own, such as secrets and
// times, show that.
//
// What is printed is bounded, and so is the work, whatever the record holds.
package show

import (
	"cmp"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"
)

const (
	maxText  = 2000 // Bytes of a record.
	maxWord  = 200  // Bytes of one text in it.
	maxItems = 10   // Items of one list or map in it.
)

// Record prints a record, which is a struct.
func Record(w io.Writer, record any) {
	value := reflect.ValueOf(record)
	var p printer
	p.write(value.Type().Name())
	p.fields(value)
	text := string(p.text)
	if len(text) > maxText {
		text = whole(text[:maxText]) + "…"
	}
	_, _ = io.WriteString(w, text)
}

// printer collects the text of a record.
type printer struct{ text []byte }

func (p *printer) write(text string) { p.text = append(p.text, text...) }

// full reports whether nothing more is to be printed.
func (p *printer) full() bool { return len(p.text) > maxText }

// fields prints the fields of a struct that are there.
func (p *printer) fields(record reflect.Value) {
	p.write("{")
	first := true
	for i := 0; i < record.NumField() && !p.full(); i++ {
		field, value := record.Type().Field(i), record.Field(i)
		if !field.IsExported() || absent(value) {
			continue
		}
		if !first {
			p.write(", ")
		}
		first = false
		p.write(field.Name + ": ")
		p.value(value)
	}
	p.write("}")
}

// absent reports whether a value is not there. False, 0 and an empty text are.
func absent(value reflect.Value) bool {
	switch value.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
		return value.IsNil()
	case reflect.Struct:
		return value.IsZero()
	}
	return false
}

func (p *printer) value(value reflect.Value) {
	if p.full() {
		return
	}
	switch value.Kind() {
	case reflect.Pointer, reflect.Interface:
		p.target(value)
	case reflect.Struct:
		if text, has := value.Interface().(fmt.Stringer); has {
			p.word(text.String())
			return
		}
		p.fields(value)
	case reflect.String:
		p.quoted(value.String())
	case reflect.Slice, reflect.Array:
		p.list(value)
	case reflect.Map:
		p.entries(value)
	default:
		p.write(fmt.Sprint(value.Interface()))
	}
}

// target prints what a pointer or an interface leads to. Behind an interface, the type is worth telling.
func (p *printer) target(value reflect.Value) {
	if value.IsNil() {
		p.write("nil")
		return
	}
	if value.Kind() == reflect.Interface && value.Elem().Kind() == reflect.Struct {
		p.write(value.Elem().Type().Name())
	}
	p.value(value.Elem())
}

// list prints a list, and of bytes, which may be anything, how many they are.
func (p *printer) list(list reflect.Value) {
	if list.Type().Elem().Kind() == reflect.Uint8 {
		p.write(fmt.Sprintf("(%d bytes)", list.Len()))
		return
	}
	p.write("[")
	for i := range min(list.Len(), maxItems) {
		if i > 0 {
			p.write(", ")
		}
		p.value(list.Index(i))
	}
	p.rest(list.Len())
	p.write("]")
}

// entries prints a map by its keys, the least first.
func (p *printer) entries(entries reflect.Value) {
	p.write("{")
	keys := entries.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
	for i, key := range keys[:min(len(keys), maxItems)] {
		if i > 0 {
			p.write(", ")
		}
		p.value(key)
		p.write(": ")
		p.value(entries.MapIndex(key))
	}
	p.rest(len(keys))
	p.write("}")
}

// rest tells how many items were left out.
func (p *printer) rest(items int) {
	if items > maxItems {
		p.write(fmt.Sprintf(", … %d more", items-maxItems))
	}
}

// word prints the text that a value has of its own, with quotes only where it needs them.
func (p *printer) word(text string) {
	if len(text) > maxWord || strconv.Quote(text) != `"`+text+`"` {
		p.quoted(text)
		return
	}
	p.write(text)
}

// quoted prints a text with quotes, cut where it is long.
func (p *printer) quoted(text string) {
	if len(text) <= maxWord {
		p.write(strconv.Quote(text))
		return
	}
	p.write(strconv.Quote(whole(text[:maxWord])) + "…")
}

// whole cuts what is left of a character off the end of a text that was cut.
func whole(text string) string {
	for range utf8.UTFMax - 1 {
		if last, size := utf8.DecodeLastRuneInString(text); last != utf8.RuneError || size != 1 {
			break
		}
		text = text[:len(text)-1]
	}
	return text
}
