// Package redact removes secrets from text in linear time, and formats records. When in doubt, it redacts.
package redact

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Placeholder replaces a secret.
const Placeholder = "[redacted]"

// Text returns s without secrets: the given values; everything but the scheme and host of URLs; values of any shape
// with the name of a secret; cookies; JSON Web Tokens; credentials after the name of their scheme or before an @; and
// path parameters and long words that look random. Escaped text is redacted too: a secret in a query, in HTML, and in
// JSON inside JSON is recognized. A secret that is truncated at the end of s is hidden.
func Text(s string, values ...string) string {
	scan := scanner{decodedText: replaceValues(s, values)}
	return scan.clean()
}

// Values returns s without the given values, even if they do not look like secrets.
func Values(s string, values ...string) string { return replaceValues(s, values).text }

// webToken matches a JSON Web Token, signed or encrypted. One part of base64 alone may be any JSON.
var webToken = regexp.MustCompile(`eyJ[\w-]+\.[\w-]*\.`)

// HasCredential reports whether an opaque text, such as a cursor, contains one of the given values or a URL or a JSON
// Web Token. Unlike Text, it accepts long random words. Values that are short enough to be ordinary words do not count.
func HasCredential(text string, values ...string) bool {
	values = slices.DeleteFunc(slices.Clone(values), func(value string) bool { return len(value) < long })
	text += "\n" // Otherwise the beginning of a value counts at the end, as in a text that is cut off.
	plain := decode(text).plain
	return strings.Contains(plain, "://") || webToken.MatchString(plain) || Values(text, values...) != text
}

// Name returns the name of a field for display: on one line, and without secrets.
func Name(name string) string {
	return Printable(strings.TrimPrefix(Text("/"+name), "/")) // The name is checked like a path parameter.
}

// margin is the number of bytes that are read beyond the limit, so that a secret across the limit is recognized.
const margin = 512

// Excerpt returns the beginning of a body as redacted text on one line of at most limit bytes, with an ellipsis if the
// body is longer. See [Printable]. The cost depends on the limit, not on the body.
func Excerpt(body []byte, limit int, values ...string) string {
	taken := body[:min(len(body), limit+margin)]
	piece := Text(strings.ToValidUTF8(string(taken), "\uFFFD"), values...)
	if len(taken) < len(body) {
		// The last word is incomplete, and may be a secret that only its end reveals.
		piece = strings.TrimRightFunc(piece, func(r rune) bool { return r < 0x80 && hasClass(byte(r), inCredential) })
	}
	piece = Printable(strings.TrimSpace(piece))
	switch {
	case len(piece) > limit:
		return strings.ToValidUTF8(piece[:limit], "") + "…"
	case len(taken) < len(body):
		return piece + "…"
	}
	return piece
}

// Printable returns a text on one line, escaped like the contents of strconv.Quote: unprintable characters, such as
// line ends, terminal escape sequences and characters that reverse the direction of text, become \n, \x1b or \u202e.
// Quotes and backslashes stay, so that Printable is idempotent.
func Printable(text string) string {
	if utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return text
	}
	quoted := strconv.Quote(text)
	return unescapeQuotes.Replace(quoted[1 : len(quoted)-1])
}

var unescapeQuotes = strings.NewReplacer(`\"`, `"`, `\\`, `\`)

// RequestIDHeaders are the headers in which services, and then gateways and proxies, send the id of a request. The
// header that the service uses is not documented.
var RequestIDHeaders = []string{
	"X-Request-Id", "Request-Id", "X-Correlation-Id", "X-Amzn-Requestid", "X-Amzn-Trace-Id", "Cf-Ray",
}

// longestRequestID is longer than any common request id.
const longestRequestID = 128

// RequestID returns the id of a request from the headers of its response, without secrets and unprintable characters,
// or "" if there is none.
func RequestID(headers http.Header, secrets ...string) string {
	for _, name := range RequestIDHeaders {
		if id := strings.TrimSpace(headers.Get(name)); id != "" {
			return Excerpt([]byte(strings.Map(printableASCII, id)), longestRequestID, secrets...)
		}
	}
	return ""
}

// printableASCII drops other characters before redaction, since they could split a secret.
func printableASCII(r rune) rune {
	if r >= ' ' && r <= '~' {
		return r
	}
	return -1
}

// scanner reads a text once and hides secrets. Hidden text is not read again, and lookahead is hidden, bounded, or done
// from one offset only, so the work is linear.
type scanner struct {
	decodedText
	edit editor
	// work counts the bytes that were read, for a test.
	work int
	// noUser is the offset before which no credential precedes an @.
	noUser int
}

// clean returns the text without its secrets.
func (s *scanner) clean() string {
	for i := 0; i < len(s.plain); {
		if !hasClass(s.plain[i], inName) {
			i++
			s.work++
			continue
		}
		from := i
		i = s.span(from, inName)
		for _, rule := range rules {
			if next := rule(s, from, i); next > from {
				i = next
				break
			}
		}
	}
	return s.edit.out.String() + s.text[s.edit.done:]
}

// rules are applied to each word in this order. A rule returns the offset to continue at, or 0 if it does not apply.
var rules = [...]func(s *scanner, from, end int) int{
	(*scanner).webToken, (*scanner).address, (*scanner).parameter, (*scanner).named, (*scanner).authorized,
	(*scanner).host, (*scanner).user, (*scanner).lengthy,
}

// hide replaces a part of the text. It returns the offset to continue at.
func (s *scanner) hide(from, to int, by string) int {
	s.edit.replace(s.decodedText, from, to, by)
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
	length := prefix(s.plain[from:], set)
	s.work += length + 1
	return from + length
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
func (s *scanner) matching(open int, name valueName) int {
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
	numeral                       // Occurs in a JSON number.

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
		numeral:     "0123456789-+.eE",
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

// isAlphanumeric reports whether a character is a letter or a digit. Non-ASCII characters are letters.
func isAlphanumeric(r rune) bool { return r >= 0x80 || hasClass(byte(r), alphanumeric) }

// allOf reports whether all bytes of a text are in a class.
func allOf(text string, set class) bool {
	return prefix(text, set) == len(text)
}

// prefix returns the number of bytes of a class that a text begins with.
func prefix(text string, set class) int {
	i := 0
	for i < len(text) && hasClass(text[i], set) {
		i++
	}
	return i
}
