package reply

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/scan"
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

// object contains fields of an object by their names. If a name is duplicate, the last one counts. A value that is not
// an object has no fields.
type object map[string]jsontext.Value

// statementNames are the names of the fields that report success or failure (observed).
var statementNames = []string{"error", "errors", "message", "data", "success", "result", "status"}

// readObject reads the fields with the names.
func readObject(s *scan.Scanner, names []string) object {
	if s.Peek() != '{' {
		s.Skip()
		return nil
	}
	fields := object{}
	for s.Object(); s.Member(); {
		if name := string(s.Name); slices.Contains(names, name) {
			fields[name] = s.Raw()
		} else {
			s.Skip()
		}
	}
	return fields
}

// statement reads the fields that report success or failure, or returns a *Malformed if the body is not JSON.
func (b *Body) statement() (object, error) {
	s := b.Scanner()
	stated := readObject(s, statementNames)
	return stated, b.Finish(s)
}

// objectOf reads the fields of part of the body.
func (b *Body) objectOf(value jsontext.Value, names []string) object {
	s := b.scan(value)
	defer s.Release()
	return readObject(s, names)
}

// isFailure reports whether an object states that something failed or did not happen. It ignores status, which is a
// field of a record inside data.
func (o object) isFailure() bool {
	return IsFailure(o["error"]) || IsFailure(o["errors"]) ||
		o["data"].Kind() == 'f' || o["success"].Kind() == 'f' || o["result"].Kind() == 'f'
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

// isRejection reports whether the body states a failure in any form.
func (b *Body) isRejection(stated object) bool {
	status := strings.ToLower(b.message(stated["status"], 0))
	return status == "error" || status == "fail" || status == "failed" || jsontext.Value(b.text).Kind() == 'f' ||
		stated.isFailure() || b.objectOf(stated["data"], statementNames).isFailure()
}

// Failure returns the failure that the body states, with the text that best explains it.
func (b *Body) Failure() error { return b.failure(b.objectOf(b.text, statementNames)) }

func (b *Body) failure(stated object) error {
	return &Failure{b.messageOfObject(stated, maxMessageDepth-1)}
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
		return b.messageOfObject(b.objectOf(value, statementNames), depth-1)
	}
	return ""
}

// messageOfObject prefers a message: the error next to it often only contains the kind of failure, such as "Bad
// Request". The message of a record does not explain a failure.
func (b *Body) messageOfObject(stated object, depth int) string {
	for _, name := range []string{"message", "error", "errors"} {
		if text := b.message(stated[name], depth); text != "" {
			return text
		}
	}
	data := stated["data"]
	if data.Kind() != '{' {
		return b.message(data, 0) // A list of records contains no explanation.
	}
	if inner := b.objectOf(data, statementNames); depth > 0 && inner.isFailure() {
		return b.messageOfObject(inner, depth-1)
	}
	return ""
}

// messageOfList joins the texts of the items of a list.
func (b *Body) messageOfList(list jsontext.Value, depth int) string {
	s := b.scan(list)
	defer s.Release()
	var texts []string
	s.Array()
	for i := 0; i < maxMessageItems && s.Element(); i++ {
		if text := b.message(s.Raw(), depth); text != "" {
			texts = append(texts, text)
		}
	}
	return shorten(strings.Join(texts, "; "), maxMessageLength)
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
	if b.invalid() == nil {
		return b.message(b.text, maxMessageDepth)
	}
	text := strings.TrimSpace(strings.ToValidUTF8(string(b.text), "\uFFFD"))
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		return "" // Truncated JSON explains nothing.
	}
	return shorten(text, longest)
}
