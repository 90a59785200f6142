package main

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// busy counts the requests that are under way.
type busy struct {
	http.RoundTripper
	mu        sync.Mutex
	now, most int
}

func (b *busy) RoundTrip(r *http.Request) (*http.Response, error) {
	b.mu.Lock()
	b.now++
	b.most = max(b.most, b.now)
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		b.now--
		b.mu.Unlock()
	}()
	return b.RoundTripper.RoundTrip(r)
}

// TestWorkers holds each number of workers to be kept busy, and no more than these. The listing has several pages.
func TestWorkers(t *testing.T) {
	t.Setenv("RPCFLEET_EMULATOR_RECORD", "")
	took := map[int]time.Duration{}
	for _, workers := range []int{1, 2, 4, 5, 8} {
		synctest.Test(t, func(t *testing.T) {
			var slow []emulator.Fault // The reports are under way for as long as the listing is.
			for _, operation := range []string{"getUsage", "getUsageByTag", "getUsageByChain", "getUsageByEndpoint"} {
				slow = append(slow, emulator.Fault{Operation: operation, Latency: 200 * time.Millisecond})
			}
			e := emulator.New(emulator.WithFaults(append(slow, emulator.Fault{Latency: 20 * time.Millisecond})...))
			defer e.Close()
			e.CreateEndpoints(1100)
			counted := &busy{}
			r := readerOf(t, e, workers, func(by http.RoundTripper) http.RoundTripper {
				counted.RoundTripper = by
				return counted
			})
			begun := time.Now()
			made, err := r.read(t.Context(), begun)
			require.NoError(t, err)
			took[workers] = time.Since(begun)
			assert.Len(t, made.Endpoints, 1100)
			assert.Equal(t, workers, counted.most)
			listed := e.Calls("listEndpoints")
			require.Len(t, listed, 5)
			assert.Equal(t, workers == 8, listed[1].Time.Equal(listed[4].Time), "pages are asked for in advance")
		})
	}
	assert.Less(t, took[8], took[1]/7)
	t.Log(took)
}

func TestInterrupted(t *testing.T) {
	for _, after := range []time.Duration{10 * time.Millisecond, 70 * time.Millisecond, 110 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			e := emulator.New(emulator.WithFaults(emulator.Fault{Latency: 20 * time.Millisecond}))
			defer e.Close()
			require.NoError(t, seed(e))
			ctx, cancel := context.WithTimeoutCause(t.Context(), after, context.Canceled)
			defer cancel()
			begun := time.Now()
			_, err := readerOf(t, e, 4, nil).read(ctx, begun)
			require.ErrorIs(t, err, context.Canceled)
			assert.Equal(t, after, time.Since(begun), "at once")
		})
	}
}
