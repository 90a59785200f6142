package reply

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

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

// statement is a value that may report success or failure.
type statement struct {
	kind  byte // The first byte, or 0 if the value is absent.
	empty bool // It is an empty string, list or object, or zero.
	text  string
	// fields are the fields of an object by their names. If a name is duplicate, the last one counts.
	fields map[string]statement
	others int // The number of its other fields that contain something.
}

// names are the names of the fields that report success or failure (observed).
var names = []string{"error", "errors", "message", "msg", "code", "data", "success", "result", "status"}

// readStatement reads a value and the text in it that best explains a failure.
func readStatement(s *scan.Scanner, depth int) (v statement) {
	v.kind = s.Peek()
	switch {
	case v.kind == '"':
		v.text = shorten(s.Keep(s.Spelled()), maxMessageLength)
		v.empty = strings.TrimSpace(v.text) == ""
	case v.kind == '[' && depth > 0:
		v.empty = true
		var texts []string
		for s.Open('['); s.Next(']'); v.empty = false {
			if len(texts) == maxMessageItems {
				s.Skip()
			} else {
				texts = append(texts, readStatement(s, depth-1).text)
			}
		}
		texts = slices.DeleteFunc(texts, func(text string) bool { return text == "" })
		v.text = shorten(strings.Join(texts, "; "), maxMessageLength)
	case v.kind == '{' && depth > 0:
		v.empty, v.fields = true, map[string]statement{}
		for s.Open('{'); s.Member(); v.empty = false {
			if name := string(s.Name); slices.Contains(names, name) {
				v.fields[name] = readStatement(s, depth-1)
			} else {
				if raw, _ := s.Raw(); !isEmpty(raw) && string(raw) != "null" {
					v.others++
				}
			}
		}
		v.text = v.explanation()
	default:
		raw, _ := s.Raw()
		v.empty = isEmpty(raw) || string(raw) == "0"
	}
	return v
}

// isEmpty reports whether a value is an empty string, list or object.
func isEmpty(raw []byte) bool {
	return len(raw) > 1 && strings.IndexByte(`"[{`, raw[0]) >= 0 && len(bytes.TrimSpace(raw[1:len(raw)-1])) == 0
}

// explanation prefers a message: the error next to it often only contains the kind of failure, such as "Bad Request".
// The message of a record does not explain a failure, nor does a list of records.
func (v statement) explanation() string {
	text := cmp.Or(
		v.fields["message"].text, v.fields["msg"].text, v.fields["error"].text, v.fields["errors"].text)
	if data := v.fields["data"]; text == "" && (data.kind == '"' || data.states()) {
		return data.text
	}
	return text
}

// isFailure reports whether an error field contains an error: a string, or any other nonempty value.
func (v statement) isFailure() bool { return v.kind != 0 && v.kind != 'n' && v.kind != 'f' && !v.empty }

// states reports whether an object states that something failed or did not happen. It ignores status, which is a field
// of a record inside data.
func (v statement) states() bool {
	return v.fields["error"].isFailure() || v.fields["errors"].isFailure() ||
		v.fields["data"].kind == 'f' || v.fields["success"].kind == 'f' || v.fields["result"].kind == 'f'
}

// isRejection reports whether a body states a failure in any form.
func (v statement) isRejection() bool {
	status, code := strings.ToLower(v.fields["status"].text), v.fields["code"].kind
	return v.kind == 'f' || code == '4' || code == '5' || // The key-value area's, which need not be the HTTP status.
		v.states() || v.fields["data"].states() ||
		v.fields["status"].kind == '"' && (status == "error" || status == "fail" || status == "failed")
}

// statementOf reads a body. The error is a *Malformed if it is not JSON.
func statementOf(text []byte) (statement, error) {
	s := scan.New(text)
	v := readStatement(s, maxMessageDepth)
	return v, Finish(s)
}

// Stated returns the failure that a body states.
func Stated(text []byte) *Failure {
	stated, _ := statementOf(text)
	return &Failure{stated.text}
}

// ReadMessage reads a value and returns the text in it that best explains a failure, or "".
func ReadMessage(s *scan.Scanner) string { return readStatement(s, maxMessageDepth).text }

// ReadFailure reads an error field and reports whether it contains an error.
func ReadFailure(s *scan.Scanner) bool { return readStatement(s, 1).isFailure() }

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
	const longest = 500
	body, err := Admit(contentType, raw)
	if err != nil {
		return ""
	}
	stated, err := statementOf(body)
	if err == nil {
		return stated.text
	}
	text := strings.ToValidUTF8(string(body), "\uFFFD")
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		return "" // Truncated JSON explains nothing.
	}
	return shorten(text, longest)
}
