package scalar

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// The kinds of JSON values that a type reads beside null, in the notation of jsontext.Kind.
const (
	kindString         = `"`
	kindStringOrNumber = `"0`
	kindObject         = `{`
)

var kindNames = map[jsontext.Kind]string{
	'"': "string", '0': "number", 't': "boolean", 'f': "boolean", '{': "object", '[': "array",
}

// unmarshal passes the text of a JSON value to read: the content of a string, nil for null, and the JSON of any other
// value. The text may be in a decoder's buffer. Errors do not quote the value, which may be a credential.
func unmarshal(typeName string, data []byte, kinds string, read func(text []byte) error) error {
	if !json.Valid(data) {
		return fmt.Errorf("scalar: %s cannot be read from malformed JSON", typeName)
	}
	value := jsontext.Value(bytes.Trim(data, " \t\r\n"))
	kind := value.Kind()
	switch {
	case kind == 'n':
		return read(nil)
	case strings.IndexByte(kinds, byte(kind)) < 0:
		return fmt.Errorf("scalar: %s cannot be read from a JSON %s", typeName, kindNames[kind])
	case kind != '"':
		return read(value)
	}
	if content := value[1 : len(value)-1]; bytes.IndexByte(content, '\\') < 0 && utf8.Valid(content) {
		return read(content)
	}
	content, _ := jsontext.AppendUnquote(nil, value) // The error is about invalid Unicode, which is replaced.
	return read(content)
}

// quoted returns text as a JSON string.
func quoted(text string) []byte {
	out, _ := jsontext.AppendQuote(nil, text) // The error is about invalid UTF-8, which is replaced.
	return out
}

// quotedOrNull returns text as a JSON string, or null if it is empty.
func quotedOrNull(text string) []byte {
	if text == "" {
		return []byte("null")
	}
	return quoted(text)
}

// excerpt quotes the beginning of a text in an error message.
func excerpt(text string) string {
	const limit = 40
	if len(text) <= limit {
		return strconv.Quote(text)
	}
	return strconv.Quote(text[:limit]) + "..."
}
