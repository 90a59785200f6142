package api

import (
	"bytes"
	"encoding"
	"encoding/json"
	"reflect"

	"github.com/rpcfleet/rpcfleet-go/internal/scan"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// ReadRecord reads a record, a pointer to a record, or a list of records. It fails if the value is null, or the type of
// into is unknown.
func ReadRecord(s *scan.Scanner, into any) {
	if s.Null() || !adminRecord(s, into) && !alertsRecord(s, into) {
		s.Fail()
	}
}

func record[T any](s *scan.Scanner, into any, read func(*scan.Scanner, *T)) bool {
	switch into := into.(type) {
	case *T:
		read(s, into)
	case **T:
		ReadOptional(s, into, read)
	case *[]T:
		ReadList(s, into, read)
	}
	return true
}

// The functions of this file read fields of records. Each reads a value into a zero variable, leaves the variable
// unchanged if the value is null, and fails if the value has another kind. See package scan.

// ReadText reads a string.
func ReadText[T ~string](s *scan.Scanner, into *T) {
	if !s.Null() {
		*into = T(s.Text())
	}
}

// ReadTextOrInt reads a string, or an integer as it is spelled.
func ReadTextOrInt[T ~string](s *scan.Scanner, into *T) {
	if first := s.Peek(); first == '-' || '0' <= first && first <= '9' {
		number := s.Number()
		if bytes.ContainsAny(number, ".eE") {
			s.Fail()
		}
		*into = T(number)
	} else {
		ReadText(s, into)
	}
}

// ReadInt reads an integer.
func ReadInt[T ~int | ~int64](s *scan.Scanner, into *T) {
	if s.Null() {
		return
	}
	value := s.Int()
	if *into = T(value); int64(*into) != value {
		s.Fail()
	}
}

// ReadBool reads a boolean.
func ReadBool[T ~bool](s *scan.Scanner, into *T) {
	if s.Peek() == 't' {
		*into = T(s.Literal("true"))
	} else if !s.Null() {
		s.Literal("false")
	}
}

// ReadScalar reads a type that decodes strings with UnmarshalText and other values with UnmarshalJSON.
func ReadScalar[T any, P interface {
	*T
	encoding.TextUnmarshaler
	json.Unmarshaler
}](s *scan.Scanner, into *T) {
	if s.Peek() != '"' {
		ReadJSON[T, P](s, into)
		return
	}
	if text := s.Quoted(); text == nil || P(into).UnmarshalText(text) != nil {
		s.Fail()
	}
}

// ReadJSON reads a type that decodes its own JSON.
func ReadJSON[T any, P interface {
	*T
	json.Unmarshaler
}](s *scan.Scanner, into *T) {
	if s.Null() {
		return
	}
	if text := s.Raw(); text == nil || P(into).UnmarshalJSON(text) != nil {
		s.Fail()
	}
}

// ReadOptional reads an optional value.
func ReadOptional[T any](s *scan.Scanner, into **T, read func(*scan.Scanner, *T)) {
	if s.Null() {
		return
	}
	value := new(T)
	read(s, value)
	*into = value
}

// ReadOptionalText reads an optional string.
func ReadOptionalText(s *scan.Scanner, into **string) {
	if !s.Null() {
		*into = s.NewText()
	}
}

// ReadMap reads an object with arbitrary names.
func ReadMap[T any](s *scan.Scanner, into *map[string]T, read func(*scan.Scanner, *T)) {
	if s.Null() {
		return
	}
	values := map[string]T{}
	for s.Object(); s.Member(); {
		name := string(s.Name)
		if _, repeated := values[name]; repeated {
			s.Fail()
		}
		var value T
		read(s, &value)
		values[name] = value
	}
	*into = values
}

// ReadList reads an array. The initial capacity is two items. The outermost array, which is most of the text, then
// grows to the number of items that the rest of the text can contain at the average size so far. Small first items do
// not predict the size of later items, so growth is limited: a hostile body must not cause large allocations. It fails
// if there is no room for the items.
func ReadList[T any](s *scan.Scanner, into *[]T, read func(*scan.Scanner, *T)) {
	if s.Null() {
		return
	}
	whole, items, size := s.Left(), []T{}, reflect.TypeFor[T]().Size()
	for s.Array(); s.Element(); {
		if !TakeRoom(&s.Room, size) {
			s.Fail()
			return
		}
		switch n := len(items); {
		case n == 0:
			items = make([]T, 0, 2)
		case n == cap(items) && s.Lists == 1:
			expected := int(int64(n)*int64(whole)/int64(whole-s.Left())) + 1
			items = append(make([]T, 0, min(expected, max(256, 2*n))), items...)
		}
		var empty T
		items = append(items, empty)
		read(s, &items[len(items)-1])
	}
	*into = items
}

// ExtraSize is the room that the unknown fields of a record take.
const ExtraSize = 128

// TakeRoom takes room for an item of a list, and reports whether there was enough. Without a bound, a list of {} takes a
// hundred times the memory of its text. An item that is no larger than a string takes none.
func TakeRoom(room *int, size uintptr) bool {
	if size > 16 {
		*room -= int(size)
	}
	return *room >= 0
}

// ReadExtra reads an unknown field and stores it under its name.
func ReadExtra(s *scan.Scanner, into *scalar.Extra) {
	name, text := s.Keep(s.Name), s.Raw()
	if text == nil || into.IsZero() && !TakeRoom(&s.Room, ExtraSize) {
		s.Fail()
		return
	}
	if s.Hider != nil {
		name = s.Hider.Hide(name)
	}
	into.Add(name, s.Keep(text))
}
