package scan

import (
	"encoding"
	"encoding/json"
	"unicode/utf8"
)

// The functions below read a value into a variable that holds nothing yet, and leave it as it is at a null. They are
// what the generated decoders call for each field.

// Text reads a string.
func Text[T ~string](s *Scanner, into *T) {
	if s.peek() == '"' {
		*into = T(s.string())
	} else if !s.Null() {
		s.Odd()
	}
}

// Int reads an integer.
func Int[T ~int | ~int64](s *Scanner, into *T) {
	if s.Null() {
		return
	}
	value := s.integer()
	if *into = T(value); int64(*into) != value {
		s.Odd()
	}
}

// Bool reads a truth value.
func Bool[T ~bool](s *Scanner, into *T) {
	switch s.peek() {
	case 't':
		*into = T(s.literal("true"))
	case 'f':
		s.literal("false")
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
}](s *Scanner, into *T) {
	if s.peek() != '"' {
		JSON[T, P](s, into)
		return
	}
	if text := s.quoted(); s.odd || P(into).UnmarshalText(text) != nil {
		s.Odd()
	}
}

// JSON reads a type that reads its JSON itself.
func JSON[T any, P interface {
	*T
	json.Unmarshaler
}](s *Scanner, into *T) {
	if s.Null() {
		return
	}
	data, start := s.data, s.at
	s.Skip()
	if s.odd || !utf8.Valid(data[start:s.at]) || P(into).UnmarshalJSON(data[start:s.at]) != nil {
		s.Odd()
	}
}

// Optional reads a value that may be absent.
func Optional[T any](s *Scanner, into **T, read func(*Scanner, *T)) {
	if s.Null() {
		return
	}
	value := new(T)
	read(s, value)
	*into = value
}

// Map reads an object whose names are not known ahead.
func Map[T any](s *Scanner, into *map[string]T, read func(*Scanner, *T)) {
	if s.Null() {
		return
	}
	values := map[string]T{}
	for s.Object(); s.Member(); {
		name := string(s.name)
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

// List reads an array. It gets room for two items, and the outermost one, which is most of the text, then for as many
// as the rest of the text has at the size of those that were read.
func List[T any](s *Scanner, into *[]T, read func(*Scanner, *T)) {
	if s.Null() {
		return
	}
	start, items := s.at, []T{}
	s.lists++
	for s.array(); s.element(); {
		if n := len(items); n == cap(items) && (n == 0 || s.lists == 1) {
			grown := make([]T, n, room(n, s.at-start, len(s.data)-start))
			copy(grown, items)
			items = grown
		}
		var empty T
		items = append(items, empty)
		read(s, &items[len(items)-1])
	}
	s.lists--
	*into = items
}

// room returns how many items to make room for where n of them took a part of the bytes. A few small items say nothing
// of those that follow: a body may be made to take more memory than it is worth.
func room(n, part, whole int) int {
	if n < 2 {
		return 2
	}
	expected := int(int64(n)*int64(whole)/int64(part)) + 1
	return max(n+1, min(expected, max(256, 2*n)))
}

// texts is the number of short strings that are remembered.
const texts = 64

// string reads a string. Short ones that a list repeats, such as the name of a network, share one copy.
func (s *Scanner) string() string {
	const short = 24
	content := s.quoted()
	if s.lists == 0 || len(content) == 0 || len(content) > short {
		return string(content)
	}
	if s.known == nil {
		s.known = new([texts]string)
	}
	first, middle, last := uint(content[0]), uint(content[len(content)/2]), uint(content[len(content)-1])
	known := &s.known[(first*7+middle*3+last*31+uint(len(content)))%texts]
	if *known != string(content) {
		*known = string(content)
	}
	return *known
}
