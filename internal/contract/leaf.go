package contract

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// leaf reads a scalar value, or a value of an unexpected kind.
func (w *walker) leaf(shape *Shape, in *record, kind byte) (stays bool) {
	raw := w.read()
	found, fits := kindName(kind), shape.admits(kind)
	if fits && shape.Integer && bytes.ContainsAny(raw, ".eE") {
		found, fits = "number with a fraction or an exponent", false
	}
	readable := shape.Reads != nil && shape.Reads(raw)
	switch {
	case readable && fits:
		w.enum(shape, raw)
	case readable || in == nil || shape.wraps():
		w.found(Type, shape.String(), found)
	default:
		if fits {
			found += " that cannot be read"
		}
		w.found(Unread, shape.String(), found)
		return false
	}
	return true
}

// enum checks that a value is documented.
func (w *walker) enum(shape *Shape, raw jsontext.Value) {
	if shape.Enum == nil {
		return
	}
	value := string(raw)
	if raw.Kind() == '"' {
		text, _ := jsontext.AppendUnquote(nil, raw) // The error is about invalid UTF-8, which is replaced.
		value = string(text)
	}
	if slices.Contains(shape.Enum, value) {
		return
	}
	w.found(UnknownValue, "one of "+strings.Join(shape.Enum, ", "), value)
}
