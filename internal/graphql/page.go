package graphql

// Window contains the variables that select a page of a connection: the first items after a cursor.
type Window struct {
	First int    `json:"first,omitzero"`
	After string `json:"after,omitzero"`
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
	// Lost is the number of unreadable and missing items.
	Lost int
	// fault describes the first lost item, or else the first value that was read as zero.
	fault string
}

// PageInfo describes the page after a page. HasNextPage is nil if the service omits it.
type PageInfo struct {
	HasNextPage *bool
	EndCursor   string
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
	switch {
	case l.Lost > 1:
		return malformed("%s, and %d more are missing", l.fault, l.Lost-1)
	case l.fault != "":
		return malformed("%s", l.fault)
	case l.Nodes == nil:
		return malformed("the list has no edges")
	case l.PageInfo.HasNextPage == nil:
		return malformed("the list has no pageInfo.hasNextPage, so that the next page is unknown")
	case *l.PageInfo.HasNextPage && l.Next() == "":
		return malformed("there is a next page, but no cursor for it")
	}
	return nil
}
