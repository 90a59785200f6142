package rpcfleet

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"

	genqlient "github.com/Khan/genqlient/graphql"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
	"github.com/rpcfleet/rpcfleet-go/internal/queries"
)

// Connection is a listing of the graph area. Read it as a single page, page by page, or item by item. Nothing is sent
// until you call one of these methods, and each use begins anew. [WithPageSize], as an option of the call that made the
// connection, sets the number of items per request.
//
// A connection comes from a method of the [GraphService]. Any other connection, such as a nil one, yields only an
// error.
type Connection[T any] struct {
	start string
	// backward is set if the listing is read from its end.
	backward bool
	// ahead is the number of pages that may be fetched in advance.
	ahead int
	// operation is the id of the query.
	operation string
	// fetch requests the page after or before a cursor.
	fetch func(ctx context.Context, cursor string, backward bool) (*CursorPage[T], error)
}

// NewConnection returns a connection over these pages, for tests of code that takes one. The first page is read at the
// empty cursor, and every other one at the NextCursor of the page before it.
func NewConnection[T any](pages ...*CursorPage[T]) *Connection[T] {
	fetch := func(_ context.Context, cursor string, _ bool) (*CursorPage[T], error) {
		at := ""
		for _, page := range pages {
			if at == cursor {
				made := *page
				made.edges = []string{""} // Its items have no cursors to tell it from other pages.
				return &made, nil
			}
			at = page.NextCursor
		}
		return &CursorPage[T]{Cursor: cursor}, nil
	}
	return &Connection[T]{operation: "made by hand", fetch: fetch}
}

// After returns the connection from a cursor on: the NextCursor of a page or the Cursor of a [*PageError] of the same
// listing. An empty cursor is the beginning.
func (c *Connection[T]) After(cursor string) *Connection[T] {
	after := *orNothing(c)
	after.start, after.backward = cursor, false
	return &after
}

// Before returns the connection up to a cursor, read backward from there: the last items come first, both among pages
// and within each page. To continue further back, pass the NextCursor of such a page, or the Cursor of a [*PageError],
// to Before. An empty cursor is the end, so Before("") is the whole listing in reverse.
func (c *Connection[T]) Before(cursor string) *Connection[T] {
	before := *orNothing(c)
	before.start, before.backward = cursor, true
	return &before
}

// Page returns the first page. If a part of the page failed, the rest is returned with the error. A part failed if the
// response has errors beside the data, if an edge has no readable item, or if the page lacks its page info. The error
// is an [*Error] with the service's message or a [*DecodeError] with the location.
func (c *Connection[T]) Page(ctx context.Context) (*CursorPage[T], error) {
	c = orNothing(c)
	return c.read(ctx, c.start)
}

// Pages iterates over the listing page by page. It requests a page when the loop reaches it, or with [WithPrefetch]
// when the loop reaches the page before, and requests nothing after a break. An error is a [*PageError] with the cursor
// to resume from: After with that cursor begins with the whole failed page.
//
// If a part of a page failed, the rest is delivered with the error (see Page), and a loop that continues gets the pages
// after it. Resuming from the error's cursor returns the page again, including the items that were already delivered.
// If nothing of a page came, or the cursor of the next page is missing, the iteration ends with the error.
func (c *Connection[T]) Pages(ctx context.Context) iter.Seq2[*CursorPage[T], error] {
	c = orNothing(c)
	return cursorPages(ctx, c.ahead, cursorPosition[T]{operation: c.operation, cursor: c.start}, c.read)
}

// All iterates over every item. If a part of a page failed, the error comes after the items of that page, and a loop
// that continues gets the rest of the listing. See Pages.
//
//	for nft, err := range client.Graph.CollectionNFTs(graph.ChainEthereum, address).All(ctx) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(nft.GetTokenID(), nft.GetName())
//	}
func (c *Connection[T]) All(ctx context.Context) iter.Seq2[T, error] { return items(c.Pages(ctx)) }

// read requests the page at a cursor, in the connection's direction.
func (c *Connection[T]) read(ctx context.Context, cursor string) (*CursorPage[T], error) {
	if c.fetch == nil {
		return nil, &ValidationError{Field: "connection", Rule: "must come from a method of the Graph service"}
	}
	page, err := c.fetch(ctx, cursor, c.backward)
	if page != nil {
		page.Cursor = cursor
	}
	return page, err
}

// connect makes a connection from a query. If a list is missing from the response, it does not exist.
func connect[T any, R queries.Found[*queries.List[T]]](
	s *GraphService, chain graph.Chain, q queries.Paged[R], opts []CallOption, checks ...*ValidationError,
) *Connection[T] {
	return connectWith(s, chain, q, func(_ *response, data R) (*queries.List[T], error) {
		list, _ := data.Found()
		return list, nil
	}, opts, checks...)
}

// connectWith is connect with a function that finds the list in the data.
func connectWith[T, R any](
	s *GraphService, chain graph.Chain, q queries.Paged[R], find func(r *response, data R) (*queries.List[T], error),
	opts []CallOption, checks ...*ValidationError,
) *Connection[T] {
	q = deepCopy(q)
	fetch := func(ctx context.Context, cursor string, backward bool) (*CursorPage[T], error) {
		c, page := s.engine.with(opts), deepCopy(q)
		page.SetWindow(queries.WindowAt(cursor, c.settings.pageSize, backward))
		read := func(r *response, data R) (*CursorPage[T], error) {
			list, err := find(r, data)
			if err != nil {
				return nil, err
			}
			return pageOf(r, list, backward)
		}
		return readGraph(ctx, s.call(chain, page, c, checks...), page.Response(), read)
	}
	return &Connection[T]{ahead: s.engine.with(opts).settings.pagesAhead(), operation: q.Operation().ID, fetch: fetch}
}

// QueryConnection makes a [Connection] from a listing in your own query, with nodes of type T. The path locates the
// listing in the data of a response: names of fields, or their aliases, separated by dots.
//
//	const query = `query Holders($address: String!, $first: Int, $after: String) {
//		ethereum { collection(contractAddress: $address) { wallets(first: $first, after: $after) {
//			edges { cursor node { address ensName } }
//			pageInfo { hasNextPage endCursor }
//		} } }
//	}`
//	holders := rpcfleet.QueryConnection[graph.Wallet](client.Graph, query,
//		map[string]any{"address": address}, "ethereum.collection.wallets")
//	for holder, err := range holders.All(ctx) {
//
// The query takes the cursor of a page in its variable $after, and the page size in $first unless the query fixes the
// size. If you read with Before, the query takes them in $before and $last, and requests hasPreviousPage and
// startCursor. The other variables are a map, a record or nil; if they contain $first or $last, it is the page size.
// See [graph.Query] for the decoding of T.
//
// A null on the path is [ErrNotFound]. If the response lacks the fields that paging needs, because the query did not
// request them, the error is a [*DecodeError], so that no listing ends early without an error. The items that came are
// returned with it, see [Connection.Page].
func QueryConnection[T any](s *GraphService, query string, variables any, path string,
	opts ...CallOption) *Connection[T] {
	if s == nil {
		return new(Connection[T]) // Its methods return an error.
	}
	given, broken := writeVariables(variables)
	op := s.operation(&genqlient.Request{Query: query})
	steps := strings.Split(path, ".")
	fetch := func(ctx context.Context, cursor string, backward bool) (*CursorPage[T], error) {
		c := s.engine.with(opts)
		w := queries.WindowAt(cursor, c.settings.pageSize, backward)
		sent, refused := withWindow(given, w, query)
		if broken != nil {
			refused = broken
		}
		made := c.call(queries.GraphBody{Query: query, Variables: sent}.To(op), required("query", query), isPath(steps),
			refused)
		made.own, made.keepsBody = true, true // The caller's unmarshalers may keep the bytes.
		data := &graphql.Located[*queries.List[T]]{Path: steps}
		return readGraph(ctx, made, data, func(r *response, _ *graphql.Located[*queries.List[T]]) (*CursorPage[T], error) {
			return pageOf(r, data.Value, backward)
		})
	}
	return &Connection[T]{ahead: s.engine.with(opts).settings.pagesAhead(), operation: op.ID, fetch: fetch}
}

// withWindow adds the paging variables that the query takes.
func withWindow(given any, w queries.Window, query string) (any, *ValidationError) {
	variables := map[string]json.RawMessage{}
	if text, ok := given.(json.RawMessage); ok && json.Unmarshal(text, &variables) != nil {
		return nil, &ValidationError{Field: "variables", Rule: "must be a map or a record", always: true}
	}
	if variables == nil { // A null.
		variables = map[string]json.RawMessage{}
	}
	taken := graphql.Variables(query)
	at, size, cursor, count := "after", "first", w.After, w.First
	if w.Last != nil {
		at, size, cursor, count = "before", "last", w.Before, w.Last
	}
	for _, name := range []string{"after", "before"} {
		if _, set := variables[name]; set {
			return nil, &ValidationError{Field: "variables", Rule: "must not have " + name + ": the connection sets it",
				always: true}
		}
	}
	if !slices.Contains(taken, at) {
		return nil, &ValidationError{Field: "query", Rule: "must take the cursor of a page in the variable $" + at,
			always: true}
	}
	if _, set := variables[size]; !set && slices.Contains(taken, size) {
		variables[size], _ = json.Marshal(count) // An integer cannot fail to encode.
	}
	if cursor != nil {
		variables[at], _ = json.Marshal(cursor) // Nor can a string.
	}
	return variables, nil
}

// isPath checks the names of a path.
func isPath(steps []string) *ValidationError {
	for _, name := range steps {
		if !queries.IsName(name) {
			return &ValidationError{Field: "path", Rule: "must be names of fields with dots between them",
				Value: strings.Join(steps, "."), always: true}
		}
	}
	return nil
}
