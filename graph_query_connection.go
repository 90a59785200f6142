package rpcfleet

import (
	"context"
	"strings"

	"github.com/Khan/genqlient/graphql"

	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
	"github.com/rpcfleet/rpcfleet-go/internal/queries"
)

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
	op := s.operation(&graphql.Request{Query: query})
	steps := strings.Split(path, ".")
	places := envelope.JoinVariants(queries.AnyData, envelope.LocatedAt[*queries.List[T]](steps))
	fetch := func(ctx context.Context, cursor string, backward bool) (*CursorPage[T], error) {
		c := s.engine.with(opts)
		w := queries.WindowAt(cursor, c.settings.pageSize, backward)
		sent, refused := withWindow(given, w, query)
		if broken != nil {
			refused = broken
		}
		made := c.call(queries.GraphBody{Query: query, Variables: sent}.To(op), required("query", query), isPath(steps), refused)
		made.keepsBody = true // The nodes' own unmarshalers may be anybody's.
		return readGraphWith(ctx, made, places, func(r *response, data *envelope.Located[*queries.List[T]]) (*CursorPage[T], error) {
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
	if err := envelope.UnmatchedAt[list](r.Body, path); err != nil {
		return r.contentError(err)
	}
	return nil
}
