package envelope

import (
	"cmp"
	"slices"
)

// span is a range of bytes in a body.
type span struct{ from, to int }

// withoutRepeats returns the body without the members of objects that a later member of the same name replaces. It is
// the body itself where there are none.
func (b *body) withoutRepeats() ([]byte, error) {
	var replaced []span
	var open []members // The objects around a member, by their depth.
	err := b.eachMember(b.text, func(m member) {
		for len(open) <= m.depth {
			open = append(open, members{})
		}
		object := &open[m.depth]
		if object.start != m.object {
			*object = members{start: m.object}
		}
		if old, repeated := object.add(m.name, m.start); repeated {
			replaced = append(replaced, old)
		}
	})
	if err != nil || len(replaced) == 0 {
		return b.text, err
	}
	slices.SortFunc(replaced, func(x, y span) int { return cmp.Compare(x.from, y.from) })
	unique, done := make([]byte, 0, len(b.text)), 0
	for _, gap := range replaced {
		unique = append(unique, b.text[done:max(done, gap.from)]...) // A gap can lie inside another.
		done = max(done, gap.to)
	}
	return append(unique, b.text[done:]...), nil
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
