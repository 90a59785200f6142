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

type fields struct {
	list  []field
	index map[string]int // The positions by name in a list of more than maxSearched, so that adding is linear.
}

type field struct{ name, value string }

const maxSearched = 16

// IsZero reports whether the Extra is empty.
func (e Extra) IsZero() bool { return e.fields == nil }

// All iterates over the names and copies of the JSON values of the fields, in the order of the response.
func (e Extra) All() iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		if e.IsZero() {
			return
		}
		for _, f := range (*e.fields).list {
			if !yield(f.name, json.RawMessage(f.value)) {
				return
			}
		}
	}
}

// Names returns the names of the fields, in the order of the response.
func (e Extra) Names() []string {
	var names []string
	for name := range e.All() {
		names = append(names, name)
	}
	return names
}

// Get returns a copy of the JSON value of a field, and reports whether the field exists.
func (e Extra) Get(name string) (json.RawMessage, bool) {
	if f := e.find(name); f != nil {
		return json.RawMessage(f.value), true
	}
	return nil, false
}

// find returns the field with a name, or nil.
func (e Extra) find(name string) *field {
	if e.IsZero() {
		return nil
	}
	f := *e.fields
	i, ok := f.index[name]
	if f.index == nil {
		i = slices.IndexFunc(f.list, func(f field) bool { return f.name == name })
		ok = i >= 0
	}
	if !ok {
		return nil
	}
	return &f.list[i]
}

// Add adds or replaces a field, in all copies that share the fields. The value must be valid JSON.
func (e *Extra) Add(name, value string) {
	if e.IsZero() {
		made := new(struct { // One allocation for a few fields.
			fields
			to  *fields
			few [2]field
		})
		made.list, made.to = made.few[:0], &made.fields
		e.fields = &made.to
	} else if old := e.find(name); old != nil {
		old.value = value
		return
	}
	f := *e.fields
	f.list = append(f.list, field{name, value})
	switch {
	case f.index != nil:
		f.index[name] = len(f.list) - 1
	case len(f.list) > maxSearched:
		f.index = map[string]int{}
		for i := range f.list {
			f.index[f.list[i].name] = i
		}
	}
}

// redacted returns the Extra as it is shown. Names that are equal after redaction become one.
func (e Extra) redacted() (shown Extra) {
	for name := range e.All() {
		shown.Add(redact.Name(name), `"`+redacted+`"`)
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
	for name, value := range e.All() {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, quoted(name)...), ':'), value...)
	}
	return append(out, '}')
}

// MarshalJSON returns a JSON object with the names of the fields and "[redacted]" for each value. Names that look like
// secrets are redacted, too, and written once if nothing distinguishes them. If the Extra is empty, it returns null.
func (e Extra) MarshalJSON() ([]byte, error) { return e.redacted().Reveal(), nil }

// UnmarshalJSON reads a JSON object into the fields, or null.
func (e *Extra) UnmarshalJSON(data []byte) error { return unmarshal("Extra", data, kindObject, e.read) }

func (e *Extra) read(object []byte) error {
	*e = Extra{}
	if object == nil {
		return nil
	}
	dec := jsontext.NewDecoder(bytes.NewReader(object), variant.Lenient)
	return variant.EachField(dec, func(name string) error {
		value, _ := dec.ReadValue() // The object is valid JSON.
		e.Add(name, string(value))
		return nil
	})
}
