package rpcfleet

import (
	"context"
	"errors"
	"sync"
)

// prefetcher fetches the pages of a listing by offset in advance. Once a page has told the total, it keeps ahead
// requests under way: the next one begins when one has ended, whether or not the loop has come to that page, as long as
// no more than ahead pages lie, fetched or under way, beyond the one that the loop works on or waits for.
type prefetcher[T any] struct {
	ahead int
	fetch func(ctx context.Context, offset int) (*Page[T], error)

	background *background

	mu sync.Mutex
	// queue are the pages that the loop has not taken, in order; running is how many of them are under way.
	queue   []advance[T]
	running int
	// room is how many pages the queue may hold.
	room int
	// next is the offset to fetch next, step how far the pages lie apart, and total where they end.
	next, step, total int
	// held is set when a page came that the ones after it do not follow: what comes after it is not worth fetching.
	held bool
}

// advance is a page that was asked for in advance.
type advance[T any] struct {
	offset int
	*pending[*Page[T]]
}

// page returns the page at an offset, and sees to those after it. What was fetched for an offset that is not asked for
// next, because a page turned out shorter than the one before or the listing has shrunk, is dropped: correctness is
// offsetPages' business, and stays the same.
func (p *prefetcher[T]) page(ctx context.Context, offset int) (*Page[T], error) {
	page, err := p.take(ctx, offset)
	if err != nil || page.Last() {
		return page, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.step, p.total = len(page.Items), page.Total
	if len(p.queue) == 0 {
		p.next, p.held = page.Next, false
	}
	p.fill(p.ahead)
	return page, nil
}

// take returns the page at an offset: one that was fetched in advance, or one that is fetched now.
func (p *prefetcher[T]) take(ctx context.Context, offset int) (*Page[T], error) {
	p.mu.Lock()
	if len(p.queue) > 0 && p.queue[0].offset == offset {
		first := p.queue[0]
		p.fill(1 + p.ahead) // The first one is what the loop waits for, the others are beyond it.
		p.mu.Unlock()
		page, err := first.wait()
		p.mu.Lock()
		p.queue[0] = advance[T]{}
		p.queue = p.queue[1:]
		if err != nil || page.Total == p.total {
			p.mu.Unlock()
			return page, err
		}
		// The listing has changed between this page and the one before it, and this one may be the older of the two.
		// What has moved from that page to this one since is on neither.
	}
	p.mu.Unlock()
	p.stop()
	page, err := p.fetch(ctx, offset)
	p.background = newBackground(ctx)
	return page, err
}

// fill begins fetches until all slots are taken or the queue holds as many pages as there is room for. Where the service
// tells no total, which is -1 then, there is no telling which pages exist, and it begins none.
func (p *prefetcher[T]) fill(room int) {
	p.room = room
	for !p.held && p.running < p.ahead && len(p.queue) < p.room && p.next < p.total {
		offset := p.next
		p.next += p.step
		p.running++
		p.queue = append(p.queue, advance[T]{offset, begin(p.background,
			func(ctx context.Context) (*Page[T], error) { return p.fetch(ctx, offset) },
			func(page *Page[T], err error) { p.ended(offset, page, err) },
		)})
	}
}

// ended makes the slot of a fetch that has ended free for the next one.
func (p *prefetcher[T]) ended(offset int, page *Page[T], err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running--
	if err != nil || page.Next != offset+p.step {
		p.held = true
	}
	p.fill(p.room)
}

// stop ends what is under way, waits for it and drops what was fetched.
func (p *prefetcher[T]) stop() {
	if p.background == nil {
		return
	}
	p.background.stop()
	p.queue, p.background = nil, nil
}

// errFetchEnded is what a fetch leaves behind that ended without returning: its goroutine was ended by runtime.Goexit.
var errFetchEnded = errors.New("rpcfleet: the fetching of a page ended without a result")

// background carries out fetches on goroutines of their own.
type background struct {
	ctx     context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup
}

func newBackground(ctx context.Context) *background {
	b := &background{cancel: func() {}}
	if ctx != nil { // A nil context is refused by the first fetch, before anything begins here.
		b.ctx, b.cancel = context.WithCancel(ctx)
	}
	return b
}

// stop ends what is under way and waits for it.
func (b *background) stop() {
	b.cancel()
	b.running.Wait()
}

// pending is a fetch under way.
type pending[P any] struct {
	done     chan struct{}
	page     P
	err      error
	panicked any
}

// begin starts a fetch. ended, where it is not nil, is called with the result, on the goroutine of the fetch.
func begin[P any](b *background, fetch func(ctx context.Context) (P, error), ended func(P, error)) *pending[P] {
	p := &pending[P]{done: make(chan struct{}), err: errFetchEnded}
	b.running.Go(func() {
		defer func() {
			p.panicked = recover()
			if ended != nil {
				ended(p.page, p.err)
			}
			close(p.done)
		}()
		p.page, p.err = fetch(b.ctx)
	})
	return p
}

// wait returns what the fetch brought. A panic in code of the caller's own, such as an observer, comes out here and
// with that out of the loop, as it does without prefetching, and not on a goroutine where it cannot be recovered from.
func (p *pending[P]) wait() (P, error) {
	<-p.done
	if p.panicked != nil {
		panic(p.panicked)
	}
	return p.page, p.err
}
