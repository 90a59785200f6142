package redact

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

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
