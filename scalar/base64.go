package scalar

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// Base64 is a text that travels in base64, such as the JavaScript of a filter. A Base64 is always the plain text, which
// is encoded exactly once, even if it looks like base64. It reads the standard and the URL alphabet, with or without
// padding, and keeps any other text unchanged.
type Base64 string

// MarshalJSON returns the text in base64.
func (b Base64) MarshalJSON() ([]byte, error) {
	return json.Marshal(base64.StdEncoding.EncodeToString([]byte(b)))
}

// UnmarshalJSON decodes a JSON string with base64, or null.
func (b *Base64) UnmarshalJSON(data []byte) error {
	var encoded string // A null is empty.
	if json.Unmarshal(data, &encoded) != nil {
		return errors.New("scalar: Base64 must be a JSON string")
	}
	*b = Base64(encoded)
	bare := strings.TrimRight(strings.TrimSpace(encoded), "=")
	for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		if text, err := encoding.Strict().DecodeString(bare); err == nil && utf8.Valid(text) {
			*b = Base64(text)
			break
		}
	}
	return nil
}
