package graphql

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// The functions of this file are called by the generated decoders, like those in package api.

// readList reads a page of a connection.
func readList[N any](s *scan.Scanner, into **List[N], node func(*scan.Scanner, *N)) {
	list := made(s, into)
	if list == nil {
		return
	}
	for s.Object(); s.Member(); {
		switch string(s.Name) {
		case "edges":
			list.readEdges(s, node)
		case "pageInfo":
			api.ReadStruct(s, &list.PageInfo, readPageInfo)
		case "totalCount":
			api.ReadOptional(s, &list.TotalCount, api.ReadInt)
		default:
			s.Skip()
		}
	}
}

// readEdges reads the edges of a page. An unreadable or missing item does not fail the others, nor an unreadable value
// its item.
func (l *List[N]) readEdges(s *scan.Scanner, node func(*scan.Scanner, *N)) {
	var lost []int
	l.Cursors, l.fault = nil, ""
	api.ReadList(s, &l.Nodes, func(s *scan.Scanner, into *N) {
		l.Cursors = append(l.Cursors, "")
		i, fault := len(l.Cursors)-1, &noNode
		if edge := attempt(s, &l.Cursors[i], func(s *scan.Scanner, cursor *string) {
			for s.Object(); s.Member(); {
				switch string(s.Name) {
				case "cursor":
					api.ReadText(s, cursor)
				case "node":
					s.Mend = true
					fault = attempt(s, into, node)
					s.Mend = false
				default:
					s.Skip()
				}
			}
		}); edge != nil {
			fault = edge
		}
		if fault == nil {
			return
		}
		if lost = append(lost, i); len(lost) == 1 {
			l.fault = lostItem(s.Data, *fault, i)
		}
	})
	if l.Lost = len(lost); l.Lost > 0 {
		i := -1
		l.Nodes = slices.DeleteFunc(l.Nodes, func(N) bool {
			i++
			_, isLost := slices.BinarySearch(lost, i)
			return isLost
		})
	} else if s.Mended.Reason != 0 {
		l.fault = reply.Describe(s.Data, s.Mended).Detail
	}
}

// lostItem describes the fault of the item of an edge.
func lostItem(text []byte, fault scan.Fault, edge int) string {
	switch {
	case fault.Reason != 0:
		return reply.Describe(text, fault).Detail
	case fault.At >= 0:
		place, _ := reply.Locate(text, fault.At)
		return fmt.Sprintf("a null instead of an item at %q", place)
	}
	return fmt.Sprintf("edge %d of the list has no node", edge)
}

// noNode is the fault of an edge without a node.
var noNode = scan.Fault{At: -1}

// attempt reads a value. If the value is null or unreadable, it is skipped, and attempt returns its fault. The fault of
// a null has no reason.
func attempt[T any](s *scan.Scanner, into *T, read func(*scan.Scanner, *T)) *scan.Fault {
	from := s.Mark()
	if s.Null() {
		return &scan.Fault{At: from.At}
	}
	read(s, into)
	fault := s.Fault
	switch fault.Reason {
	case 0:
		return nil
	case scan.Unreadable, scan.Deep:
		*into = *new(T)
		s.Rewind(from)
		s.Skip()
	}
	return &fault
}

// readSingle reads a record as a whole listing of one item, or a null as an empty one.
func readSingle[N any](s *scan.Scanner, into **List[N], node func(*scan.Scanner, *N)) {
	var item *N
	api.ReadOptional(s, &item, node)
	list := &List[N]{Nodes: []N{}, PageInfo: PageInfo{HasNextPage: new(false), HasPreviousPage: new(false)}}
	if item != nil {
		list.Nodes, list.Cursors = []N{*item}, []string{""}
	}
	list.TotalCount, *into = new(len(list.Nodes)), list
}

func readPageInfo(s *scan.Scanner, info *PageInfo) {
	for s.Object(); s.Member(); {
		switch string(s.Name) {
		case "hasNextPage":
			api.ReadOptional(s, &info.HasNextPage, api.ReadBool)
		case "endCursor":
			api.ReadText(s, &info.EndCursor)
		case "hasPreviousPage":
			api.ReadOptional(s, &info.HasPreviousPage, api.ReadBool)
		case "startCursor":
			api.ReadText(s, &info.StartCursor)
		default:
			s.Skip()
		}
	}
}

// readItems reads an array of records without nulls.
func readItems[T any](s *scan.Scanner, into *[]T, read func(*scan.Scanner, *T)) {
	api.ReadList(s, into, func(s *scan.Scanner, item *T) {
		if s.Peek() == 'n' {
			s.Fail(scan.Unreadable, s.Mark().At, nil)
		}
		read(s, item)
	})
}

// variantSize is the room that a record behind an interface takes.
const variantSize = 256

// readVariant reads an interface with the function read, which chooses the type by its name. If the name does not come
// first, it is looked up. If there is another name later, which counts, the value is read again.
func readVariant[I interface{ GetTypename() string }](
	s *scan.Scanner, into *I, read func(s *scan.Scanner, typename string) I,
) {
	*into = *new(I)
	from := s.Mark()
	switch {
	case s.Null():
		return
	case !api.TakeRoom(&s.Room, variantSize):
		s.Fail(scan.Large, from.At, nil)
		return
	}
	name := ""
	if s.Object(); s.Member() && string(s.Name) == "__typename" && s.Peek() == '"' {
		name = s.Text()
	}
	if s.Fault.Reason != 0 {
		return
	}
	s.Rewind(from)
	if name == "" {
		name = readTypename(s)
		s.Rewind(from)
	}
	record := read(s, name)
	if s.Fault.Reason == 0 && record.GetTypename() != name {
		s.Rewind(from)
		name = readTypename(s)
		s.Rewind(from)
		record = read(s, name)
	}
	*into = record
}

// readTypename reads an object, and returns the name of its type, or "" if it has none.
func readTypename(s *scan.Scanner) (name string) {
	for s.Object(); s.Member(); {
		if string(s.Name) != "__typename" {
			s.Skip()
		} else if name = ""; s.Peek() == '"' {
			name = s.Text()
		} else {
			s.Skip()
		}
	}
	return name
}

// readRaw returns the JSON of the record that was read from a position on.
func readRaw(s *scan.Scanner, from scan.Mark) json.RawMessage {
	if s.Fault.Reason != 0 {
		return nil
	}
	s.Rewind(from)
	text := s.Raw()
	if s.IsDeep() {
		s.Fail(scan.Deep, from.At, nil)
	}
	return bytes.Clone(api.Repaired(text))
}

// made returns the value for an object, or nil for a null.
func made[T any](s *scan.Scanner, into **T) *T {
	if s.Null() {
		*into = nil
	} else if *into == nil {
		*into = new(T)
	}
	return *into
}
