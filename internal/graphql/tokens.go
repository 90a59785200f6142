package graphql

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// Reading is a pass over a JSON value, token by token. After an error it reads nothing more: who goes through a value
// looks for one at the end.
type Reading struct {
	Dec *jsontext.Decoder
	Err error
}

// Tokens returns a pass over raw. It takes repeated names as they come.
func Tokens(raw []byte) *Reading {
	return &Reading{Dec: jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))}
}

// Kind returns the kind of the next token, or 0 where there is none.
func (r *Reading) Kind() jsontext.Kind {
	if r.Err != nil {
		return 0
	}
	return r.Dec.PeekKind()
}

// Token reads the next token.
func (r *Reading) Token() (next jsontext.Token) {
	if r.Err == nil {
		next, r.Err = r.Dec.ReadToken()
	}
	return next
}

// Value reads the next value.
func (r *Reading) Value() (next jsontext.Value) {
	if r.Err == nil {
		next, r.Err = r.Dec.ReadValue()
	}
	return next
}

// Fields reads an object and calls read for every name in it, which has to read the value. Any other value is skipped.
func (r *Reading) Fields(read func(name string)) {
	if r.Kind() != '{' {
		r.Value()
		return
	}
	r.Token()
	for r.Kind() == '"' {
		read(r.Token().String())
	}
	r.Token()
}

// Field reads an object and calls read for every member of a name, which has to read the value. All else is skipped.
func (r *Reading) Field(name string, read func()) {
	r.Fields(func(found string) {
		if found == name {
			read()
		} else {
			r.Value()
		}
	})
}

// Items reads an array and calls read for every item, which has to read it.
func (r *Reading) Items(read func()) {
	r.Token()
	for kind := r.Kind(); kind != ']' && kind != 0; kind = r.Kind() {
		read()
	}
	r.Token()
}

// Over makes a pass over raw, which is the body or a part of it, and which read goes through.
func Over(b *reply.Body, raw []byte, read func(*Reading)) error {
	if err := b.Begin(); err != nil {
		return err
	}
	in := Tokens(raw)
	read(in)
	b.Work += in.Dec.InputOffset()
	return in.Err
}

// NameAt is the name of a member of an object, with the offsets that it is found at.
type NameAt struct {
	Name string
	// depth is the number of values that the object is nested in, the object included.
	depth int
	// Object is the offset behind the object's brace, and tells one object from another.
	Object int
	// start is the offset of the name's quote, End the one behind the name.
	start, End int
}

// EachMember goes through a JSON value token by token and calls visit for every member of every object in it, in their
// order. Nothing but space may come after the value.
func EachMember(b *reply.Body, raw []byte, visit func(NameAt)) error {
	return Over(b, raw, func(in *Reading) {
		var starts []int // Behind the brackets of the open objects and arrays.
		for begun := false; !begun || in.Err == nil && len(starts) > 0; begun = true {
			before := int(in.Dec.InputOffset())
			token := in.Token()
			after := int(in.Dec.InputOffset())
			switch token.Kind() {
			case '{', '[':
				starts = append(starts, after)
			case '}', ']':
				starts = starts[:len(starts)-1]
			case '"':
				depth := in.Dec.StackDepth()
				if kind, length := in.Dec.StackIndex(depth); kind == '{' && length%2 == 1 {
					start := before + bytes.IndexByte(raw[before:], '"')
					visit(NameAt{Name: token.String(), depth: depth, Object: starts[depth-1], start: start, End: after})
				}
			}
		}
	})
}

// Literal reads the next value, and returns a text, a number, or the texts of a list, and nothing for any other value.
func Literal(in *Reading) string { return reply.Literal(in.Value()) }
