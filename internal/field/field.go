// Package field reads the fields of records. Each function reads a value into a variable that holds nothing yet, leaves
// it as it is at a null, and gives up at a value of another kind, as package scan says.
package field

import (
	"encoding"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// Text reads a string.
func Text[T ~string](s *scan.Scanner, into *T) {
	if s.Peek() == '"' {
		*into = T(s.Text())
	} else if !s.Null() {
		s.Odd()
	}
}

// TextOrInt reads a string, or an integer as its digits.
func TextOrInt[T ~string](s *scan.Scanner, into *T) {
	if first := s.Peek(); first == '-' || '0' <= first && first <= '9' {
		*into = T(strconv.FormatInt(s.Int(), 10))
	} else {
		Text(s, into)
	}
}

// Int reads an integer.
func Int[T ~int | ~int64](s *scan.Scanner, into *T) {
	if s.Null() {
		return
	}
	value := s.Int()
	if *into = T(value); int64(*into) != value {
		s.Odd()
	}
}

// Bool reads a truth value.
func Bool[T ~bool](s *scan.Scanner, into *T) {
	switch s.Peek() {
	case 't':
		*into = T(s.Literal("true"))
	case 'f':
		s.Literal("false")
	default:
		if !s.Null() {
			s.Odd()
		}
	}
}

// Scalar reads a type that reads its strings itself, and other values as JSON.
func Scalar[T any, P interface {
	*T
	encoding.TextUnmarshaler
	json.Unmarshaler
}](s *scan.Scanner, into *T) {
	if s.Peek() != '"' {
		JSON[T, P](s, into)
		return
	}
	if text := s.Quoted(); text == nil || P(into).UnmarshalText(text) != nil {
		s.Odd()
	}
}

// JSON reads a type that reads its JSON itself.
func JSON[T any, P interface {
	*T
	json.Unmarshaler
}](s *scan.Scanner, into *T) {
	if s.Null() {
		return
	}
	if text := s.Raw(); text == nil || !utf8.Valid(text) || P(into).UnmarshalJSON(text) != nil {
		s.Odd()
	}
}

// Optional reads a value that may be absent.
func Optional[T any](s *scan.Scanner, into **T, read func(*scan.Scanner, *T)) {
	if s.Null() {
		return
	}
	value := new(T)
	read(s, value)
	*into = value
}

// OptionalText reads a string that may be absent.
func OptionalText(s *scan.Scanner, into **string) {
	if s.Peek() == '"' {
		*into = s.NewText()
	} else if !s.Null() {
		s.Odd()
	}
}

// Map reads an object whose names are not known ahead.
func Map[T any](s *scan.Scanner, into *map[string]T, read func(*scan.Scanner, *T)) {
	if s.Null() {
		return
	}
	values := map[string]T{}
	for s.Object(); s.Member(); {
		name := string(s.Name())
		if _, repeated := values[name]; repeated || !utf8.ValidString(name) {
			s.Odd()
			return
		}
		var value T
		read(s, &value)
		values[name] = value
	}
	*into = values
}
