package graphql

import (
	"fmt"
	"slices"
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
	// Nodes and Cursors are the nodes and cursors of the edges if the generated decoders have read the list. Whole is set
	// then. Otherwise Edges contains the edges, and one bad edge does not fail the others.
	Nodes      []N                `json:"-"`
	Cursors    []string           `json:"-"`
	Whole      bool               `json:"-"`
	Edges      []Element[Edge[N]] `json:"edges"`
	PageInfo   PageInfo           `json:"pageInfo"`
	TotalCount *int               `json:"totalCount"`
	// Reversed is set if the page was reversed.
	Reversed bool `json:"-"`
}

// PageInfo describes the pages before and after a page. HasNextPage and HasPreviousPage are nil if the service omits
// them.
type PageInfo struct {
	HasNextPage     *bool   `json:"hasNextPage"`
	EndCursor       *string `json:"endCursor"`
	HasPreviousPage *bool   `json:"hasPreviousPage"`
	StartCursor     *string `json:"startCursor"`
}

// Edge is an item of a connection and the cursor of the items after it.
type Edge[N any] struct {
	Cursor string     `json:"cursor"`
	Node   Element[N] `json:"node"`
}

// Reverse reverses a page that was requested backward, so that it reads like any other: the last item comes first, and
// the previous page becomes the next one.
func (l *List[N]) Reverse() {
	if l == nil {
		return
	}
	slices.Reverse(l.Edges)
	slices.Reverse(l.Nodes)
	slices.Reverse(l.Cursors)
	info := &l.PageInfo
	info.HasNextPage, info.HasPreviousPage = info.HasPreviousPage, info.HasNextPage
	info.EndCursor, info.StartCursor = info.StartCursor, info.EndCursor
	l.Reversed = !l.Reversed
}

// Lost counts unreadable or missing items of a page, and describes the first one.
type Lost struct {
	Count int
	First string
}

// Items returns the items of a page, and the cursors of its edges. An edge without an item still has a cursor.
func (l *List[N]) Items() (items []N, cursors []string, lost Lost) {
	switch {
	case l == nil:
		return nil, nil, lost
	case l.Whole:
		return l.Nodes, l.Cursors, lost
	}
	for i := range l.Edges {
		edge := &l.Edges[i]
		cursors = append(cursors, edge.Value.Cursor)
		if edge.Value.Node.Read {
			items = append(items, edge.Value.Node.Value)
			continue
		}
		if lost.Count++; lost.Count == 1 {
			lost.First = l.inPlaceOfItem(i)
		}
	}
	return items, cursors, lost
}

// inPlaceOfItem describes the edge that has no item.
func (l *List[N]) inPlaceOfItem(i int) string {
	edge := &l.Edges[i]
	fault, place := edge.Fault, edge.Place
	if edge.Read {
		fault, place = edge.Value.Node.Fault, edge.Value.Node.Place
	}
	switch {
	case fault != nil:
		return fault.Detail
	case place != "":
		return fmt.Sprintf("a null instead of an item at %q", place)
	case l.Reversed:
		i = len(l.Edges) - 1 - i // The index in the response.
	}
	return fmt.Sprintf("edge %d of the list has no node", i)
}

// Next returns the cursor of the next page, or "" if there is none.
func (l *List[N]) Next() string {
	if l.PageInfo.HasNextPage == nil || !*l.PageInfo.HasNextPage {
		return ""
	}
	if l.PageInfo.EndCursor != nil && *l.PageInfo.EndCursor != "" {
		return *l.PageInfo.EndCursor
	}
	if _, cursors, _ := l.Items(); len(cursors) > 0 {
		return cursors[len(cursors)-1]
	}
	return ""
}

// Missing describes the first part of the list that the schema requires and the response lacks, or returns "".
func (l *List[N]) Missing(lost Lost) string {
	ahead, said := "next", "pageInfo.hasNextPage"
	if l.Reversed {
		ahead, said = "previous", "pageInfo.hasPreviousPage"
	}
	switch {
	case lost.Count == 1:
		return lost.First
	case lost.Count > 1:
		return fmt.Sprintf("%s, and %d more are missing", lost.First, lost.Count-1)
	case !l.Whole && l.Edges == nil:
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
	l := &List[N]{Whole: true, TotalCount: new(0),
		PageInfo: PageInfo{HasNextPage: new(false), HasPreviousPage: new(false)}}
	if item != nil {
		l.Nodes, l.Cursors = []N{*item}, []string{""}
		*l.TotalCount = 1
	}
	return l
}
