// Package redact removes secrets from text in linear time, and formats records. When in doubt, it redacts.
package redact

import (
	"html"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	// Placeholder replaces a secret.
	Placeholder = "[redacted]"
	// margin is the number of bytes that are read beyond a limit, so that a secret across the limit is recognized.
	margin = 512
	// maxLevels is how often a text may be escaped. One that is escaped more often is hidden as a whole.
	maxLevels = 4
	// long is the minimum length of a value that is hidden everywhere. A shorter value may be an ordinary word, or part of
	// one, and is hidden as a separate word only.
	long = 8
	// minPrefix is the minimum length of the beginning of a long value that is hidden at the end of a text: it may be cut.
	minPrefix = 6
)

var (
	lastWord   = regexp.MustCompile(`[\w.~+/=%:@-]+$`)
	notASCII   = regexp.MustCompile(`[^ -~]`) // Could split a secret.
	beginsWord = regexp.MustCompile(`^[\pL\d_]`)
	endsWord   = regexp.MustCompile(`[\pL\d_]$`)
	escapes    = regexp.MustCompile(`\\(?:u[\da-fA-F]{4}|["'\\/nrt])|%[\da-fA-F]{2}|&#?\w{1,31};`)
	pointers   = strings.NewReplacer("~1", "/", "~0", "~")
)

// Text returns s without secrets: the given values, and texts that look like credentials. See looks.go for the looks.
// Escaped secrets are recognized too, in JSON, URLs and HTML. If something is hidden, s is returned without escapes.
func Text(s string, values ...string) string { return clean(s, values, looks) }

// Values returns s without the given values, even if they do not look like secrets. Most names contain the start of
// none.
func Values(s string, values ...string) string {
	if !strings.ContainsAny(s, `\%&~`) && !slices.ContainsFunc(values, func(value string) bool {
		return strings.ContainsAny(value, `\%&~`) || strings.Contains(s, value[:min(len(value), minPrefix)])
	}) {
		return s
	}
	return clean(s, values, nil)
}

// HasCredential reports whether an opaque text, such as a cursor, contains one of the given values or a URL or a JSON
// Web Token. Unlike Text, it accepts long random words. Values that are short enough to be ordinary words do not count.
func HasCredential(text string, values ...string) bool {
	values = slices.DeleteFunc(slices.Clone(values), func(value string) bool { return len(value) < long })
	text += "\n" // Otherwise the beginning of a value counts at the end, as in a text that is cut off.
	return clean(text, values, looksOfCursors) != text
}

// Name returns the name of a field for display: on one line, and without secrets.
func Name(name string) string {
	return Printable(strings.TrimPrefix(Text("/"+name), "/")) // The name is checked like a path parameter.
}

// Excerpt returns the beginning of a text, redacted and on one line of at most limit bytes, with an ellipsis if it is
// longer. See [Printable]. The cost depends on the limit, not on the text.
func Excerpt(text []byte, limit int, values ...string) string {
	taken := text[:min(len(text), limit+margin)]
	piece, end := clean(strings.ToValidUTF8(string(taken), "\uFFFD"), values, looks), ""
	if len(taken) < len(text) {
		piece, end = lastWord.ReplaceAllString(piece, ""), "…" // The rest of the word may reveal a secret.
	}
	piece = Printable(strings.TrimSpace(piece))
	if len(piece) > limit {
		piece, end = strings.ToValidUTF8(piece[:limit], ""), "…"
	}
	return piece + end
}

// Printable returns a text on one line, escaped like the contents of strconv.Quote: unprintable characters, such as
// line ends, terminal escape sequences and characters that reverse the direction of text, become \n, \x1b or \u202e.
// Quotes and backslashes stay, so that Printable is idempotent.
func Printable(text string) string {
	if utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return text
	}
	quoted := strconv.Quote(text)
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(quoted[1 : len(quoted)-1])
}

// RequestIDHeaders are the headers with the id of a request: the service's own is not documented.
var RequestIDHeaders = []string{
	"X-Request-Id", "Request-Id", "X-Correlation-Id", "X-Amzn-Requestid", "X-Amzn-Trace-Id", "Cf-Ray",
}

// RequestID returns the id of a request from the headers of its response, without secrets and unprintable characters,
// or "" if there is none. Common ids are shorter than 128 bytes.
func RequestID(headers http.Header, secrets ...string) string {
	for _, name := range RequestIDHeaders {
		if id := strings.TrimSpace(headers.Get(name)); id != "" {
			return Excerpt(notASCII.ReplaceAll([]byte(id), nil), 128, secrets...)
		}
	}
	return ""
}

// clean hides the values and the looks in a text and in each of its unescaped forms. It returns the last form, or the
// text itself if there is nothing to hide.
func clean(text string, values []string, looks []look) string {
	values = spellings(values)
	form, changed := text, false
	for range maxLevels + 1 {
		hidden := form
		for _, value := range values {
			hidden = hideValue(hidden, value)
		}
		hidden = hideLooks(hidden, looks)
		changed = changed || hidden != form
		if form = unescape(hidden); form != hidden {
			continue
		}
		if changed {
			return hidden
		}
		return text
	}
	return Placeholder
}

// unescape removes one level of escapes: of JSON, URLs, JSON Pointers and HTML.
func unescape(text string) string {
	return pointers.Replace(escapes.ReplaceAllStringFunc(text, unescapeOne))
}

func unescapeOne(escape string) string {
	if escape[0] == '&' {
		return html.UnescapeString(escape)
	}
	if plain, err := strconv.Unquote(`"` + strings.ReplaceAll(escape, "%", `\x`) + `"`); err == nil {
		return plain
	}
	return escape[1:] // As in \/.
}

// spellings returns the values and their unescaped forms, unless these are short. Longer ones come first, because they
// may contain shorter ones. Parts of the placeholder are left out.
func spellings(values []string) (all []string) {
	for _, value := range values {
		for last := ""; value != last && !strings.Contains(Placeholder, value); last, value = value, unescape(value) {
			if last == "" || len(value) >= long {
				all = append(all, value)
			}
		}
	}
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return all
}

// hideValue replaces every occurrence of a value, including the beginning of a long one at the end.
func hideValue(text, value string) string {
	var out strings.Builder
	for before, after, found := strings.Cut(text, value); found; before, after, found = strings.Cut(text, value) {
		if len(value) < long && (inWord(before, value) || inWord(value, after)) {
			out.WriteString(before + value[:1])
			text = text[len(before)+1:]
			continue
		}
		out.WriteString(before + Placeholder)
		text = after
	}
	rest := strings.TrimRight(text, "\"'.… ") // These may follow if the text was shortened.
	for size := min(len(value), len(rest)); size >= minPrefix && len(value) >= long; size-- {
		if before, found := strings.CutSuffix(rest, value[:size]); found && !inWord(before, value) {
			return out.String() + before + Placeholder + text[len(rest):]
		}
	}
	return out.String() + text
}

// inWord reports whether a word begins in one text and ends in the next.
func inWord(before, after string) bool {
	return endsWord.MatchString(before) && beginsWord.MatchString(after)
}
