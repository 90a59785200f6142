// Package scan reads JSON of the documented shape, once and fast, and gives up on any other.
//
// A Scanner accepts less than JSON allows. Where it meets anything out of the ordinary (a value of another kind, a name
// that comes twice, invalid UTF-8, an escape in a name, a nesting beyond the cap, no JSON at all), it is odd from then
// on: all that was read is to be thrown away, and the JSON library reads the text from its first byte, with all that it
// forgives and all that it says in its errors. What a Scanner accepts to the end is valid JSON, also where it was
// skipped, and is read as the library would read it. A fuzz test of package envelope holds the two against each other.
//
// No value that was read keeps the text alive.
package scan

import "unicode/utf8"

// maxDepth is how deeply values may be nested.
const maxDepth = 100

// Scanner goes through a JSON text. The reading functions of this package take one, and the generated decoders are made
// of them.
type Scanner struct {
	data  []byte
	at    int
	depth int
	lists int  // The open lists of records and values that are read.
	first bool // Nothing stands behind the bracket that was opened last.
	odd   bool
	read  int // The bytes that were read when it became odd.
	name  []byte
	text  []byte // The latest string with escapes.
	known *[texts]string
}

// New returns a Scanner of a text, which stays unchanged while it is read.
func New(data []byte) *Scanner { return &Scanner{data: data} }

// Odd gives up. Everything that is read after that is empty.
func (s *Scanner) Odd() {
	if !s.odd {
		s.odd, s.read, s.at, s.data = true, s.at, 0, nil
	}
}

// Read returns the number of bytes that were read.
func (s *Scanner) Read() int { return max(s.read, s.at) }

// End reads what is behind the last value, and reports whether the whole text was read as it is documented.
func (s *Scanner) End() bool {
	s.peek()
	return !s.odd && s.at == len(s.data)
}

// peek goes to the next byte that is no space and returns it, or 0 at the end.
func (s *Scanner) peek() byte {
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
	if s.peek() != bracket || s.depth == maxDepth {
		s.Odd()
		return
	}
	s.at++
	s.depth++
	s.first = true
}

// more reads what is in front of the next item, or the closing bracket, and reports whether there is an item.
func (s *Scanner) more(closing byte) bool {
	c, first := s.peek(), s.first
	s.first = false
	switch {
	case c == ',' && !first:
		if s.at++; s.peek() == closing {
			s.Odd()
		}
		return !s.odd
	case c == closing:
		s.at++
		s.depth--
		return false
	case !first:
		s.Odd()
	}
	return !s.odd
}

// Object reads the opening brace of an object. Member has to be called until there is no other.
func (s *Scanner) Object() { s.open('{') }

// Member reads the name of the next member of an object, or the closing brace, and reports whether there is a member.
// Its value has to be read next.
func (s *Scanner) Member() bool {
	if rest := s.data[s.at:]; !s.first && len(rest) > 1 && rest[0] == ',' && rest[1] == '"' {
		s.at++ // The short way for what has no spaces.
	} else if !s.more('}') {
		return false
	} else if s.peek() != '"' {
		s.Odd()
		return false
	}
	start := s.at + 1
	end := start + plain(s.data[start:])
	for end < len(s.data) && s.data[end] >= utf8.RuneSelf {
		end++
		end += plain(s.data[end:])
	}
	if end == len(s.data) || s.data[end] != '"' {
		s.Odd()
		return false
	}
	s.name, s.at = s.data[start:end], end+1
	if s.peek() != ':' {
		s.Odd()
		return false
	}
	s.at++
	return true
}

// Name is the name that Member has read. It may hold invalid UTF-8, and is good until the next call.
func (s *Scanner) Name() []byte { return s.name }

// Names tells which of an object's names were there, by their numbers.
type Names uint64

// Once notes that a name is there, and gives up where it was before: of repeated names the last one counts.
func (s *Scanner) Once(names *Names, number uint) *Scanner {
	if names.Have(number) {
		s.Odd()
	}
	*names |= 1 << number
	return s
}

// Have reports whether the name of a number was there.
func (n Names) Have(number uint) bool { return n&(1<<number) != 0 }

// array reads the opening bracket of an array. element has to be called until there is no other.
func (s *Scanner) array() { s.open('[') }

// element reports whether there is a next element, which has to be read next.
func (s *Scanner) element() bool { return s.more(']') }
