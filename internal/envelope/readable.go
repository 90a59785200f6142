package envelope

import (
	"bytes"
	"context"

	"github.com/go-json-experiment/json"
)

// Reads reports whether a JSON value can be read into a type, with all that is forgiven.
func Reads[T any](raw []byte) bool {
	var into T
	return json.Unmarshal(raw, &into, forgiving, json.WithUnmarshalers(slips)) == nil
}

// WithoutRepeats returns a body, without a byte order mark, without the members that a later one of the same name
// replaces. What is nested deeply is folded in it; whole unfolds a text that was made of it. It is an error if the body
// is not JSON.
func WithoutRepeats(raw []byte) (unique []byte, whole func([]byte) []byte, err error) {
	b := newBody(context.Background(), "", raw)
	if b.folded, err = fold(b.raw); err != nil {
		return nil, nil, err
	}
	unique, err = b.withoutRepeats()
	return bytes.TrimSpace(unique), func(text []byte) []byte {
		text, _ = b.whole(text)
		return text
	}, err
}
