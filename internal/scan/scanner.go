// Package scan reads JSON of the documented shape in one fast pass and fails on any other JSON, which is left to the
// JSON library, and decodes interfaces by the names of their types.
package scan

import (
	"strconv"
	"sync"
)

// maxDepth is the maximum nesting depth.
const maxDepth = 100

// Scanner reads a JSON text for the generated decoders of packages api and graphql.
//
// It accepts less than JSON allows. If it finds a value of another kind, a duplicate name, invalid UTF-8, deep nesting
// or invalid JSON, the Scanner fails; discard everything it produced. Text that it accepts to the
// end, including skipped values, is valid JSON, with the values that the JSON library would return. Values do not keep
// the text alive.
type Scanner struct {
	// Hider hides secrets in the names that records keep. It may be nil.
	Hider Hider
	// Name is the name that Member has read. It is valid until the next call.
	Name []byte
	// Lists is the number of open arrays.
	Lists int
	// Room is the memory in bytes that is left for the items of lists.
	Room int

	data     []byte
	at       int
	depth    int
	first    bool // Nothing was read since the latest opening bracket.
	failed   bool
	text     []byte // The latest string with escapes.
	interned [internSize]string

	arena arena
}

// Hider removes secrets from a name.
type Hider interface{ Hide(name string) string }

var scanners = sync.Pool{New: func() any { return &Scanner{} }}

// New returns a Scanner of a text, which must not change while it is read.
func New(data []byte) *Scanner {
	s := scanners.Get().(*Scanner)
	s.data, s.Room = data, RoomFor(data)
	return s
}

// RoomFor returns the room for the items of the lists in a text: several times as much as documented records take, and
// enough for thousands of empty ones.
func RoomFor(text []byte) int { return 1<<20 + 4*len(text) }

// Release returns the Scanner to a pool. Neither the Scanner nor its Name may be used afterwards.
func (s *Scanner) Release() {
	const reusable = 4 << 10
	text := s.text[:0]
	if cap(text) > reusable {
		text = nil
	}
	*s = Scanner{text: text}
	scanners.Put(s)
}

// Fail makes the Scanner fail. Later reads return zero values.
func (s *Scanner) Fail() {
	s.failed, s.at, s.data = true, 0, nil
}

// Left returns the number of unread bytes.
func (s *Scanner) Left() int { return len(s.data) - s.at }

// End reads the space after the last value, and reports whether the whole text was accepted.
func (s *Scanner) End() bool {
	s.Peek()
	return !s.failed && s.at == len(s.data)
}

// Peek skips space and returns the next byte without reading it, or 0 at the end.
func (s *Scanner) Peek() byte {
	if s.at < len(s.data) && s.data[s.at] > ' ' {
		return s.data[s.at]
	}
	return s.space()
}

func (s *Scanner) space() byte {
	for ; s.at < len(s.data); s.at++ {
		switch c := s.data[s.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// open reads an opening bracket.
func (s *Scanner) open(bracket byte) {
	if s.Peek() != bracket || s.depth == maxDepth {
		s.Fail()
		return
	}
	s.at++
	s.depth++
	s.first = true
}

// more reads the comma before the next item, or the closing bracket, and reports whether there is an item.
func (s *Scanner) more(closing byte) bool {
	c, first := s.Peek(), s.first
	s.first = false
	switch {
	case c == ',' && !first:
		if s.at++; s.Peek() == closing {
			s.Fail()
		}
		return !s.failed
	case c == closing:
		s.at++
		s.depth--
		return false
	case !first:
		s.Fail()
	}
	return !s.failed
}

// Object reads the opening brace of an object. Call Member until it returns false.
func (s *Scanner) Object() { s.open('{') }

// Member reads the name of the next field of an object, or the closing brace, and reports whether there is a field. The
// caller must then read its value.
func (s *Scanner) Member() bool {
	if rest := s.data[s.at:]; !s.first && len(rest) > 1 && rest[0] == ',' && rest[1] == '"' {
		s.at++ // The fast path if there are no spaces.
	} else if !s.more('}') {
		return false
	}
	s.Name = s.Quoted()
	if s.Peek() != ':' {
		s.Fail()
		return false
	}
	s.at++
	return true
}

// FieldSet is the set of names in an object, by number.
type FieldSet uint64

// Field adds a name to the set, and fails if the name is a duplicate: encoding/json uses the last value.
func (s *Scanner) Field(names *FieldSet, number uint) *Scanner {
	if *names&(1<<number) != 0 {
		s.Fail()
	}
	*names |= 1 << number
	return s
}

// Has reports whether the set contains a name.
func (n FieldSet) Has(number uint) bool { return n&(1<<number) != 0 }

// Array reads the opening bracket of an array. Call Element until it returns false.
func (s *Scanner) Array() {
	s.open('[')
	s.Lists++
}

// Element reports whether there is another element, which the caller must then read.
func (s *Scanner) Element() bool {
	if s.more(']') {
		return true
	}
	s.Lists--
	return false
}

// Null reads a null if there is one, and reports whether there was one.
func (s *Scanner) Null() bool { return s.Peek() == 'n' && s.Literal("null") }

// Literal reads a literal and reports whether it is present.
func (s *Scanner) Literal(text string) bool {
	if len(s.data)-s.at < len(text) || string(s.data[s.at:s.at+len(text)]) != text {
		s.Fail()
		return false
	}
	s.at += len(text)
	return true
}

// Number reads a number and returns its text.
func (s *Scanner) Number() []byte {
	s.Peek()
	start := s.at
	s.accept('-', '-')
	valid := (s.accept('0', '0') || s.digits()) && (!s.accept('.', '.') || s.digits())
	if valid && s.accept('e', 'E') {
		s.accept('+', '-')
		valid = s.digits()
	}
	if !valid {
		s.Fail()
		return nil
	}
	return s.data[start:s.at]
}

// accept reads one of two bytes, and reports whether it is present.
func (s *Scanner) accept(one, other byte) bool {
	if s.at < len(s.data) && (s.data[s.at] == one || s.data[s.at] == other) {
		s.at++
		return true
	}
	return false
}

// digits reads digits, and reports whether there are any.
func (s *Scanner) digits() bool {
	start := s.at
	for s.at < len(s.data) && '0' <= s.data[s.at] && s.data[s.at] <= '9' {
		s.at++
	}
	return s.at > start
}

// Int reads a number without a fraction and without an exponent.
func (s *Scanner) Int() int64 {
	value, err := strconv.ParseInt(string(s.Number()), 10, 64)
	if err != nil {
		s.Fail()
	}
	return value
}

// Skip reads a value of any kind.
func (s *Scanner) Skip() {
	switch s.Peek() {
	case '{':
		for s.Object(); s.Member(); {
			s.Skip()
		}
	case '[':
		for s.Array(); s.Element(); {
			s.Skip()
		}
	case '"':
		s.Quoted()
	case 't':
		s.Literal("true")
	case 'f':
		s.Literal("false")
	case 'n':
		s.Literal("null")
	default:
		s.Number()
	}
}

// Raw reads a value of any kind and returns its text, which is part of the whole text, or nil if the Scanner fails.
func (s *Scanner) Raw() []byte {
	s.Peek()
	data, start := s.data, s.at
	if s.Skip(); s.failed {
		return nil
	}
	return data[start:s.at]
}
