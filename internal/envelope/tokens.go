package envelope

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// tokens returns a decoder for a pass over raw, token by token. It takes repeated names as they come.
func tokens(raw []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(raw), liberal, jsontext.AllowDuplicateNames(true))
}

// eachField reads an object and calls read for every name in it, which has to read the value. Of any other value
// nothing is read.
func eachField(dec *jsontext.Decoder, read func(name string) error) error {
	if dec.PeekKind() != '{' {
		return dec.SkipValue()
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return err
		}
		if err := read(name.String()); err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return err
}

// eachItem reads an array and calls read for every item, which has to read it.
func eachItem(dec *jsontext.Decoder, read func() error) error {
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for kind := dec.PeekKind(); kind != ']' && kind != 0; kind = dec.PeekKind() {
		if err := read(); err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return err
}

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
	if err := b.begin(); err != nil {
		return err
	}
	dec := tokens(raw)
	defer func() { b.read += dec.InputOffset() }()
	var starts []int // Behind the brackets of the open objects and arrays.
	for {
		before := int(dec.InputOffset())
		token, err := dec.ReadToken()
		if err != nil {
			return err
		}
		after := int(dec.InputOffset())
		switch token.Kind() {
		case '{', '[':
			starts = append(starts, after)
		case '}', ']':
			starts = starts[:len(starts)-1]
		case '"':
			depth := dec.StackDepth()
			if kind, length := dec.StackIndex(depth); kind == '{' && length%2 == 1 {
				start := before + bytes.IndexByte(raw[before:], '"')
				visit(member{name: token.String(), depth: depth, object: starts[depth-1], start: start, end: after})
			}
		}
		if len(starts) == 0 {
			return trailing(dec, raw)
		}
	}
}

// trailing reports what comes after the value that a decoder has read.
func trailing(dec *jsontext.Decoder, raw []byte) error {
	end := dec.InputOffset()
	if len(bytes.TrimSpace(raw[end:])) > 0 {
		return &Malformed{Reason: Trailing, Detail: fmt.Sprintf("at byte %d", end)}
	}
	return nil
}
