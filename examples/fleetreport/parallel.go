package main

import (
	"context"
	"sync"
	"sync/atomic"
)

// parallel does n things, as many at the same time as there are workers. The first error ends the others, and is the one
// that it returns when all have ended.
func parallel(ctx context.Context, workers, n int, do func(ctx context.Context, i int) error) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	var begun atomic.Int64
	var group sync.WaitGroup
	for range min(workers, n) {
		group.Go(func() {
			for ctx.Err() == nil {
				i := int(begun.Add(1)) - 1
				if i >= n {
					return
				}
				if err := do(ctx, i); err != nil {
					fail(err)
				}
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}
