package contract

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// walker goes through a body side by side with its shape.
type walker struct {
	raw    []byte
	dec    *jsontext.Decoder
	path   []byte // The JSON Pointer of the value that comes next.
	edits  []edit
	report Report
	// graph is what there is to know of a response of the graph area, or nil.
	graph *graphResponse
}

// record is the record that a value is in, as far as it matters for leaving the value out.
type record struct {
	begin int // Behind its brace.
	path  int // The length of its pointer.
}

// value reads the next value, which is in a record or in none, and reports whether it can stay. It can, also where it
// cannot be read, where there is no record to leave it out of, and where records would be lost with it.
func (w *walker) value(shape *Shape, in *record) (stays bool, err error) {
	kind := byte(w.dec.PeekKind())
	if kind == 'f' {
		kind = 't'
	}
	switch {
	case shape == nil, kind == 0:
		_, err := w.dec.ReadValue() // Of no value, it says why there is none.
		return true, err
	case kind == 'n':
		if !shape.Nullable && !w.graph.explains(w.path) {
			w.found(Null, shape.String(), "null")
		}
		return true, w.dec.SkipValue()
	case !shape.admits(kind), kind == '{' && shape.Members == nil && shape.Values == nil && shape.Reads != nil:
		return w.leaf(shape, in, kind)
	case kind == '{' && shape.Values != nil:
		return true, w.entries(shape, in)
	case kind == '{':
		return true, w.object(shape)
	case kind == '[' && shape.Reads != nil:
		return w.tuple(shape, in)
	case kind == '[':
		return true, w.items(shape, in)
	}
	return w.leaf(shape, in, kind)
}

// object reads an object with documented members.
func (w *walker) object(shape *Shape) error {
	members := shape.Members
	if shape.Variants != nil {
		typename, err := w.graph.typename(w.next())
		if err != nil {
			return err
		}
		members = shape.of(typename)
	}
	if _, err := w.dec.ReadToken(); err != nil {
		return err
	}
	this := &record{begin: int(w.dec.InputOffset()), path: len(w.path)}
	seen := make([]bool, len(members))
	for w.dec.PeekKind() == '"' {
		name, from, err := w.name()
		if err != nil {
			return err
		}
		i, known := member(members, name)
		if !known {
			value, err := w.dec.ReadValue()
			if err != nil {
				return err
			}
			w.at(name, func() { w.found(UnknownMember, "no such member", kindName(byte(value.Kind()))) })
			continue
		}
		seen[i] = true
		in, to := this, int(w.dec.InputOffset())
		expected := members[i].Shape
		if shape.Envelope || identifies(name) || expected != nil && expected.Identity {
			in = nil
		}
		var stays bool
		w.at(name, func() {
			if stays, err = w.value(expected, in); !stays {
				w.rename(from, to, in)
			}
		})
		if err != nil {
			return err
		}
	}
	for i, member := range members {
		if member.Required && !seen[i] {
			w.at(member.Name, func() { w.found(Missing, member.Shape.String(), "nothing") })
		}
	}
	_, err := w.dec.ReadToken()
	return err
}

// identifies reports whether a member is an id, without which a record is of no use.
func identifies(name string) bool {
	return name == "id" || name == "uuid" || strings.HasSuffix(name, "_id")
}

// name reads the name of a member, and returns where it begins.
func (w *walker) name() (name string, from int, err error) {
	from = w.next()
	token, err := w.dec.ReadToken()
	return token.String(), from, err
}

// next returns the offset of what the decoder comes to next.
func (w *walker) next() int {
	rest := w.raw[w.dec.InputOffset():]
	return len(w.raw) - len(bytes.TrimLeft(rest, " \t\r\n:,"))
}

// at does something with the pointer to a child.
func (w *walker) at(name string, do func()) {
	length := len(w.path)
	w.path = append(append(w.path, '/'), escape.Replace(name)...)
	do()
	w.path = w.path[:length]
}

// escape writes a name as a part of a JSON Pointer.
var escape = strings.NewReplacer("~", "~0", "/", "~1")

// items reads an array.
func (w *walker) items(shape *Shape, in *record) error {
	i := 0
	return w.children(func() (stays bool, err error) {
		w.at(strconv.Itoa(i), func() { stays, err = w.child(shape.Items, in) })
		i++
		return stays, err
	})
}

// entries reads an object whose names are not known ahead.
func (w *walker) entries(shape *Shape, in *record) error {
	return w.children(func() (stays bool, err error) {
		name, _, err := w.name()
		if err != nil {
			return true, err
		}
		w.at(name, func() { stays, err = w.child(shape.Values, in) })
		return stays, err
	})
}

// tuple reads an array that the client reads as a whole.
func (w *walker) tuple(shape *Shape, in *record) (stays bool, err error) {
	from := w.next()
	inside := walker{raw: w.raw, dec: jsontext.NewDecoder(bytes.NewBuffer(w.raw[from:]), liberal...), path: w.path}
	raw, err := w.dec.ReadValue()
	switch {
	case err != nil:
		return true, err
	case !shape.Reads(raw) && in != nil:
		w.found(Unread, shape.String(), "array that cannot be read")
		return false, nil
	}
	err = inside.items(&Shape{Items: shape.Items}, nil)
	w.report.More += inside.report.More
	for _, drift := range inside.report.Drifts {
		w.report.add(drift)
	}
	return true, err
}

// found reports a drift of the value that is read.
func (w *walker) found(kind Kind, expected, found string) {
	w.report.add(Drift{kind, string(w.path), expected, found})
}
