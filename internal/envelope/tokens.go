package envelope

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// reading is a pass over a JSON value, token by token. After an error it reads nothing more: who goes through a value
// looks for one at the end.
type reading struct {
	dec *jsontext.Decoder
	err error
	// of is the body that is read, or nil.
	of *body
}

// tokens returns a pass over raw. It takes repeated names as they come.
func tokens(raw []byte) *reading {
	return &reading{dec: jsontext.NewDecoder(bytes.NewBuffer(raw), liberal, jsontext.AllowDuplicateNames(true))}
}

// over makes a pass over raw, which read goes through.
func (b *body) over(raw []byte, read func(*reading)) error {
	if err := b.begin(); err != nil {
		return err
	}
	in := tokens(raw)
	in.of = b
	read(in)
	b.read += in.dec.InputOffset()
	return in.err
}

// kind returns the kind of the next token, or 0 where there is none.
func (r *reading) kind() jsontext.Kind {
	if r.err != nil {
		return 0
	}
	return r.dec.PeekKind()
}

func (r *reading) token() (next jsontext.Token) {
	if r.err == nil {
		next, r.err = r.dec.ReadToken()
	}
	return next
}

func (r *reading) value() (next jsontext.Value) {
	if r.err == nil {
		next, r.err = r.dec.ReadValue()
	}
	return next
}

// fields reads an object and calls read for every name in it, which has to read the value. Any other value is skipped.
func (r *reading) fields(read func(name string)) {
	if r.kind() != '{' {
		r.value()
		return
	}
	r.token()
	for r.kind() == '"' {
		read(r.token().String())
	}
	r.token()
}

// field reads an object and calls read for every member of a name, which has to read the value. All else is skipped.
func (r *reading) field(name string, read func()) {
	r.fields(func(found string) {
		if found == name {
			read()
		} else {
			r.value()
		}
	})
}

// items reads an array and calls read for every item, which has to read it.
func (r *reading) items(read func()) {
	r.token()
	for kind := r.kind(); kind != ']' && kind != 0; kind = r.kind() {
		read()
	}
	r.token()
}

// end refuses what comes in raw after the value that was read.
func (r *reading) end(raw []byte) {
	end := r.dec.InputOffset()
	if r.err == nil && len(bytes.TrimSpace(raw[end:])) > 0 {
		r.err = &Malformed{Reason: Trailing, Detail: fmt.Sprintf("at byte %d", end)}
	}
}
