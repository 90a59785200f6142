package main

import (
	"bytes"
	"cmp"
	"slices"
)

// The kinds of edits, in their order at one place of a file: what ends there, what replaces, what begins there.
const (
	closes = iota
	replaces
	opens
)

// edit puts a text into a file, in the place of some bytes or none. It may belong to several mutants.
type edit struct {
	at, length, kind int
	text             string
	group            int
}

// edits are the edits of a file, outer ones before inner ones. What belongs together is a group; 0 is of no mutant.
type edits struct {
	list  []edit
	group int
}

func (e *edits) add(kind, at, length int, text string) {
	e.list = append(e.list, edit{at, length, kind, text, e.group})
}

// always adds an edit that belongs to no mutant.
func (e *edits) always(at int, text string) { e.list = append(e.list, edit{at, 0, replaces, text, 0}) }

// wrap puts a text before and one after a piece of the file.
func (e *edits) wrap(from, to int, before, after string) {
	e.add(opens, from, 0, before)
	e.add(closes, to, 0, after)
}

// span is the piece of an edited file that belongs to a group of edits.
type span struct{ group, from, to int }

// apply returns the edited source, without the groups that are dropped, and where in it the others are. It adds no
// lines: a line of the edited source is the line of the source.
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
