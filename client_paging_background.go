package rpcfleet

import (
	"context"
	"errors"
	"sync"
)

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
