package reply

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The search for a failure has a fixed depth and number of items. Longer text is truncated.
const (
	statementDepth  = 8
	statementItems  = 100
	statementLength = 2 << 10
)

// Failure is a failure that the service reports in a response with a success status.
type Failure struct {
	Message string
}

// Error returns the service's message, or a default text if the message is empty.
func (r *Failure) Error() string { return cmp.Or(r.Message, "no reason given") }

// statement contains the members of a value that report success or failure.
type statement struct {
	value jsontext.Value
	// members are the members of an object that were searched for. If a name is duplicate, the last one counts.
	members map[string]jsontext.Value
}

// statedMembers are the observed names of members that report a failure. Records may have members with these names too,
// so one alone does not make an object a record.
var statedMembers = map[string]bool{
	"error": true, "errors": true, "message": true, "data": true, "success": true, "result": true, "status": true,
}

// state reads the statement of the body, which must be one JSON value.
func (b *Body) state() (statement, error) {
	if err := b.Begin(); err != nil {
		return statement{}, err
	}
	top, end, err := b.read(b.Text, statedMembers)
	if rest := bytes.TrimSpace(b.Text[end:]); err == nil && len(rest) > 0 {
		err = &Malformed{Reason: Trailing, Detail: fmt.Sprintf("at byte %d", bytes.LastIndex(b.Text, rest))}
	}
	if err != nil {
		err = b.Malformed(err)
	}
	return top, err
}

// said reads the statement of part of the body.
func (b *Body) said(value jsontext.Value) statement {
	said, _, _ := b.read(value, statedMembers)
	return said
}

// read reads members with the given names if the text is an object, and returns the offset after the value.
func (b *Body) read(text jsontext.Value, names map[string]bool) (s statement, end int64, err error) {
	s = statement{value: text, members: map[string]jsontext.Value{}}
	dec := jsontext.NewDecoder(bytes.NewBuffer(text), lenient)
	if dec.PeekKind() != '{' {
		err = dec.SkipValue()
	} else {
		_, err = dec.ReadToken()
		for err == nil && dec.PeekKind() == '"' {
			err = s.readMember(dec, names)
		}
		if err == nil {
			_, err = dec.ReadToken()
		}
	}
	b.Work += dec.InputOffset()
	return s, dec.InputOffset(), err
}

func (s statement) readMember(dec *jsontext.Decoder, names map[string]bool) error {
	token, err := dec.ReadToken()
	if err != nil {
		return err
	}
	name := token.String()
	value, err := dec.ReadValue()
	if names[name] {
		end := dec.InputOffset()
		s.members[name] = s.value[end-int64(len(value)) : end] // The value itself belongs to the decoder.
	}
	return err
}

// payload returns the data of an envelope, or the whole value if the body is bare.
func (s statement) payload(bare bool) jsontext.Value {
	if bare {
		return s.value
	}
	return s.members["data"]
}

// isFailure reports whether an object states that something failed or did not happen. It ignores status, which is a
// field of a record inside data.
func (s statement) isFailure() bool {
	return IsFailure(s.members["error"]) || IsFailure(s.members["errors"]) ||
		s.members["data"].Kind() == 'f' || s.members["success"].Kind() == 'f' || s.members["result"].Kind() == 'f'
}

// IsFailure reports whether an error field contains an error: a string, or any other nonempty value.
func IsFailure(value jsontext.Value) bool {
	switch value.Kind() {
	case 0, 'n', 'f':
		return false
	}
	return !isEmptyValue(value)
}

// isEmptyValue reports whether a value is an empty string, list or object, or zero.
func isEmptyValue(value jsontext.Value) bool {
	switch value = bytes.TrimSpace(value); value.Kind() {
	case '{', '[', '"':
		return len(bytes.TrimSpace(value[1:len(value)-1])) == 0
	}
	return string(value) == "0"
}

// refusal returns the failure that the body reports, or nil.
func (b *Body) refusal(top statement) error {
	status := strings.ToLower(b.words(top.members["status"], 0))
	if top.value.Kind() == 'f' || top.isFailure() || b.said(top.members["data"]).isFailure() ||
		status == "error" || status == "fail" || status == "failed" {
		return &Failure{b.wordsOf(top)}
	}
	return nil
}

// wordsOf returns the text that best explains a failure, or "".
func (b *Body) wordsOf(top statement) string {
	if top.value.Kind() == '{' {
		return b.wordsOfObject(top, statementDepth-1)
	}
	return b.words(top.value, statementDepth)
}

func (b *Body) words(value jsontext.Value, depth int) string {
	switch kind := value.Kind(); {
	case kind == '"':
		var text string
		_ = json.Unmarshal(value, &text, lenient)
		return shorten(text, statementLength)
	case kind == '[' && depth > 0:
		return b.wordsOfList(value, depth-1)
	case kind == '{' && depth > 0:
		return b.wordsOfObject(b.said(value), depth-1)
	}
	return ""
}

// wordsOfObject prefers a message: the error next to it often only contains the kind of failure, such as "Bad Request".
// The message of a record does not explain a failure.
func (b *Body) wordsOfObject(said statement, depth int) string {
	for _, name := range []string{"message", "error", "errors"} {
		if words := b.words(said.members[name], depth); words != "" {
			return words
		}
	}
	data := said.members["data"]
	if data.Kind() != '{' {
		return b.words(data, 0) // A list of records contains no explanation.
	}
	if inner := b.said(data); depth > 0 && inner.isFailure() {
		return b.wordsOfObject(inner, depth-1)
	}
	return ""
}

// wordsOfList joins the texts of the items of a list.
func (b *Body) wordsOfList(list jsontext.Value, depth int) string {
	var texts []string
	dec := jsontext.NewDecoder(bytes.NewBuffer(list), lenient)
	_, _ = dec.ReadToken()
	for i := 0; i < statementItems && dec.PeekKind() != ']'; i++ {
		item, err := dec.ReadValue()
		if err != nil {
			break
		}
		if words := b.words(item.Clone(), depth); words != "" {
			texts = append(texts, words)
		}
	}
	b.Work += dec.InputOffset()
	return shorten(strings.Join(texts, "; "), statementLength)
}

// shorten truncates a text to a length in bytes.
func shorten(text string, longest int) string {
	if len(text) <= longest {
		return text
	}
	return strings.ToValidUTF8(text[:longest], "") + "…"
}

// Explain returns the text that explains a failed response: the error of the envelope, other JSON forms, or plain text.
// It returns "" for an HTML page, and if the response contains no text.
func Explain(contentType string, raw []byte) string {
	return NewBody(context.Background(), contentType, raw).explain()
}

func (b *Body) explain() string {
	const longest = 500
	if b.Admit() != nil {
		return ""
	}
	if top, err := b.state(); err == nil {
		return b.wordsOf(top)
	}
	text := strings.TrimSpace(strings.ToValidUTF8(string(b.raw), "\uFFFD"))
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		return "" // Truncated JSON explains nothing.
	}
	return shorten(text, longest)
}

// StatedError returns the failure of a body if its error field contains one, or nil.
func (b *Body) StatedError() error {
	top, err := b.state()
	if err == nil && IsFailure(top.members["error"]) {
		err = &Failure{b.wordsOf(top)}
	}
	return err
}

// Literal returns a string, a number, or the strings of a list, and "" for any other value.
func Literal(value jsontext.Value) string {
	switch value.Kind() {
	case '0':
		return string(value)
	case '{':
		return ""
	}
	return new(Body).words(value, 1)
}
