package rpcfleet

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"

	genqlient "github.com/Khan/genqlient/graphql"
	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
	"github.com/rpcfleet/rpcfleet-go/internal/queries"
)

// Connection is a listing of the graph area, to be read as one page, page by page, or item by item. Nothing is sent
// until one of its methods is used, and each use begins anew. [WithPageSize], as an option of the call that made it,
// sets how many items are asked for at a time.
//
// A connection comes from a method of the [GraphService]. Any other, such as a nil one, lists nothing but an error.
type Connection[T any] struct {
	// ctx is that of the call that made the connection, whose requests are sent later.
	ctx   context.Context
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

// After returns the connection from a cursor on: the NextAt of a page, or the Cursor of a [*PageError], of the same
// listing. An empty cursor stands for the beginning.
func (c *Connection[T]) After(cursor string) *Connection[T] {
	after := *orNothing(c)
	after.start, after.backward = cursor, false
	return &after
}

// Before returns the connection up to a cursor, to be read from there back to the beginning: the last items come first,
// on pages and within each. The NextAt of such a page, and the Cursor of a [*PageError] on the way, lead further back
// with Before. An empty cursor stands for the end, so that Before("") is the whole listing backwards.
func (c *Connection[T]) Before(cursor string) *Connection[T] {
	before := *orNothing(c)
	before.start, before.backward = cursor, true
	return &before
}

// Page returns the first page. Where a part of it failed, the rest is returned beside the error: where the response has
// errors beside data, where there is no readable item in an edge, or where the page does not say what follows it. The
// error is an [*Error] with the service's own words or a [*DecodeError] with the place.
func (c *Connection[T]) Page() (*CursorPage[T], error) {
	c = orNothing(c)
	return c.read(c.ctx, c.start)
}

// Pages iterates over the listing page by page. A page is asked for when the loop reaches it, or with [WithPrefetch]
// when it reaches the one before, and none after a break. An error is a [*PageError] with the cursor to resume from:
// After it comes the whole page that failed.
//
// Where a part of a page failed, the rest of it is delivered beside the error, see Page, and a loop that goes on comes
// to the pages after it. To resume from the error's cursor brings the page again, with what was delivered of it. Where
// nothing of a page came, or nothing tells where the next one is, the iteration ends with the error.
func (c *Connection[T]) Pages() iter.Seq2[*CursorPage[T], error] {
	c = orNothing(c)
	return cursorPages(c.ctx, c.ahead, cursorPosition[T]{operation: c.operation, cursor: c.start}, c.read)
}

// All iterates over every item. Where a part of a page failed, the error comes after those items of the page that came,
// and a loop that goes on comes to the rest of the listing. See Pages.
//
//	for nft, err := range client.Graph.CollectionNFTs(ctx, graph.Ethereum, address).All() {
//		if err != nil {
//			return err
//		}
//		fmt.Println(nft.GetTokenID(), nft.GetName())
//	}
func (c *Connection[T]) All() iter.Seq2[T, error] { return items(c.Pages()) }

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

// connect makes a connection of the request for one page, which is made anew for each, and of the place of the list in
// the data of the response. A list that is not there does not exist.
func connect[T, D any](
	ctx context.Context, s *GraphService, opts []CallOption,
	request func(w queries.Window) queries.Request, list func(data *D) *queries.List[T], checks ...*ValidationError,
) *Connection[T] {
	return connectReading(ctx, s, opts, request, func(_ *response, data *D) (*queries.List[T], error) {
		return list(data), nil
	}, checks...)
}

// connectReading is connect for a list whose place in the data takes more to find.
func connectReading[T, D any](
	ctx context.Context, s *GraphService, opts []CallOption,
	request func(w queries.Window) queries.Request, find func(r *response, data *D) (*queries.List[T], error),
	checks ...*ValidationError,
) *Connection[T] {
	fetch := func(ctx context.Context, cursor string, backward bool) (*CursorPage[T], error) {
		c := s.engine.with(opts)
		w := queries.WindowAt(cursor, c.settings.pageSize, backward)
		return readGraph(ctx, s.with(c, request(w), checks), func(r *response, data *D) (*CursorPage[T], error) {
			list, err := find(r, data)
			if err != nil {
				return nil, err
			}
			if backward {
				list.Reverse()
			}
			return pageOf(r, list)
		})
	}
	return &Connection[T]{
		ctx: ctx, ahead: s.engine.with(opts).settings.pagesAhead(), operation: request(queries.Window{}).Operation().ID, fetch: fetch,
	}
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
//	holders := rpcfleet.QueryConnection[graph.Wallet](ctx, client.Graph, query,
//		map[string]any{"address": address}, "ethereum.collection.wallets")
//	for holder, err := range holders.All() {
//
// The query takes the cursor of a page in its variable $after, and the size of a page, unless it states one, in $first.
// To be read with Before, it takes them in $before and $last, and asks for hasPreviousPage and startCursor. The other
// variables are a map or a record, or nil; a $first or $last among them is the size of a page. See [graph.Query] for
// how T is decoded.
//
// A null on the path is [ErrNotFound]. A response without what paging takes, since the query did not ask for it, is a
// [*DecodeError], so that no listing ends early without a word. The items that came are returned beside it, see
// [Connection.Page].
//
// POST /graphql
func QueryConnection[T any](ctx context.Context, s *GraphService, query string, variables any, path string, opts ...CallOption) *Connection[T] {
	if s == nil {
		return new(Connection[T]) // It says where connections come from.
	}
	given, broken := writeVariables(variables)
	op := s.operation(&genqlient.Request{Query: query})
	steps := strings.Split(path, ".")
	places := graphql.JoinVariants(queries.AnyData, graphql.LocatedAt[*queries.List[T]](steps))
	fetch := func(ctx context.Context, cursor string, backward bool) (*CursorPage[T], error) {
		c := s.engine.with(opts)
		w := queries.WindowAt(cursor, c.settings.pageSize, backward)
		sent, refused := withWindow(given, w, query)
		if broken != nil {
			refused = broken
		}
		made := c.call(queries.GraphBody{Query: query, Variables: sent}.To(op), required("query", query), isPath(steps), refused)
		made.keepsBody = true // The nodes' own unmarshalers may be anybody's.
		return readGraphWith(ctx, made, places, func(r *response, data *graphql.Located[*queries.List[T]]) (*CursorPage[T], error) {
			list := data.Value
			if backward {
				list.Reverse()
			}
			page, err := pageOf(r, list)
			if err == nil {
				err = unmatchedNodes[T](r, steps)
			}
			return page, err
		})
	}
	return &Connection[T]{ctx: ctx, ahead: s.engine.with(opts).settings.pagesAhead(), operation: op.ID, fetch: fetch}
}

// unmatchedNodes is the error of nodes with a field that differs from a member of T in capitals alone.
func unmatchedNodes[T any](r *response, path []string) error {
	type list struct {
		Edges []struct {
			Node T `json:"node"`
		} `json:"edges"`
	}
	if err := graphql.UnmatchedAt[list](r.Body, path); err != nil {
		return r.contentError(err)
	}
	return nil
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
