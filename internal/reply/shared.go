package reply

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// once is liberal without repeated names.
var once = json.JoinOptions(jsontext.AllowInvalidUTF8(true))

// Decode decodes the body into the value that into points to. The first pass takes it for what is documented, refuses
// repeated names, because the library would merge the values where the last must win, and pays for nothing else. Where
// that fails for a reason other than the syntax, the members that later ones replace are taken out, and what is left is
// decoded with all that is forgiven; no name is left to look for a second time. A value of an unexpected shape may be
// one of those that are replaced.
//
// Interfaces are the unmarshalers for a body, or nil where there are none.
func (b *Body) Decode(into any, interfaces func(raw []byte) *json.Unmarshalers) error {
	if interfaces == nil {
		interfaces = func([]byte) *json.Unmarshalers { return nil }
	}
	err := b.pass(b.Text, into, interfaces(b.Text), once)
	var shape *json.SemanticError
	if !errors.Is(err, jsontext.ErrDuplicateName) && !errors.As(err, &shape) {
		return err
	}
	unique, err := b.withoutRepeats()
	if err != nil {
		return err
	}
	return b.pass(unique, into, json.JoinUnmarshalers(interfaces(unique), coercions), liberal)
}

// pass decodes raw, which is the body or what is left of it.
func (b *Body) pass(raw []byte, into any, unmarshalers *json.Unmarshalers, options json.Options) error {
	if err := b.begin(); err != nil {
		return err
	}
	b.Work += int64(len(raw))
	b.Latest = raw
	unmarshalers = json.JoinUnmarshalers(skipExtra, b.Unmarshalers(raw), unmarshalers)
	return json.Unmarshal(raw, into, options, json.WithUnmarshalers(unmarshalers))
}

// Reading is a pass over a JSON value, token by token. After an error it reads nothing more: who goes through a value
// looks for one at the end.
type Reading struct {
	Dec *jsontext.Decoder
	Err error
	// of is the body that is read, or nil.
	of *Body
}

// Tokens returns a pass over raw. It takes repeated names as they come.
func Tokens(raw []byte) *Reading {
	return &Reading{Dec: jsontext.NewDecoder(bytes.NewBuffer(raw), liberal)}
}

// Over makes a pass over raw, which read goes through.
func (b *Body) Over(raw []byte, read func(*Reading)) error {
	if err := b.begin(); err != nil {
		return err
	}
	in := Tokens(raw)
	in.of = b
	read(in)
	b.Work += in.Dec.InputOffset()
	return in.Err
}

// Kind returns the kind of the next token, or 0 where there is none.
func (r *Reading) Kind() jsontext.Kind {
	if r.Err != nil {
		return 0
	}
	return r.Dec.PeekKind()
}

func (r *Reading) Token() (next jsontext.Token) {
	if r.Err == nil {
		next, r.Err = r.Dec.ReadToken()
	}
	return next
}

func (r *Reading) Value() (next jsontext.Value) {
	if r.Err == nil {
		next, r.Err = r.Dec.ReadValue()
	}
	return next
}

// Fields reads an object and calls read for every name in it, which has to read the value. Any other value is skipped.
func (r *Reading) Fields(read func(name string)) {
	if r.Kind() != '{' {
		r.Value()
		return
	}
	r.Token()
	for r.Kind() == '"' {
		read(r.Token().String())
	}
	r.Token()
}

// Field reads an object and calls read for every member of a name, which has to read the value. All else is skipped.
func (r *Reading) Field(name string, read func()) {
	r.Fields(func(found string) {
		if found == name {
			read()
		} else {
			r.Value()
		}
	})
}

// Items reads an array and calls read for every item, which has to read it.
func (r *Reading) Items(read func()) {
	r.Token()
	for kind := r.Kind(); kind != ']' && kind != 0; kind = r.Kind() {
		read()
	}
	r.Token()
}

// end refuses what comes in raw after the value that was read.
func (r *Reading) end(raw []byte) {
	end := r.Dec.InputOffset()
	if r.Err == nil && len(bytes.TrimSpace(raw[end:])) > 0 {
		r.Err = &Malformed{Reason: Trailing, Detail: fmt.Sprintf("at byte %d", end)}
	}
}

// NameAt is the name of a member of an object, with the offsets that it is found at.
type NameAt struct {
	Name string
	// depth is the number of values that the object is nested in, the object included.
	depth int
	// Object is the offset behind the object's brace, and tells one object from another.
	Object int
	// start is the offset of the name's quote, End the one behind the name.
	start, End int
}

// EachMember goes through a JSON value token by token and calls visit for every member of every object in it, in their
// order. Nothing but space may come after the value.
func (b *Body) EachMember(raw []byte, visit func(NameAt)) error {
	return b.Over(raw, func(in *Reading) {
		var starts []int // Behind the brackets of the open objects and arrays.
		for begun := false; !begun || in.Err == nil && len(starts) > 0; begun = true {
			before := int(in.Dec.InputOffset())
			token := in.Token()
			after := int(in.Dec.InputOffset())
			switch token.Kind() {
			case '{', '[':
				starts = append(starts, after)
			case '}', ']':
				starts = starts[:len(starts)-1]
			case '"':
				depth := in.Dec.StackDepth()
				if kind, length := in.Dec.StackIndex(depth); kind == '{' && length%2 == 1 {
					start := before + bytes.IndexByte(raw[before:], '"')
					visit(NameAt{Name: token.String(), depth: depth, Object: starts[depth-1], start: start, End: after})
				}
			}
		}
		in.end(raw)
	})
}

// span is a range of bytes in a body.
type span struct{ from, to int }

// withoutRepeats returns the body without the members of objects that a later member of the same name replaces. It is
// the body itself where there are none.
func (b *Body) withoutRepeats() ([]byte, error) {
	var replaced []span
	var open []members // The objects around a member, by their depth.
	err := b.EachMember(b.Text, func(m NameAt) {
		for len(open) <= m.depth {
			open = append(open, members{})
		}
		object := &open[m.depth]
		if object.start != m.Object {
			*object = members{start: m.Object}
		}
		if old, repeated := object.add(m.Name, m.start); repeated {
			replaced = append(replaced, old)
		}
	})
	if err != nil || len(replaced) == 0 {
		return b.Text, err
	}
	slices.SortFunc(replaced, func(x, y span) int { return cmp.Compare(x.from, y.from) })
	unique, done := make([]byte, 0, len(b.Text)), 0
	for _, gap := range replaced {
		unique = append(unique, b.Text[done:max(done, gap.from)]...) // A gap can lie inside another.
		done = max(done, gap.to)
	}
	return append(unique, b.Text[done:]...), nil
}

// members are the members of one object: for each name the range of its latest one, from its name to the name of the
// member after it. Taking the range out leaves the commas right.
type members struct {
	start  int // Where the object begins; 0 until there is one, for an object's brace is one byte before its first name.
	latest int // The index of the member that was read last.
	names  []string
	ranges []span
	index  map[string]int // The names, once they are many.
}

// few is the number of names up to which looking through them beats a map.
const few = 16

// add adds a member, and returns the range of the one that it replaces.
func (o *members) add(name string, start int) (replaced span, repeated bool) {
	if len(o.names) > 0 {
		o.ranges[o.latest].to = start
	}
	if i, seen := o.find(name); seen {
		replaced = o.ranges[i]
		o.latest, o.ranges[i].from = i, start
		return replaced, true
	}
	o.latest = len(o.names)
	o.names, o.ranges = append(o.names, name), append(o.ranges, span{from: start})
	switch {
	case o.index != nil:
		o.index[name] = o.latest
	case len(o.names) > few:
		o.index = make(map[string]int, 2*few)
		for i, known := range o.names {
			o.index[known] = i
		}
	}
	return span{}, false
}

func (o *members) find(name string) (int, bool) {
	if o.index != nil {
		i, seen := o.index[name]
		return i, seen
	}
	i := slices.Index(o.names, name)
	return i, i >= 0
}

// skipExtra keeps the JSON library from reading a member of a response as what a record keeps beside its fields: that
// has a name only where a record is written.
var skipExtra = json.UnmarshalFromFunc(func(dec *jsontext.Decoder, _ *scalar.Extra) error { return dec.SkipValue() })

// ExtraOfStruct reads the value of a struct, and hands the members that it has fields for on. One without a place for
// the others does without them.
func ExtraOfStruct(in *Reading, record reflect.Value, of func(*Reading, reflect.Value)) {
	l := layoutOf(record.Type())
	in.Fields(func(name string) {
		if i, known := l.fields[name]; known {
			of(in, record.Field(i))
		} else if value := in.Value(); l.extra >= 0 {
			extra := record.Field(l.extra).Addr().Interface().(*scalar.Extra)
			if in.of.hider != nil {
				name = in.of.hider.Hide(name)
			}
			whole, _ := in.of.whole(value)
			extra.Add(name, []byte(strings.ToValidUTF8(string(whole), "\uFFFD")))
		}
	})
}

// Flag reports whether an error field holds an error. Its words are read where it does.
type Flag struct{ Set bool }

// UnmarshalJSONFrom implements the JSON library's streaming interface.
func (f *Flag) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	value, err := dec.ReadValue()
	if err == nil {
		f.Set = isFailure(value)
	}
	return err
}

// Literal reads the next value, and returns a text, a number, or the texts of a list, and nothing for any other value.
func Literal(in *Reading) string {
	if in.Kind() == '0' || in.Kind() == '{' {
		text := in.Value()
		if text.Kind() == '{' {
			return ""
		}
		return string(text)
	}
	b := Body{}
	return b.words(in.Value().Clone(), 1)
}

// StatedError returns the failure of a body whose error field holds one, or nil.
func (b *Body) StatedError() error {
	top, err := b.state()
	if err == nil && isFailure(top.members["error"]) {
		err = &Failure{b.wordsOf(top)}
	}
	return err
}

// Stated returns the failure of a body whose error field holds one.
func (b *Body) Stated() error { return b.StatedError() }
