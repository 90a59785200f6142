package graphql

import (
	"strconv"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// The functions of this file are called by the generated decoders, like those in package api.

// readList reads a page of a connection if no part is missing.
func readList[N any](s *scan.Scanner, into **List[N], node func(*scan.Scanner, *N)) {
	if s.Null() {
		return
	}
	list := made(into)
	var names scan.FieldSet
	for s.Object(); s.Member(); {
		switch string(s.Name) {
		case "edges":
			readItems(s.Field(&names, 0), &list.Nodes, func(s *scan.Scanner, into *N) {
				list.Cursors = append(list.Cursors, readEdge(s, into, node))
			})
		case "pageInfo":
			readPageInfo(s.Field(&names, 1), &list.PageInfo)
		case "totalCount":
			api.ReadOptional(s.Field(&names, 2), &list.TotalCount, api.ReadInt)
		default:
			s.Skip()
		}
	}
	list.Whole = list.Nodes != nil
}

// readEdge reads an edge, and returns its cursor.
func readEdge[N any](s *scan.Scanner, into *N, node func(*scan.Scanner, *N)) (cursor string) {
	var names scan.FieldSet
	for s.Object(); s.Member(); {
		switch string(s.Name) {
		case "cursor":
			api.ReadText(s.Field(&names, 0), &cursor)
		case "node":
			given(s.Field(&names, 1), into, node)
		default:
			s.Skip()
		}
	}
	if !names.Has(1) {
		s.Fail()
	}
	return cursor
}

func readPageInfo(s *scan.Scanner, info *PageInfo) {
	var names scan.FieldSet
	for s.Object(); s.Member(); {
		switch string(s.Name) {
		case "hasNextPage":
			api.ReadOptional(s.Field(&names, 0), &info.HasNextPage, api.ReadBool)
		case "endCursor":
			api.ReadOptionalText(s.Field(&names, 1), &info.EndCursor)
		case "hasPreviousPage":
			api.ReadOptional(s.Field(&names, 2), &info.HasPreviousPage, api.ReadBool)
		case "startCursor":
			api.ReadOptionalText(s.Field(&names, 3), &info.StartCursor)
		default:
			s.Skip()
		}
	}
}

// readItems reads an array without nulls.
func readItems[T any](s *scan.Scanner, into *[]T, read func(*scan.Scanner, *T)) {
	api.ReadList(s, into, func(s *scan.Scanner, item *T) { given(s, item, read) })
}

// given reads a value that must not be null.
func given[T any](s *scan.Scanner, into *T, read func(*scan.Scanner, *T)) {
	if s.Peek() == 'n' {
		s.Fail()
	}
	read(s, into)
}

// typename reads the beginning of an object and the name of its type.
func typename(s *scan.Scanner) string {
	if s.Object(); !s.Member() || string(s.Name) != "__typename" {
		s.Fail()
	}
	return s.Text()
}

func readFloat(s *scan.Scanner, into *float64) {
	if s.Null() {
		return
	}
	value, err := strconv.ParseFloat(string(s.Number()), 64)
	if err != nil {
		s.Fail()
	}
	*into = value
}

// made allocates a value and returns it.
func made[T any](into **T) *T {
	*into = new(T)
	return *into
}
