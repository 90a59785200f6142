package alerts

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// Expression is a condition on a network's transactions, in plain text:
//
//	alerts.Expression("tx_to == '0x00000000219ab540356cbb839cbe05303d7705fa'")
//
// It is sent in base64. An Expression is always plain text and is encoded exactly once, even if it looks like base64.
// Use [ParseExpression] if the text is already encoded.
type Expression string

// ParseExpression decodes an expression from base64, in the standard or the URL alphabet, with or without padding.
func ParseExpression(encoded string) (Expression, error) {
	encoded = strings.TrimRight(strings.TrimSpace(encoded), "=")
	for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		if text, err := encoding.Strict().DecodeString(encoded); err == nil && utf8.Valid(text) {
			return Expression(text), nil
		}
	}
	return "", errors.New("alerts: the expression is not base64 of UTF-8 text")
}

// Base64 returns the expression in base64, as it is sent.
func (e Expression) Base64() string { return base64.StdEncoding.EncodeToString([]byte(e)) }

// MarshalJSON returns the expression in base64.
func (e Expression) MarshalJSON() ([]byte, error) { return json.Marshal(e.Base64()) }

// UnmarshalJSON reads an expression in base64. If the text is not base64, it is kept unchanged, so that a response
// still decodes if the service starts to send plain text.
func (e *Expression) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return errors.New("alerts: an expression must be a JSON string")
	}
	parsed, err := ParseExpression(text)
	if err != nil {
		parsed = Expression(text)
	}
	*e = parsed
	return nil
}
