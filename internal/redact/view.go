package redact

import (
	"cmp"
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// decodedText is a text and its form without escapes: of JSON at any depth, URLs, HTML, and JSON Pointers.
type decodedText struct {
	text  string // The original text.
	plain string // The unescaped text, with one byte for each escape.
	at    []int  // The offsets in text of the bytes of plain, and of its end; nil if nothing is escaped.
}

// offset returns the offset in text of a byte of plain.
func (v *decodedText) offset(i int) int {
	if v.at == nil {
		return i
	}
	return v.at[i]
}

// spelled returns the original form of a byte of plain.
func (v *decodedText) spelled(i int) string { return v.text[v.offset(i):v.offset(i+1)] }

// isPercent reports whether a byte is percent-encoded, as in a URL.
func (v *decodedText) isPercent(i int) bool {
	return v.at != nil && i >= 0 && i < len(v.plain) && v.text[v.at[i]] == '%'
}

// decode returns the decoded form of a text.
func decode(text string) decodedText {
	if !strings.ContainsAny(text, `\%&~`) {
		return decodedText{text: text, plain: text}
	}
	v := decodedText{text: text, at: make([]int, 0, len(text)+1)}
	var plain strings.Builder
	plain.Grow(len(text))
	for i := 0; i < len(text); {
		c, end := text[i], i+1
		switch {
		case c == '\\' || c == '%' || c == '&':
			c, end = unescape(text, i)
		case strings.HasPrefix(text[i:], "~1"):
			c, end = '/', i+2
		case strings.HasPrefix(text[i:], "~0"):
			c, end = '~', i+2
		}
		plain.WriteByte(c)
		v.at = append(v.at, i)
		i = end
	}
	v.plain, v.at = plain.String(), append(v.at, len(text))
	return v
}

// unescape decodes one possibly escaped byte, and returns the end of its original form. All backslashes before a byte
// belong to it: in JSON in JSON in JSON there are three or more.
func unescape(text string, from int) (byte, int) {
	i := from
	for i < len(text) {
		c, end := text[i], i+1
		if c == '%' {
			c, end = unpercent(text, i)
		}
		if c != '\\' {
			break
		}
		i = end
	}
	if i == len(text) {
		return '\\', i
	}
	switch c := text[i]; {
	case c == '%' && i > from && text[from] == '\\':
		return '\\', i // The percent sign begins another byte, so that its original form begins with the sign.
	case c == '%':
		return unpercent(text, i)
	case c == '&':
		return entity(text, i)
	case c == 'u' && i > from && len(text)-i > 4:
		if code, err := strconv.ParseUint(text[i+1:i+5], 16, 32); err == nil {
			return ascii(code), i + 5
		}
	case (c == 'n' || c == 'r') && i > from:
		return '\n', i + 1
	case c == 't' && i > from:
		return '\t', i + 1
	}
	return text[i], i + 1
}

// unpercent decodes a percent-encoded byte. In a URL inside a URL, the percent sign itself is encoded as %25.
func unpercent(text string, from int) (byte, int) {
	i := from + 1
	for strings.HasPrefix(text[i:], "25") {
		i += 2
	}
	if len(text)-i >= 2 {
		if code, err := strconv.ParseUint(text[i:i+2], 16, 32); err == nil {
			return ascii(code), i + 2
		}
	}
	return '%', i
}

// entity decodes an HTML character reference, such as &quot; or &#x22;.
func entity(text string, from int) (byte, int) {
	const longest = len("&#1114111;")
	if end := strings.IndexByte(text[from:min(len(text), from+longest)], ';'); end > 0 {
		spelled := text[from : from+end+1]
		plain := html.UnescapeString(spelled)
		if r, size := utf8.DecodeRuneInString(plain); size == len(plain) && plain != spelled {
			return ascii(uint64(r)), from + len(spelled)
		}
	}
	return '&', from + 1
}

// ascii returns a character as one byte. Non-ASCII characters map to 0x80.
func ascii(code uint64) byte { return byte(min(code, 0x80)) }

const (
	// long is the minimum length of a value that is hidden everywhere. A shorter value may be an ordinary word, or part of
	// one, and is hidden as a separate word only.
	long = 8
	// minPrefix is the minimum length of the beginning of a long value that is hidden, as a separate word, at the end of a
	// text: a lost connection truncates at any byte.
	minPrefix = 6
)

// replaceValues returns the decoded form of a text with the values, in any spelling, replaced by the mark. Longer ones
// are replaced first, because they may contain shorter ones. Parts of the mark are never replaced.
func replaceValues(s string, values []string) decodedText {
	var few [4]string // It spares an allocation.
	values = append(few[:0], values...)
	values = slices.DeleteFunc(values, func(value string) bool { return strings.Contains(Placeholder, value) })
	slices.SortFunc(values, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	for _, value := range values {
		s = replaceValue(decodedText{text: s, plain: s}, value)
	}
	v := decode(s)
	if v.at != nil {
		for _, value := range values {
			plain := decode(value).plain
			if len(plain) < len(value) && len(plain) < long {
				continue // Too short: other texts contain it too.
			}
			if hidden := replaceValue(v, plain); hidden != v.text {
				v = decode(hidden)
			}
		}
	}
	return v
}

// replaceValue returns the text with every occurrence of a value replaced by the mark, including the
// beginning of a long value at the end.
func replaceValue(v decodedText, value string) string {
	var edit editor
	at := 0
	for {
		found := strings.Index(v.plain[at:], value)
		if found < 0 {
			break
		}
		from, to := at+found, at+found+len(value)
		at = to
		if len(value) >= long || isWhole(v.plain, from, to) {
			edit.replace(v, from, to, Placeholder)
		} else {
			at = from + 1
		}
	}
	if from, to := beginning(v.plain[at:], value); to > from {
		edit.replace(v, at+from, at+to, Placeholder)
	}
	return edit.out.String() + v.text[edit.done:]
}

// isWhole reports whether part of a text is a separate word.
func isWhole(text string, from, to int) bool {
	return startsWord(text, from) && (to == len(text) || !isWordByte(text[to]) || !isWordByte(text[to-1]))
}

func startsWord(text string, at int) bool {
	return at == 0 || !isWordByte(text[at-1]) || !isWordByte(text[at])
}

func isWordByte(c byte) bool { return hasClass(c, alphanumeric) || c == '_' }

// beginning finds the beginning of a long value at the end of a text. Quotes or dots may follow if the text was
// shortened.
func beginning(text, value string) (from, to int) {
	if len(value) < long {
		return 0, 0
	}
	text = strings.TrimRight(text, "\"'.… ")
	for n := min(len(value), len(text)); n >= minPrefix; n-- {
		if from := len(text) - n; strings.HasSuffix(text, value[:n]) && startsWord(text, from) {
			return from, len(text)
		}
	}
	return 0, 0
}

// editor builds a copy of a text with parts replaced, in order.
type editor struct {
	out  strings.Builder
	done int // The offset in text of the next unchanged part.
}

// replace replaces a part of the text.
func (e *editor) replace(v decodedText, from, to int, by string) {
	e.out.WriteString(v.text[e.done:v.offset(from)])
	e.out.WriteString(by)
	e.done = v.offset(to)
}
