// Package redact decides what may be shown: it takes secrets out of text that came from outside, and prints records.
//
// Values of this library that are secret have types that print nothing; in text, a secret is known by its shape or by
// its value. A text is read once, from its beginning to its end, with its escapes undone: a secret is the same secret
// in a query, in HTML, and in JSON that is itself a text in JSON. The work is linear in the text. In doubt, a text is
// hidden: only the reader of an error depends on it.
package redact

import (
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Mark stands where a secret stood.
const Mark = "[redacted]"

// Text returns s without secrets: the given values; all but scheme and host of addresses; values that are named after
// secrets, of any shape; cookies; JSON Web Tokens; credentials behind the name of their scheme or before an @; and path
// parameters and long words that look random. What the end of the text cuts off is hidden as far as it is there.
func Text(s string, values ...string) string {
	scan := scanner{view: replaceValues(s, values)}
	return scan.clean()
}

// Values returns s without the given values, however they look.
func Values(s string, values ...string) string { return replaceValues(s, values).text }

// Name returns the name of a member as it may be shown: on one line, and without what looks like a secret.
func Name(name string) string {
	return Printable(strings.TrimPrefix(Text("/"+name), "/")) // It is judged as a path parameter is.
}

// margin is how much of a text is read beyond the part that is kept, so that a secret is recognized that stands across
// the end of that part.
const margin = 512

// Excerpt returns the beginning of a body as redacted text on one line, see [Printable], of at most limit bytes, and an
// ellipsis if there was more. What it costs depends on the limit, not on the body.
func Excerpt(body []byte, limit int, values ...string) string {
	taken := body[:min(len(body), limit+margin)]
	piece := Text(strings.ToValidUTF8(string(taken), "\uFFFD"), values...)
	if len(taken) < len(body) {
		// Its last word is not whole, and could be a secret that only its end gives away.
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

// Printable returns a text on one line, as strconv.Quote would write it between its quotes: what does not print, such
// as the end of a line, an escape sequence of a terminal or a sign that turns the direction of the text around, is
// written as \n, \x1b or \u202e. Quotes and backslashes stay, so that a second time changes nothing.
func Printable(text string) string {
	var out strings.Builder
	done := 0
	for i, r := range text {
		if strconv.IsPrint(r) && r != utf8.RuneError {
			continue
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size > 1 {
			continue // It is the character, and stands for a byte that was replaced before.
		}
		out.WriteString(text[done:i])
		quoted := strconv.Quote(text[i : i+size])
		out.WriteString(quoted[1 : len(quoted)-1])
		done = i + size
	}
	if done == 0 {
		return text
	}
	return out.String() + text[done:]
}

// RequestIDHeaders are the headers in which services, and then the gateways and proxies before them, send the id of a
// request. Which of them the service sends is not documented.
var RequestIDHeaders = []string{
	"X-Request-Id", "Request-Id", "X-Correlation-Id", "X-Amzn-Requestid", "X-Amzn-Trace-Id", "Cf-Ray",
}

// longestRequestID is more than any of them needs.
const longestRequestID = 128

// RequestID returns the id of a request from the headers of its response, without secrets and unprintable characters,
// or "".
func RequestID(header http.Header, secrets ...string) string {
	for _, name := range RequestIDHeaders {
		if id := strings.TrimSpace(header.Get(name)); id != "" {
			return Excerpt([]byte(strings.Map(printableASCII, id)), longestRequestID, secrets...)
		}
	}
	return ""
}

// printableASCII drops other characters before secrets are looked for: they could stand inside of one.
func printableASCII(r rune) rune {
	if r >= ' ' && r <= '~' {
		return r
	}
	return -1
}
