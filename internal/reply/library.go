package reply

import (
	"bytes"
	"encoding"
	"errors"
	"maps"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// envelope is a body with a typed payload.
type envelope[T any] struct {
	Data       T              `json:"data"`
	Pagination *Page          `json:"pagination"`
	PageInfo   jsontext.Value `json:"pageInfo"`
	NextAt     string         `json:"next_at"`
}

// decode decodes a body with the JSON library. The error is a *Malformed or the context's.
func decode[T any](b *Body, bare bool) (content Content[T], err error) {
	var e envelope[T]
	var into any = &e
	if bare {
		into = &e.Data
	}
	if err := b.ctx.Err(); err != nil {
		return content, err
	}
	if err := b.Decode(into, json.UnmarshalFromFunc(b.readRecord)); err != nil {
		return content, err
	}
	content = Content[T]{Data: e.Data, Page: e.Pagination, NextAt: e.NextAt}
	// Some listings of areas without envelopes have a pageInfo, of which only the limit is useful (observed). If pageInfo
	// has another form, the listing is still decoded.
	var info struct {
		Limit *int `json:"limit"`
	}
	err = json.Unmarshal(e.PageInfo, &info, lenient, json.WithUnmarshalers(coercions))
	if err == nil && info.Limit != nil && content.Page == nil {
		content.Page = &Page{Limit: info.Limit}
	}
	return content, nil
}

// skipExtra prevents the JSON library from decoding a field of a response as the unknown fields of a record. Their
// field has a JSON name only for encoding.
var skipExtra = json.UnmarshalFromFunc(func(dec *jsontext.Decoder, _ *scalar.Extra) error { return dec.SkipValue() })

// layout maps the JSON names of the fields of a record to their indices.
type layout struct {
	fields map[string]int
	extra  int // The field for unknown fields, or -1.
}

var layouts sync.Map // By the type of the record.

func layoutOf(record reflect.Type) *layout {
	if known, is := layouts.Load(record); is {
		return known.(*layout)
	}
	l := &layout{fields: map[string]int{}, extra: -1}
	for field := range record.Fields() {
		if field.Type == reflect.TypeFor[scalar.Extra]() {
			l.extra = field.Index[0]
		} else if name := nameOf(field); name != "" {
			l.fields[name] = field.Index[0]
		}
	}
	layouts.Store(record, l)
	return l
}

// nameOf returns the JSON name of a field, or "" if the field has no tag.
func nameOf(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	return name
}

// readRecord reads a record that keeps unknown fields. The JSON library's fallback for unknown fields cannot hide
// secrets in their names.
func (b *Body) readRecord(dec *jsontext.Decoder, into any) error {
	record := reflect.ValueOf(into).Elem()
	if record.Kind() != reflect.Struct || dec.PeekKind() != '{' {
		return errors.ErrUnsupported
	}
	l := layoutOf(record.Type())
	if l.extra < 0 {
		return errors.ErrUnsupported
	}
	extra := record.Field(l.extra).Addr().Interface().(*scalar.Extra)
	return scan.EachField(dec, func(name string) error {
		if i, known := l.fields[name]; known {
			field := record.Field(i)
			if dec.PeekKind() == 'f' && mayBeNil(field.Type()) {
				field.SetZero()
				return dec.SkipValue()
			}
			return json.UnmarshalDecode(dec, field.Addr().Interface())
		}
		return b.keep(extra, name, dec)
	})
}

// isRecord reports whether a type is a record of this library, or an interface of its records.
func isRecord(t reflect.Type) bool {
	inGraph := t.PkgPath() == Module+"graph"
	return t.Kind() == reflect.Struct && (inGraph || layoutOf(t).extra >= 0) || t.Kind() == reflect.Interface && inGraph
}

// mayBeNil reports whether a field is a record that may be null. Instead of a null, one client has seen false: the
// ipCustomHeader of an endpoint without one (observed).
func mayBeNil(field reflect.Type) bool {
	return field.Kind() == reflect.Pointer && isRecord(field.Elem())
}

// keep adds an unknown field to a record, unless it is nested too deeply.
func (b *Body) keep(extra *scalar.Extra, name string, dec *jsontext.Decoder) error {
	value, err := dec.ReadValue()
	if err != nil {
		return err
	}
	if extra.IsZero() && !api.TakeRoom(&b.room, api.ExtraSize) {
		return tooLarge(dec)
	}
	if hider, is := b.ctx.(scan.Hider); is {
		name = hider.Hide(name)
	}
	if !b.deep || !bytes.Contains(value, []byte(tooDeep)) {
		extra.Add(name, strings.ToValidUTF8(string(value), "\uFFFD"))
	}
	return nil
}

// coercions decode a value of another kind if the conversion is lossless: a number for a string, which keeps its
// spelling, a string for a number, and an integer with a point or an exponent. They depend on the kind of a field and
// not on its type, so that named types, pointers and list items are decoded alike. Types with their own decoders are
// left to them.
var coercions = json.UnmarshalFromFunc(func(dec *jsontext.Decoder, into any) error {
	switch into.(type) {
	case json.UnmarshalerFrom, json.Unmarshaler, encoding.TextUnmarshaler:
		return errors.ErrUnsupported
	}
	field, kind := reflect.ValueOf(into).Elem(), dec.PeekKind()
	isText, isInteger, isFloat := field.Kind() == reflect.String, field.CanInt(), field.CanFloat()
	number, text := kind == '0' && (isText || isInteger), kind == '"' && (isInteger || isFloat)
	if !number && !text {
		return errors.ErrUnsupported // The library decodes it, or reports the error.
	}
	token, err := dec.ReadToken()
	if err != nil {
		return err
	}
	switch literal := token.String(); {
	case isText:
		field.SetString(literal)
		return nil
	case !IsNumber(literal):
	case isFloat:
		if value, err := strconv.ParseFloat(literal, field.Type().Bits()); err == nil {
			field.SetFloat(value)
			return nil
		}
	default:
		if value, ok := parseInteger(strings.ToLower(literal)); ok && !field.OverflowInt(value) {
			field.SetInt(value)
			return nil
		}
	}
	return &json.SemanticError{JSONKind: kind, GoType: field.Type()}
})

// IsNumber reports whether a text is a JSON number. It excludes forms that only strconv accepts, such as underscores,
// infinities and spaces.
func IsNumber(text string) bool {
	value := jsontext.Value(text)
	return value.Kind() == '0' && value.IsValid() && strings.TrimSpace(text) == text
}

// parseInteger parses an integer, optionally with a fraction of zeros, or a short number with an exponent that a
// float64 represents exactly.
func parseInteger(literal string) (value int64, ok bool) {
	digits, fraction, _ := strings.Cut(literal, ".")
	if value, err := strconv.ParseInt(digits, 10, 64); err == nil && strings.Trim(fraction, "0") == "" {
		return value, true
	}
	float, err := strconv.ParseFloat(literal, 64)
	ok = err == nil && len(literal) <= 15 && !strings.Contains(literal, "e-") && float == math.Trunc(float) &&
		math.Abs(float) <= 1<<53
	return int64(float), ok
}

// OneOrMany is a list of records, or a single record without the list.
type OneOrMany[T any] struct {
	Items []T
	// One is set if the value was a single record.
	One bool
}

// UnmarshalJSONFrom implements the JSON library's streaming interface.
func (m *OneOrMany[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	*m = OneOrMany[T]{One: dec.PeekKind() == '{'}
	if !m.One {
		return json.UnmarshalDecode(dec, &m.Items)
	}
	m.Items = make([]T, 1)
	return json.UnmarshalDecode(dec, &m.Items[0])
}

// item returns the type of the records.
func (OneOrMany[T]) item() reflect.Type { return reflect.TypeFor[T]() }

// HasNames reports whether an object can be recognized as a record of a type by the names of its fields.
func HasNames(record reflect.Type) bool { return len(ownNames(record)) > 0 }

// ownNames returns the names of fields that identify an object as a record of a type. A record may also have fields
// that state a failure elsewhere, so one of these alone does not make an object a record.
func ownNames(record reflect.Type) map[string]int {
	if many, is := reflect.Zero(record).Interface().(interface{ item() reflect.Type }); is {
		record = many.item()
	}
	if record.Kind() == reflect.Pointer {
		record = record.Elem()
	}
	if record.Kind() != reflect.Struct {
		return nil
	}
	names := maps.Clone(layoutOf(record).fields)
	for stated := range layoutOf(reflect.TypeFor[failureInfo]()).fields {
		delete(names, stated)
	}
	return names
}

// isRecord reports whether an object has a nonempty field of a record type.
func (b *Body) isRecord(object jsontext.Value, record reflect.Type) bool {
	var fields map[string]jsontext.Value
	_ = b.pass(object, &fields, lenient) // A value that is not an object has no fields.
	for name := range ownNames(record) {
		if kind := fields[name].Kind(); kind == '0' || kind != 0 && kind != 'n' && !isEmptyValue(fields[name]) {
			return true
		}
	}
	return false
}
