package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// errFull asks the sender for another attempt.
var errFull = errors.New("the queue is full")

// queue is a bounded queue with workers behind it. A delivery is acknowledged when it has been handled, and not before:
// the queue has nothing that a death of the process could lose.
type queue struct {
	handle  alerts.Callback
	jobs    chan *job
	workers sync.WaitGroup
}

// job is a delivery on its way through the queue.
type job struct {
	ctx      context.Context
	delivery *alerts.Delivery
	taken    atomic.Bool // By a worker, or by the callback that gives it up.
	done     chan error
}

// newQueue makes a queue and starts its workers.
func newQueue(waiting, workers int, handle alerts.Callback) *queue {
	q := &queue{handle: handle, jobs: make(chan *job, waiting)}
	for range workers {
		q.workers.Go(func() {
			for j := range q.jobs {
				if j.taken.CompareAndSwap(false, true) {
					j.done <- q.carryOut(j)
				}
			}
		})
	}
	return q
}

// carryOut handles a delivery. A panic is the failure of that one.
func (q *queue) carryOut(j *job) (err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("the handler panicked: %v", panicked)
		}
	}()
	return q.handle(j.ctx, j.delivery)
}

// put is the callback of the receiver: it waits until a worker has handled the delivery. A sender that gives up before
// a worker has begun takes its delivery with it, and one that gives up later does not: its outcome is remembered.
func (q *queue) put(ctx context.Context, delivery *alerts.Delivery) error {
	j := &job{ctx: ctx, delivery: delivery, done: make(chan error, 1)}
	select {
	case q.jobs <- j:
	default:
		markBusy(ctx)
		return errFull
	}
	select {
	case err := <-j.done:
		return err
	case <-ctx.Done():
		if j.taken.CompareAndSwap(false, true) {
			return ctx.Err()
		}
		return <-j.done
	}
}

// waiting is how many deliveries no worker has taken yet.
func (q *queue) waiting() int { return len(q.jobs) }

// close ends the workers when the queue is empty. Nothing may be put into it any more.
func (q *queue) close() {
	close(q.jobs)
	q.workers.Wait()
}
