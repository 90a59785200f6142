package redact

import (
	"regexp"
	"strings"
)

// Work returns the number of characters that the expressions read to clean a text.
func Work(text string, values ...string) (read int) {
	var counted []look
	for _, l := range looks {
		counted = append(counted, look{l.signs, func() finder { return counter{l.pattern().(*regexp.Regexp), &read} }})
	}
	clean(text, values, counted)
	return read
}

// counter counts the characters that an expression reads.
type counter struct {
	*regexp.Regexp

	read *int
}

func (c counter) FindStringSubmatchIndex(text string) []int {
	return c.FindReaderSubmatchIndex(runes{strings.NewReader(text), c.read})
}

// runes counts the characters that are read from a text.
type runes struct {
	*strings.Reader

	read *int
}

func (r runes) ReadRune() (character rune, size int, err error) {
	*r.read++
	return r.Reader.ReadRune()
}
