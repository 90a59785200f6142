package reply

import (
	"encoding"
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

var (
	liberal = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	strict  = json.JoinOptions(jsontext.AllowInvalidUTF8(true))
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
	if err := b.Decode(into, nil, true); err != nil {
		return content, b.Malformed(err)
	}
	content = Content[T]{Data: e.Data, Page: e.Pagination, NextAt: e.NextAt}
	// Beside some listings of areas without envelopes, only the limit is worth having (observed). Anything else in its
	// place must not lose the listing.
	var info struct {
		Limit *int `json:"limit"`
	}
	err = json.Unmarshal(e.PageInfo, &info, liberal, json.WithUnmarshalers(coercions))
	if err == nil && info.Limit != nil && content.Page == nil {
		content.Page = &Page{Limit: info.Limit}
	}
	return content, nil
}

// Decode decodes the body into the value that into points to. What takes time is left to a second pass: to look out for
// numbers in the place of texts and the like, and names that come twice, which are read as encoding/json reads them.
// Unmarshalers may be nil. Records keep the members that they have no field for, if that is asked for.
func (b *Body) Decode(into any, unmarshalers *json.Unmarshalers, keepExtra bool) error {
	extra := skipExtra
	if keepExtra {
		extra = json.UnmarshalFromFunc(b.readRecord)
	}
	unmarshalers = json.JoinUnmarshalers(skipExtra, b.unmarshalers(), extra, unmarshalers)
	err := b.decodePass(into, strict, unmarshalers)
	var shape *json.SemanticError
	if errors.Is(err, jsontext.ErrDuplicateName) || errors.As(err, &shape) {
		err = b.decodePass(into, liberal, json.JoinUnmarshalers(unmarshalers, coercions))
	}
	return err
}

func (b *Body) decodePass(into any, options json.Options, unmarshalers *json.Unmarshalers) error {
	if err := b.Begin(); err != nil {
		return err
	}
	b.Work += int64(len(b.Text))
	return json.Unmarshal(b.Text, into, options, json.WithUnmarshalers(unmarshalers))
}

// skipExtra keeps the JSON library from reading a member of a response as the unknown members of a record: those have a
// name only in a record that is written.
var skipExtra = json.UnmarshalFromFunc(func(dec *jsontext.Decoder, _ *scalar.Extra) error { return dec.SkipValue() })

// layout has the indices of the fields of a record by their names in JSON.
type layout struct {
	fields map[string]int
	extra  int // The field for unknown members, or -1.
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

// nameOf returns the name of a field in JSON, or nothing for a field that has no tag.
func nameOf(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	return name
}

// readRecord reads a record that keeps its unknown members. The JSON library has no fallback that would hide them.
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
	token, err := dec.ReadToken()
	for err == nil && dec.PeekKind() == '"' {
		if token, err = dec.ReadToken(); err != nil {
			return err
		}
		name := token.String()
		if i, known := l.fields[name]; known {
			err = json.UnmarshalDecode(dec, record.Field(i).Addr().Interface())
		} else {
			err = b.keep(extra, name, dec)
		}
	}
	if err == nil {
		_, err = dec.ReadToken()
	}
	return err
}

// keep adds an unknown member to those of a record, unless it is nested too deeply.
func (b *Body) keep(extra *scalar.Extra, name string, dec *jsontext.Decoder) error {
	value, err := dec.ReadValue()
	if err != nil {
		return err
	}
	if b.hider != nil {
		name = b.hider.Hide(name)
	}
	if whole, levels := b.whole(value); levels <= maxRaw {
		extra.Add(name, []byte(strings.ToValidUTF8(string(whole), "\uFFFD")))
	}
	return nil
}

// coercions read a value of another kind if nothing is lost by it: a number for a text, which keeps its spelling, a text
// for a number, and an integer with a point or an exponent. They look at the kind of a field and not at its type, so
// that named texts and numbers, and those behind pointers and in lists, are read alike. Types that read themselves are
// left to themselves.
var coercions = json.UnmarshalFromFunc(func(dec *jsontext.Decoder, into any) error {
	switch into.(type) {
	case json.UnmarshalerFrom, json.Unmarshaler, encoding.TextUnmarshaler:
		return errors.ErrUnsupported
	}
	field, kind := reflect.ValueOf(into).Elem(), dec.PeekKind()
	isText, isInteger, isFloat := field.Kind() == reflect.String, field.CanInt(), field.CanFloat()
	if !(kind == '0' && (isText || isInteger) || kind == '"' && (isInteger || isFloat)) {
		return errors.ErrUnsupported // The library reads it, or says what is wrong with it.
	}
	token, err := dec.ReadToken()
	if err != nil {
		return err
	}
	literal := token.String()
	if isText {
		field.SetString(literal)
		return nil
	}
	if IsNumber(literal) {
		bits := field.Type().Bits()
		if isFloat {
			if value, err := strconv.ParseFloat(literal, bits); err == nil {
				field.SetFloat(value)
				return nil
			}
		} else if value, err := parseInteger(strings.ToLower(literal), bits); err == nil {
			field.SetInt(value)
			return nil
		}
	}
	return &json.SemanticError{JSONKind: kind, GoType: field.Type()}
})

// Reads reports whether a JSON value can be read into a type, with all that is forgiven.
func Reads[T any](raw []byte) bool {
	var into T
	return json.Unmarshal(raw, &into, liberal, json.WithUnmarshalers(coercions)) == nil
}

// IsNumber reports whether a text is spelled as a JSON number. That leaves out what strconv reads beside it, such as
// underscores, infinities and spaces.
func IsNumber(text string) bool {
	value := jsontext.Value(text)
	return value.Kind() == '0' && value.IsValid() && strings.TrimSpace(text) == text
}

// parseInteger reads an integer in digits, with a point and zeros if need be, and a short one with an exponent, which a
// float64 holds exactly.
func parseInteger(literal string, bits int) (int64, error) {
	digits, fraction, _ := strings.Cut(literal, ".")
	if value, err := strconv.ParseInt(digits, 10, bits); err == nil && strings.Trim(fraction, "0") == "" {
		return value, nil
	}
	value, err := strconv.ParseFloat(literal, 64)
	const exact = 1 << 53
	if err != nil || len(literal) > 15 || strings.Contains(literal, "e-") || value != math.Trunc(value) || math.Abs(value) > exact {
		return 0, strconv.ErrRange
	}
	return strconv.ParseInt(strconv.FormatInt(int64(value), 10), 10, bits)
}

// OneOrMany is a list of records, one of which may come without the list.
type OneOrMany[T any] struct {
	Items []T
	// One is set if a single record came.
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

// item is the type of each record.
func (OneOrMany[T]) item() reflect.Type { return reflect.TypeFor[T]() }

// missingID refuses the response to a create that promises a record and brings it without its id. The thing exists
// then, and nobody could name it: an empty id would pass for one until it is used. Records that are read or changed are
// the caller's to name, and entries under security/ are documented to come without an id.
func missingID(op *api.Operation, data any) error {
	record := reflect.Indirect(reflect.ValueOf(data))
	if op.Idempotent || !promisesRecord(op) || record.Kind() != reflect.Struct {
		return nil
	}
	if id := record.FieldByName("ID"); id.IsValid() && id.IsZero() {
		return &Malformed{Reason: NoData, Detail: "there is no id of what was created"}
	}
	if !holdsAnything(data) {
		return &Malformed{Reason: NoData, Detail: "there is nothing in the record"}
	}
	return nil
}

// HasNames reports whether an object can be known as a record of a type by the names of its members.
func HasNames(record reflect.Type) bool { return len(ownNames(record)) > 0 }

// ownNames are the names by which an object is known as a record of a type.
func ownNames(record reflect.Type) map[string]bool {
	if many, is := reflect.Zero(record).Interface().(interface{ item() reflect.Type }); is {
		record = many.item()
	}
	if record.Kind() == reflect.Pointer {
		record = record.Elem()
	}
	if record.Kind() != reflect.Struct {
		return nil
	}
	names := map[string]bool{}
	for field := range record.Fields() {
		if name := nameOf(field); name != "" && name != "$extra" && !statedMembers[name] {
			names[name] = true
		}
	}
	return names
}

// isRecord reports whether an object has a member of a record of a type, and something in it.
func (b *Body) isRecord(object jsontext.Value, record reflect.Type) bool {
	found, _, _ := b.read(object, ownNames(record))
	for _, value := range found.members {
		if kind := value.Kind(); kind == '0' || kind != 'n' && !isEmptyValue(value) {
			return true
		}
	}
	return false
}

// holdsAnything reports whether there is anything in a payload but unknown members.
func holdsAnything(data any) bool {
	value := reflect.Indirect(reflect.ValueOf(data))
	if value.Kind() != reflect.Struct {
		return value.IsValid() && !value.IsZero()
	}
	for i := range value.NumField() {
		if field := value.Field(i); field.Type() != reflect.TypeFor[scalar.Extra]() && !field.IsZero() {
			return true
		}
	}
	return false
}

// EncodeRequest encodes the body of a request, with the secrets in it. It is for the service's eyes only: what it
// returns must not be logged.
func EncodeRequest(body any) ([]byte, error) {
	return scalar.WithSecrets[any]{Value: body}.MarshalJSON()
}
