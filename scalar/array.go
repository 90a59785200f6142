package scalar

import "bytes"

// cutElement cuts the first element off the rest of a valid array: off what stands behind its opening bracket, or
// behind the element before. The element is empty if there is none left.
func cutElement(rest []byte) (element, after []byte) {
	depth, inText := 0, false
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '[', c == '{':
			depth++
		case depth > 0 && (c == ']' || c == '}'):
			depth--
		case depth == 0 && (c == ',' || c == ']'):
			return bytes.Trim(rest[:i], space), rest[i+1:]
		}
	}
	return nil, nil
}

// countElements returns how many elements a valid array has.
func countElements(array []byte) int {
	n := 0
	for element, rest := cutElement(array[1:]); len(element) > 0; element, rest = cutElement(rest) {
		n++
	}
	return n
}
