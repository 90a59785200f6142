package redact

import (
	"cmp"
	"slices"
	"strings"
)

const (
	// long is the minimum length of a value that is hidden everywhere. A shorter value may be an ordinary word, or part of
	// one, and is hidden as a separate word only.
	long = 8
	// minPrefix is the minimum length of the beginning of a long value that is hidden, as a separate word, at the end of a
	// text: a lost connection truncates at any byte.
	minPrefix = 6
)

// sortValues returns the values to hide, longer ones first, because they may contain shorter ones. Parts of the mark
// are never hidden.
func sortValues(values []string) []string {
	values = slices.DeleteFunc(slices.Clone(values), func(value string) bool {
		return strings.Contains(Placeholder, value)
	})
	slices.SortFunc(values, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	return values
}

// replaceValues returns the view of a text with the values, in any spelling, replaced by the mark.
func replaceValues(s string, values []string) view {
	values = sortValues(values)
	for _, value := range values {
		s = replaceValue(view{text: s, plain: s}, value)
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

// replaceValue returns the text of the view with every occurrence of a value replaced by the mark, including the
// beginning of a long value at the end.
func replaceValue(v view, value string) string {
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
	return edit.result(v)
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

// replace replaces a part of the view.
func (e *editor) replace(v view, from, to int, by string) {
	e.out.WriteString(v.text[e.done:v.offset(from)])
	e.out.WriteString(by)
	e.done = v.offset(to)
}

// result returns the edited text of the view.
func (e *editor) result(v view) string {
	if e.out.Len() == 0 {
		return v.text[e.done:]
	}
	e.out.WriteString(v.text[e.done:])
	return e.out.String()
}
