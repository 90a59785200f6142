package graphql

import (
	"fmt"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// Window contains the variables that select a page of a connection: the first items after a cursor, or the last items
// before one.
type Window struct {
	First  *int    `json:"first,omitzero"`
	After  *string `json:"after,omitzero"`
	Last   *int    `json:"last,omitzero"`
	Before *string `json:"before,omitzero"`
}

// WindowAt returns the window of the items after a cursor, or before it if backward is set. An empty cursor means the
// beginning, or the end if backward is set.
func WindowAt(cursor string, size int, backward bool) Window {
	var at *string
	if cursor != "" {
		at = &cursor
	}
	if backward {
		return Window{Last: &size, Before: at}
	}
	return Window{First: &size, After: at}
}

// SetWindow selects another page.
func (w *Window) SetWindow(to Window) { *w = to }

// Paged is a query for a page of a connection.
type Paged[R any] interface {
	Query[R]
	SetWindow(to Window)
}

// List is a page of a connection.
type List[N any] struct {
	// Nodes are the items that were read, or nil if the response has no edges.
	Nodes []N
	// Cursors are the cursors of the edges. An edge without an item still has a cursor.
	Cursors    []string
	PageInfo   PageInfo
	TotalCount *int
	// Reversed is set if the page was reversed.
	Reversed bool
	// Lost is the number of unreadable and missing items.
	Lost int

	// The first lost item: its index and fault, and the body, in which the fault is.
	index int
	first scan.Fault
	text  []byte
}

// PageInfo describes the pages before and after a page. HasNextPage and HasPreviousPage are nil if the service omits
// them.
type PageInfo struct {
	HasNextPage     *bool
	EndCursor       *string
	HasPreviousPage *bool
	StartCursor     *string
}

// Reverse reverses a page that was requested backward, so that it reads like any other: the last item comes first, and
// the previous page becomes the next one.
func (l *List[N]) Reverse() {
	if l == nil {
		return
	}
	slices.Reverse(l.Nodes)
	slices.Reverse(l.Cursors)
	info := &l.PageInfo
	info.HasNextPage, info.HasPreviousPage = info.HasPreviousPage, info.HasNextPage
	info.EndCursor, info.StartCursor = info.StartCursor, info.EndCursor
	l.Reversed = !l.Reversed
}

// firstLost describes the first lost item in the response.
func (l *List[N]) firstLost() string {
	switch {
	case l.first.Reason != 0:
		return reply.Describe(l.text, l.first).Detail
	case l.first.At >= 0:
		place, _ := reply.Locate(l.text, l.first.At)
		return fmt.Sprintf("a null instead of an item at %q", place)
	}
	return fmt.Sprintf("edge %d of the list has no node", l.index)
}

// Next returns the cursor of the next page, or "" if there is none.
func (l *List[N]) Next() string {
	if l.PageInfo.HasNextPage == nil || !*l.PageInfo.HasNextPage {
		return ""
	}
	if l.PageInfo.EndCursor != nil && *l.PageInfo.EndCursor != "" {
		return *l.PageInfo.EndCursor
	}
	if len(l.Cursors) > 0 {
		return l.Cursors[len(l.Cursors)-1]
	}
	return ""
}

// Missing describes the first part of the list that the schema requires and the response lacks, or returns "".
func (l *List[N]) Missing() string {
	ahead, said := "next", "pageInfo.hasNextPage"
	if l.Reversed {
		ahead, said = "previous", "pageInfo.hasPreviousPage"
	}
	switch {
	case l.Lost == 1, l.first.Reason != 0 && l.Lost == 0:
		return l.firstLost()
	case l.Lost > 1:
		return fmt.Sprintf("%s, and %d more are missing", l.firstLost(), l.Lost-1)
	case l.Nodes == nil:
		return "the list has no edges"
	case l.PageInfo.HasNextPage == nil:
		return "the list has no " + said + ", so that the " + ahead + " page is unknown"
	case *l.PageInfo.HasNextPage && l.Next() == "":
		return "there is a " + ahead + " page, but no cursor for it"
	}
	return ""
}

// ListOf returns a complete listing of one item, or an empty one if item is nil.
func ListOf[N any](item *N) *List[N] {
	l := &List[N]{Nodes: []N{}, TotalCount: new(0),
		PageInfo: PageInfo{HasNextPage: new(false), HasPreviousPage: new(false)}}
	if item != nil {
		l.Nodes, l.Cursors = []N{*item}, []string{""}
		*l.TotalCount = 1
	}
	return l
}
