package contract

import (
	"cmp"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

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

// note returns the name under which a record keeps the current value.
func (w *walker) note(in *record) []byte {
	name, _ := jsontext.AppendQuote(nil, scalar.SkippedKey(string(w.path[in.path+1:]))) // Names are valid UTF-8 by now.
	return name
}

// rename renames a member with an unreadable value to the name under which its record keeps it.
func (w *walker) rename(from, to int, in *record) {
	w.edits = append(w.edits, edit{from, to, w.note(in)})
}

// child reads an item or an entry. If it is unreadable, the record keeps it as an additional member.
func (w *walker) child(shape *Shape, in *record) (stays bool) {
	from := w.next()
	isNull := w.dec.PeekKind() == 'n'
	stays = w.value(shape, in)
	if isNull && in != nil && w.graph != nil && shape != nil && !shape.Nullable && !shape.Envelope {
		stays = false // A list of the graph area's records cannot contain a null; a page can.
	}
	if !stays {
		kept := append(append(w.note(in), ':'), w.raw[from:w.dec.InputOffset()]...)
		w.edits = append(w.edits, edit{in.begin, in.begin, append(kept, ',')})
	}
	return stays
}

// children reads the children of an array or an object, and removes unreadable children, each with the comma before it,
// or with the comma after it if no child remains before it.
func (w *walker) children(read func() (stays bool)) {
	w.token()
	begin, stayed, cut := int(w.dec.InputOffset()), false, false
	for kind := w.dec.PeekKind(); kind != ']' && kind != '}' && kind != 0; kind = w.dec.PeekKind() {
		before, from := int(w.dec.InputOffset()), w.next()
		stays := read()
		switch {
		case !stays && stayed:
			w.edits = append(w.edits, edit{before, int(w.dec.InputOffset()), nil})
		case !stays:
			cut = true
		case cut && !stayed:
			w.edits = append(w.edits, edit{begin, from, nil})
		}
		stayed = stayed || stays
	}
	end := int(w.dec.InputOffset())
	if cut && !stayed {
		w.edits = append(w.edits, edit{begin, end, nil})
	}
	w.token()
}
