package redact

import "strings"

// scanner reads a text once and hides secrets. Hidden text is not read again, and lookahead is hidden, bounded, or done
// from one offset only, so the work is linear.
type scanner struct {
	view
	edit editor
	// work counts the bytes that were read, for a test.
	work int
	// noUser is the offset before which no credential precedes an @.
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

// word hides a secret that the word is, begins or introduces. It returns the offset to continue at.
func (s *scanner) word(from, end int) int {
	for _, rule := range rules {
		if next := rule(s, from, end); next > from {
			return next
		}
	}
	return end
}

// rules are applied to each word in this order. A rule returns the offset to continue at, or 0 if it does not apply.
var rules = [...]func(s *scanner, from, end int) int{
	(*scanner).webToken, (*scanner).address, (*scanner).parameter, (*scanner).named, (*scanner).authorized,
	(*scanner).host, (*scanner).user, (*scanner).lengthy,
}

// hide replaces a part of the view. It returns the offset to continue at.
func (s *scanner) hide(from, to int, by string) int {
	s.edit.replace(s.view, from, to, by)
	return to
}

// isAt reports whether the byte at an offset is in a class.
func (s *scanner) isAt(i int, set class) bool {
	return i >= 0 && i < len(s.plain) && hasClass(s.plain[i], set)
}

// has reports whether a text is at an offset.
func (s *scanner) has(i int, text string) bool {
	return i >= 0 && i < len(s.plain) && strings.HasPrefix(s.plain[i:], text)
}

// span returns the end of a run of bytes of a class.
func (s *scanner) span(from int, set class) int {
	i := from
	for i < len(s.plain) && hasClass(s.plain[i], set) {
		i++
	}
	s.work += i - from + 1
	return i
}

// until returns the offset of the next unescaped byte of a class, or the end.
func (s *scanner) until(from int, set class) int { return s.untilEnd(from, from, set) }

// untilEnd is until, within text that begins at begin. A percent-encoded byte belongs to the text around it, unless the
// byte before begin is encoded in the same way.
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

// closing returns the offset of the quote that closes the quoted text, or the end. A quote with a longer spelling is
// escaped, and so part of the text.
func (s *scanner) closing(open int) int {
	i := open + 1
	for i < len(s.plain) && (s.plain[i] != s.plain[open] || len(s.spelled(i)) > len(s.spelled(open))) {
		i++
	}
	s.work += i - open
	return i
}

// matching returns the end of a list or record with a name: after its closing bracket, or before a quote with a shorter
// spelling than the quote of the name, which ends the text around the record.
func (s *scanner) matching(open int, name name) int {
	var quoted byte // In addition to JSON quotes.
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

// class is a set of bytes: one or more bits of a table.
type class uint16

const (
	letter      class = 1 << iota // Non-ASCII bytes are letters too.
	digit                         //
	dash                          // Joins the parts of a name.
	inPath                        // Other bytes of a path parameter.
	inKey                         // Other bytes of a credential.
	blank                         //
	lineEnd                       //
	quote                         // Encloses a text.
	angle                         // Encloses a tag.
	separator                     // Separates a name from its value.
	opening                       // Opens a list or a record.
	delimiter                     // Ends a value without quotes.
	notInUser                     // Other bytes that cannot be between a colon and an @.
	punctuation                   // Ends a sentence.

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

// allOf reports whether all bytes of a text are in a class.
func allOf(text string, set class) bool {
	for i := range len(text) {
		if !hasClass(text[i], set) {
			return false
		}
	}
	return true
}
