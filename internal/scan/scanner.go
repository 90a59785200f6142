// Package scan reads JSON of the documented shape in one fast pass, fails on any other JSON, which the JSON library then
// decodes, and decodes interfaces by the names of their types.
package scan

import "sync"

// Scanner reads a JSON text for the generated decoders of package api.
//
// It accepts less than JSON allows. If it finds a value of another kind, a duplicate name, invalid UTF-8, an escape in
// a name, deep nesting or invalid JSON, the Scanner fails; discard everything it produced. Text that it accepts to the
// end, including skipped values, is valid JSON, with the values that the JSON library would return. Values do not keep
// the text alive.
type Scanner struct {
	// Hider hides secrets in the names that records keep. It may be nil.
	Hider Hider

	data     []byte
	at       int
	depth    int
	lists    int  // The open arrays.
	first    bool // Nothing was read since the latest opening bracket.
	failed   bool
	name     []byte
	text     []byte // The latest string with escapes.
	interned *[internSize]string

	arena arena
}

// Hider removes secrets from a name.
type Hider interface{ Hide(name string) string }

var scanners = sync.Pool{New: func() any { return &Scanner{} }}

// New returns a Scanner of a text, which must not change while it is read.
func New(data []byte) *Scanner {
	s := scanners.Get().(*Scanner)
	s.data = data
	return s
}

// Release returns the Scanner to a pool. Neither the Scanner nor the result of Name may be used afterwards.
func (s *Scanner) Release() {
	const reusable = 4 << 10
	text := s.text[:0]
	if cap(text) > reusable {
		text = nil
	}
	if s.interned != nil {
		clear(s.interned[:])
	}
	*s = Scanner{text: text, interned: s.interned}
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
