package redact

import "strings"

// scanner reads a text from its beginning to its end and hides the secrets that it comes upon. What it hides it does
// not read again; what it looks at in advance is hidden, or bounded, or looked at from one place only. So the work is
// linear.
type scanner struct {
	view
	edit editor
	// work counts the bytes that were looked at, for a test.
	work int
	// noUser is up to where there is no credential before an @.
	noUser int
}

// clean returns the text without its secrets.
func (s *scanner) clean() string {
	for i := 0; i < len(s.plain); {
		if s.isAt(i, inName) {
			i = s.word(i, s.span(i, inName))
		} else {
			i++
			s.work++
		}
	}
	return s.edit.result(s.view)
}

// word looks for a secret that a word is, begins or announces. It returns where to go on.
func (s *scanner) word(from, end int) int {
	for _, rule := range rules {
		if next := rule(s, from, end); next > from {
			return next
		}
	}
	return end
}

// rules are asked in this order about each word. They return where to go on, or nothing if they do not apply.
var rules = [...]func(s *scanner, from, end int) int{
	(*scanner).webToken, (*scanner).address, (*scanner).parameter, (*scanner).named, (*scanner).authorized,
	(*scanner).host, (*scanner).user, (*scanner).lengthy,
}

// hide puts a text in the place of a piece of the view. It returns where to go on.
func (s *scanner) hide(from, to int, by string) int {
	s.edit.replace(s.view, from, to, by)
	return to
}

// isAt reports whether there is a byte of a set at a place.
func (s *scanner) isAt(i int, set class) bool {
	return i >= 0 && i < len(s.plain) && hasClass(s.plain[i], set)
}

// has reports whether there is a text at a place.
func (s *scanner) has(i int, text string) bool {
	return i >= 0 && i < len(s.plain) && strings.HasPrefix(s.plain[i:], text)
}

// span returns where a run of bytes of a set ends.
func (s *scanner) span(from int, set class) int {
	i := from
	for i < len(s.plain) && hasClass(s.plain[i], set) {
		i++
	}
	s.work += i - from + 1
	return i
}

// until returns where the next byte of a set is that means what it is, or the end.
func (s *scanner) until(from int, set class) int { return s.untilEnd(from, from, set) }

// untilEnd is until, from within what begins at a place. A byte that is spelled with a percent sign is a part of what
// it stands in, unless the byte before the beginning has the same spelling.
func (s *scanner) untilEnd(begin, from int, set class) int {
	size := 0
	if s.isPercent(begin - 1) {
		size = len(s.spelled(begin - 1))
	}
	i := from
	for i < len(s.plain) && (!hasClass(s.plain[i], set) || s.isPercent(i) && len(s.spelled(i)) > size) {
		i++
	}
	s.work += i - from + 1
	return i
}

// closing returns where the text ends that a quote opens: at the next one that is spelled no longer, or at the end. One
// that is spelled longer is escaped, and so a part of the text.
func (s *scanner) closing(open int) int {
	i := open + 1
	for i < len(s.plain) && (s.plain[i] != s.plain[open] || len(s.spelled(i)) > len(s.spelled(open))) {
		i++
	}
	s.work += i - open
	return i
}

// matching returns the end of a named list or record: behind the bracket that closes it, or before a quote that is
// spelled shorter than that of the name and so ends the text that all of it stands in.
func (s *scanner) matching(open int, name name) int {
	var quoted byte // Beside those of JSON.
	var size int
	if name.quoted {
		quoted, size = s.plain[name.end], len(s.spelled(name.end))
	}
	depth := 0
	for i := open; i < len(s.plain); i++ {
		s.work++
		switch s.plain[i] {
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', quoted:
			if len(s.spelled(i)) < size {
				return i
			}
			i = s.closing(i)
		}
	}
	return len(s.plain)
}

// class is a set of bytes: one bit, or several, of a table.
type class uint16

const (
	letter      class = 1 << iota // Those beyond ASCII are letters too.
	digit                         //
	dash                          // Joins the parts of a name.
	inPath                        // What else a path parameter may have in it.
	inKey                         // What else a credential may have in it.
	blank                         //
	lineEnd                       //
	quote                         // Encloses a text.
	angle                         // Encloses a tag.
	separator                     // Stands between a name and its value.
	opening                       // Opens a list or a record.
	delimiter                     // Stands behind a value without quotes.
	notInUser                     // What else cannot stand between a colon and an @.
	punctuation                   // Stands behind the last word of a sentence.

	alphanumeric = letter | digit
	inName       = letter | digit | dash
	inSegment    = inName | inPath
	inCredential = inSegment | inKey
	white        = blank | lineEnd
	endsAddress  = white | quote | angle
	endsValue    = white | quote | angle | delimiter
	endsUser     = endsValue | notInUser
	endsLine     = lineEnd | quote | angle
)

var classes = func() (table [256]class) {
	for set, chars := range map[class]string{
		letter:      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
		digit:       "0123456789",
		dash:        "-_",
		inPath:      ".~+",
		inKey:       "/=%:@",
		blank:       " \t\v\f",
		lineEnd:     "\n\r",
		quote:       "\"'`",
		angle:       "<>",
		separator:   ":=",
		opening:     "[{",
		delimiter:   "&;,",
		notInUser:   "/()@",
		punctuation: ".,;:!?)}",
	} {
		for _, c := range []byte(chars) {
			table[c] |= set
		}
	}
	for c := 0x80; c < len(table); c++ {
		table[c] = letter
	}
	return table
}()

func hasClass(c byte, set class) bool { return classes[c]&set != 0 }

// allOf reports whether all bytes of a text are of a set.
func allOf(text string, set class) bool {
	for i := range len(text) {
		if !hasClass(text[i], set) {
			return false
		}
	}
	return true
}
