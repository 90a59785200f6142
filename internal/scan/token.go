package scan

import "strconv"

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
	if !s.accept('0', '0') && !s.digits() || s.accept('.', '.') && !s.digits() {
		s.Fail()
		return nil
	}
	if s.accept('e', 'E') {
		s.accept('+', '-')
		if !s.digits() {
			s.Fail()
			return nil
		}
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
		return 0
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
