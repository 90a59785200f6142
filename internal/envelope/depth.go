package envelope

import (
	"bytes"
	"fmt"
)

// maxDepth is how deeply the values of a body may be nested. The records of the service are nested less than ten deep;
// the JSON library itself would go down 10,000 levels.
const maxDepth = 100

// checkDepth refuses a body that is nested too deeply. It looks at nothing but brackets and strings: what else is wrong
// with the body is for the decoder to say.
func checkDepth(raw []byte) error {
	depth := 0
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			i = endOfString(raw, i)
		case '{', '[':
			if depth++; depth > maxDepth {
				return &Malformed{Reason: TooDeep, Detail: fmt.Sprintf("more than %d levels at byte %d", maxDepth, i)}
			}
		case '}', ']':
			depth--
		}
	}
	return nil
}

// endOfString returns the index of the quote that ends the string which begins at start, or the end of raw.
func endOfString(raw []byte, start int) int {
	for from := start + 1; ; {
		length := bytes.IndexByte(raw[from:], '"')
		if length < 0 {
			return len(raw)
		}
		end := from + length
		before := end - 1 // The last byte before the quote that does not escape it or another backslash.
		for raw[before] == '\\' {
			before--
		}
		if (end-before)%2 == 1 {
			return end
		}
		from = end + 1
	}
}
