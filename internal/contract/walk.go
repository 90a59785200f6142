package contract

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// walker compares a body with its shape.
type walker struct {
	raw    []byte
	dec    *jsontext.Decoder
	path   []byte // The JSON Pointer of the next value.
	edits  []edit
	report Report
	// graph describes a response of the graph area, or is nil.
	graph *graphResponse
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
		stays = shape.Nullable || w.graph.explains(w.path)
		if !stays {
			w.found(Null, shape.String(), "null")
		}
		w.read()
		// A number of the graph area cannot be decoded from null.
		return stays || in == nil || w.graph == nil || !shape.admits('0')
	case !shape.admits(kind), kind == '{' && shape.Members == nil && shape.Values == nil && shape.Reads != nil:
		return w.leaf(shape, in, kind)
	case kind == '{' && shape.Values != nil:
		w.entries(shape, in)
	case kind == '{':
		w.object(shape)
	case kind == '[' && shape.Reads != nil:
		return w.tuple(shape, in)
	case kind == '[':
		w.items(shape, in)
	default:
		return w.leaf(shape, in, kind)
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

// object reads an object with documented members.
func (w *walker) object(shape *Shape) {
	members := shape.Members
	if shape.Variants != nil {
		members = shape.of(scan.Typename(w.raw[w.next():]))
	}
	w.token()
	this := &record{begin: int(w.dec.InputOffset()), path: len(w.path)}
	seen := make([]bool, len(members))
	for w.dec.PeekKind() == '"' {
		name, from := w.name()
		i, known := member(members, name)
		if !known {
			value := w.read()
			w.at(name, func() { w.found(UnknownField, "no such field", kindName(byte(value.Kind()))) })
			continue
		}
		seen[i] = true
		in, to := this, int(w.dec.InputOffset())
		expected := members[i].Shape
		if shape.Envelope || shape.lists() || identifies(name) || expected != nil && expected.Identity {
			in = nil
		}
		w.at(name, func() {
			if !w.value(expected, in) {
				w.rename(from, to, in)
			}
		})
	}
	for i, member := range members {
		if member.Required && !seen[i] {
			w.at(member.Name, func() { w.found(Missing, member.Shape.String(), "nothing") })
		}
	}
	w.token()
}

// identifies reports whether a member is an id, without which a record is useless.
func identifies(name string) bool {
	return name == "id" || strings.HasSuffix(name, "_id")
}

// name reads the name of a member, and returns its offset.
func (w *walker) name() (name string, from int) {
	from = w.next()
	return w.token().String(), from
}

// next returns the offset of the next token.
func (w *walker) next() int {
	rest := w.raw[w.dec.InputOffset():]
	return len(w.raw) - len(bytes.TrimLeft(rest, " \t\r\n:,"))
}

// at calls do with the pointer extended by a name.
func (w *walker) at(name string, do func()) {
	length := len(w.path)
	w.path = append(append(w.path, '/'), escape.Replace(name)...)
	do()
	w.path = w.path[:length]
}

// escape escapes a name for a JSON Pointer.
var escape = strings.NewReplacer("~", "~0", "/", "~1")

// items reads an array.
func (w *walker) items(shape *Shape, in *record) {
	i := 0
	w.children(func() (stays bool) {
		w.at(strconv.Itoa(i), func() { stays = w.child(shape.Items, in) })
		i++
		return stays
	})
}

// entries reads an object with arbitrary names.
func (w *walker) entries(shape *Shape, in *record) {
	w.children(func() (stays bool) {
		name, _ := w.name()
		w.at(name, func() { stays = w.child(shape.Values, in) })
		return stays
	})
}

// tuple reads an array that the client decodes as one value.
func (w *walker) tuple(shape *Shape, in *record) (stays bool) {
	from := w.next()
	inside := walker{raw: w.raw, dec: jsontext.NewDecoder(bytes.NewBuffer(w.raw[from:]), lenient...), path: w.path}
	if !shape.Reads(w.read()) && in != nil {
		w.found(Unread, shape.String(), "array that cannot be read")
		return false
	}
	inside.items(&Shape{Items: shape.Items}, nil)
	w.report.More += inside.report.More
	for _, drift := range inside.report.Drifts {
		w.report.add(drift)
	}
	return true
}

// found reports a drift of the current value.
func (w *walker) found(kind, expected, found string) {
	w.report.add(Drift{kind, string(w.path), expected, found})
}
