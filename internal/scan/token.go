package scan

import (
	"encoding/binary"
	"math/bits"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Null reads a null, and reports whether there was one.
func (s *Scanner) Null() bool { return s.peek() == 'n' && s.literal("null") }

// literal reads a literal and reports whether it is there.
func (s *Scanner) literal(text string) bool {
	if len(s.data)-s.at < len(text) || string(s.data[s.at:s.at+len(text)]) != text {
		s.Odd()
		return false
	}
	s.at += len(text)
	return true
}

// number reads a number and returns its spelling.
func (s *Scanner) number() []byte {
	s.peek()
	start := s.at
	s.accept('-', '-')
	if !s.accept('0', '0') && !s.digits() || s.accept('.', '.') && !s.digits() {
		s.Odd()
		return nil
	}
	if s.accept('e', 'E') {
		s.accept('+', '-')
		if !s.digits() {
			s.Odd()
			return nil
		}
	}
	return s.data[start:s.at]
}

// accept reads one of two bytes, and reports whether it is there.
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

// quoted reads a string and returns its content, which is good until the next string is read.
func (s *Scanner) quoted() []byte {
	if s.peek() != '"' {
		s.Odd()
		return nil
	}
	start := s.at + 1
	end := start + plain(s.data[start:])
	if end < len(s.data) && s.data[end] == '"' {
		s.at = end + 1
		return s.data[start:end]
	}
	return s.special(start, end)
}

// special is quoted for a string that begins at start, and of which everything in front of i stands for itself.
func (s *Scanner) special(start, i int) []byte {
	s.text = s.text[:0] // What is in front of start.
	for i < len(s.data) && s.data[i] != '"' {
		switch c := s.data[i]; {
		case c >= utf8.RuneSelf:
			i++
		case c == '\\':
			s.text = append(s.text, s.data[start:i]...)
			length := s.escape(s.data[i:])
			if length == 0 {
				s.Odd()
				return nil
			}
			i += length
			start = i
		default:
			s.Odd()
			return nil
		}
		i += plain(s.data[i:])
	}
	if i == len(s.data) {
		s.Odd()
		return nil
	}
	s.at = i + 1
	s.text = append(s.text, s.data[start:i]...)
	if !utf8.Valid(s.text) {
		s.Odd()
	}
	return s.text
}

// escapes are the characters that the escapes of one letter stand for.
var escapes = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// escape appends to s.text what the escape at the beginning of data stands for, and returns the length of the escape,
// or 0 where it is none of those that are accepted.
func (s *Scanner) escape(data []byte) int {
	if len(data) < 2 {
		return 0
	}
	if c := escapes[data[1]]; c != 0 {
		s.text = append(s.text, c)
		return 2
	}
	r, length := unit(data), 6
	if utf16.IsSurrogate(r) {
		r, length = utf16.DecodeRune(r, unit(data[6:])), 12
		if r == utf8.RuneError {
			return 0
		}
	}
	if r < 0 {
		return 0
	}
	s.text = utf8.AppendRune(s.text, r)
	return length
}

// unit returns the UTF-16 code unit that the escape at the beginning of data stands for, or -1.
func unit(data []byte) rune {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' {
		return -1
	}
	var r rune
	for _, c := range data[2:6] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

// plain returns how many bytes at the beginning of data stand for themselves in a string: they are ASCII, and neither a
// quote, a backslash nor a control character. It looks at eight of them at a time; the lowest bit that it finds is
// right, and those above it may be carried over from there.
func plain(data []byte) int {
	const each, high = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; len(data)-i >= 8; i += 8 {
		x := binary.LittleEndian.Uint64(data[i:])
		special := (x - each*' ') | (x ^ each*'"' - each) | (x ^ each*'\\' - each) | x
		if special &= high; special != 0 {
			return i + bits.TrailingZeros64(special)/8
		}
	}
	for ; i < len(data); i++ {
		if c := data[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			break
		}
	}
	return i
}

// integer reads a number with neither a point nor an exponent.
func (s *Scanner) integer() int64 {
	spelling := s.number()
	const certain = len("-99999999999999999") // No number of this length is too large.
	if len(spelling) <= certain {
		var value int64
		digits := spelling
		if len(digits) > 0 && digits[0] == '-' {
			digits = digits[1:]
		}
		for _, c := range digits {
			if c < '0' || c > '9' {
				s.Odd()
				return 0
			}
			value = value*10 + int64(c-'0')
		}
		if len(digits) < len(spelling) {
			value = -value
		}
		return value
	}
	value, err := strconv.ParseInt(string(spelling), 10, 64)
	if err != nil {
		s.Odd()
	}
	return value
}

// Skip reads a value of any kind.
func (s *Scanner) Skip() {
	switch s.peek() {
	case '{':
		for s.Object(); s.Member(); {
			s.Skip()
		}
	case '[':
		for s.array(); s.element(); {
			s.Skip()
		}
	case '"':
		s.quoted()
	case 't':
		s.literal("true")
	case 'f':
		s.literal("false")
	case 'n':
		s.literal("null")
	default:
		s.number()
	}
}
