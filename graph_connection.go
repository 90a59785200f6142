package rpcfleet

import (
	"context"
	"iter"

	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
	"github.com/rpcfleet/rpcfleet-go/internal/wire"
)

// Connection is a listing of the graph area, to be read as one page, page by page, or item by item. Nothing is sent
// until one of its methods is used, and each use begins anew. [WithPageSize], as an option of the call that made it,
// sets how many items are asked for at a time.
type Connection[T any] struct {
	// ctx is that of the call that made the connection, whose requests are sent later.
	ctx   context.Context
	start string
	// ahead is how many pages may be fetched in advance.
	ahead int
	fetch func(ctx context.Context, cursor string) (*CursorPage[T], error)
}

// After returns the connection from a cursor on: the NextAt of a page, or the Cursor of a [*PageError], of the same
// listing. An empty cursor stands for the beginning.
func (c *Connection[T]) After(cursor string) *Connection[T] {
	return &Connection[T]{c.ctx, cursor, c.ahead, c.fetch}
}

// Page returns the first page. Where the response has errors beside data, or no cursor to the page that it says comes
// next, what came of the page is returned beside the error.
func (c *Connection[T]) Page() (*CursorPage[T], error) { return c.fetch(c.ctx, c.start) }

// Pages iterates over the listing page by page. A page is asked for when the loop reaches it, or with [WithPrefetch]
// when it reaches the one before, and none after a break. An error is delivered once, as a [*PageError] with the cursor
// to resume from: After it comes the whole page that failed.
func (c *Connection[T]) Pages() iter.Seq2[*CursorPage[T], error] {
	return cursorPages(c.ctx, c.start, c.ahead, contents[T], c.fetch)
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

// connect makes a connection of the request for one page, which is made anew for each, and of the place of the list in
// the data of the response. A list that is not there does not exist.
func connect[T, D any](
	ctx context.Context, s *GraphService, opts []CallOption,
	request func(first *int, after *string) wire.Request, list func(data *D) *wire.List[T], checks ...*ValidationError,
) *Connection[T] {
	return connectReading(ctx, s, opts, request, func(r *response, data *D) (*CursorPage[T], error) {
		return pageOf(r, list(data))
	}, checks...)
}

// connectReading is connect for a list whose place in the data takes more to find.
func connectReading[T, D any](
	ctx context.Context, s *GraphService, opts []CallOption,
	request func(first *int, after *string) wire.Request, read func(r *response, data *D) (*CursorPage[T], error),
	checks ...*ValidationError,
) *Connection[T] {
	fetch := func(ctx context.Context, cursor string) (*CursorPage[T], error) {
		c := s.engine.with(opts)
		var after *string
		if cursor != "" {
			after = &cursor
		}
		page, err := readGraph(ctx, s.with(c, request(&c.settings.pageSize, after), checks), read)
		if page != nil {
			page.Cursor = cursor
		}
		return page, err
	}
	return &Connection[T]{ctx: ctx, ahead: s.engine.with(opts).settings.pagesAhead(), fetch: fetch}
}

// pageOf makes a page of a list in a response. A list that goes on and does not say where is returned beside an error.
func pageOf[T any](r *response, list *wire.List[T]) (*CursorPage[T], error) {
	if list == nil {
		return nil, r.notFound()
	}
	page := &CursorPage[T]{Total: valueOr(list.TotalCount, -1)}
	for _, edge := range list.Edges {
		if edge.Node != nil {
			page.Items = append(page.Items, *edge.Node)
		}
	}
	if !list.PageInfo.HasNextPage {
		return page, nil
	}
	page.NextAt = *orNothing(list.PageInfo.EndCursor)
	if page.NextAt == "" && len(list.Edges) > 0 {
		page.NextAt = list.Edges[len(list.Edges)-1].Cursor
	}
	if page.NextAt == "" {
		// To end here would pass for the whole listing.
		return page, r.contentError(&envelope.Malformed{
			Reason: envelope.Shape, Detail: "there is a next page, and no cursor that leads to it",
		})
	}
	return page, nil
}
