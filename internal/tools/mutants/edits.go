package main

import (
	"bytes"
	"cmp"
	"slices"
)

// The kinds of edits, in their order at one position: closing text, replacements, opening text.
const (
	closes = iota
	replaces
	opens
)

// edit replaces some bytes of a file, or none, by a text. It may belong to several mutants.
type edit struct {
	at, length, kind int
	text             string
	group            int
}

// edits are the edits of a file, outer ones before inner ones. Edits of one group belong together; group 0 belongs to
// no mutant.
type edits struct {
	list  []edit
	group int
}

func (e *edits) add(kind, at, length int, text string) {
	e.list = append(e.list, edit{at, length, kind, text, e.group})
}

// always adds an edit without a mutant.
func (e *edits) always(at int, text string) { e.list = append(e.list, edit{at, 0, replaces, text, 0}) }

// wrap inserts a text before and after a section of the file.
func (e *edits) wrap(from, to int, before, after string) {
	e.add(opens, from, 0, before)
	e.add(closes, to, 0, after)
}

// span is the section of an edited file that belongs to a group of edits.
type span struct{ group, from, to int }

// apply returns the edited source, without the dropped groups, and the positions of the others in it. It adds no lines,
// so line numbers stay the same.
func (e *edits) apply(source []byte, dropped map[int]bool) ([]byte, []span) {
	order := make([]int, 0, len(e.list))
	for i, edit := range e.list {
		if !dropped[edit.group] {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := e.list[i], e.list[j]
		sequence := cmp.Compare(i, j)
		if a.kind == closes {
			sequence = -sequence
		}
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind), sequence)
	})
	var out bytes.Buffer
	spans := map[int]*span{}
	last := 0
	for _, i := range order {
		edit := e.list[i]
		out.Write(source[last:edit.at])
		from := out.Len()
		out.WriteString(edit.text)
		last = edit.at + edit.length
		if s := spans[edit.group]; s == nil {
			spans[edit.group] = &span{edit.group, from, out.Len()}
		} else {
			s.from, s.to = min(s.from, from), max(s.to, out.Len())
		}
	}
	out.Write(source[last:])
	var list []span
	for _, s := range spans {
		list = append(list, *s)
	}
	return out.Bytes(), list
}
