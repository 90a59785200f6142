package scan

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// internSize is the number of short strings that are interned, indexed by their hashes.
const internSize = 256

var textSeed = maphash.MakeSeed()

// blockSize is the number of bytes that are allocated at once for short strings, because a few large allocations are
// cheaper than many small ones. It also bounds the memory that one string keeps alive.
const blockSize = 96

// Keep returns a copy of content. Short strings in a list, such as the name of a network, share one copy.
func (s *Scanner) Keep(content []byte) string {
	const short = 24
	if len(content) > blockSize/2 {
		return string(content)
	}
	var interned *string
	if s.Lists > 0 && len(content) > 0 && len(content) <= short {
		interned = &s.interned[maphash.Bytes(textSeed, content)%internSize]
		if *interned == string(content) {
			return *interned
		}
	}
	start := s.block.Len()
	if s.block.Cap()-start < len(content) {
		s.block, start = strings.Builder{}, 0
		s.block.Grow(blockSize)
	}
	s.block.Write(content)
	text := s.block.String()[start:]
	if interned != nil {
		*interned = text
	}
	return text
}

// Quoted reads a string and returns its content, which is valid until the next string is read, or nil if the Scanner
// fails.
func (s *Scanner) Quoted() []byte {
	if s.Peek() != '"' {
		s.unreadable()
		return nil
	}
	start := s.at + 1
	end := start + asciiPrefix(s.Data[start:])
	if end < len(s.Data) && s.Data[end] == '"' {
		s.at = end + 1
		return s.Data[start:end]
	}
	return s.special(start, end)
}

// escapes maps the letter of a short escape to its character.
var escapes = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// special is Quoted for a string that begins at start and has no special characters before end. It decodes short
// escapes, because a log contains JSON in strings. If there is anything else, the JSON library decodes the string.
func (s *Scanner) special(start, end int) []byte {
	quote, short := start-1, true
	s.text = s.text[:0] // The content before start.
	for end < len(s.Data) && s.Data[end] != '"' {
		length, escaped := 1, byte(0)
		if s.Data[end] == '\\' && end+1 < len(s.Data) {
			length, escaped = 2, escapes[s.Data[end+1]]
		}
		if short = short && escaped != 0; short {
			s.text = append(append(s.text, s.Data[start:end]...), escaped)
			start = end + length
		}
		end += length
		end += asciiPrefix(s.Data[end:])
	}
	if end >= len(s.Data) {
		s.Fail(Unreadable, len(s.Data))
		return nil
	} else if short {
		s.text, s.at = append(s.text, s.Data[start:end]...), end+1
		return s.text
	}
	quoted := jsontext.Value(s.Data[quote : end+1])
	text, err := jsontext.AppendUnquote(s.text[:0], quoted) // It replaces invalid UTF-8.
	if err != nil && !quoted.IsValid(jsontext.AllowInvalidUTF8(true)) {
		s.unreadable()
		return nil
	}
	s.text, s.at = text, end+1
	return text
}

// asciiPrefix returns the number of bytes at the beginning of data that need no decoding in a string: ASCII without
// quotes, backslashes and control characters. It checks eight bytes at a time. The lowest bit that it finds is correct;
// higher bits may be carries.
func asciiPrefix(data []byte) int {
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
