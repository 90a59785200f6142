package reply

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/scan"
	"github.com/rpcfleet/rpcfleet-go/internal/variant"
)

// The search for a failure has a fixed depth and number of items. Longer text is truncated.
const (
	maxMessageDepth  = 8
	maxMessageItems  = 100
	maxMessageLength = 2 << 10
)

// Failure is a failure that the service reports in a response with a success status.
type Failure struct {
	Message string
}

// Error returns the service's message, or a default text if the message is empty.
func (r *Failure) Error() string { return cmp.Or(r.Message, "no reason given") }

// failureInfo contains the fields of a value that report success or failure, with the observed names. If a name is
// duplicate, the last one counts. A value that is not an object has no fields.
type failureInfo struct {
	value   jsontext.Value
	Error   jsontext.Value `json:"error"`
	Errors  jsontext.Value `json:"errors"`
	Message jsontext.Value `json:"message"`
	Data    jsontext.Value `json:"data"`
	Success jsontext.Value `json:"success"`
	Result  jsontext.Value `json:"result"`
	Status  jsontext.Value `json:"status"`
}

// failureInfo reads the fields of the body, which must be one JSON value.
func (b *Body) failureInfo() (failureInfo, error) {
	b.search()
	top, err := b.failureInfoOf(b.text)
	return top, b.malformed(err)
}

// failureInfoOf reads the fields of part of the body.
func (b *Body) failureInfoOf(value jsontext.Value) (info failureInfo, err error) {
	var into any = &info
	if value.Kind() != '{' {
		into = new(jsontext.Value)
	}
	err = b.pass(value, into)
	info.value = value
	return info, err
}

// payload returns the data of an envelope, or the whole value if the body is bare.
func (s failureInfo) payload(bare bool) jsontext.Value {
	if bare {
		return s.value
	}
	return s.Data
}

// isFailure reports whether an object states that something failed or did not happen. It ignores status, which is a
// field of a record inside data.
func (s failureInfo) isFailure() bool {
	return IsFailure(s.Error) || IsFailure(s.Errors) ||
		s.Data.Kind() == 'f' || s.Success.Kind() == 'f' || s.Result.Kind() == 'f'
}

// IsFailure reports whether an error field contains an error: a string, or any other nonempty value.
func IsFailure(value jsontext.Value) bool {
	kind := value.Kind()
	return kind != 0 && kind != 'n' && kind != 'f' && !isEmptyValue(value)
}

// isEmptyValue reports whether a value is an empty string, list or object, or zero.
func isEmptyValue(value jsontext.Value) bool {
	switch value = bytes.TrimSpace(value); value.Kind() {
	case '{', '[', '"':
		return len(bytes.TrimSpace(value[1:len(value)-1])) == 0
	}
	return string(value) == "0"
}

// rejection returns the failure that the body reports, or nil.
func (b *Body) rejection(top failureInfo) error {
	inner, _ := b.failureInfoOf(top.Data)
	status := strings.ToLower(b.message(top.Status, 0))
	if top.value.Kind() == 'f' || top.isFailure() || inner.isFailure() ||
		status == "error" || status == "fail" || status == "failed" {
		return b.failure(top)
	}
	return nil
}

// failure returns the failure that the body reports, with the text that best explains it.
func (b *Body) failure(top failureInfo) error {
	return &Failure{b.messageOfObject(top, maxMessageDepth-1)}
}

// message returns the text of a value that best explains a failure, or "".
func (b *Body) message(value jsontext.Value, depth int) string {
	switch kind := value.Kind(); {
	case kind == '"':
		text, _ := jsontext.AppendUnquote(nil, value) // The error is about invalid UTF-8, which is replaced.
		return shorten(string(text), maxMessageLength)
	case kind == '[' && depth > 0:
		return b.messageOfList(value, depth-1)
	case kind == '{' && depth > 0:
		info, _ := b.failureInfoOf(value)
		return b.messageOfObject(info, depth-1)
	}
	return ""
}

// messageOfObject prefers a message: the error next to it often only contains the kind of failure, such as "Bad
// Request". The message of a record does not explain a failure.
func (b *Body) messageOfObject(info failureInfo, depth int) string {
	for _, value := range []jsontext.Value{info.Message, info.Error, info.Errors} {
		if text := b.message(value, depth); text != "" {
			return text
		}
	}
	if info.Data.Kind() != '{' {
		return b.message(info.Data, 0) // A list of records contains no explanation.
	}
	if inner, _ := b.failureInfoOf(info.Data); depth > 0 && inner.isFailure() {
		return b.messageOfObject(inner, depth-1)
	}
	return ""
}

// messageOfList joins the texts of the items of a list.
func (b *Body) messageOfList(list jsontext.Value, depth int) string {
	b.Work += int64(len(list))
	var texts []string
	for _, item := range Items(list, maxMessageItems) {
		if text := b.message(item, depth); text != "" {
			texts = append(texts, text)
		}
	}
	return shorten(strings.Join(texts, "; "), maxMessageLength)
}

// Items returns the first items of a list, or a value that is not a list as the only item. A null has no items.
func Items(value jsontext.Value, limit int) (items []jsontext.Value) {
	if kind := value.Kind(); kind == 0 || kind == 'n' {
		return nil
	} else if kind != '[' {
		return []jsontext.Value{value}
	}
	s := scan.New(value)
	defer s.Release()
	for s.Array(); len(items) < limit && s.Element(); {
		items = append(items, s.Raw())
	}
	return items
}

// Literal returns a string, a number, or the strings of a list, and "" for any other value.
func Literal(value jsontext.Value) string {
	switch value.Kind() {
	case '0':
		return string(value)
	case '{':
		return ""
	}
	return new(Body).message(value, 1)
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
	b.search()
	if jsontext.Value(b.text).IsValid(variant.Lenient) {
		return b.message(b.text, maxMessageDepth)
	}
	text := strings.TrimSpace(strings.ToValidUTF8(string(b.text), "\uFFFD"))
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		return "" // Truncated JSON explains nothing.
	}
	return shorten(text, longest)
}

// Errors returns the errors of the body, as the graph area reports them.
func (b *Body) Errors() jsontext.Value {
	top, err := b.failureInfo()
	if err != nil {
		return nil
	}
	return top.Errors
}

// StatedError returns the failure of a body if its error field contains one, or nil.
func (b *Body) StatedError() error {
	top, err := b.failureInfo()
	if err == nil && IsFailure(top.Error) {
		err = b.failure(top)
	}
	return err
}
