package scan

import "unicode/utf8"

// maxDepth is the maximum nesting depth.
const maxDepth = 100

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

// Member reads the name of the next member of an object, or the closing brace, and reports whether there is a member.
// The caller must then read its value.
func (s *Scanner) Member() bool {
	if rest := s.data[s.at:]; !s.first && len(rest) > 1 && rest[0] == ',' && rest[1] == '"' {
		s.at++ // The fast path if there are no spaces.
	} else if !s.more('}') {
		return false
	} else if s.Peek() != '"' {
		s.Fail()
		return false
	}
	start := s.at + 1
	end := start + asciiPrefix(s.data[start:])
	for end < len(s.data) && s.data[end] >= utf8.RuneSelf {
		end++
		end += asciiPrefix(s.data[end:])
	}
	if end == len(s.data) || s.data[end] != '"' {
		s.Fail()
		return false
	}
	s.name, s.at = s.data[start:end], end+1
	if s.Peek() != ':' {
		s.Fail()
		return false
	}
	s.at++
	return true
}

// Name returns the name that Member has read. It may contain invalid UTF-8, and is valid until the next call.
func (s *Scanner) Name() []byte { return s.name }

// FieldSet is the set of names in an object, by number.
type FieldSet uint64

// Field adds a name to the set, and fails if the name is a duplicate: encoding/json uses the last value.
func (s *Scanner) Field(names *FieldSet, number uint) *Scanner {
	if names.Has(number) {
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
	s.lists++
}

// Element reports whether there is another element, which the caller must then read.
func (s *Scanner) Element() bool {
	if s.more(']') {
		return true
	}
	s.lists--
	return false
}

// Lists returns the number of open arrays.
func (s *Scanner) Lists() int { return s.lists }
