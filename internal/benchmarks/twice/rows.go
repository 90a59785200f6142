package main

import (
	"errors"
	"sync"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/test/faultnet"
)

// row is the result of a client's calls.
type row struct {
	contestant
	// Calls with one lost response:
	calls, twice []int // All calls, and those executed more than once, of each kind.
	told         [verdicts]int
	// The largest number of executions of one call.
	most1, most2 int // Over HTTP/1.1, and over HTTP/2.
}

// The errors that the caller got.
const (
	success = iota
	successTwice
	unknown
	failureExecuted
	failure
	verdicts
)

func (o outcome) verdict() int {
	switch {
	case o.err == nil && o.executed > 1:
		return successTwice
	case o.err == nil:
		return success
	case errors.Is(o.err, rpcfleet.ErrOutcomeUnknown): // No other client has such an error.
		return unknown
	case o.executed > 0:
		return failureExecuted
	}
	return failure
}

func (r *row) add(l loss, o outcome) {
	if l.protocol == faultnet.HTTP2 {
		r.most2 = max(r.most2, o.executed)
	} else {
		r.most1 = max(r.most1, o.executed)
	}
	if l.inARow > 1 {
		return
	}
	kind := kindOf(l.fault.Name)
	r.calls[kind]++
	if o.executed > 1 {
		r.twice[kind]++
	}
	r.told[o.verdict()]++
}

// measure makes the calls with each client.
func measure(contestants []contestant, losses []loss) ([]row, error) {
	var (
		rows    = make([]row, len(contestants))
		free    = make(chan struct{}, together)
		calling sync.WaitGroup
		mu      sync.Mutex
		failed  error
	)
	for i, c := range contestants {
		rows[i] = row{contestant: c, calls: make([]int, len(kinds)), twice: make([]int, len(kinds))}
	}
	for _, l := range losses {
		for i, c := range contestants {
			free <- struct{}{}
			calling.Go(func() {
				o, err := l.try(c)
				<-free
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					failed = err
					return
				}
				rows[i].add(l, o)
			})
		}
	}
	calling.Wait()
	return rows, failed
}
