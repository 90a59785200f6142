package api

import (
	"encoding"
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/rpcfleet/rpcfleet-go/internal/scan"
	"github.com/rpcfleet/rpcfleet-go/internal/times"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// decoders are functions that read a record, a pointer to one or a list of them, by its type. ReadRecord fills it, so
// that other programs do not link all decoders. The decoders of the library's own calls come with the requests.
var (
	decoders     = map[reflect.Type]func(s *scan.Scanner, into any){}
	fillDecoders sync.Once
)

func addDecoder[T any](all map[reflect.Type]func(s *scan.Scanner, into any), read func(*scan.Scanner, *T)) {
	all[reflect.TypeFor[T]()] = func(s *scan.Scanner, into any) { ReadStruct(s, into.(*T), read) }
	all[reflect.TypeFor[*T]()] = func(s *scan.Scanner, into any) { ReadOptional(s, into.(**T), read) }
	all[reflect.TypeFor[[]T]()] = func(s *scan.Scanner, into any) { ReadList(s, into.(*[]T), read) }
}

// ReadRecord reads a record of the admin or alerts area, or several, that into points to. It reports whether it is one.
func ReadRecord(s *scan.Scanner, into any) bool {
	fillDecoders.Do(func() {
		adminDecoders(decoders)
		alertsDecoders(decoders)
		webhooksDecoders(decoders)
		keyvalueDecoders(decoders)
		streamsDecoders(decoders)
	})
	read, is := decoders[reflect.TypeOf(into).Elem()]
	if is {
		read(s, into)
	}
	return is
}

// The functions of this file read fields of records, which may be set already, as encoding/json reads them: a null
// clears pointers, lists, maps and types that decode themselves, and leaves other variables unchanged. A scanner fails
// if a value has another kind and cannot be converted without loss.

// ReadText reads a string, or a number as it is spelled.
func ReadText[T ~string](s *scan.Scanner, into *T) {
	if !s.Null() {
		*into = T(s.Keep(s.Spelled()))
	}
}

// ReadInt reads an integer, or a string that contains one. A fraction must be zero.
func ReadInt[T ~int | ~int64](s *scan.Scanner, into *T) {
	if s.Null() {
		return
	}
	at := s.At
	whole, fraction, _ := strings.Cut(string(s.Spelled()), ".")
	value, err := strconv.ParseInt(whole, 10, 64)
	if *into = T(value); err != nil || int64(*into) != value || strings.Trim(fraction, "0") != "" {
		s.Fail(scan.Unreadable, at)
	}
}

// ReadFloat reads a number, or a string that contains one.
func ReadFloat(s *scan.Scanner, into *float64) {
	if s.Null() {
		return
	}
	at := s.At
	value, err := strconv.ParseFloat(string(s.Spelled()), 64)
	if *into = value; err != nil || math.IsInf(value, 0) || math.IsNaN(value) {
		s.Fail(scan.Unreadable, at)
	}
}

// ReadBool reads a boolean.
func ReadBool[T ~bool](s *scan.Scanner, into *T) {
	if c := s.Peek(); c == 't' || c == 'f' {
		s.Skip()
		*into = T(c == 't' && s.Fault.Reason == 0)
	} else if !s.Null() {
		*into = false
		s.Fail(scan.Unreadable, s.At)
	}
}

// ReadScalar reads a type that decodes strings with UnmarshalText and other values with UnmarshalJSON.
func ReadScalar[T any, P interface {
	*T
	encoding.TextUnmarshaler
	json.Unmarshaler
}](s *scan.Scanner, into *T) {
	if s.Null() {
		*into = *new(T)
		return
	}
	at := s.At
	if s.Peek() != '"' {
		ReadJSON[T, P](s, into)
	} else if text := s.Quoted(); s.Fault.Reason == 0 && P(into).UnmarshalText(text) != nil {
		s.Fail(scan.Unreadable, at)
	}
}

// ReadJSON reads a type that decodes its own JSON.
func ReadJSON[T any, P interface {
	*T
	json.Unmarshaler
}](s *scan.Scanner, into *T) {
	if s.Null() {
		*into = *new(T)
		return
	}
	at := s.At
	text, deep := s.Raw()
	switch {
	case text == nil:
	case deep:
		s.Fail(scan.Deep, at)
	case P(into).UnmarshalJSON(Repaired(text)) != nil:
		s.Fail(scan.Unreadable, at)
	}
}

// ReadTime reads a time in any of the formats of package times. A text or a number that is not a time is kept in extra
// under the name of the field.
func ReadTime(s *scan.Scanner, into *time.Time, name string, extra *scalar.Extra) {
	*into = time.Time{}
	if s.Null() {
		return
	}
	from := s.Mark
	text := s.Spelled()
	at, valid := times.Parse(string(text))
	if !valid && len(text) > 0 {
		s.Rewind(from)
		s.Name = []byte(name) // The text may have overwritten it.
		ReadExtra(s, extra)
	}
	*into = at
}

// ReadStruct reads a record that may be null.
func ReadStruct[T any](s *scan.Scanner, into *T, read func(*scan.Scanner, *T)) {
	if !s.Null() {
		read(s, into)
	}
}

// ReadOptionalStruct reads a record that the service may send false for: it was seen in the place of the ipCustomHeader
// of an endpoint without one.
func ReadOptionalStruct[T any](s *scan.Scanner, into *T, read func(*scan.Scanner, *T)) {
	if s.Peek() != 'f' {
		ReadStruct(s, into, read)
		return
	}
	if s.Skip(); s.Fault.Reason == 0 {
		*into = *new(T)
	}
}

// ReadOptional reads an optional value.
func ReadOptional[T any](s *scan.Scanner, into **T, read func(*scan.Scanner, *T)) {
	if s.Null() {
		*into = nil
		return
	}
	if *into == nil {
		*into = new(T)
	}
	read(s, *into)
}

// ReadMap reads an object with arbitrary names.
func ReadMap[T any](s *scan.Scanner, into *map[string]T, read func(*scan.Scanner, *T)) {
	if s.Null() {
		*into = nil
		return
	}
	if *into == nil {
		*into = map[string]T{}
	}
	for s.Open('{'); s.Member(); {
		name := string(s.Name)
		var value T
		ReadStruct(s, &value, read)
		(*into)[name] = value
	}
}

// ReadList reads an array. The initial capacity is two items. The outermost array, which is most of the text, then
// grows to the number of items that the rest of the text can contain at the average size so far. Small first items do
// not predict the size of later items, so growth is limited: a hostile body must not cause large allocations. It fails
// if there is no room for the items.
func ReadList[T any](s *scan.Scanner, into *[]T, read func(*scan.Scanner, *T)) {
	if s.Null() {
		*into = nil
		return
	}
	from, items, size := s.At, []T{}, reflect.TypeFor[T]().Size()
	for s.Open('['); s.Next(']') && s.Take(size); {
		switch n := len(items); {
		case n == 0:
			items = make([]T, 0, 2)
		case n == cap(items) && s.Lists == 1:
			expected := int(int64(n)*int64(len(s.Data)-from)/int64(s.At-from)) + 1
			items = append(make([]T, 0, min(expected, max(256, 2*n))), items...)
		}
		var empty T
		items = append(items, empty)
		read(s, &items[len(items)-1])
	}
	*into = items
}

// extraSize is the room that the unknown fields of a record take.
const extraSize = 128

// ReadExtra reads an unknown field and stores it under its name, unless it is nested too deeply.
func ReadExtra(s *scan.Scanner, into *scalar.Extra) {
	name := s.Keep(s.Name)
	text, deep := s.Raw()
	if text == nil || deep || into.IsZero() && !s.Take(extraSize) {
		return
	}
	if s.Hider != nil {
		name = s.Hider.Hide(name)
	}
	into.Add(name, strings.ToValidUTF8(s.Keep(text), "\uFFFD"))
}

// Repaired returns a text in which each byte of invalid UTF-8 is replaced.
func Repaired(text []byte) []byte {
	if utf8.Valid(text) {
		return text
	}
	return []byte(string([]rune(string(text))))
}
