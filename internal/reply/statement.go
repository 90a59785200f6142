package reply

import (
	"bytes"
	"cmp"
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

// statement contains the members of a value that report success or failure, with the observed names. If a name is
// duplicate, the last one counts. A value that is not an object has no members.
type statement struct {
	value   jsontext.Value
	Error   jsontext.Value `json:"error"`
	Errors  jsontext.Value `json:"errors"`
	Message jsontext.Value `json:"message"`
	Data    jsontext.Value `json:"data"`
	Success jsontext.Value `json:"success"`
	Result  jsontext.Value `json:"result"`
	Status  jsontext.Value `json:"status"`
}

// state reads the statement of the body, which must be one JSON value.
func (b *Body) state() (statement, error) {
	top, err := b.said(b.text)
	if err != nil {
		err = b.malformed(err)
	}
	return top, err
}

// said reads the statement of part of the body.
func (b *Body) said(value jsontext.Value) (s statement, err error) {
	var into any = &s
	if value.Kind() != '{' {
		into = new(jsontext.Value)
	}
	err = b.pass(value, into, lenient)
	s.value = value
	return s, err
}

// payload returns the data of an envelope, or the whole value if the body is bare.
func (s statement) payload(bare bool) jsontext.Value {
	if bare {
		return s.value
	}
	return s.Data
}

// isFailure reports whether an object states that something failed or did not happen. It ignores status, which is a
// field of a record inside data.
func (s statement) isFailure() bool {
	return IsFailure(s.Error) || IsFailure(s.Errors) ||
		s.Data.Kind() == 'f' || s.Success.Kind() == 'f' || s.Result.Kind() == 'f'
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
	inner, _ := b.said(top.Data)
	status := strings.ToLower(b.words(top.Status, 0))
	if top.value.Kind() == 'f' || top.isFailure() || inner.isFailure() ||
		status == "error" || status == "fail" || status == "failed" {
		return b.failure(top)
	}
	return nil
}

// failure returns the failure that the body reports, with the text that best explains it.
func (b *Body) failure(top statement) error {
	if top.value.Kind() == '{' {
		return &Failure{b.wordsOfObject(top, statementDepth-1)}
	}
	return &Failure{b.words(top.value, statementDepth)}
}

// words returns the text of a value that best explains a failure, or "".
func (b *Body) words(value jsontext.Value, depth int) string {
	switch kind := value.Kind(); {
	case kind == '"':
		var text string
		_ = json.Unmarshal(value, &text, lenient)
		return shorten(text, statementLength)
	case kind == '[' && depth > 0:
		return b.wordsOfList(value, depth-1)
	case kind == '{' && depth > 0:
		said, _ := b.said(value)
		return b.wordsOfObject(said, depth-1)
	}
	return ""
}

// wordsOfObject prefers a message: the error next to it often only contains the kind of failure, such as "Bad Request".
// The message of a record does not explain a failure.
func (b *Body) wordsOfObject(said statement, depth int) string {
	for _, value := range []jsontext.Value{said.Message, said.Error, said.Errors} {
		if words := b.words(value, depth); words != "" {
			return words
		}
	}
	if said.Data.Kind() != '{' {
		return b.words(said.Data, 0) // A list of records contains no explanation.
	}
	if inner, _ := b.said(said.Data); depth > 0 && inner.isFailure() {
		return b.wordsOfObject(inner, depth-1)
	}
	return ""
}

// wordsOfList joins the texts of the items of a list.
func (b *Body) wordsOfList(list jsontext.Value, depth int) string {
	b.Work += int64(len(list))
	var texts []string
	for _, item := range Items(list, statementItems) {
		if words := b.words(item, depth); words != "" {
			texts = append(texts, words)
		}
	}
	return shorten(strings.Join(texts, "; "), statementLength)
}

// Items returns the first items of a list, or a value that is not a list as the only item. A null has no items.
func Items(value jsontext.Value, most int) (items []jsontext.Value) {
	switch value.Kind() {
	case 0, 'n':
	case '[':
		_ = json.Unmarshal(value, &items, lenient)
	default:
		items = []jsontext.Value{value}
	}
	return items[:min(len(items), most)]
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

// shorten truncates a text to a length in bytes.
func shorten(text string, longest int) string {
	if len(text) <= longest {
		return text
	}
	return strings.ToValidUTF8(text[:longest], "") + "…"
}

// Explain returns the text that explains a failed response: the error of the envelope, other JSON forms, or plain text.
// It returns "" for an HTML page, and if the response contains no text.
func (b *Body) Explain() string {
	const longest = 500
	if b.Admit() != nil {
		return ""
	}
	if jsontext.Value(b.text).IsValid(lenient) {
		return b.words(b.text, statementDepth)
	}
	text := strings.TrimSpace(strings.ToValidUTF8(string(b.text), "\uFFFD"))
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		return "" // Truncated JSON explains nothing.
	}
	return shorten(text, longest)
}

// Errors returns the errors of the body, as the graph area reports them.
func (b *Body) Errors() jsontext.Value {
	top, err := b.state()
	if err != nil {
		return nil
	}
	return top.Errors
}

// StatedError returns the failure of a body if its error field contains one, or nil.
func (b *Body) StatedError() error {
	top, err := b.state()
	if err == nil && IsFailure(top.Error) {
		err = b.failure(top)
	}
	return err
}
