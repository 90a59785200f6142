package contract

import (
	"cmp"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// edit puts a text in the place of a range of the body.
type edit struct {
	from, to int
	with     []byte
}

// apply carries edits out. At one place, what is put in comes in its order and before what is replaced. None is inside
// of another.
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

// note is the name under which a record keeps the value that is read.
func (w *walker) note(in *record) []byte {
	name, _ := jsontext.AppendQuote(nil, scalar.SkippedKey(string(w.path[in.path+1:]))) // Names are valid UTF-8 by now.
	return name
}

// rename gives a member whose value cannot be read the name under which its record keeps it.
func (w *walker) rename(from, to int, in *record) {
	w.edits = append(w.edits, edit{from, to, w.note(in)})
}

// child reads the value of an item or an entry. Where that cannot be read, the record keeps it beside its members.
func (w *walker) child(shape *Shape, in *record) (stays bool) {
	from := w.next()
	isNull := w.dec.PeekKind() == 'n'
	stays = w.value(shape, in)
	if isNull && in != nil && w.graph != nil && shape != nil && !shape.Nullable && !shape.Envelope {
		stays = false // A list of the graph area's records has no place for it. That of a page has.
	}
	if !stays {
		kept := append(append(w.note(in), ':'), w.raw[from:w.dec.InputOffset()]...)
		w.edits = append(w.edits, edit{in.begin, in.begin, append(kept, ',')})
	}
	return stays
}

// children reads the inside of an array or an object, child by child, and cuts out those that cannot stay, each with
// the comma in front of it, or behind it where nothing stays in front.
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
