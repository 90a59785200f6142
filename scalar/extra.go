package scalar

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// Extra holds the members of a record that this version of the library does not know, as the service sent them, and
// those that it could not read. Nobody has said which of them are credentials, so that all of them are kept like one:
// an Extra prints as the names of its members, with every verb of fmt and in log/slog; its JSON has "[redacted]" in the
// place of each value; and in memory the values are encrypted as those of a [Secret] are. A name that looks like a
// secret is "[redacted]" itself in what is printed and in JSON. [Extra.Names], [Extra.Get], [Extra.All] and
// [Extra.Reveal] are the ways to what they are.
//
// The zero Extra holds nothing, and takes no memory of its own. A copy of an Extra shares what is in it, so that == on
// two of them asks whether they are copies; reflect.DeepEqual compares what they hold.
type Extra struct {
	held *extra
}

type extra struct {
	members []extraMember
	index   map[string]int // The names, once they are many.
}

type extraMember struct {
	name  string
	value sealed // Valid JSON.
}

// unread is what the name of a member begins with that the library knows and could not read.
const unread = "$unread:"

// UnreadMember is the name under which an Extra has the value at a place within its record that could not be read. The
// path is a JSON Pointer without the slash at its beginning: for a member of the record it is the member's name.
func UnreadMember(path string) string { return unread + path }

// IsZero reports whether there are no members.
func (e Extra) IsZero() bool { return e.held == nil }

// Len returns the number of members.
func (e Extra) Len() int {
	if e.held == nil {
		return 0
	}
	return len(e.held.members)
}

// Names returns the names of the members, in the order in which the service sent them.
func (e Extra) Names() []string {
	return slices.Collect(e.names())
}

// Get returns the JSON value of a member, and whether there is such a member.
func (e Extra) Get(name string) (json.RawMessage, bool) {
	if i := e.find(name); i >= 0 {
		return json.RawMessage(e.held.members[i].value.open()), true
	}
	return nil, false
}

// All iterates over the names and the JSON values of the members.
func (e Extra) All() iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		for i := range e.Len() {
			if m := &e.held.members[i]; !yield(m.name, json.RawMessage(m.value.open())) {
				return
			}
		}
	}
}

// Unread returns what was left out of the record because it could not be read, as JSON Pointers within the record
// without the slash at the beginning: a name for a member of the record, "tags/1" for an item of a list in it. Reading
// leaves something out only where drift is asked for. [Extra.Get] of [UnreadMember] has the value.
func (e Extra) Unread() []string {
	var paths []string
	for name := range e.names() {
		if path, is := strings.CutPrefix(name, unread); is {
			paths = append(paths, path)
		}
	}
	return paths
}

// Add adds a member, or replaces the one of that name, here and in all copies that share the members. The value has to
// be valid JSON; it is copied.
func (e *Extra) Add(name string, value []byte) {
	const few = 16 // Up to so many names, looking through them beats a map.
	if i := e.find(name); i >= 0 {
		e.held.members[i].value = seal(value)
		return
	}
	if e.held == nil {
		e.held = &extra{}
	}
	e.held.members = append(e.held.members, extraMember{name, seal(value)})
	switch {
	case e.held.index != nil:
		e.held.index[name] = len(e.held.members) - 1
	case len(e.held.members) > few:
		e.held.index = make(map[string]int, 2*few)
		for i := range e.held.members {
			e.held.index[e.held.members[i].name] = i
		}
	}
}

// find returns the index of a member, or -1.
func (e Extra) find(name string) int {
	if e.held == nil {
		return -1
	}
	if e.held.index == nil {
		return slices.IndexFunc(e.held.members, func(m extraMember) bool { return m.name == name })
	}
	if i, is := e.held.index[name]; is {
		return i
	}
	return -1
}

// names iterates over the names without opening the values.
func (e Extra) names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range e.Len() {
			if !yield(e.held.members[i].name) {
				return
			}
		}
	}
}

// shown returns the names as they may be shown, cleaned of what looks like a secret, on one line and each of them once.
func (e Extra) shown() []string {
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

// String returns the names of the members, such as [plan region], or an empty string where there are none.
func (e Extra) String() string {
	if e.IsZero() {
		return ""
	}
	return fmt.Sprint(e.shown())
}

// GoString returns the same as String.
func (e Extra) GoString() string { return e.String() }

// Format prints the same as String for every verb and flag.
func (e Extra) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, e.String()) }

// LogValue gives log/slog the same as String.
func (e Extra) LogValue() slog.Value { return slog.StringValue(e.String()) }
