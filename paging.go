package rpcfleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// Page is one page of a listing by offset or by cursor. A cursor that looks like a credential or is longer than 4 KiB
// is a [*DecodeError].
type Page[T any] struct {
	Items []T // An iterator omits items that it has already delivered.
	Total int // The number of items in the whole listing, or -1 if it is unknown.

	// A listing by offset sets these. They are zero in a listing by cursor.
	Limit  int // Limit is the effective page size, which the service may lower.
	Offset int // The offset of the request: in an iteration, one less than Next of the page before.
	Next   int // The offset after this page.

	// A listing by cursor sets these. They are empty in a listing by offset.
	Cursor     string // The cursor of the request for this page. It is empty for the first page.
	NextCursor string // The cursor of the next page, or empty if there is none. It can be stored.

	// ids contains the cursors or the ids of the items of a listing by cursor, if the service returns them.
	ids  []string
	date string // The Date of the response.
}

// fetchPage executes a call that lists records, and returns the page.
func fetchPage[T any](
	ctx context.Context, e *engine, request api.RequestOf[T], opts []CallOption, checks ...*ValidationError,
) (*Page[T], error) {
	c, page := e.newCall(request.Request, opts, checks...), &Page[T]{Total: -1}
	content, err := c.exchange(ctx, reply.List(&page.Items, request.Read))
	if err != nil {
		return nil, err
	}
	if request.Operation.Paging == api.PagingCursor {
		next, _ := api.QueryValue[string](request.Query, "next_at")
		cursor, _ := api.QueryValue[string](request.Query, "cursor")
		page.Cursor = cmp.Or(next, cursor)
		page.NextCursor, page.date = content.NextAt, c.received.Header.Get("Date")
		return page, nil
	}
	page.Offset, _ = api.QueryValue[int](request.Query, "offset")
	page.Limit = len(page.Items)
	page.Next = page.Offset + len(page.Items)
	page.Total, page.Limit = *cmp.Or(content.Total, &page.Total), *cmp.Or(content.Limit, &page.Limit)
	return page, nil
}

// Last reports whether the page is the last: it has no next cursor or, in a listing by offset, it is empty or ends at
// the total.
func (p *Page[T]) Last() bool {
	return p.NextCursor == "" && (p.Next == p.Total || p.Next == p.Offset) // By cursor, Next and Offset are zero.
}

// Format prints the page without its cursors for every verb.
func (p Page[T]) Format(state fmt.State, _ rune) {
	_, _ = fmt.Fprintf(state, "{Items: %v, Total: %d, Limit: %d, Offset: %d, Next: %d, Last: %t}",
		p.Items, p.Total, p.Limit, p.Offset, p.Next, p.Last())
}

// PageError is the error of an iteration. All items before it were delivered.
type PageError struct {
	Offset int    // The first item not delivered, to resume from. A loop that removes items must start over.
	Cursor string // The cursor to resume from in a listing by cursor, or empty.
	Err    error
}

// Error returns the error with the position. It does not include the cursor.
func (e *PageError) Error() string {
	switch {
	case e.Cursor != "":
		return fmt.Sprintf("%v (a cursor to resume from is in the error)", e.Err)
	case e.Offset > 0:
		return fmt.Sprintf("%v (resume from offset %d)", e.Err, e.Offset)
	}
	return fmt.Sprintf("%v (on the first page)", e.Err)
}

// Unwrap returns the underlying error.
func (e *PageError) Unwrap() error { return e.Err }

// LogValue returns the error as a group, without the cursor.
func (e *PageError) LogValue() slog.Value { return logValue(e, "offset", e.Offset, "cause", e.Err) }

// place is a place in a listing: an offset or a cursor.
type place struct {
	offset int
	cursor string
}

// position is the state of an iteration over a listing.
type position[T any] interface {
	next() place            // The place of the next page.
	ahead(n int) []place    // The places of at most n pages to fetch in advance, beginning with the next page.
	failed(err error) error // The error with the place to resume from.
	// take reduces the page to the items to deliver, advances, and reports whether the page is the last.
	take(page *Page[T]) (last bool, err error)
}

// fetchFunc requests the page at a place.
type fetchFunc[T any] func(ctx context.Context, at place) (*Page[T], error)

// pagesOf iterates over a listing page by page, some of them fetched in advance. A page without items is not delivered.
// If a part of a page failed, the page is delivered with an error and the iteration continues.
func pagesOf[T any](
	ctx context.Context, settings *callSettings, begin func() position[T], fetch fetchFunc[T],
) iter.Seq2[*Page[T], error] {
	return func(yield func(*Page[T], error) bool) {
		at, prefetch, done := begin(), prefetcher[T]{ctx: ctx, fetch: fetch}, 0
		defer prefetch.stop()
		for {
			page, err := prefetch.page(at.next())
			if err != nil {
				err = at.failed(err)
			}
			if page == nil {
				yield(nil, err)
				return
			}
			last, wrong := at.take(page)
			if wrong != nil {
				yield(nil, at.failed(wrong))
				return
			}
			if !last {
				prefetch.expect(at.ahead(settings.pagesAhead()))
			}
			if (len(page.Items) > 0 || err != nil) && !yield(page, err) {
				return
			}
			done += len(page.Items)
			settings.progress(done, page.Total)
			if last {
				return
			}
		}
	}
}

// itemsOf converts an iteration over pages to one over their items. The error of a page comes after its items.
func itemsOf[T any](pages iter.Seq2[*Page[T], error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for page, err := range pages {
			if page != nil {
				for _, item := range page.Items {
					if !yield(item, nil) {
						return
					}
				}
			}
			var none T
			if err != nil && !yield(none, err) {
				return
			}
		}
	}
}

// prefetcher fetches the pages of one iteration, some of them in advance.
type prefetcher[T any] struct {
	ctx   context.Context
	fetch fetchFunc[T]
	queue []*pending[T] // The pages that are fetched in advance, in order.
}

// page returns the page at a place: the first of the queue, if there is one.
func (p *prefetcher[T]) page(at place) (*Page[T], error) {
	if len(p.queue) == 0 {
		return p.fetch(p.ctx, at)
	}
	first := p.queue[0]
	p.queue = slices.Delete(p.queue, 0, 1)
	<-first.done
	return first.page, first.err
}

// expect starts to fetch the next pages. If the queue does not begin with the next page, because a page was shorter
// than the one before or the listing has shrunk, all pending fetches are dropped.
func (p *prefetcher[T]) expect(places []place) {
	if len(p.queue) > 0 && (len(places) == 0 || p.queue[0].at != places[0]) {
		p.stop()
		return
	}
	for i := len(p.queue); i < len(places); i++ {
		p.queue = append(p.queue, startFetch(p.ctx, places[i], p.fetch))
	}
}

// stop cancels pending fetches and drops fetched pages.
func (p *prefetcher[T]) stop() {
	for _, fetch := range p.queue {
		fetch.cancel()
	}
	for _, fetch := range p.queue {
		<-fetch.done
	}
	p.queue = nil
}

// errFetchEnded is the result if runtime.Goexit ended the fetch's goroutine.
var errFetchEnded = errors.New("rpcfleet: the fetching of a page ended without a result")

// pending is a fetch of the page at a place on a separate goroutine.
type pending[T any] struct {
	at     place
	cancel context.CancelFunc
	done   chan struct{}
	page   *Page[T]
	err    error
}

// startFetch starts a fetch.
func startFetch[T any](ctx context.Context, at place, fetch fetchFunc[T]) *pending[T] {
	ctx, cancel := context.WithCancel(ctx)
	p := &pending[T]{at: at, cancel: cancel, done: make(chan struct{}), err: errFetchEnded}
	go func() {
		defer cancel()
		defer close(p.done)
		p.page, p.err = fetch(ctx, at)
	}()
	return p
}
