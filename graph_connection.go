package rpcfleet

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strconv"
	"strings"

	genqlient "github.com/Khan/genqlient/graphql"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
)

// Connection is a listing of the graph area, from [GraphService], [QueryConnection] or [NewConnection]. A nil or zero
// one yields an error. Each use begins anew, with [WithPageSize] items per request.
type Connection[T any] struct {
	start string
	// backward is set if the listing is read from its end.
	backward bool
	// ahead is the number of pages that may be fetched in advance.
	ahead int
	// operation is the id of the query.
	operation string
	// fetch requests the page after or before a cursor.
	fetch func(ctx context.Context, cursor string, backward bool) (*Page[T], error)
}

// NewConnection pages over items, for tests. A cursor is the index of an item.
func NewConnection[T any](items []T, pageSize int) *Connection[T] {
	items = slices.Clone(items)
	fetch := func(ctx context.Context, cursor string, backward bool) (*Page[T], error) {
		if violation := atLeast("page size", pageSize, 1); violation != nil {
			return nil, violation
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		at, step := -1, 1
		if backward {
			at, step = len(items), -1
		}
		if cursor != "" {
			var err error
			if at, err = strconv.Atoi(cursor); err != nil || at < 0 || at >= len(items) {
				return nil, &ValidationError{Field: "cursor", Rule: "must be a cursor of this connection"}
			}
		}
		page := &Page[T]{Total: len(items)}
		for at += step; at >= 0 && at < len(items) && len(page.Items) < pageSize; at += step {
			page.Items, page.ids = append(page.Items, items[at]), append(page.ids, strconv.Itoa(at))
		}
		if at >= 0 && at < len(items) {
			page.NextCursor = page.ids[len(page.ids)-1]
		}
		return page, nil
	}
	return &Connection[T]{fetch: fetch} // Its pages do not repeat, so no error names an operation.
}

// After returns the connection from a NextCursor or a [PageError]'s Cursor on.
func (c *Connection[T]) After(cursor string) *Connection[T] {
	after := *orNew(c)
	after.start, after.backward = cursor, false
	return &after
}

// Before returns the connection up to a cursor, read backward: the last items come first, and NextCursor leads further
// back. An empty cursor is the end.
func (c *Connection[T]) Before(cursor string) *Connection[T] {
	before := *orNew(c)
	before.start, before.backward = cursor, true
	return &before
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
	return cursorPages(ctx, c.ahead, cursorPosition[T]{operation: c.operation, cursor: c.start}, c.read)
}

// All iterates over every item. The error of a part follows the page's items.
func (c *Connection[T]) All(ctx context.Context) iter.Seq2[T, error] { return itemsOf(c.Pages(ctx)) }

// read requests the page at a cursor, in the connection's direction.
func (c *Connection[T]) read(ctx context.Context, cursor string) (*Page[T], error) {
	if c.fetch == nil {
		return nil, &ValidationError{Field: "connection", Rule: "must be from a method of the Graph service or NewConnection"}
	}
	page, err := c.fetch(ctx, cursor, c.backward)
	if page != nil {
		page.Cursor = cursor
	}
	return page, err
}

// connect makes a connection from a query.
func connect[T any](s *GraphService, chain graph.Chain, variables graphql.Paged[T], opts []CallOption,
	checks ...*ValidationError) *Connection[T] {
	return connectChecked(s, chain, variables, (*graphql.List[T]).Check, opts, checks)
}

// connectChecked is connect with a check of each page.
func connectChecked[T any](s *GraphService, chain graph.Chain, variables graphql.Paged[T],
	check func(*graphql.List[T]) error, opts []CallOption, checks []*ValidationError) *Connection[T] {
	variables = deepCopy(variables)
	fetch := func(ctx context.Context, cursor string, backward bool) (*Page[T], error) {
		page := deepCopy(variables)
		query := page.Query()
		c := newGraphCall(s, chain, page, query, opts, checks)
		page.SetWindow(graphql.WindowAt(cursor, c.settings.pageSize, backward))
		return fetchGraphPage(ctx, c, query, check, backward)
	}
	id := variables.Query().Operation.ID
	return &Connection[T]{ahead: s.settings(opts).pagesAhead(), operation: id, fetch: fetch}
}

// fetchGraphPage executes a call and makes a page from the list in its response. If the list lacks a part that the
// schema promises, the page is returned with an error that names the first missing part. Without the error, a list that
// lacks its page info would pass for the whole listing.
func fetchGraphPage[T any](ctx context.Context, c *call, query *graphql.Query[*graphql.List[T]],
	check func(*graphql.List[T]) error, backward bool) (page *Page[T], err error) {
	err = c.sendGraph(ctx, query, func(r *response) error {
		list, err := query.Found()
		if err != nil {
			return err
		}
		if backward {
			list.Reverse()
		}
		next := list.Next()
		if err := r.checkCursors(append([]string{next}, list.Cursors...)...); err != nil {
			return err
		}
		page = &Page[T]{
			Total: *cmp.Or(list.TotalCount, new(-1)), Items: list.Nodes, ids: list.Cursors, NextCursor: next,
		}
		return check(list)
	})
	return page, err
}

// QueryConnection makes a [Connection] from a listing in your own query, with nodes of type T, decoded as in
// [graph.Query]. The path locates it in the data by fields or their aliases: "ethereum.collection.wallets". The query
// takes the cursor in $after and, unless it fixes the page size, the size in $first; for Before, $before and $last, and
// it requests hasPreviousPage and startCursor. The other variables are a map, a record or nil. If the response lacks a
// field for paging, the error is a [*DecodeError].
func QueryConnection[T any](s *GraphService, query string, variables any, path string,
	opts ...CallOption) *Connection[T] {
	given, violation := fixedVariables(variables)
	op, taken := ownOperation(&genqlient.Request{Query: query}), graphql.VariableNames(query)
	steps := strings.Split(path, ".")
	fetch := func(ctx context.Context, cursor string, backward bool) (*Page[T], error) {
		at, size := "after", "first"
		if backward {
			at, size = "before", "last"
		}
		sent := map[string]any{}
		for name, value := range given {
			sent[name] = value
		}
		c := s.newOwnCall(op, graphql.GraphBody{Query: query, Variables: sent}, opts, isPath(steps), violation,
			takes(taken, at))
		if given[size] == nil && slices.Contains(taken, size) {
			sent[size] = c.settings.pageSize
		}
		if cursor != "" {
			sent[at] = cursor
		}
		return fetchGraphPage(ctx, c, graphql.OwnList[T](steps), (*graphql.List[T]).Check, backward)
	}
	return &Connection[T]{ahead: s.settings(opts).pagesAhead(), operation: op.ID, fetch: fetch}
}

// fixedVariables encodes the variables that are the same for all pages.
func fixedVariables(variables any) (fields map[string]json.RawMessage, _ *ValidationError) {
	text, violation := writeVariables(variables)
	if given, ok := text.(json.RawMessage); ok && json.Unmarshal(given, &fields) != nil {
		return nil, unusable("variables", "must be a map or a record")
	}
	for _, name := range []string{"after", "before"} {
		if _, set := fields[name]; set {
			return nil, unusable("variables", "must not have "+name+": the connection sets it")
		}
	}
	return fields, violation
}

// takes checks that a query takes the cursor of a page.
func takes(variables []string, cursor string) *ValidationError {
	if slices.Contains(variables, cursor) {
		return nil
	}
	return unusable("query", "must take the cursor of a page in the variable $"+cursor)
}

// isPath checks the names of a path.
func isPath(steps []string) *ValidationError {
	for _, name := range steps {
		if !graphql.IsName(name) {
			return &ValidationError{Field: "path", Rule: "must be field names separated by dots",
				Value: strings.Join(steps, "."), always: true}
		}
	}
	return nil
}
