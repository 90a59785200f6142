package rpcfleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
)

// PageError is the error of an iteration. All items before it were delivered.
type PageError struct {
	Offset int    // The first item not delivered, to resume from. A loop that removes items must start over.
	Cursor string `json:"-"` // The cursor to resume from in a listing by cursor, or empty. It is not printed.
	Err    error
}

// Format prints the text of the error for every verb.
func (e PageError) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, e.Error()) }

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

// listed is a page of either kind.
type listed[T any] interface {
	*Page[T] | *CursorPage[T]
	listed() []T
}

func (p *Page[T]) listed() []T       { return p.Items }
func (p *CursorPage[T]) listed() []T { return p.Items }

// listPosition is the state of an iteration over a listing. A place in the listing is an offset or a cursor.
type listPosition[K comparable, P any] interface {
	// next returns the place of the next page.
	next() K
	// take reduces the page to the items to deliver, advances, and reports whether the page is the last.
	take(page P) (last bool, err error)
	// ahead returns the places of at most n pages to fetch in advance, beginning with the next page.
	ahead(n int) []K
	// failed adds the place to resume from to an error.
	failed(err error) error
}

// pagesOf iterates over a listing page by page, with up to ahead pages fetched in advance. A page without items is not
// delivered. If a part of a page failed, the page is delivered with an error and the iteration continues.
func pagesOf[T any, K comparable, P listed[T]](
	ctx context.Context, ahead int, begin func() listPosition[K, P], fetch func(ctx context.Context, place K) (P, error),
) iter.Seq2[P, error] {
	return func(yield func(P, error) bool) {
		at, prefetch := begin(), prefetcher[K, P]{ctx: ctx, fetch: fetch}
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
				prefetch.expect(at.ahead(ahead))
			}
			if (len(page.listed()) > 0 || err != nil) && !yield(page, err) || last {
				return
			}
		}
	}
}

// itemsOf converts an iteration over pages to one over their items. The error of a page comes after its items.
func itemsOf[T any, P listed[T]](pages iter.Seq2[P, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for page, err := range pages {
			if page != nil {
				for _, item := range page.listed() {
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
type prefetcher[K comparable, P any] struct {
	ctx   context.Context
	fetch func(ctx context.Context, place K) (P, error)
	// places are the places of the pages that are fetched in advance, in order, and queue are their fetches.
	places []K
	queue  []*pending[P]
}

// page returns the page at a place: the first of the queue, if there is one.
func (p *prefetcher[K, P]) page(place K) (P, error) {
	if len(p.queue) == 0 {
		return p.fetch(p.ctx, place)
	}
	first := p.queue[0]
	p.places, p.queue = p.places[1:], slices.Delete(p.queue, 0, 1)
	return first.wait()
}

// expect starts to fetch the next pages. If the queue does not begin with the next page, because a page was shorter
// than the one before or the listing has shrunk, all pending fetches are dropped.
func (p *prefetcher[K, P]) expect(places []K) {
	if len(p.queue) > 0 && (len(places) == 0 || p.places[0] != places[0]) {
		p.stop()
		return
	}
	for i := len(p.queue); i < len(places); i++ {
		fetch := func(ctx context.Context) (P, error) { return p.fetch(ctx, places[i]) }
		p.places, p.queue = append(p.places, places[i]), append(p.queue, startFetch(p.ctx, fetch, func() {}))
	}
}

// stop cancels pending fetches and drops fetched pages.
func (p *prefetcher[K, P]) stop() {
	for _, fetch := range p.queue {
		fetch.cancel()
	}
	for _, fetch := range p.queue {
		<-fetch.done
	}
	p.places, p.queue = nil, nil
}

// errFetchEnded is the result if runtime.Goexit ended the fetch's goroutine.
var errFetchEnded = errors.New("rpcfleet: the fetching of a page ended without a result")

// pending is a fetch on a separate goroutine.
type pending[P any] struct {
	cancel   context.CancelFunc
	done     chan struct{}
	page     P
	err      error
	panicked any
}

// startFetch starts a fetch, and calls ended on its goroutine at the end.
func startFetch[P any](ctx context.Context, fetch func(context.Context) (P, error), ended func()) *pending[P] {
	ctx, cancel := context.WithCancel(ctx)
	p := &pending[P]{cancel: cancel, done: make(chan struct{}), err: errFetchEnded}
	go func() {
		defer cancel()
		defer close(p.done)
		defer ended()
		defer func() { p.panicked = recover() }()
		p.page, p.err = fetch(ctx)
	}()
	return p
}

// wait returns the result of the fetch. A panic in the caller's code, such as a hook, is raised again here, in the
// loop, because nothing could recover it on the fetch's goroutine.
func (p *pending[P]) wait() (P, error) {
	<-p.done
	if p.panicked != nil {
		panic(p.panicked)
	}
	return p.page, p.err
}
