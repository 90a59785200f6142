// Package redact takes secrets out of text that came from outside: bodies and messages of the service that end up in
// errors. Values of this library's own that are secret have types that cannot be printed; this package is for text,
// where a secret can only be known by its shape or by its value.
package redact

import (
	"regexp"
	"strings"
)

// Mark stands where a secret stood.
const Mark = "[redacted]"

var (
	// An endpoint's address carries its token in the path. Slashes may be escaped, as in a JSON string or in a query.
	address = regexp.MustCompile(`(?i)\b(https?|wss?)((?::|%3A)(?:\\?/|\\u002F|%2F){2})([^\s"'<>\\/?#@]*@)?([^\s"'<>\\/?#%]*)([^\s"'<>]*)`)
	// A field whose name says that its value is secret, the value possibly cut off by the end of the text.
	field = regexp.MustCompile(`(?i)("[a-z0-9_-]*(?:token|secret|password|api[_-]?key|authorization)"\s*:\s*)("(?:[^"\\]|\\.)*(?:"|\\?$)|-?[0-9][0-9.eE+-]*)`)
	// The same inside a text that is itself a value of JSON, where the quotes are escaped.
	escaped = regexp.MustCompile(`(?i)(\\+"[a-z0-9_-]*(?:token|secret|password|api[_-]?key|authorization)\\+"\s*:\s*)(?:\\+"(?:[^"\\]|\\+[^"\\])*(?:\\+"|\\*"|\\*$)|-?[0-9][0-9.eE+-]*)`)
	// A JSON Web Token, signed or cut off.
	jwt = regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,2}`)
	// A credential after the name of its scheme.
	bearer = regexp.MustCompile(`(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}`)
)

// Text returns s without secrets: the paths and queries of addresses, the values of fields named after secrets, JSON
// Web Tokens, and every occurrence of the given values, one that the end of the text cuts off included.
func Text(s string, values ...string) string {
	for _, value := range values {
		if value != "" {
			s = withoutBeginning(strings.ReplaceAll(s, value, Mark), value)
		}
	}
	s = field.ReplaceAllString(s, `${1}"`+Mark+`"`)
	s = escaped.ReplaceAllString(s, `${1}\"`+Mark+`\"`)
	s = jwt.ReplaceAllString(s, Mark)
	s = bearer.ReplaceAllString(s, `${1} `+Mark)
	return address.ReplaceAllStringFunc(s, func(match string) string {
		parts := address.FindStringSubmatch(match)
		if parts[3] == "" && strings.Trim(parts[5], `\/`) == "" {
			return match // A bare origin gives nothing away.
		}
		return parts[1] + parts[2] + parts[4] + "/" + Mark
	})
}

// shortest is the length from which on the beginning of a value is taken for one.
const shortest = 4

// withoutBeginning replaces the beginning of a value at the end of s, as a connection that is lost leaves it.
func withoutBeginning(s, value string) string {
	for n := min(len(value), len(s)); n >= shortest; n-- {
		if rest, cut := strings.CutSuffix(s, value[:n]); cut {
			return rest + Mark
		}
	}
	return s
}

// Excerpt returns the first limit bytes of a body as redacted text. The piece is taken with some margin first, so that
// a secret that stands across the cut is recognized whole.
func Excerpt(body []byte, limit int, values ...string) string {
	const margin = 4 << 10
	piece := strings.ToValidUTF8(string(body[:min(len(body), limit+margin)]), "\uFFFD")
	piece = strings.TrimSpace(Text(piece, values...))
	if len(piece) > limit {
		piece = strings.ToValidUTF8(piece[:limit], "") + "…"
	}
	return piece
}
