package rpcfleet

import (
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
	return &Connection[T]{operation: "a connection of NewConnection", fetch: fetch}
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

// connect makes a connection from a query. If a list is missing from the response, it does not exist.
func connect[T any, R graphql.Found[*graphql.List[T]]](
	s *GraphService, chain graph.Chain, q graphql.Paged[R], opts []CallOption, checks ...*ValidationError,
) *Connection[T] {
	return connectWith(s, chain, q, func(_ *response, data R) (*graphql.List[T], error) {
		list, _ := data.Found()
		return list, nil
	}, opts, checks...)
}

// connectWith is connect with a function that finds the list in the data.
func connectWith[T, R any](
	s *GraphService, chain graph.Chain, q graphql.Paged[R], find func(r *response, data R) (*graphql.List[T], error),
	opts []CallOption, checks ...*ValidationError,
) *Connection[T] {
	q = deepCopy(q)
	fetch := func(ctx context.Context, cursor string, backward bool) (*Page[T], error) {
		settings, _ := orNew(s).engine.settings(opts)
		page := deepCopy(q)
		page.SetWindow(graphql.WindowAt(cursor, settings.pageSize, backward))
		read := func(r *response, data R) (*Page[T], error) {
			list, err := find(r, data)
			if err != nil {
				return nil, err
			}
			return pageOf(r, list, backward)
		}
		return readGraph(ctx, s.call(chain, page, opts, checks...), page.Response(), read)
	}
	settings, _ := orNew(s).engine.settings(opts)
	return &Connection[T]{ahead: settings.pagesAhead(), operation: q.Operation().ID, fetch: fetch}
}

// QueryConnection makes a [Connection] from a listing in your own query, with nodes of type T, decoded as in
// [graph.Query]. The path locates it in the data by fields or their aliases: "ethereum.collection.wallets". The query
// takes the cursor in $after and, unless it fixes the page size, the size in $first; for Before, $before and $last, and
// it requests hasPreviousPage and startCursor. The other variables are a map, a record or nil. If the response lacks a
// field for paging, the error is a [*DecodeError].
func QueryConnection[T any](s *GraphService, query string, variables any, path string,
	opts ...CallOption) *Connection[T] {
	given, violation := writeVariables(variables)
	op := s.operation(&genqlient.Request{Query: query})
	steps := strings.Split(path, ".")
	fetch := func(ctx context.Context, cursor string, backward bool) (*Page[T], error) {
		settings, _ := orNew(s).engine.settings(opts)
		sent, rejected := withWindow(given, query, cursor, settings.pageSize, backward)
		made := orNew(s).engine.newCall(graphql.GraphBody{Query: query, Variables: sent}.To(op), opts, required("query", query), isPath(steps),
			violation, rejected)
		made.own = true
		read := func(r *response, data *graphql.Located[T]) (*Page[T], error) {
			return pageOf(r, data.List, backward)
		}
		return readGraph(ctx, made, &graphql.Located[T]{Path: steps}, read)
	}
	settings, _ := orNew(s).engine.settings(opts)
	return &Connection[T]{ahead: settings.pagesAhead(), operation: op.ID, fetch: fetch}
}

// withWindow adds the paging variables that the query takes.
func withWindow(given any, query, cursor string, pageSize int, backward bool) (any, *ValidationError) {
	variables := map[string]json.RawMessage{}
	if text, ok := given.(json.RawMessage); ok && json.Unmarshal(text, &variables) != nil {
		return nil, &ValidationError{Field: "variables", Rule: "must be a map or a record", always: true}
	}
	if variables == nil { // A null.
		variables = map[string]json.RawMessage{}
	}
	for _, name := range []string{"after", "before"} {
		if _, set := variables[name]; set {
			return nil, &ValidationError{Field: "variables", Rule: "must not have " + name + ": the connection sets it",
				always: true}
		}
	}
	at, size := "after", "first"
	if backward {
		at, size = "before", "last"
	}
	taken := graphql.Variables(query)
	if !slices.Contains(taken, at) {
		return nil, &ValidationError{Field: "query", Rule: "must take the cursor of a page in the variable $" + at,
			always: true}
	}
	if _, set := variables[size]; !set && slices.Contains(taken, size) {
		variables[size], _ = json.Marshal(pageSize) // An integer cannot fail to encode.
	}
	if cursor != "" {
		variables[at], _ = json.Marshal(cursor) // Nor can a string.
	}
	return variables, nil
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
