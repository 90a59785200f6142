package rpcfleet

import (
	"cmp"
	"context"
	"iter"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
)

// Connection is a listing of the graph area. A nil or zero one yields an error. Each use begins anew, with
// [WithPageSize] items per request.
type Connection[T any] struct {
	start     string
	settings  *callSettings // The settings of an iteration.
	operation string        // The id of the query.
	fetch     func(ctx context.Context, cursor string) (*Page[T], error)
}

// After returns the connection from a NextCursor or a [PageError]'s Cursor on.
func (c *Connection[T]) After(cursor string) *Connection[T] {
	after := *orNew(c)
	after.start = cursor
	return &after
}

// Page returns the first page. If a part of it failed, the rest is returned with an [*Error] with the message, or a
// [*DecodeError] with the location.
func (c *Connection[T]) Page(ctx context.Context) (*Page[T], error) {
	c = orNew(c)
	return c.read(ctx, c.start)
}

// Pages iterates over the listing page by page. An error is a [*PageError]; After with its cursor begins with the whole
// failed page. If a part of a page failed, the rest is delivered with the error, and the loop may continue. If pages
// overlap, an item whose cursor was among the last 10,000 is omitted.
func (c *Connection[T]) Pages(ctx context.Context) iter.Seq2[*Page[T], error] {
	c = orNew(c)
	return cursorPages(ctx, c.settings, cursorPosition[T]{operation: c.operation, cursor: c.start}, c.read)
}

// All iterates over every item. The error of a part follows the page's items.
func (c *Connection[T]) All(ctx context.Context) iter.Seq2[T, error] { return itemsOf(c.Pages(ctx)) }

// read requests the page after a cursor.
func (c *Connection[T]) read(ctx context.Context, cursor string) (*Page[T], error) {
	if c.fetch == nil {
		return nil, &ValidationError{Field: "connection", Rule: "must be from a method of the Graph service"}
	}
	page, err := c.fetch(ctx, cursor)
	if page != nil {
		page.Cursor = cursor
	}
	return page, err
}

// connect makes a connection from a query.
func connect[T any](s *GraphService, chain graph.Chain, variables graphql.Paged[T], opts []CallOption,
	checks ...*ValidationError) *Connection[T] {
	variables = deepCopy(variables)
	fetch := func(ctx context.Context, cursor string) (*Page[T], error) {
		page := deepCopy(variables)
		query := page.Query()
		c := newGraphCall(s, chain, page, query, opts, checks)
		page.SetWindow(graphql.Window{First: c.settings.pageSize, After: cursor})
		return fetchGraphPage(ctx, c, query)
	}
	return &Connection[T]{settings: s.settings(opts), operation: variables.Query().Operation.ID, fetch: fetch}
}

// fetchGraphPage executes a call and makes a page from the list in its response. If the list lacks a part that the
// schema promises, the page is returned with an error that names the first missing part. Without the error, a list that
// lacks its page info would pass for the whole listing.
func fetchGraphPage[T any](
	ctx context.Context, c *call, query *graphql.Query[*graphql.List[T]],
) (page *Page[T], err error) {
	err = c.sendGraph(ctx, query, func(r *response) error {
		list, err := query.Found()
		if err != nil {
			return err
		}
		next := list.Next()
		if err := r.checkCursors(append([]string{next}, list.Cursors...)...); err != nil {
			return err
		}
		page = &Page[T]{
			Total: *cmp.Or(list.TotalCount, new(-1)), Items: list.Nodes, ids: list.Cursors, NextCursor: next,
		}
		return list.Check()
	})
	return page, err
}
