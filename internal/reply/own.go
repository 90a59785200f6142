package reply

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	legacy "github.com/go-json-experiment/json/v1"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
	"github.com/rpcfleet/rpcfleet-go/internal/variant"
)

// ownOptions read types of callers like encoding/json, but match names exactly.
var ownOptions = jsonv2.JoinOptions(variant.Lenient, legacy.MergeWithLegacySemantics(true))

// ReadOwn reads a value of a caller's type with the JSON library. Records of this library in it are read by their
// decoders. Unmarshalers may be nil.
func ReadOwn(s *scan.Scanner, into any, unmarshalers *jsonv2.Unmarshalers, options ...jsonv2.Options) {
	at := s.Mark().At
	value, deep := s.Raw(), s.IsDeep()
	if value == nil {
		return
	}
	parts := jsonv2.UnmarshalFromFunc(func(dec *jsontext.Decoder, into any) error {
		return readPart(s, dec, into)
	})
	decoders := []*jsonv2.Unmarshalers{parts, unmarshalers}
	if deep {
		value = cut(value, scan.MaxDepth-s.Depth)
		decoders = append(decoders, rejectDeep)
	}
	options = append(options, ownOptions, jsonv2.WithUnmarshalers(jsonv2.JoinUnmarshalers(decoders...)))
	if err := jsonv2.Unmarshal(api.Repaired(value), into, options...); err != nil {
		reason, is := errors.AsType[scan.Reason](err)
		if !is {
			reason = scan.Unreadable
		}
		s.Fail(reason, at, err)
	}
}

// readPart checks a part of a value before it is decoded, and reads it if it is a record of this library: a null in a
// list is not a record, and there must be room for an item.
func readPart(s *scan.Scanner, dec *jsontext.Decoder, into any) error {
	item, isNull := reflect.TypeOf(into).Elem(), dec.PeekKind() == 'n'
	if around, _ := dec.StackIndex(dec.StackDepth()); around == '[' {
		size := item.Size()
		switch kind := item.Kind(); {
		case isNull && isRecord(item):
			return cmp.Or[error](dec.SkipValue(), &jsonv2.SemanticError{JSONKind: 'n', GoType: item})
		case kind == reflect.Interface && item.NumMethod() > 0:
			size = 256 // One of several records.
		case kind == reflect.Pointer && !isNull:
			size = item.Elem().Size()
		}
		if !api.TakeRoom(&s.Room, size) {
			return &jsonv2.SemanticError{Err: scan.Large, JSONPointer: dec.StackPointer()}
		}
	}
	if !api.HasDecoder(item) {
		return errors.ErrUnsupported
	}
	value, err := dec.ReadValue()
	if err != nil {
		return err
	}
	inner := scan.New(value)
	defer inner.Release()
	inner.Hider, inner.Room, inner.Depth = s.Hider, s.Room, s.Depth+dec.StackDepth()
	api.ReadRecord(inner, into)
	s.Room = inner.Room
	if inner.End() {
		return nil
	}
	place, kind := Locate(value, inner.Fault.At)
	return &jsonv2.SemanticError{Err: inner.Fault.Reason, JSONPointer: dec.StackPointer() + place, JSONKind: kind}
}

// isRecord reports whether a type is a record of this library, or an interface of its records.
func isRecord(t reflect.Type) bool {
	area, ours := strings.CutPrefix(t.PkgPath(), Module)
	return ours && (t.Kind() == reflect.Struct || t.Kind() == reflect.Interface) &&
		(area == "graph" || area == "admin" || area == "alerts")
}

// tooDeep replaces a value that is too deep. It is one level deeper than the limit itself.
const tooDeep = `[-0e9]`

// cut returns a text with every value below a number of levels replaced by tooDeep: the library would not read the rest
// of the text. A deep value without an end is dropped.
func cut(text []byte, levels int) (short []byte) {
	var depth, start, done int // The start of the deep value; the end of the copied text.
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
			if c == '\\' {
				i++
			}
		case c == '{' || c == '[':
			if depth == levels {
				start = i
			}
			depth++
		case c == '}' || c == ']':
			if depth--; depth == levels {
				short = append(append(short, text[done:start]...), tooDeep...)
				done = i + 1
			}
		}
	}
	if depth > levels {
		text = text[:start]
	}
	if done == 0 {
		return text
	}
	return append(short, text[done:]...)
}

// rejectDeep returns an error for a value that is too deep, or a raw value that contains one.
var rejectDeep = jsonv2.UnmarshalFromFunc(func(dec *jsontext.Decoder, into any) error {
	fault := &jsonv2.SemanticError{Err: scan.Deep}
	if reader, is := into.(json.Unmarshaler); is {
		value, err := dec.ReadValue()
		if err != nil {
			return err
		}
		if bytes.Contains(value, []byte(tooDeep)) {
			return fault
		}
		return reader.UnmarshalJSON(value)
	}
	if dec.PeekKind() != '[' || !bytes.HasPrefix(bytes.TrimLeft(dec.UnreadBuffer(), " \t\r\n:,"), []byte(tooDeep)) {
		return errors.ErrUnsupported
	}
	return cmp.Or[error](dec.SkipValue(), fault)
})

// HasNames reports whether an object can be recognized as a record of a type by the names of its fields.
func HasNames(record reflect.Type) bool { return len(ownNames(record)) > 0 }

// ownNames returns the names of fields that identify an object as a record of a type. A record may also have fields
// that state a failure elsewhere, so one of these alone does not make an object a record.
func ownNames(record reflect.Type) (names []string) {
	if record.Kind() == reflect.Pointer {
		record = record.Elem()
	}
	if record.Kind() != reflect.Struct {
		return nil
	}
	for field := range record.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "" && name != "$extra" && !slices.Contains(statementNames, name) {
			names = append(names, name)
		}
	}
	return names
}

// hasRecord reports whether an object has a nonempty field of a record type, or of the records of a list.
func (b *Body) hasRecord(value jsontext.Value, record reflect.Type) bool {
	if record.Kind() == reflect.Slice {
		record = record.Elem()
	}
	for _, field := range b.objectOf(value, ownNames(record)) {
		if kind := field.Kind(); kind == '0' || kind != 'n' && !isEmptyValue(field) {
			return true
		}
	}
	return false
}
