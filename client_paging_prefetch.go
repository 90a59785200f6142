package rpcfleet

import (
	"context"
	"errors"
	"sync"
)

// errFetchEnded is what a fetch leaves behind that ended without returning: its goroutine was ended by runtime.Goexit.
var errFetchEnded = errors.New("rpcfleet: the fetching of a page ended without a result")

// prefetched wraps the fetching of pages by offset so that up to ahead pages are on their way while the loop works on
// an earlier one. The pages are asked for concurrently and handed out in order. What was fetched for an offset that is
// not asked for next, because a page turned out shorter than the one before, is dropped: correctness is offsetPages'
// business, and stays the same. stop ends what is under way and waits for it. A panic in code of the caller's own, such
// as an observer, comes out of the loop, as it does without prefetching, and not in a goroutine where it cannot be
// recovered from.
func prefetched[T any](
	ahead int, fetch func(ctx context.Context, offset int) (*Page[T], error),
) (wrapped func(ctx context.Context, offset int) (*Page[T], error), stop func()) {
	type result struct {
		page     *Page[T]
		err      error
		panicked any
	}
	type future struct {
		offset int
		done   chan result
	}
	var queue []future
	var running sync.WaitGroup
	cancel := func() {}
	begin := func(ctx context.Context, offset int) {
		done := make(chan result, 1)
		queue = append(queue, future{offset, done})
		running.Go(func() {
			got := result{err: errFetchEnded}
			defer func() {
				got.panicked = recover()
				done <- got
			}()
			got.page, got.err = fetch(ctx, offset)
		})
	}
	stop = func() {
		cancel()
		running.Wait()
		queue = nil
	}
	var background context.Context
	wrapped = func(ctx context.Context, offset int) (*Page[T], error) {
		var got result
		if len(queue) > 0 && queue[0].offset == offset {
			got = <-queue[0].done
			queue = queue[1:]
			if got.panicked != nil {
				panic(got.panicked)
			}
		} else {
			stop()
			got.page, got.err = fetch(ctx, offset)
			if got.err == nil {
				background, cancel = context.WithCancel(ctx)
			}
		}
		if got.err != nil || got.page.Last() || got.page.Total < 0 {
			return got.page, got.err // Without a total there is no telling which pages exist.
		}
		next := got.page.Next
		if len(queue) > 0 {
			next = queue[len(queue)-1].offset + len(got.page.Items)
		}
		for ; len(queue) < ahead && next < got.page.Total; next += len(got.page.Items) {
			begin(background, next)
		}
		return got.page, nil
	}
	return wrapped, stop
}
