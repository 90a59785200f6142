// Package envelope turns the body of a response into data or into a typed failure. It is the one place that
// decodes bodies.
//
// Reading is liberal in what the service may change any day (unknown fields, nulls, absences, a repeated name, invalid
// UTF-8, a number for a text and a text for a number where nothing is lost) and strict in what would lose something: a
// body that is cut short, is no JSON, or goes on after its value.
//
// Reading is linear in the size of the body, in time and in memory, whatever its shape. A body of the documented shape
// is decoded once. Any other is looked through once more for repeated names and decoded once more; a failure takes one
// pass for its words. Between two passes the context of the call is asked. What is nested more than 100 deep is not read,
// but skipped or handed out as it came.
package envelope

import (
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

var (
	liberal = json.JoinOptions(jsontext.AllowInvalidUTF8(true))
	// forgiving is for what is left of a body without its repeated names.
	forgiving = json.JoinOptions(liberal, jsontext.AllowDuplicateNames(true))
)

// decode decodes the body into the value that into points to. The first pass takes it for what is documented, refuses
// repeated names, because the library would merge the values where the last must win, and pays for nothing else. Where
// that fails for a reason other than the syntax, the members that later ones replace are taken out, and what is left is
// decoded with all that is forgiven; no name is left to look for a second time. A value of an unexpected shape may be
// one of those that are replaced.
//
// Interfaces are the unmarshalers for a body, or nil where there are none.
func (b *body) decode(into any, interfaces func(raw []byte) *json.Unmarshalers) error {
	if interfaces == nil {
		interfaces = func([]byte) *json.Unmarshalers { return nil }
	}
	err := b.pass(b.text, into, interfaces(b.text), liberal)
	var shape *json.SemanticError
	if !errors.Is(err, jsontext.ErrDuplicateName) && !errors.As(err, &shape) {
		return err
	}
	unique, err := b.withoutRepeats()
	if err != nil {
		return err
	}
	return b.pass(unique, into, json.JoinUnmarshalers(interfaces(unique), slips), forgiving)
}

// pass decodes raw, which is the body or what is left of it.
func (b *body) pass(raw []byte, into any, unmarshalers *json.Unmarshalers, options json.Options) error {
	if err := b.begin(); err != nil {
		return err
	}
	b.read += int64(len(raw))
	b.latest = raw
	unmarshalers = json.JoinUnmarshalers(skipExtra, b.unmarshalers(raw), unmarshalers)
	return json.Unmarshal(raw, into, options, json.WithUnmarshalers(unmarshalers))
}
