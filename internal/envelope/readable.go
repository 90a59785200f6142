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
// replaces. It is an error where the body is no JSON, or is nested too deeply.
func WithoutRepeats(raw []byte) ([]byte, error) {
	b := newBody(context.Background(), "", raw)
	if err := checkDepth(b.raw); err != nil {
		return nil, err
	}
	unique, err := b.withoutRepeats()
	return bytes.TrimSpace(unique), err
}
