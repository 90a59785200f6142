package graphql

import "slices"

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

// Paged are the variables of a query for a page of a connection.
type Paged[N any] interface {
	Variables[*List[N]]
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
	// fault describes the first lost item, or else the first value that was read as zero.
	fault string
}

// PageInfo describes the pages before and after a page. HasNextPage and HasPreviousPage are nil if the service omits
// them.
type PageInfo struct {
	HasNextPage, HasPreviousPage *bool
	EndCursor, StartCursor       string
}

// Reverse reverses a page that was requested backward, so that it reads like any other: the last item comes first, and
// the previous page becomes the next one.
func (l *List[N]) Reverse() {
	slices.Reverse(l.Nodes)
	slices.Reverse(l.Cursors)
	info := &l.PageInfo
	info.HasNextPage, info.HasPreviousPage = info.HasPreviousPage, info.HasNextPage
	info.EndCursor, info.StartCursor = info.StartCursor, info.EndCursor
	l.Reversed = !l.Reversed
}

// Next returns the cursor of the next page, or "" if there is none.
func (l *List[N]) Next() string {
	switch info := l.PageInfo; {
	case info.HasNextPage == nil || !*info.HasNextPage:
		return ""
	case info.EndCursor != "" || len(l.Cursors) == 0:
		return info.EndCursor
	}
	return l.Cursors[len(l.Cursors)-1]
}

// Check returns an error for the first part of the list that the schema requires and the response lacks.
func (l *List[N]) Check() error {
	ahead, said := "next", "pageInfo.hasNextPage"
	if l.Reversed {
		ahead, said = "previous", "pageInfo.hasPreviousPage"
	}
	switch {
	case l.Lost > 1:
		return malformed("%s, and %d more are missing", l.fault, l.Lost-1)
	case l.fault != "":
		return malformed("%s", l.fault)
	case l.Nodes == nil:
		return malformed("the list has no edges")
	case l.PageInfo.HasNextPage == nil:
		return malformed("the list has no %s, so that the %s page is unknown", said, ahead)
	case *l.PageInfo.HasNextPage && l.Next() == "":
		return malformed("there is a %s page, but no cursor for it", ahead)
	}
	return nil
}
