// Package redact removes secrets from text in linear time, and formats records. When in doubt, it redacts.
package redact

import (
	"net/http"
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
	scan := scanner{view: replaceValues(s, values)}
	return scan.clean()
}

// Values returns s without the given values, even if they do not look like secrets.
func Values(s string, values ...string) string { return replaceValues(s, values).text }

// Name returns the name of a member for display: on one line, and without secrets.
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
	var out strings.Builder
	done := 0
	for i, r := range text {
		if strconv.IsPrint(r) && r != utf8.RuneError {
			continue
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size > 1 {
			continue // The character itself, for a byte that was replaced before.
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

// RequestIDHeaders are the headers in which services, and then gateways and proxies, send the id of a request. The
// header that the service uses is not documented.
var RequestIDHeaders = []string{
	"X-Request-Id", "Request-Id", "X-Correlation-Id", "X-Amzn-Requestid", "X-Amzn-Trace-Id", "Cf-Ray",
}

// longestRequestID is longer than any common request id.
const longestRequestID = 128

// RequestID returns the id of a request from the headers of its response, without secrets and unprintable characters,
// or "" if there is none.
func RequestID(header http.Header, secrets ...string) string {
	for _, name := range RequestIDHeaders {
		if id := strings.TrimSpace(header.Get(name)); id != "" {
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
