package scalar

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// Extra contains the fields of a record that are unknown to this version of the library, as the service sent them, and
// the fields that could not be decoded. Any of them may be a credential, so an Extra is redacted like a [Secret]:
// every verb of fmt and log/slog print only the names of its fields, and its JSON has "[redacted]" for each value. If
// a name looks like a secret, it is redacted, too. Use [Extra.Names], [Extra.Get], [Extra.All] and [Extra.Reveal] for
// the original names and values.
//
// The zero Extra is empty and allocates nothing. A copy of an Extra shares its fields, so == reports whether two of
// them are copies; reflect.DeepEqual compares their contents.
type Extra struct {
	fields **fields // two pointers, as for the text of a Secret
}

type fields struct {
	names  []string
	values map[string]json.RawMessage
}

// skipped is the prefix for fields that are known and could not be decoded.
const skipped = "$unread:"

// SkippedKey returns the key under which an Extra stores a value of its record that could not be decoded. The path is a
// JSON Pointer without the leading slash: for a field of the record, it is the field's name.
func SkippedKey(path string) string { return skipped + path }

// IsZero reports whether the Extra is empty.
func (e Extra) IsZero() bool { return e.fields == nil }

// Len returns the number of fields.
func (e Extra) Len() int { return len(e.all().names) }

// Names returns the names of the fields, in the order of the response.
func (e Extra) Names() []string { return slices.Clone(e.all().names) }

// all returns the fields, which must not be changed.
func (e Extra) all() fields {
	if e.fields == nil {
		return fields{}
	}
	return **e.fields
}

// Get returns a copy of the JSON value of a field, and reports whether the field exists.
func (e Extra) Get(name string) (json.RawMessage, bool) {
	value, ok := e.all().values[name]
	return bytes.Clone(value), ok
}

// All iterates over the names and copies of the JSON values of the fields.
func (e Extra) All() iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		for _, name := range e.all().names {
			if value, _ := e.Get(name); !yield(name, value) {
				return
			}
		}
	}
}

// Skipped returns the paths of the values that were skipped because they could not be decoded, as JSON Pointers without
// the leading slash: "status" for a field of the record, "tags/1" for an item of a list in it. Values are skipped only
// if drift is enabled. To read such a value, pass the [SkippedKey] of its path to [Extra.Get].
func (e Extra) Skipped() []string {
	var paths []string
	for _, name := range e.all().names {
		if path, ok := strings.CutPrefix(name, skipped); ok {
			paths = append(paths, path)
		}
	}
	return paths
}

// Add adds or replaces a field, in all copies that share the fields. The value must be valid JSON; it is copied.
func (e *Extra) Add(name string, value []byte) {
	if e.fields == nil {
		e.fields = new(&fields{values: make(map[string]json.RawMessage)})
	}
	held := *e.fields
	if _, ok := held.values[name]; !ok {
		held.names = append(held.names, name)
	}
	held.values[name] = bytes.Clone(value)
}

// printableNames returns the redacted names, made unique: two names can be equal after redaction.
func (e Extra) printableNames() []string {
	names, next := e.Names(), make(map[string]int, e.Len()) // The next number of each name that is taken.
	for i, name := range names {
		clean := redact.Name(name)
		name = clean
		for n := max(i+1, next[clean]); next[name] > 0; n++ {
			name = fmt.Sprintf("%s %d", clean, n)
			next[clean] = n + 1
		}
		next[name], names[i] = 1, name
	}
	return names
}

// String returns the names of the fields, such as [plan region], or an empty string if the Extra is empty.
func (e Extra) String() string {
	if e.IsZero() {
		return ""
	}
	return fmt.Sprint(e.printableNames())
}

// GoString returns the same as String.
func (e Extra) GoString() string { return e.String() }

// Format prints the same as String for every verb and flag.
func (e Extra) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, e.String()) }

// LogValue returns the same as String.
func (e Extra) LogValue() slog.Value { return slog.StringValue(e.String()) }

// Reveal returns the fields as a JSON object with their values, or null if the Extra is empty.
func (e Extra) Reveal() []byte {
	return e.object(e.all().names, func(name string) []byte { return e.all().values[name] })
}

// MarshalJSON returns a JSON object with the names of the fields and "[redacted]" for each value. Names that look like
// secrets are redacted, too. If the Extra is empty, it returns null.
func (e Extra) MarshalJSON() ([]byte, error) {
	return e.object(e.printableNames(), func(string) []byte { return quoted(redacted) }), nil
}

// object returns a JSON object with the given names.
func (e Extra) object(names []string, value func(name string) []byte) []byte {
	if e.IsZero() {
		return []byte("null")
	}
	out := []byte{'{'}
	for i, name := range names {
		if i > 0 {
			out = append(out, ',')
		}
		out, _ = jsontext.AppendQuote(out, name) // The error is about invalid UTF-8, which is replaced.
		out = append(append(out, ':'), value(e.all().names[i])...)
	}
	return append(out, '}')
}

// UnmarshalJSON reads a JSON object into the fields, or null. If a field is redacted, it returns an error that names
// the field.
func (e *Extra) UnmarshalJSON(data []byte) error { return unmarshal("Extra", data, kindObject, e.read) }

func (e *Extra) read(object []byte) error {
	*e = Extra{}
	if object == nil {
		return nil
	}
	dec := jsontext.NewDecoder(bytes.NewReader(object), scan.Lenient)
	return scan.EachField(dec, func(name string) error {
		value, _ := dec.ReadValue() // The object is valid JSON.
		if string(value) == `"`+redacted+`"` {
			return &redactedField{name}
		}
		e.Add(name, value)
		return nil
	})
}

// redactedField is the error of reading a redacted field.
type redactedField struct{ name string }

func (e *redactedField) Error() string {
	return "scalar: Extra: field " + excerpt(e.name) + ": " + ErrRedacted.Error()
}

func (e *redactedField) Is(target error) bool { return target == ErrRedacted }
