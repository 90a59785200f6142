package rpcfleet

import (
	"context"
	"iter"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
)

// Connection is a listing of the graph area, to be read as one page, page by page, or item by item. Nothing is sent
// until one of its methods is used, and each use begins anew. WithPageSize, as an option of the call that made it, sets
// how many items are asked for at a time.
type Connection[T any] struct {
	// ctx is that of the call that made the connection, whose requests are sent later.
	ctx   context.Context
	start string
	fetch func(ctx context.Context, cursor string) (*CursorPage[T], error)
}

// After returns the connection from a cursor on: the NextAt of a page, or the Cursor of a *PageError, of the same
// listing. An empty cursor stands for the beginning.
func (c *Connection[T]) After(cursor string) *Connection[T] {
	return &Connection[T]{c.ctx, cursor, c.fetch}
}

// Page returns the first page. Where the answer has errors beside data, or no cursor to the page that it says comes
// next, what came of the page is returned beside the error.
func (c *Connection[T]) Page() (*CursorPage[T], error) { return c.fetch(c.ctx, c.start) }

// Pages iterates over the listing page by page. A page is asked for when the loop reaches it, and none after a break.
// An error is delivered once, as a *PageError with the cursor to resume from: After it comes the whole page that failed.
func (c *Connection[T]) Pages() iter.Seq2[*CursorPage[T], error] {
	return cursorPages(c.ctx, c.start, contents[T], c.fetch)
}

// All iterates over every item. See Pages.
//
//	for nft, err := range client.Graph.CollectionNFTs(ctx, graph.Ethereum, address).All() {
//		if err != nil {
//			return err
//		}
//		fmt.Println(nft.GetTokenID(), nft.GetName())
//	}
func (c *Connection[T]) All() iter.Seq2[T, error] { return items(c.Pages()) }

// contents tells items apart by all that is in them: they have no id in common.
func contents[T any](item *T) string {
	text, err := envelope.Marshal(item)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// connect makes a connection of a call for one page, which is made anew for each.
func connect[T any](
	ctx context.Context, call *graphQuery, ask func(ctx context.Context, q *graphQuery) (*CursorPage[T], error),
) *Connection[T] {
	fetch := func(ctx context.Context, cursor string) (*CursorPage[T], error) {
		with := call.service.engine.with(call.how.opts)
		if with.err != nil {
			return nil, with.err
		}
		q := &graphQuery{service: call.service, how: call.how, first: &with.settings.pageSize}
		if cursor != "" {
			q.after = &cursor
		}
		page, err := ask(ctx, q)
		if page != nil {
			page.Cursor = cursor
		}
		return page, err
	}
	return &Connection[T]{ctx: ctx, fetch: fetch}
}

// list is a generated page of edges of type E.
type list[E any] interface {
	GetEdges() []E
	GetPageInfo() graph.PageInfo
	GetTotalCount() *int
}

// edge is a generated edge to a node of type N.
type edge[E, N any] interface {
	*E
	GetCursor() string
	GetNode() N
}

// pageOf makes a page of a list in an answer. item makes items of the list's nodes, and tells whether there is one: a
// service may leave a null in the place of a node. A list that is not there does not exist, or the error says why. A list
// that goes on and does not say where is returned beside an error.
func pageOf[T, N, E, L any, P edge[E, N], R interface {
	*L
	list[E]
}](q *graphQuery, answered R, err error, item func(N) (T, bool)) (*CursorPage[T], error) {
	if answered == nil {
		return found[*CursorPage[T]](q, nil, false, err)
	}
	page := &CursorPage[T]{Total: -1}
	if total := answered.GetTotalCount(); total != nil {
		page.Total = *total
	}
	edges, info := answered.GetEdges(), answered.GetPageInfo()
	for i := range edges {
		if made, there := item(P(&edges[i]).GetNode()); there {
			page.Items = append(page.Items, made)
		}
	}
	if !info.HasNextPage {
		return page, err
	}
	switch {
	case info.EndCursor != nil && *info.EndCursor != "":
		page.NextAt = *info.EndCursor
	case len(edges) > 0:
		page.NextAt = P(&edges[len(edges)-1]).GetCursor()
	}
	if page.NextAt == "" && err == nil {
		// To end here would pass for the whole listing.
		err = q.report.unreadable(&envelope.Malformed{
			Reason: envelope.Shape, Detail: "there is a next page, and no cursor that leads to it",
		})
	}
	return page, err
}

// record makes an item of a node that is a record.
func record[T any](node *T) (T, bool) {
	if node == nil {
		var none T
		return none, false
	}
	return *node, true
}

// variant makes an item of a node that is an interface.
func variant[T any](node T) (T, bool) { return node, any(node) != nil }

// orNothing returns the record, or for nil an empty one, in which nothing is found.
func orNothing[T any](record *T) *T {
	if record == nil {
		return new(T)
	}
	return record
}
