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

// Connection is a listing of the graph area, to be read as one page, page by page, or item by item. Nothing is sent
// until one of these methods is used, and each use begins anew. [WithPageSize], as an option of the call that made it,
// sets how many items are asked for at a time.
//
// A connection comes from a method of the [GraphService]. Any other, such as a nil one, lists nothing but an error.
type Connection[T any] struct {
	start string
	// backward is set for a listing that is read from its end.
	backward bool
	// ahead is how many pages may be fetched in advance.
	ahead int
	// operation is the id of the query.
	operation string
	// fetch asks for the page after a cursor, or before one.
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

// After returns the connection from a cursor on: the NextCursor of a page, or the Cursor of a [*PageError], of the same
// listing. An empty cursor stands for the beginning.
func (c *Connection[T]) After(cursor string) *Connection[T] {
	after := *orNothing(c)
	after.start, after.backward = cursor, false
	return &after
}

// Before returns the connection up to a cursor, to be read from there back to the beginning: the last items come first,
// on pages and within each. The NextCursor of such a page, and the Cursor of a [*PageError] on the way, lead further back
// with Before. An empty cursor stands for the end, so that Before("") is the whole listing backwards.
func (c *Connection[T]) Before(cursor string) *Connection[T] {
	before := *orNothing(c)
	before.start, before.backward = cursor, true
	return &before
}

// Page returns the first page. Where a part of it failed, the rest is returned beside the error: where the response has
// errors beside data, where there is no readable item in an edge, or where the page does not say what follows it. The
// error is an [*Error] with the service's own words or a [*DecodeError] with the place.
func (c *Connection[T]) Page(ctx context.Context) (*CursorPage[T], error) {
	c = orNothing(c)
	return c.read(ctx, c.start)
}

// Pages iterates over the listing page by page. A page is asked for when the loop reaches it, or with [WithPrefetch]
// when it reaches the one before, and none after a break. An error is a [*PageError] with the cursor to resume from:
// After it comes the whole page that failed.
//
// Where a part of a page failed, the rest of it is delivered beside the error, see Page, and a loop that goes on comes
// to the pages after it. To resume from the error's cursor brings the page again, with what was delivered of it. Where
// nothing of a page came, or nothing tells where the next one is, the iteration ends with the error.
func (c *Connection[T]) Pages(ctx context.Context) iter.Seq2[*CursorPage[T], error] {
	c = orNothing(c)
	return cursorPages(ctx, c.ahead, cursorPosition[T]{operation: c.operation, cursor: c.start}, c.read)
}

// All iterates over every item. Where a part of a page failed, the error comes after those items of the page that came,
// and a loop that goes on comes to the rest of the listing. See Pages.
//
//	for nft, err := range client.Graph.CollectionNFTs(graph.Ethereum, address).All(ctx) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(nft.GetTokenID(), nft.GetName())
//	}
func (c *Connection[T]) All(ctx context.Context) iter.Seq2[T, error] { return items(c.Pages(ctx)) }

// read asks for the page at a cursor, in the connection's direction.
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

// connect makes a connection of a query. A list that is not in a response does not exist.
func connect[T any, R queries.Found[*queries.List[T]]](
	s *GraphService, chain graph.Chain, q queries.Paged[R], opts []CallOption, checks ...*ValidationError,
) *Connection[T] {
	return connectWith(s, chain, q, func(_ *response, data R) (*queries.List[T], error) {
		list, _ := data.Found()
		return list, nil
	}, opts, checks...)
}

// connectWith is connect for a list whose place in the data takes more to find.
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

// QueryConnection makes a [Connection] of a listing in a query of the caller's own, with nodes of type T. The path
// leads to it in the data of a response: the names of the fields, or their aliases, with dots between them.
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
// The query takes the cursor of a page in its variable $after, and the size of a page, unless it states one, in $first.
// To be read with Before, it takes them in $before and $last, and asks for hasPreviousPage and startCursor. The other
// variables are a map or a record, or nil; a $first or $last among them is the size of a page. See [graph.Query] for
// how T is decoded.
//
// A null on the path is [ErrNotFound]. A response without what paging takes, since the query did not ask for it, is a
// [*DecodeError], so that no listing ends early without a word. The items that came are returned beside it, see
// [Connection.Page].
func QueryConnection[T any](s *GraphService, query string, variables any, path string, opts ...CallOption) *Connection[T] {
	if s == nil {
		return new(Connection[T]) // It says where connections come from.
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
		made := c.call(queries.GraphBody{Query: query, Variables: sent}.To(op), required("query", query), isPath(steps), refused)
		made.own, made.keepsBody = true, true // The nodes' own unmarshalers may be anybody's.
		data := &graphql.Located[*queries.List[T]]{Path: steps}
		return readGraph(ctx, made, data, func(r *response, _ *graphql.Located[*queries.List[T]]) (*CursorPage[T], error) {
			return pageOf(r, data.Value, backward)
		})
	}
	return &Connection[T]{ahead: s.engine.with(opts).settings.pagesAhead(), operation: op.ID, fetch: fetch}
}

// withWindow adds the variables of a page to those that are given, as the query takes them.
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
			return nil, &ValidationError{Field: "variables", Rule: "must not have " + name + ": the connection sets it", always: true}
		}
	}
	if !slices.Contains(taken, at) {
		return nil, &ValidationError{Field: "query", Rule: "must take the cursor of a page in the variable $" + at, always: true}
	}
	if _, set := variables[size]; !set && slices.Contains(taken, size) {
		variables[size], _ = json.Marshal(count) // An integer can be written.
	}
	if cursor != nil {
		variables[at], _ = json.Marshal(cursor) // So can a text.
	}
	return variables, nil
}

// isPath checks the names of a path.
func isPath(steps []string) *ValidationError {
	for _, name := range steps {
		if !queries.IsName(name) {
			return &ValidationError{Field: "path", Rule: "must be names of fields with dots between them", Value: strings.Join(steps, "."), always: true}
		}
	}
	return nil
}
