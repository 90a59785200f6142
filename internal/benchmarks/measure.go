package main

import (
	"context"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/contestant"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/payload"
)

// The clocks.
const (
	wallClock = "wall"
	cpuClock  = "cpu"
)

// sample is the average cost of one call of a batch.
type sample struct {
	time          time.Duration
	bytes, allocs float64
}

// measureAll measures all payloads on a field.
func (s settings) measureAll(f field) (table, error) {
	random := rand.New(rand.NewPCG(s.seed, 0))
	t := table{settings: s, field: f}
	for _, p := range s.payloads {
		column, err := s.measure(f, p, random)
		if err != nil {
			return t, err
		}
		t.columns = append(t.columns, column)
	}
	return t, nil
}

// measure measures all contestants on one payload, round by round. It returns a series of samples for each contestant,
// empty if it does not make the call.
func (s settings) measure(f field, p payload.Payload, random *rand.Rand) ([][]sample, error) {
	ctx := context.Background()
	calls := make([]contestant.Call, len(s.contestants))
	for i, c := range s.contestants {
		call, err := f.call(ctx, c, p)
		if err != nil {
			return nil, err
		}
		calls[i] = call
	}
	return s.interleave(ctx, calls, random)
}

// interleave measures calls in turns, in a random order in each round. A nil call is skipped.
func (s settings) interleave(ctx context.Context, calls []contestant.Call, random *rand.Rand) ([][]sample, error) {
	n, err := s.batchSize(ctx, calls[0])
	if err != nil {
		return nil, err
	}
	samples := make([][]sample, len(calls))
	for range s.rounds {
		for _, i := range random.Perm(len(calls)) {
			if calls[i] == nil {
				continue
			}
			one, err := s.runBatch(ctx, calls[i], n)
			if err != nil {
				return nil, err
			}
			samples[i] = append(samples[i], one)
		}
	}
	return samples, nil
}

// batchSize returns the number of calls of the first contestant that fill a batch.
func (s settings) batchSize(ctx context.Context, call contestant.Call) (int, error) {
	for n := 1; ; n *= 2 {
		one, err := s.runBatch(ctx, call, n)
		if err != nil {
			return 0, err
		}
		if took := one.time * time.Duration(n); took >= s.batch/2 || one.time == 0 && n >= 1000 {
			return max(1, int(s.batch/max(one.time, 1))), nil
		}
	}
}

// runBatch makes n calls and returns the cost of one. It collects garbage and makes one uncounted call first, so that
// no cost of the previous contestant is counted.
func (s settings) runBatch(ctx context.Context, call contestant.Call, n int) (sample, error) {
	runtime.GC()
	if _, err := call(ctx); err != nil {
		return sample{}, err
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := s.now()
	for range n {
		if _, err := call(ctx); err != nil {
			return sample{}, err
		}
	}
	took := s.now() - start
	runtime.ReadMemStats(&after)
	return sample{
		time:   took / time.Duration(n),
		bytes:  float64(after.TotalAlloc-before.TotalAlloc) / float64(n),
		allocs: float64(after.Mallocs-before.Mallocs) / float64(n),
	}, nil
}

var started = time.Now()

// now returns the time by the chosen clock.
func (s settings) now() time.Duration {
	if s.clock == cpuClock {
		return processorTime()
	}
	return time.Since(started)
}
