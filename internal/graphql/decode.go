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
	api.ReadOptional(s, into, func(s *scan.Scanner, list *List[N]) {
		for s.Open('{'); s.Member(); {
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
	})
}

// readEdges reads the edges of a page. An unreadable or missing item does not fail the others, nor an unreadable value
// its item.
func (l *List[N]) readEdges(s *scan.Scanner, node func(*scan.Scanner, *N)) {
	var lost []int
	l.Cursors, l.fault = nil, ""
	api.ReadList(s, &l.Nodes, func(s *scan.Scanner, into *N) {
		i := len(l.Cursors)
		l.Cursors = append(l.Cursors, "")
		fault := readEdge(s, &l.Cursors[i], into, node)
		if fault.Reason == 0 {
			return
		}
		if lost = append(lost, i); len(lost) > 1 {
			return
		}
		if l.fault = fmt.Sprintf("edge %d of the list has no node", i); fault.At >= 0 {
			l.fault = reply.Describe(s.Data, fault).Detail
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

// readEdge reads an edge. If it or its node is null, missing or unreadable, it is skipped, and readEdge returns the
// fault.
func readEdge[N any](s *scan.Scanner, cursor *string, into *N, node func(*scan.Scanner, *N)) scan.Fault {
	edge := s.Mark
	fault := scan.Fault{Reason: scan.Unreadable, At: -1} // There is no node.
	for s.Open('{'); s.Member(); {
		switch from := s.Mark; string(s.Name) {
		case "cursor":
			api.ReadText(s, cursor)
		case "node":
			if s.Null() {
				fault = scan.Fault{Reason: scan.Unreadable, At: from.At}
				break
			}
			s.Mend = true
			node(s, into)
			s.Mend = false
			fault = s.Recover(from)
		default:
			s.Skip()
		}
	}
	if s.Fault.Reason != 0 { // The edge itself is not readable.
		fault = s.Recover(edge)
	}
	return fault
}

// readSingle reads a record as a whole listing of one item, or a null as an empty one.
func readSingle[N any](s *scan.Scanner, into **List[N], node func(*scan.Scanner, *N)) {
	var item *N
	api.ReadOptional(s, &item, node)
	list := &List[N]{Nodes: []N{}, PageInfo: PageInfo{HasNextPage: new(false)}}
	if item != nil {
		list.Nodes, list.Cursors = []N{*item}, []string{""}
	}
	list.TotalCount, *into = new(len(list.Nodes)), list
}

func readPageInfo(s *scan.Scanner, info *PageInfo) {
	for s.Open('{'); s.Member(); {
		switch string(s.Name) {
		case "hasNextPage":
			api.ReadOptional(s, &info.HasNextPage, api.ReadBool)
		case "endCursor":
			api.ReadText(s, &info.EndCursor)
		default:
			s.Skip()
		}
	}
}

// variantSize is the room that a record behind an interface takes.
const variantSize = 256

// readVariant reads an interface with the function read, which chooses the type by its name. The name is usually the
// first field.
func readVariant[I any](s *scan.Scanner, into *I, read func(s *scan.Scanner, typename string) I) {
	*into = *new(I)
	if s.Null() || !s.Take(variantSize) {
		return
	}
	from, name := s.Mark, ""
	for s.Open('{'); name == "" && s.Member(); {
		if string(s.Name) == "__typename" {
			name = readStep(s)
		} else {
			s.Skip()
		}
	}
	if s.Fault.Reason == 0 {
		s.Rewind(from)
		*into = read(s, name)
	}
}

// readRaw returns the JSON of the record that was read from a position on.
func readRaw(s *scan.Scanner, from scan.Mark) json.RawMessage {
	if s.Fault.Reason != 0 {
		return nil
	}
	s.Rewind(from)
	text, deep := s.Raw()
	if deep {
		s.Fail(scan.Deep, from.At)
	}
	return bytes.Clone(api.Repaired(text))
}
