package scalar

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
	"github.com/rpcfleet/rpcfleet-go/internal/variant"
)

// Extra contains the fields of a record that are unknown to this version of the library, as the service sent them. Any
// of them may be a credential, so an Extra is redacted like a [Secret]: every verb of fmt and log/slog print only the
// names of its fields, and its JSON has "[redacted]" for each value. If a name looks like a secret, it is redacted,
// too. Use [Extra.Names], [Extra.Get], [Extra.All] and [Extra.Reveal] for the original names and values.
//
// The zero Extra is empty and allocates nothing. A copy of an Extra shares its fields, so == reports whether two of
// them are copies; reflect.DeepEqual compares their contents.
type Extra struct {
	fields **fields // two pointers, as for the text of a Secret
}

// fields needs one allocation for a few fields.
type fields struct {
	list  []field
	few   [2]field       // The list, until it is longer.
	index map[string]int // The positions in a long list by name, so that adding is linear.
}

type field struct{ name, value string }

// searched is the maximum length of a list without an index.
const searched = 16

// IsZero reports whether the Extra is empty.
func (e Extra) IsZero() bool { return e.fields == nil }

// Len returns the number of fields.
func (e Extra) Len() int { return len(e.list()) }

// list returns the fields, which must not be changed.
func (e Extra) list() []field {
	if e.fields == nil {
		return nil
	}
	return (*e.fields).list
}

// Names returns the names of the fields, in the order of the response.
func (e Extra) Names() []string {
	var names []string
	for _, f := range e.list() {
		names = append(names, f.name)
	}
	return names
}

// Get returns a copy of the JSON value of a field, and reports whether the field exists.
func (e Extra) Get(name string) (json.RawMessage, bool) {
	if e.fields != nil {
		if i := (*e.fields).find(name); i >= 0 {
			return json.RawMessage(e.list()[i].value), true
		}
	}
	return nil, false
}

// All iterates over the names and copies of the JSON values of the fields.
func (e Extra) All() iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		for _, f := range e.list() {
			if !yield(f.name, json.RawMessage(f.value)) {
				return
			}
		}
	}
}

// Add adds or replaces a field, in all copies that share the fields. The value must be valid JSON.
func (e *Extra) Add(name, value string) {
	if e.fields == nil {
		made := new(struct {
			to *fields
			fields
		})
		made.to, made.list = &made.fields, made.few[:0]
		e.fields = &made.to
	}
	f := *e.fields
	if i := f.find(name); i >= 0 {
		f.list[i].value = value
		return
	}
	f.list = append(f.list, field{name, value})
	if len(f.list) > len(f.few) {
		clear(f.few[:]) // The list has moved.
	}
	switch {
	case f.index != nil:
		f.index[name] = len(f.list) - 1
	case len(f.list) > searched:
		f.index = map[string]int{}
		for i := range f.list {
			f.index[f.list[i].name] = i
		}
	}
}

// find returns the position of a field, or -1.
func (f *fields) find(name string) int {
	if f.index == nil {
		return slices.IndexFunc(f.list, func(f field) bool { return f.name == name })
	}
	if i, ok := f.index[name]; ok {
		return i
	}
	return -1
}

// redacted returns the Extra as it is shown. Names that are equal after redaction become one.
func (e Extra) redacted() (shown Extra) {
	for _, f := range e.list() {
		shown.Add(redact.Name(f.name), `"`+redacted+`"`)
	}
	return shown
}

// String returns the names of the fields, such as [plan region], or an empty string if the Extra is empty.
func (e Extra) String() string {
	if e.IsZero() {
		return ""
	}
	return fmt.Sprint(e.redacted().Names())
}

// GoString returns the same as String.
func (e Extra) GoString() string { return e.String() }

// Format prints the same as String for every verb and flag.
func (e Extra) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, e.String()) }

// LogValue returns the same as String.
func (e Extra) LogValue() slog.Value { return slog.StringValue(e.String()) }

// Reveal returns the fields as a JSON object with their values, or null if the Extra is empty.
func (e Extra) Reveal() []byte {
	if e.IsZero() {
		return []byte("null")
	}
	out := []byte{'{'}
	for i, f := range e.list() {
		if i > 0 {
			out = append(out, ',')
		}
		out, _ = jsontext.AppendQuote(out, f.name) // The error is about invalid UTF-8, which is replaced.
		out = append(append(out, ':'), f.value...)
	}
	return append(out, '}')
}

// MarshalJSON returns a JSON object with the names of the fields and "[redacted]" for each value. Names that look like
// secrets are redacted, too, and written once if nothing distinguishes them. If the Extra is empty, it returns null.
func (e Extra) MarshalJSON() ([]byte, error) { return e.redacted().Reveal(), nil }

// UnmarshalJSON reads a JSON object into the fields, or null. If a field is redacted, it returns a [*RedactedError].
func (e *Extra) UnmarshalJSON(data []byte) error { return unmarshal("Extra", data, kindObject, e.read) }

func (e *Extra) read(object []byte) error {
	*e = Extra{}
	if object == nil {
		return nil
	}
	dec := jsontext.NewDecoder(bytes.NewReader(object), variant.Lenient)
	return variant.EachField(dec, func(name string) error {
		value, _ := dec.ReadValue() // The object is valid JSON.
		if string(value) == `"`+redacted+`"` {
			return &RedactedError{Field: string(jsontext.Pointer("").AppendToken(name))}
		}
		e.Add(name, string(value))
		return nil
	})
}
