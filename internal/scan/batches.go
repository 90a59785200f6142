package scan

import "strings"

// batchSize is how many bytes are allocated at once for the contents of short strings, and for the variables that hold
// them. It is all that one of them keeps alive of the others.
const batchSize = 96

// batches is where what short strings take comes from. A record has many of them, and a few large allocations are
// cheaper than that many small ones.
type batches struct {
	contents  strings.Builder
	variables []string
}

// text returns a copy of content.
func (b *batches) text(content []byte) string {
	if len(content) > batchSize/2 {
		return string(content)
	}
	start := b.contents.Len()
	if b.contents.Cap()-start < len(content) {
		b.contents, start = strings.Builder{}, 0
		b.contents.Grow(batchSize)
	}
	b.contents.Write(content)
	return b.contents.String()[start:]
}

// variable returns a variable that holds text. Those of long strings are by themselves, so that no other keeps them
// alive.
func (b *batches) variable(text string) *string {
	var v *string
	if len(text) > batchSize/2 {
		v = new(string)
	} else {
		if len(b.variables) == 0 {
			b.variables = make([]string, batchSize/16)
		}
		v, b.variables = &b.variables[0], b.variables[1:]
	}
	*v = text
	return v
}
