package envelope

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// message is an error field: text, null, or by accident something else, which still means that there was an error.
type message struct {
	set  bool
	text string
}

// UnmarshalJSONFrom implements the JSON library's streaming interface.
func (m *message) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	value, err := dec.ReadValue()
	if err != nil {
		return err
	}
	*m = message{}
	switch value.Kind() {
	case '"':
		var text string
		if err := Unmarshal(value, &text); err != nil {
			return err
		}
		m.set, m.text = text != "", text
	case '{':
		var nested failure
		if err := Unmarshal(value, &nested); err != nil {
			return err
		}
		m.text, m.set = nested.words(), len(bytes.TrimSpace(value[1:len(value)-1])) > 0
	case '[':
		m.text, m.set = textOf(value), len(bytes.TrimSpace(value[1:len(value)-1])) > 0
	case '0', 't':
		m.set = true
	}
	return nil
}

// failure is every spelling of a failure that is looked for in a body.
type failure struct {
	Error   message        `json:"error"`
	Message jsontext.Value `json:"message"`
	Errors  jsontext.Value `json:"errors"`
	Data    jsontext.Value `json:"data"`
	Success jsontext.Value `json:"success"`
	Result  jsontext.Value `json:"result"`
}

// words returns the text that explains the failure best. An error beside a message only names the kind of failure, such
// as "Bad Request".
func (f *failure) words() string {
	if text := textOf(f.Message); text != "" {
		return text
	}
	if f.Error.text != "" {
		return f.Error.text
	}
	var list []failure
	if Unmarshal(f.Errors, &list) == nil && len(list) > 0 {
		return list[0].words()
	}
	if text := textOf(f.Errors); text != "" {
		return text
	}
	return textOf(f.Data)
}

// textOf returns a text, or texts in a list.
func textOf(value jsontext.Value) string {
	var text string
	if value.Kind() == '"' && Unmarshal(value, &text) == nil {
		return text
	}
	var texts []string
	if value.Kind() == '[' && Unmarshal(value, &texts) == nil {
		return strings.Join(texts, "; ")
	}
	return ""
}

// readRefusal returns the failure that a body states in its error field, or nil.
func readRefusal(raw []byte) error {
	var stated failure
	if Unmarshal(raw, &stated) != nil || !stated.Error.set {
		return nil
	}
	return &Refusal{stated.words()}
}

// readSilence reads an answer whose body is of no interest. All the same, a page of a gateway is no answer of the
// service, and a failure is one at any status.
func readSilence(contentType string, raw []byte) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil
	}
	if err := inspect(contentType, raw); err != nil {
		return err
	}
	return readRefusal(raw)
}

// readVerdict reads an answer that only says whether something happened. An empty body, an empty object and data of
// any other shape say that it did; false, in data or in a success or result field, says that it did not.
func readVerdict(contentType string, raw []byte) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil
	}
	if err := inspect(contentType, raw); err != nil {
		return err
	}
	switch jsontext.Value(bytes.TrimSpace(raw)).Kind() {
	case '{':
	default:
		var value jsontext.Value
		if err := Unmarshal(raw, &value); err != nil {
			return malformed(raw, err)
		}
		return refusedIf(value.Kind() == 'f', "")
	}
	var stated failure
	if err := Unmarshal(raw, &stated); err != nil {
		return malformed(raw, err)
	}
	if stated.Error.set {
		return &Refusal{stated.Error.text}
	}
	if negative(&stated) {
		return &Refusal{stated.words()}
	}
	if stated.Data.Kind() == '{' {
		var inner failure
		if err := Unmarshal(stated.Data, &inner); err != nil {
			return malformed(raw, err)
		}
		return refusedIf(negative(&inner), inner.words())
	}
	return nil
}

func negative(f *failure) bool {
	return f.Data.Kind() == 'f' || f.Result.Kind() == 'f' || f.Success.Kind() == 'f'
}

func refusedIf(refused bool, words string) error {
	if refused {
		return &Refusal{words}
	}
	return nil
}

// Explain returns the words of a failed answer, whatever its form: the envelope's error, another JSON spelling, or
// plain text. It is empty for an HTML page and where there are no words.
func Explain(contentType string, raw []byte) string {
	const longest = 500
	if err := inspect(contentType, raw); err != nil {
		return ""
	}
	var stated failure
	if Unmarshal(raw, &stated) == nil {
		return stated.words()
	}
	var text string
	if Unmarshal(raw, &text) != nil {
		text = strings.TrimSpace(strings.ToValidUTF8(string(raw), "\uFFFD"))
		if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
			return "" // JSON that is cut short explains nothing.
		}
	}
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "…"
	}
	return text
}
