package envelope

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Reason tells what is wrong with the body of an answer.
type Reason string

// The reasons why a body cannot be used.
const (
	HTML        Reason = "an HTML page instead of JSON"
	ContentType Reason = "unexpected content type"
	Empty       Reason = "empty body"
	NoData      Reason = "no data in the answer"
	Truncated   Reason = "answer cut short"
	TooLarge    Reason = "answer too large"
	Trailing    Reason = "text after the JSON value"
	Syntax      Reason = "invalid JSON"
	Shape       Reason = "unexpected shape"
)

// Malformed is a body that cannot be used. Its text shows no value of the body.
type Malformed struct {
	Reason Reason
	// Detail says where and what, or is empty.
	Detail string
}

// Error gives the reason and the detail.
func (m *Malformed) Error() string {
	if m.Detail == "" {
		return string(m.Reason)
	}
	return string(m.Reason) + ": " + m.Detail
}

// module is what the names of this library's types begin with inside the names of others.
const module = "github.com/rpcfleet/rpcfleet-go/"

// malformed sorts an error of the JSON library, and drops what it quotes of the body.
func malformed(body []byte, err error) *Malformed {
	var sorted *Malformed
	var semantic *json.SemanticError
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.As(err, &sorted):
		return sorted
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &Malformed{Truncated, fmt.Sprintf("the JSON value is not complete after %d bytes", len(body))}
	case errors.As(err, &semantic):
		detail := fmt.Sprintf("%s at %q", kindName(semantic.JSONKind), string(semantic.JSONPointer))
		if semantic.GoType != nil {
			detail += " cannot be read as " + strings.ReplaceAll(semantic.GoType.String(), module, "")
		}
		return &Malformed{Shape, detail}
	case errors.As(err, &syntactic):
		reason := Syntax
		if syntactic.ByteOffset >= firstValue(body) {
			reason = Trailing
		}
		return &Malformed{reason, fmt.Sprintf("at byte %d", syntactic.ByteOffset)}
	}
	return &Malformed{Reason: Syntax}
}

// firstValue returns the offset behind the first JSON value of the body, or one beyond the body where there is none.
func firstValue(body []byte) int64 {
	dec := jsontext.NewDecoder(bytes.NewReader(body), liberal, jsontext.AllowDuplicateNames(true))
	if _, err := dec.ReadValue(); err != nil {
		return int64(len(body)) + 1
	}
	return dec.InputOffset()
}

func kindName(kind jsontext.Kind) string {
	switch kind {
	case 'n':
		return "a null"
	case 't', 'f':
		return "a boolean"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '{', '}':
		return "an object"
	case '[', ']':
		return "an array"
	}
	return "a value"
}
