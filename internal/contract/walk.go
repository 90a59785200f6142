package contract

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/scan"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// walker compares a body with its shape.
type walker struct {
	raw    []byte
	dec    *jsontext.Decoder
	path   []byte // The JSON Pointer of the next value.
	edits  []edit
	report Report
	graph  failedFields
}

// record is the record that contains a value, so that the value can be left out.
type record struct {
	begin int // After its brace.
	path  int // The length of its pointer.
}

// value reads the next value, which is inside a record unless in is nil, and reports whether the value can stay. An
// unreadable value stays if there is no record to leave it out of, or if a listing would be lost with it.
func (w *walker) value(shape *Shape, in *record) (stays bool) {
	kind := byte(w.dec.PeekKind())
	if kind == 'f' {
		kind = 't'
	}
	switch {
	case shape == nil:
		w.read()
	case kind == 'n':
		if !shape.Nullable && (w.graph == nil || !w.graph.explain(w.path)) {
			w.found(Null, shape.String(), "null")
		}
		w.read()
	case !shape.admits(kind), kind == '{' && shape.Fields == nil && shape.Values == nil && shape.Reads != nil:
		return w.scalar(shape, in, kind)
	case kind == '{' && shape.Values != nil:
		w.children(shape.Values, in)
	case kind == '{':
		w.object(shape)
	case kind == '[' && shape.Reads != nil:
		return w.tuple(shape, in)
	case kind == '[':
		w.children(shape.Items, in)
	default:
		return w.scalar(shape, in, kind)
	}
	return true
}

// token reads a token, and read reads a value. Neither can fail: the JSON was checked before the walk.
func (w *walker) token() jsontext.Token {
	token, _ := w.dec.ReadToken()
	return token
}

func (w *walker) read() jsontext.Value {
	raw, _ := w.dec.ReadValue()
	return raw
}

// object reads an object with documented fields.
func (w *walker) object(shape *Shape) {
	fields := shape.Fields
	if len(shape.Variants) > 0 {
		fields = shape.of(scan.Typename(w.raw[w.next():]))
	}
	w.token()
	this := &record{begin: int(w.dec.InputOffset()), path: len(w.path)}
	seen := make([]bool, len(fields))
	for w.dec.PeekKind() == '"' {
		name, from := w.name()
		length, to := w.push(name), int(w.dec.InputOffset())
		if i, known := fieldNamed(fields, name); known {
			seen[i] = true
			in, expected := this, fields[i].Shape
			if shape.Envelope || shape.lists() || identifies(name) || expected != nil && expected.Identity {
				in = nil
			}
			if !w.value(expected, in) {
				w.edits = append(w.edits, edit{from, to, w.extraKey(in)})
			}
		} else {
			w.found(UnknownField, "no such field", kindNames[byte(w.read().Kind())])
		}
		w.path = w.path[:length]
	}
	for i, field := range fields {
		if field.Required && !seen[i] {
			length := w.push(field.Name)
			w.found(Missing, field.Shape.String(), "nothing")
			w.path = w.path[:length]
		}
	}
	w.token()
}

// identifies reports whether a field is an id, without which a record is useless.
func identifies(name string) bool {
	return name == "id" || strings.HasSuffix(name, "_id")
}

// name reads the name of a field, and returns its offset.
func (w *walker) name() (name string, from int) {
	from = w.next()
	return w.token().String(), from
}

// next returns the offset of the next token.
func (w *walker) next() int {
	rest := w.raw[w.dec.InputOffset():]
	return len(w.raw) - len(bytes.TrimLeft(rest, " \t\r\n:,"))
}

// push extends the pointer by a name, and returns its length before.
func (w *walker) push(name string) (length int) {
	length = len(w.path)
	w.path = append(append(w.path, '/'), escape.Replace(name)...)
	return length
}

// escape escapes a name for a JSON Pointer.
var escape = strings.NewReplacer("~", "~0", "/", "~1")

// tuple reads an array that the client decodes as one value.
func (w *walker) tuple(shape *Shape, in *record) (stays bool) {
	ahead := jsontext.NewDecoder(bytes.NewBuffer(w.raw[w.next():]), scan.Lenient)
	value, _ := ahead.ReadValue()
	if !shape.Reads(value) && in != nil {
		w.read()
		w.found(Unread, shape.String(), "array that cannot be read")
		return false
	}
	w.children(shape.Items, nil)
	return true
}

// scalar reads a scalar value, or a value of an unexpected kind.
func (w *walker) scalar(shape *Shape, in *record, kind byte) (stays bool) {
	raw := w.read()
	found, fits := kindNames[kind], shape.admits(kind)
	if fits && shape.Integer && bytes.ContainsAny(raw, ".eE") {
		found, fits = "number with a fraction or an exponent", false
	}
	readable := shape.Reads != nil && shape.Reads(raw)
	switch {
	case readable && fits:
		w.enum(shape, raw)
	case readable || in == nil || shape.wraps():
		w.found(Type, shape.String(), found)
	default:
		if fits {
			found += " that cannot be read"
		}
		w.found(Unread, shape.String(), found)
		return false
	}
	return true
}

// enum checks that a value is documented.
func (w *walker) enum(shape *Shape, raw jsontext.Value) {
	value := string(raw)
	if raw.Kind() == '"' {
		unquoted, _ := jsontext.AppendUnquote(nil, raw) // The error is about invalid UTF-8, which is replaced.
		value = string(unquoted)
	}
	if shape.Enum != nil && !slices.Contains(shape.Enum, value) {
		w.found(UnknownValue, "one of "+strings.Join(shape.Enum, ", "), value)
	}
}

// extraKey returns the name under which a record keeps the current value.
func (w *walker) extraKey(in *record) []byte {
	name, _ := jsontext.AppendQuote(nil, scalar.SkippedKey(string(w.path[in.path+1:]))) // Names are valid UTF-8 by now.
	return name
}

// children reads the children of an array or an object with arbitrary names, and removes unreadable children, each with
// the comma before it, or with the comma after it if no child remains before it.
func (w *walker) children(shape *Shape, in *record) {
	isObject := w.token().Kind() == '{'
	begin, stayed, i := int(w.dec.InputOffset()), false, 0
	for ; w.dec.PeekKind() != ']' && w.dec.PeekKind() != '}'; i++ {
		before, from := int(w.dec.InputOffset()), w.next()
		name := strconv.Itoa(i)
		if isObject {
			name, _ = w.name()
		}
		length := w.push(name)
		stays := w.child(shape, in)
		w.path = w.path[:length]
		switch {
		case !stays && stayed:
			w.edits = append(w.edits, edit{before, int(w.dec.InputOffset()), nil})
		case stays && !stayed && i > 0:
			w.edits = append(w.edits, edit{begin, from, nil})
		}
		stayed = stayed || stays
	}
	if !stayed && i > 0 {
		w.edits = append(w.edits, edit{begin, int(w.dec.InputOffset()), nil})
	}
	w.token()
}

// child reads an item or an entry. If it is unreadable, the record keeps it as an additional field.
func (w *walker) child(shape *Shape, in *record) (stays bool) {
	from := w.next()
	isNull := w.dec.PeekKind() == 'n'
	stays = w.value(shape, in)
	if isNull && in != nil && w.graph != nil && shape != nil && shape.admits('{') && !shape.Nullable && !shape.Envelope {
		stays = false // A list of the graph area's records cannot contain a null; a page can.
	}
	if !stays {
		kept := append(append(w.extraKey(in), ':'), w.raw[from:w.dec.InputOffset()]...)
		w.edits = append(w.edits, edit{in.begin, in.begin, append(kept, ',')})
	}
	return stays
}

// edit replaces a range of the body.
type edit struct {
	from, to int
	with     []byte
}

// apply applies edits, which must not overlap. At one offset, insertions come first, in their order.
func apply(raw []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	out, done := make([]byte, 0, len(raw)), 0
	for _, e := range edits {
		out = append(append(out, raw[done:e.from]...), e.with...)
		done = e.to
	}
	return append(out, raw[done:]...)
}

// maxPointer is the maximum length of a pointer in a drift. Names in arbitrary maps can be long.
const maxPointer = 8 << 10

// found reports a drift of the current value.
func (w *walker) found(kind, expected, found string) {
	pointer := ""
	if len(w.report.Drifts) < MaxDrifts {
		pointer = string(w.path[:min(len(w.path), maxPointer)])
	}
	w.report.add(Drift{kind, pointer, expected, found})
}
