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
)

// Extra holds the members of a record that this version of the library does not know, as the service sent them, and
// those that it could not read. Any of them may be a credential, so an Extra is treated as a [Secret] is: it prints as
// the names of its members, with every verb of fmt and in log/slog, and its JSON has "[redacted]" for each value. A
// name that looks like a secret is "[redacted]" itself in print and in JSON. [Extra.Names], [Extra.Get], [Extra.All]
// and [Extra.Reveal] return what they are.
//
// The zero Extra holds nothing, and takes no memory of its own. A copy of an Extra shares its members, so that == on
// two of them reports whether they are copies; reflect.DeepEqual compares what they hold.
type Extra struct {
	members **members // behind two pointers, as the text of a Secret is
}

type members struct {
	names  []string
	values map[string]json.RawMessage
}

// skipped is how the name of a member begins that the library knows and could not read.
const skipped = "$unread:"

// SkippedKey is the name under which an Extra has the value at a place within its record that could not be read. The
// path is a JSON Pointer without the slash at its beginning: for a member of the record it is the member's name.
func SkippedKey(path string) string { return skipped + path }

// IsZero reports whether there are no members.
func (e Extra) IsZero() bool { return e.members == nil }

// Len returns the number of members.
func (e Extra) Len() int { return len(e.names()) }

// Names returns the names of the members, in the order in which the service sent them.
func (e Extra) Names() []string { return slices.Clone(e.names()) }

func (e Extra) names() []string {
	if e.members == nil {
		return nil
	}
	return (*e.members).names
}

// Get returns a copy of the JSON value of a member, and whether there is such a member.
func (e Extra) Get(name string) (json.RawMessage, bool) {
	if e.members == nil {
		return nil, false
	}
	value, ok := (*e.members).values[name]
	return bytes.Clone(value), ok
}

// All iterates over the names and copies of the JSON values of the members.
func (e Extra) All() iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		for _, name := range e.names() {
			if value, _ := e.Get(name); !yield(name, value) {
				return
			}
		}
	}
}

// Unread returns what was left out of the record because it could not be read, as JSON Pointers within the record
// without the slash at the beginning: a name for a member of the record, "tags/1" for an item of a list in it. Reading
// leaves something out only if drift is asked for. [Extra.Get] of [SkippedKey] has the value.
func (e Extra) Skipped() []string {
	var paths []string
	for _, name := range e.names() {
		if path, ok := strings.CutPrefix(name, skipped); ok {
			paths = append(paths, path)
		}
	}
	return paths
}

// Add adds a member, or replaces the one of that name, here and in all copies that share the members. The value must be
// valid JSON; it is copied.
func (e *Extra) Add(name string, value []byte) {
	if e.members == nil {
		e.members = new(&members{values: make(map[string]json.RawMessage)})
	}
	held := *e.members
	if _, ok := held.values[name]; !ok {
		held.names = append(held.names, name)
	}
	held.values[name] = bytes.Clone(value)
}

// printableNames returns the names as they may be shown, and no two alike: two names can look the same without the
// secrets in them.
func (e Extra) printableNames() []string {
	names, seen := e.Names(), make(map[string]bool, e.Len())
	for i, name := range names {
		clean := redact.Name(name)
		name = clean
		for n := i + 1; seen[name]; n++ {
			name = fmt.Sprintf("%s %d", clean, n)
		}
		seen[name], names[i] = true, name
	}
	return names
}

// String returns the names of the members, such as [plan region], or an empty string if there are none.
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

// LogValue gives log/slog the same as String.
func (e Extra) LogValue() slog.Value { return slog.StringValue(e.String()) }

// Reveal returns the members as a JSON object with their values, or null if there are none.
func (e Extra) Reveal() []byte {
	return e.object(e.names(), func(name string) []byte { return (*e.members).values[name] })
}

// MarshalJSON returns a JSON object with the names of the members, and "[redacted]" for each value and for each name
// that looks like a secret. It is null if there are none.
func (e Extra) MarshalJSON() ([]byte, error) {
	return e.object(e.printableNames(), func(string) []byte { return quoted(redacted) }), nil
}

// object writes the members under the given names.
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
		out = append(append(out, ':'), value((*e.members).names[i])...)
	}
	return append(out, '}')
}

// UnmarshalJSON reads a JSON object, of which every member becomes one of the Extra, or null. A member that was
// redacted when it was written is an error, which names it.
func (e *Extra) UnmarshalJSON(data []byte) error { return unmarshal("Extra", data, kindObject, e.read) }

func (e *Extra) read(object []byte) error {
	*e = Extra{}
	if object == nil {
		return nil
	}
	dec := jsontext.NewDecoder(bytes.NewReader(object),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() == '"' {
		token, err := dec.ReadToken()
		if err != nil {
			return err
		}
		name := token.String()
		value, err := dec.ReadValue()
		if err != nil {
			return err
		}
		if string(value) == `"`+redacted+`"` {
			return &redactedMember{name}
		}
		e.Add(name, value)
	}
	return nil
}

// redactedMember is the error of a member of an Extra that was redacted.
type redactedMember struct{ name string }

func (e *redactedMember) Error() string {
	return "scalar: Extra: member " + excerpt(e.name) + ": " + ErrRedacted.Error()
}

func (e *redactedMember) Is(target error) bool { return target == ErrRedacted }
