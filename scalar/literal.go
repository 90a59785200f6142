package scalar

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// kind is a JSON value's kind, worded for an error message.
type kind string

const (
	kindNull    kind = "null"
	kindString  kind = "a JSON string"
	kindNumber  kind = "a JSON number"
	kindBoolean kind = "a JSON boolean"
	kindObject  kind = "a JSON object"
	kindArray   kind = "a JSON array"
)

// literal is one JSON value as the decoders of this package look at it: its kind, and its text, which is unquoted for a
// string and verbatim otherwise.
type literal struct {
	kind kind
	text string
}

// readLiteral reads data as null or as one of the accepted kinds. Its errors name the type and the kind but never quote
// data, which may be a credential.
func readLiteral(typeName string, data []byte, accepted ...kind) (literal, error) {
	if !json.Valid(data) {
		return literal{}, fmt.Errorf("scalar: %s cannot be read from malformed JSON", typeName)
	}
	data = bytes.TrimSpace(data)
	k := kindOf(data[0])
	if k != kindNull && !slices.Contains(accepted, k) {
		return literal{}, fmt.Errorf("scalar: %s cannot be read from %s", typeName, k)
	}
	if k != kindString {
		return literal{kind: k, text: string(data)}, nil
	}
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		// The decoder's own error is left out: it may quote the text.
		return literal{}, fmt.Errorf("scalar: %s cannot be read from malformed JSON", typeName)
	}
	return literal{kind: k, text: text}, nil
}

// kindOf tells a valid JSON value's kind by its first byte.
func kindOf(first byte) kind {
	switch first {
	case 'n':
		return kindNull
	case '"':
		return kindString
	case 't', 'f':
		return kindBoolean
	case '{':
		return kindObject
	case '[':
		return kindArray
	default:
		return kindNumber
	}
}

// quote shows text in an error message, cut to a length that suits one.
func quote(text string) string {
	const most = 40
	if len(text) <= most {
		return strconv.Quote(text)
	}
	return strconv.Quote(text[:most]) + "..."
}
