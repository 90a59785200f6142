// Package redact takes secrets out of text that came from outside: bodies and messages of the service that end up in
// errors. Values of this library's own that are secret have types that cannot be printed; this package is for text,
// where a secret can only be known by its shape or by its value.
//
// A text is read once, from its beginning to its end, as it reads with its escapes undone: a secret is the same secret
// in a query, in HTML, and in JSON that is itself a text in JSON. The work is linear in the text. In doubt, a text is
// hidden: nothing depends on it but the reader of an error.
package redact

import "strings"

// Mark stands where a secret stood.
const Mark = "[redacted]"

// Text returns s without secrets: the given values; all but scheme and host of addresses; values that are named after
// secrets, of any shape; cookies; JSON Web Tokens; credentials behind the name of their scheme or before an @; and path
// parameters and long words that look random. What the end of the text cuts off is hidden as far as it is there.
func Text(s string, values ...string) string {
	scan := scanner{view: withoutAll(s, values)}
	return scan.clean()
}

// Values returns s without the given values, however they look.
func Values(s string, values ...string) string { return withoutAll(s, values).text }

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
		piece = strings.TrimRightFunc(piece, func(r rune) bool { return r < 0x80 && is(byte(r), inCredential) })
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
