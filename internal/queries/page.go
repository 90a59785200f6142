package queries

import (
	"slices"

	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
)

// Window are the variables that select a page of a connection: the first items after a cursor, or the last ones before
// one.
type Window struct {
	First  *int    `json:"first,omitzero"`
	After  *string `json:"after,omitzero"`
	Last   *int    `json:"last,omitzero"`
	Before *string `json:"before,omitzero"`
}

// WindowAt returns the window of the items after a cursor, or backward of those before it. An empty cursor stands for
// the beginning, or the end.
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

// List is a page of a connection. What is wrong with one edge is no fault of the others.
type List[N any] struct {
	Edges    []graphql.Element[Edge[N]] `json:"edges"`
	PageInfo struct {
		// HasNextPage and HasPreviousPage are nil where the service does not say it.
		HasNextPage     *bool   `json:"hasNextPage"`
		EndCursor       *string `json:"endCursor"`
		HasPreviousPage *bool   `json:"hasPreviousPage"`
		StartCursor     *string `json:"startCursor"`
	} `json:"pageInfo"`
	TotalCount *int `json:"totalCount"`
	// Reversed is set for a page that was turned around.
	Reversed bool `json:"-"`
}

// Edge is an item of a connection with the cursor to what comes after it.
type Edge[N any] struct {
	Cursor string             `json:"cursor"`
	Node   graphql.Element[N] `json:"node"`
}

// Reverse turns a page around that was asked for backward, so that it is read like any other: the last item comes
// first, and what came before the page comes next.
func (l *List[N]) Reverse() {
	if l == nil {
		return
	}
	slices.Reverse(l.Edges)
	info := &l.PageInfo
	info.HasNextPage, info.HasPreviousPage = info.HasPreviousPage, info.HasNextPage
	info.EndCursor, info.StartCursor = info.StartCursor, info.EndCursor
	l.Reversed = !l.Reversed
}

// Index returns the index that an edge had when the page came.
func (l *List[N]) Index(edge int) int {
	if l.Reversed {
		return len(l.Edges) - 1 - edge
	}
	return edge
}

// ListOf returns the whole listing of one item, or of none.
func ListOf[N any](item *N) *List[N] {
	l := &List[N]{Edges: []graphql.Element[Edge[N]]{}, TotalCount: new(0)}
	l.PageInfo.HasNextPage, l.PageInfo.HasPreviousPage = new(false), new(false)
	if item != nil {
		edge := Edge[N]{Node: graphql.Element[N]{Value: *item, Read: true}}
		l.Edges = append(l.Edges, graphql.Element[Edge[N]]{Value: edge, Read: true})
		*l.TotalCount = 1
	}
	return l
}
