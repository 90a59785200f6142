package scan

import "strings"

// blockSize is the number of bytes that are allocated at once for the contents of short strings, and for the variables
// that hold them. It also bounds the memory that one string keeps alive.
const blockSize = 96

// arena allocates short strings in blocks, because a few large allocations are cheaper than many small ones.
type arena struct {
	contents  strings.Builder
	variables []string
}

// text returns a copy of content.
func (b *arena) text(content []byte) string {
	if len(content) > blockSize/2 {
		return string(content)
	}
	start := b.contents.Len()
	if b.contents.Cap()-start < len(content) {
		b.contents, start = strings.Builder{}, 0
		b.contents.Grow(blockSize)
	}
	b.contents.Write(content)
	return b.contents.String()[start:]
}

// variable returns a variable that contains text. Long strings have separate variables, so that other variables do not
// keep them alive.
func (b *arena) variable(text string) *string {
	var v *string
	if len(text) > blockSize/2 {
		v = new(string)
	} else {
		if len(b.variables) == 0 {
			b.variables = make([]string, blockSize/16)
		}
		v, b.variables = &b.variables[0], b.variables[1:]
	}
	*v = text
	return v
}
