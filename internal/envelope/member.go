package envelope

import "bytes"

// member is the name of a member of an object, with the offsets that it is found at.
type member struct {
	name string
	// depth is the number of values that the object is nested in, the object included.
	depth int
	// object is the offset behind the object's brace, and tells one object from another.
	object int
	// start is the offset of the name's quote, end that behind the name.
	start, end int
}

// eachMember goes through a JSON value token by token and calls visit for every member of every object in it, in their
// order. Nothing but space may come after the value.
func (b *body) eachMember(raw []byte, visit func(member)) error {
	return b.over(raw, func(in *reading) {
		var starts []int // Behind the brackets of the open objects and arrays.
		for begun := false; !begun || in.err == nil && len(starts) > 0; begun = true {
			before := int(in.dec.InputOffset())
			token := in.token()
			after := int(in.dec.InputOffset())
			switch token.Kind() {
			case '{', '[':
				starts = append(starts, after)
			case '}', ']':
				starts = starts[:len(starts)-1]
			case '"':
				depth := in.dec.StackDepth()
				if kind, length := in.dec.StackIndex(depth); kind == '{' && length%2 == 1 {
					start := before + bytes.IndexByte(raw[before:], '"')
					visit(member{name: token.String(), depth: depth, object: starts[depth-1], start: start, end: after})
				}
			}
		}
		in.end(raw)
	})
}
