package reply

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A statement is looked for to a fixed depth, in a fixed number of items, and kept to a fixed length: what explains a
// failure is short, and what is not does not explain it.
const (
	statementDepth  = 8
	statementItems  = 100
	statementLength = 2 << 10
)

// statement is what an object says about success and failure, in any of the spellings that were seen.
type statement struct {
	err, errors, message, data, success, result, status part
	// fields tells of each field of the record that was asked for whether it holds something.
	fields map[string]bool
}

// part is one value as far as it matters for a statement.
type part struct {
	kind jsontext.Kind // 0 where there is no value.
	// empty is set for a text, list or object without content, and for zero.
	empty bool
	words string
	inner *statement // What an object says.
}

// set reports whether an error field holds an error: a text, or by accident something else, which still means that
// there was one.
func (p *part) set() bool {
	switch p.kind {
	case 0, 'n', 'f':
		return false
	}
	return !p.empty
}

// failed reports whether the body says that something failed or did not happen.
func (s *statement) failed() bool {
	switch strings.ToLower(s.status.words) {
	case "error", "fail", "failed":
		return true
	}
	return s.denies() || s.data.inner != nil && s.data.inner.denies()
}

// denies is failed for a single object. A status is not looked at: inside of data, it is that of a thing.
func (s *statement) denies() bool {
	return s.err.set() || s.errors.set() || s.data.kind == 'f' || s.success.kind == 'f' || s.result.kind == 'f'
}

// words returns the text that explains a failure best. An error beside a message only names the kind of failure, such
// as "Bad Request". The message of a record is about something else than a failure.
func (s *statement) words() string {
	words := cmp.Or(s.message.words, s.err.words, s.errors.words)
	if words == "" && (s.data.inner == nil || s.data.inner.denies()) {
		words = s.data.words
	}
	return words
}

// isRecord reports whether a field of the record that was asked for is there, and holds something.
func (s *statement) isRecord() bool {
	for _, holds := range s.fields {
		if holds {
			return true
		}
	}
	return false
}

// walker reads statements. The last of several values with the same name counts.
type walker struct {
	in *Reading
	// fields are the names by which a record is known, or nil.
	fields map[string]bool
}

// walk reads what the body says, in one pass that keeps nothing else of it. The body has to be one JSON value.
func (b *Body) walk(fields map[string]bool) (part, error) {
	var top part
	err := b.Over(b.Text, func(in *Reading) {
		w := walker{in, fields}
		top = w.part(statementDepth)
		in.end(b.Text)
	})
	return top, err
}

// part reads one value, and what is inside of it to a depth.
func (w *walker) part(depth int) part {
	p := part{kind: w.in.Kind()}
	switch {
	case p.kind == '"':
		p.words = shorten(w.in.Token().String(), statementLength)
		p.empty = p.words == ""
	case p.kind == '{' && depth > 0:
		p.inner, p.empty = w.object(depth - 1)
		p.words = p.inner.words()
	case p.kind == '[' && depth > 0:
		p.words, p.empty = w.list(depth - 1)
	default:
		p.empty = hollow(w.in.Value())
	}
	return p
}

// hollow reports whether a value is empty.
func hollow(value jsontext.Value) bool {
	switch value.Kind() {
	case '{', '[', '"':
		return len(bytes.TrimSpace(value[1:len(value)-1])) == 0
	}
	return string(value) == "0"
}

// object reads what an object says.
func (w *walker) object(depth int) (said *statement, empty bool) {
	said, empty = &statement{}, true
	w.in.Fields(func(name string) {
		empty = false
		w.member(said, name, depth)
	})
	return said, empty
}

// member reads the value of a member.
func (w *walker) member(said *statement, name string, depth int) {
	switch name {
	case "error":
		said.err = w.part(depth)
	case "errors":
		said.errors = w.part(depth)
	case "message":
		said.message = w.part(depth)
	case "data":
		if w.in.Kind() == '[' {
			depth = 0 // A list of records says nothing.
		}
		said.data = w.part(depth)
	case "success":
		said.success = w.part(0)
	case "result":
		said.result = w.part(0)
	case "status":
		said.status = w.part(0)
	default:
		value := w.in.Value()
		if !w.fields[name] {
			return
		}
		if said.fields == nil {
			said.fields = map[string]bool{}
		}
		said.fields[name] = value.Kind() == '0' || value.Kind() != 'n' && !hollow(value)
	}
}

// list reads the items of a list and joins their words.
func (w *walker) list(depth int) (words string, empty bool) {
	var texts []string
	items := 0
	w.in.Items(func() {
		if items++; items > statementItems {
			w.in.Value()
		} else if item := w.part(depth); item.words != "" {
			texts = append(texts, item.words)
		}
	})
	return shorten(strings.Join(texts, "; "), statementLength), items == 0
}

// shorten cuts a text to a length in bytes.
func shorten(text string, longest int) string {
	if len(text) <= longest {
		return text
	}
	return strings.ToValidUTF8(text[:longest], "") + "…"
}

// Literal reads the next value, and returns a text, a number, or the texts of a list, and nothing for any other value.
func Literal(in *Reading) string {
	if in.Kind() == '0' {
		return in.Token().String()
	}
	w := walker{in: in}
	said := w.part(1)
	if said.kind == '{' {
		return ""
	}
	return said.words
}

// StatedError returns the failure of a body whose error field holds one, or nil.
func (b *Body) StatedError() error {
	top, err := b.walk(nil)
	if err != nil {
		return err
	}
	if top.inner == nil || !top.inner.err.set() {
		return nil
	}
	return &Failure{top.words}
}
