// Package scan reads JSON in one pass, leniently.
package scan

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// MaxDepth is the maximum nesting depth of a value that is kept. encoding/json reads and writes 10,000 levels, with
// those that a program adds around a value.
const MaxDepth = 9000

// Scanner reads a JSON text for the generated decoders of packages api and graphql.
//
// The text may have duplicate names, of which the last one counts, and invalid UTF-8, which is replaced. If the JSON is
// invalid, or a value has another kind than it is read as, the Scanner fails, and later reads return zero values.
// Values do not keep the text alive.
type Scanner struct {
	Data   []byte // The whole text.
	Fault  Fault  // The first failure, if any.
	Mark          // The position.
	Hider  Hider  // It hides secrets in the names that records keep. It may be nil.
	Name   []byte // The name that Member has read. It is valid until the next call.
	Room   int    // The memory in bytes that is left for the items of lists.
	Mend   bool   // An unreadable value of a field is skipped.
	Mended Fault  // The first fault of a value that was skipped.

	deepest  int    // The maximum of Depth since Raw was called.
	refused  bool   // The value that failed is not an object.
	brackets []byte // The brackets that Skip has opened.
	text     []byte // The latest string with escapes.
	interned [internSize]string
	block    strings.Builder // Short strings that were kept.
}

// Mark is a position in the text.
type Mark struct {
	At    int // The offset of the next byte.
	Depth int // The number of open objects and arrays.
	Lists int // The number of open arrays.

	first  bool   // Nothing was read since the latest opening bracket.
	values []Mark // The latest values of the open objects, if Mend is set.
}

// Fault is a failure of a Scanner.
type Fault struct {
	Reason Reason
	At     int   // The offset of the value.
	Err    error // The error of the JSON library for a value of a caller's type, or nil.
}

// Reason is a reason for a failure.
type Reason int

// The reasons for a failure. Zero is no failure.
const (
	Unreadable Reason = iota + 1 // A value of another kind, or invalid JSON.
	Deep
	Large
)

// Hider removes secrets from a name.
type Hider interface{ Hide(name string) string }

var scanners = sync.Pool{New: func() any { return &Scanner{} }}

// New returns a Scanner of a text, which must not change while it is read. There is room for several times as much as
// documented records take, and for thousands of empty ones.
func New(data []byte) *Scanner {
	s := scanners.Get().(*Scanner)
	s.Data, s.Room = data, 1<<20+4*len(data)
	return s
}

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

// Fail makes the Scanner fail because of the value at an offset, or at the end if the text is cut short. The first
// failure counts.
func (s *Scanner) Fail(reason Reason, at int) {
	if s.Fault.Reason == 0 {
		s.Fault = Fault{reason, at, nil}
	}
	s.At = len(s.Data)
}

// unreadable makes the Scanner fail because of the next value.
func (s *Scanner) unreadable() { s.Fail(Unreadable, s.At) }

// Take takes room for an item of a list, and reports whether there was enough. Without a bound, a list of {} takes a
// hundred times the memory of its text. An item that is no larger than a string takes none.
func (s *Scanner) Take(size uintptr) bool {
	if size > 16 {
		s.Room -= int(size)
	}
	if s.Room < 0 {
		s.Fail(Large, s.At)
	}
	return s.Room >= 0
}

// Rewind returns to a position, and forgets a failure.
func (s *Scanner) Rewind(to Mark) { s.Mark, s.refused, s.Fault = to, false, Fault{} }

// Recover returns to a value and skips it if the Scanner has failed since. It returns the fault.
func (s *Scanner) Recover(from Mark) Fault {
	fault := s.Fault
	if fault.Reason != 0 {
		s.Rewind(from)
		s.Skip()
		if s.Mended.Reason == 0 {
			s.Mended = fault
		}
	}
	return fault
}

// mend skips an unreadable value of a field, and reports whether its object goes on.
func (s *Scanner) mend() bool {
	if s.refused || len(s.values) == 0 || len(s.brackets) > 0 { // The object around it mends it, or the JSON is invalid.
		s.refused = false
		return false
	}
	s.Recover(s.values[len(s.values)-1])
	s.Mend = s.Fault.Reason == 0
	return s.Mend
}

// End reads the space after the last value, and reports whether the whole text was read.
func (s *Scanner) End() bool {
	if s.Peek(); s.At < len(s.Data) {
		s.unreadable()
	}
	return s.Fault.Reason == 0
}

// Peek skips space and returns the next byte without reading it, or 0 at the end.
func (s *Scanner) Peek() byte {
	for ; s.At < len(s.Data); s.At++ {
		if c := s.Data[s.At]; c > ' ' || c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c
		}
	}
	return 0
}

// Open reads the opening bracket of an object or an array. Call Member for an object, or Next for an array, until it
// returns false.
func (s *Scanner) Open(bracket byte) {
	if s.Peek() != bracket {
		s.refused = bracket == '{'
		s.unreadable()
		return
	}
	s.At++
	if bracket == '[' {
		s.Lists++
	} else if s.Mend {
		s.values = append(s.values, Mark{})
	}
	s.Depth++
	s.deepest = max(s.deepest, s.Depth)
	s.first = true
}

// Next reads the comma before the next item, or the closing bracket, and reports whether there is an item. The caller
// must then read it.
func (s *Scanner) Next(closing byte) bool {
	c, first := s.Peek(), s.first
	s.first = false
	switch {
	case c == ',' && !first:
		if s.At++; s.Peek() == closing {
			s.unreadable()
		}
	case c == closing:
		s.At++
		if closing == ']' {
			s.Lists--
		} else if s.Mend {
			s.values = s.values[:len(s.values)-1]
		}
		s.Depth--
		return false
	case !first:
		s.unreadable()
	}
	return s.Fault.Reason == 0
}

// Member reads the name of the next field of an object, or the closing brace, and reports whether there is a field. The
// caller must then read its value.
func (s *Scanner) Member() bool {
	if s.Mend && s.Fault.Reason == Unreadable && !s.mend() {
		return false
	}
	if rest := s.Data[s.At:]; !s.first && len(rest) > 1 && rest[0] == ',' && rest[1] == '"' {
		s.At++ // The fast path if there are no spaces.
	} else if !s.Next('}') {
		return false
	}
	s.Name = s.Quoted()
	if s.Peek() != ':' {
		s.unreadable()
		return false
	}
	if s.At++; s.Mend {
		s.values[len(s.values)-1] = s.Mark
	}
	return true
}

// Null reads a null if there is one, and reports whether there was one.
func (s *Scanner) Null() bool {
	if s.Peek() != 'n' {
		return false
	}
	s.Skip()
	return s.Fault.Reason == 0
}

// Spelled reads a string and returns its content, or a number and returns its text.
func (s *Scanner) Spelled() []byte {
	if s.Peek() == '"' {
		return s.Quoted()
	}
	from, digits, stage := s.At, 0, byte(0) // The number of digits since the sign, the point or the e, which is the stage.
	i := from
	if i < len(s.Data) && s.Data[i] == '-' {
		i++
	}
	for ; i < len(s.Data); i++ {
		c := s.Data[i]
		if '0' <= c && c <= '9' && (stage != 0 || digits != 1 || s.Data[i-1] != '0') {
			digits++
		} else if digits > 0 && c == '.' && stage == 0 {
			digits, stage = 0, '.'
		} else if digits > 0 && c|0x20 == 'e' && stage != 'e' {
			digits, stage = 0, 'e'
		} else if c != '+' && c != '-' || stage != 'e' || s.Data[i-1]|0x20 != 'e' {
			break
		}
	}
	if digits == 0 {
		if i == len(s.Data) {
			s.At = i
		}
		s.unreadable()
		return nil
	}
	s.At = i
	return s.Data[from:i]
}

var literals = [...]string{'t': "true", 'f': "false", 'n': "null"}

// Skip reads a value of any kind and depth.
func (s *Scanner) Skip() {
	s.brackets = s.brackets[:0]
	for {
		switch c := s.Peek(); c {
		case '{', '[':
			s.Open(c)
			s.brackets = append(s.brackets, c)
		case 't', 'f', 'n':
			literal, rest := literals[c], s.Data[s.At:]
			if len(rest) >= len(literal) && string(rest[:len(literal)]) == literal {
				s.At += len(literal)
				break
			}
			if strings.HasPrefix(literal, string(rest[:min(len(rest), len(literal))])) { // It is cut short.
				s.At = len(s.Data)
			}
			s.unreadable()
		default:
			s.Spelled()
		}
		for inner := len(s.brackets) - 1; ; inner-- {
			if inner < 0 {
				return
			}
			if s.brackets[inner] == '{' && s.Member() || s.brackets[inner] == '[' && s.Next(']') {
				break
			}
			s.brackets = s.brackets[:inner]
		}
	}
}

// Raw reads a value of any kind and returns its text, which is part of the whole text, or nil if the Scanner fails. A
// deep value must not be kept, because it goes below MaxDepth.
func (s *Scanner) Raw() (text []byte, deep bool) {
	s.Peek()
	from := s.At
	s.deepest = s.Depth
	if s.Skip(); s.Fault.Reason != 0 {
		return nil, false
	}
	return s.Data[from:s.At], s.deepest > MaxDepth
}

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

// escapes maps the letter of a short escape to its character.
var escapes = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// Quoted reads a string and returns its content, which is valid until the next string is read, or nil if the Scanner
// fails. It decodes short escapes itself, because a log contains JSON in strings.
func (s *Scanner) Quoted() []byte {
	if s.Peek() != '"' {
		s.unreadable()
		return nil
	}
	start := s.At + 1
	text, done, end := s.text[:0], start, start // The text is the content before done.
	for {
		for ; len(s.Data)-end >= 8; end += 8 {
			// The lowest bit that is set is at the first byte that is not plain ASCII. Higher bits may be carries.
			const each, high = 0x0101010101010101, 0x8080808080808080
			x := binary.LittleEndian.Uint64(s.Data[end:])
			special := (x - each*' ') | (x ^ each*'"' - each) | (x ^ each*'\\' - each) | x
			if special &= high; special != 0 {
				end += bits.TrailingZeros64(special) / 8
				break
			}
		}
		for ; end < len(s.Data); end++ {
			if c := s.Data[end]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
				break
			}
		}
		if end+1 >= len(s.Data) || s.Data[end] != '\\' || escapes[s.Data[end+1]] == 0 {
			break
		}
		text = append(append(text, s.Data[done:end]...), escapes[s.Data[end+1]])
		end += 2
		done = end
	}
	if end >= len(s.Data) || s.Data[end] != '"' {
		return s.unquote(end)
	}
	s.At = end + 1
	if done == start {
		return s.Data[start:end]
	}
	s.text = append(text, s.Data[done:end]...)
	return s.text
}

// unquote is Quoted for a string with other escapes or with characters beyond ASCII, none of them before an offset. The
// JSON library decodes it.
func (s *Scanner) unquote(end int) []byte {
	for ; end < len(s.Data) && s.Data[end] != '"'; end++ {
		if s.Data[end] == '\\' {
			end++
		}
	}
	if end >= len(s.Data) {
		s.Fail(Unreadable, len(s.Data))
		return nil
	}
	quoted := jsontext.Value(s.Data[s.At : end+1])
	text, err := jsontext.AppendUnquote(s.text[:0], quoted) // It replaces invalid UTF-8.
	if err != nil && !quoted.IsValid(jsontext.AllowInvalidUTF8(true)) {
		s.unreadable()
		return nil
	}
	s.text, s.At = text, end+1
	return text
}
