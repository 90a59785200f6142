package rpcfleet

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
)

// ErrRepeatedPage matches an iteration that the service sent in circles: a page or a cursor came twice. It is wrapped
// in a [*PageError].
var ErrRepeatedPage = errors.New("rpcfleet: the service repeats a page")

// ErrIncompleteListing matches an iteration whose listing ended too early: the service sent an empty page, and said on
// that same page that items are left, or the listing shrank and the iteration cannot go back as far. It is wrapped in a
// [*PageError], whose Offset is where to resume.
var ErrIncompleteListing = errors.New("rpcfleet: the listing ended before its total")

// PageError is an iteration that failed. The items of earlier pages have all been delivered. So have those of the page
// that failed which came in spite of it, where a part of the page failed in the graph area.
type PageError struct {
	// Offset is where to resume a listing by offset: the first item that was not delivered. If the listing has shrunk,
	// items from there on may have been delivered. A loop that takes items out of the listing, such as one that
	// archives, starts anew instead: what it has taken out since the last page moves the rest to lower offsets.
	Offset int
	// Cursor is where to resume a listing by cursor; it is empty at the first page, and for listings by offset.
	Cursor string
	// Err is what went wrong.
	Err error
}

// Error says where the iteration stopped and why. It does not show the cursor, whose content is the service's own.
func (e *PageError) Error() string {
	switch {
	case e.Cursor != "":
		return fmt.Sprintf("%v (a cursor to resume from is in the error)", e.Err)
	case e.Offset > 0:
		return fmt.Sprintf("%v (resume from offset %d)", e.Err, e.Offset)
	}
	return fmt.Sprintf("%v (on the first page)", e.Err)
}

// Unwrap returns what went wrong.
func (e *PageError) Unwrap() error { return e.Err }

// listed is a page of either kind.
type listed[T any] interface {
	*Page[T] | *CursorPage[T]
	listed() []T
}

func (p *Page[T]) listed() []T       { return p.Items }
func (p *CursorPage[T]) listed() []T { return p.Items }

// position is where an iteration over a listing stands. A place in the listing is an offset or a cursor.
type position[K comparable, P any] interface {
	// next returns the place of the page to ask for.
	next() K
	// take leaves in that page the items to deliver, moves on, and reports whether the listing ends with the page.
	take(page P) (last bool, err error)
	// ahead returns the places of at most n pages that can be fetched in advance, beginning with the next one.
	ahead(n int) []K
	// failed adds the place to resume from to an error.
	failed(err error) error
}

// pages iterates over a listing page by page, with up to ahead pages fetched in advance. A page without items is not
// delivered. A page of which a part failed comes with an error, is delivered with it, and is not the end.
func pages[T any, K comparable, P listed[T]](
	ctx context.Context, ahead int, begin func() position[K, P], fetch func(ctx context.Context, place K) (P, error),
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

// items turns an iteration over pages into one over their items. The error beside a page comes after its items.
func items[T any, P listed[T]](pages iter.Seq2[P, error]) iter.Seq2[T, error] {
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

	// background carries out what is under way. It is nil if nothing is.
	background *background
	// queue are the pages that were begun and not asked for yet, in order.
	queue []prefetched[K, P]
}

type prefetched[K comparable, P any] struct {
	place K
	*pending[P]
}

// page returns the page at a place, which is the one that was expected first if any was.
func (p *prefetcher[K, P]) page(place K) (P, error) {
	if len(p.queue) == 0 {
		return p.fetch(p.ctx, place)
	}
	first := p.queue[0]
	p.queue = slices.Delete(p.queue, 0, 1)
	return first.wait()
}

// expect begins to fetch the pages at the places that come next. If another page was expected next, because a page
// turned out shorter than the one before or the listing has shrunk, all that is under way is dropped.
func (p *prefetcher[K, P]) expect(places []K) {
	if len(p.queue) > 0 && (len(places) == 0 || p.queue[0].place != places[0]) {
		p.stop()
		return
	}
	for i := len(p.queue); i < len(places); i++ {
		if p.background == nil {
			p.background = newBackground(p.ctx)
		}
		fetch := func(ctx context.Context) (P, error) { return p.fetch(ctx, places[i]) }
		p.queue = append(p.queue, prefetched[K, P]{places[i], begin(p.background, fetch, func() {})})
	}
}

// stop ends what is under way and drops what was fetched.
func (p *prefetcher[K, P]) stop() {
	if p.background != nil {
		p.background.stop()
		p.queue, p.background = nil, nil
	}
}

// background carries out fetches on goroutines of their own.
type background struct {
	ctx     context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup
}

func newBackground(ctx context.Context) *background {
	b := &background{}
	b.ctx, b.cancel = context.WithCancel(ctx)
	return b
}

// stop ends what is under way and waits for it.
func (b *background) stop() {
	b.cancel()
	b.running.Wait()
}

// errFetchEnded is the result of a fetch whose goroutine was ended by runtime.Goexit.
var errFetchEnded = errors.New("rpcfleet: the fetching of a page ended without a result")

// pending is a fetch under way.
type pending[P any] struct {
	done     chan struct{}
	page     P
	err      error
	panicked any
}

// begin starts a fetch, and calls ended on its goroutine once it has come to its end.
func begin[P any](b *background, fetch func(ctx context.Context) (P, error), ended func()) *pending[P] {
	p := &pending[P]{done: make(chan struct{}), err: errFetchEnded}
	b.running.Go(func() {
		defer ended()
		defer close(p.done)
		defer func() { p.panicked = recover() }()
		p.page, p.err = fetch(b.ctx)
	})
	return p
}

// wait returns the result of the fetch. A panic in code of the caller's own, such as an observer, comes out here and
// with that out of the loop, and not on a goroutine where it cannot be recovered from.
func (p *pending[P]) wait() (P, error) {
	<-p.done
	if p.panicked != nil {
		panic(p.panicked)
	}
	return p.page, p.err
}
