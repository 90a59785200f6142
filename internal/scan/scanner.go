// Package scan reads JSON of the documented shape, once and fast, and gives up on any other.
//
// A Scanner accepts less than JSON allows. At anything unusual (a value of another kind, a duplicate name, invalid
// UTF-8, an escape in a name, too deep a nesting, no JSON at all) it is odd from then on: the caller drops all that was
// read, and the JSON library reads the text anew, with its leniency and its errors. What a Scanner accepts to the end
// is valid JSON, also where it was skipped, and is read as the library would read it. No value that was read keeps the
// text alive.
package scan

import "sync"

// Scanner goes through a JSON text. Package api reads fields with it, and has the generated decoders.
type Scanner struct {
	// Hider hides secrets in the names that records keep, or is nil.
	Hider Hider

	data     []byte
	at       int
	depth    int
	lists    int  // The open arrays.
	first    bool // Nothing stands behind the bracket that was opened last.
	odd      bool
	read     int // The bytes that were read when it became odd.
	name     []byte
	text     []byte // The latest string with escapes.
	interned *[internSize]string

	arena arena
}

// Hider takes secrets out of a name.
type Hider interface{ Hide(name string) string }

var scanners = sync.Pool{New: func() any { return &Scanner{} }}

// New returns a Scanner of a text, which stays unchanged while it is read.
func New(data []byte) *Scanner {
	s := scanners.Get().(*Scanner)
	s.data = data
	return s
}

// Release lets the memory of the Scanner be used again. The Scanner is not the caller's any more, nor is what Name has
// returned.
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

// Odd gives up. Everything that is read after that is empty.
func (s *Scanner) Odd() {
	if !s.odd {
		s.odd, s.read, s.at, s.data = true, s.at, 0, nil
	}
}

// Read returns the number of bytes that were read.
func (s *Scanner) Read() int { return max(s.read, s.at) }

// Left returns the number of bytes that were not read.
func (s *Scanner) Left() int { return len(s.data) - s.at }

// End reads what is behind the last value, and reports whether the whole text was read as it is documented.
func (s *Scanner) End() bool {
	s.Peek()
	return !s.odd && s.at == len(s.data)
}

// Peek goes to the next byte that is no space and returns it, or 0 at the end.
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
