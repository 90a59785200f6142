package acceptance

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// TestFollowUnderLoad follows a log that several programs write to at once, some of it late.
func TestFollowUnderLoad(t *testing.T) {
	const writers, each, window = 8, 1250, 10 * time.Second
	b := start(t)
	endpoint := b.CreateEndpoints(1)[0]
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // A lost entry would be waited for.
	defer cancel()
	before := liveHeap()
	began := time.Now()

	// A writer is ahead of the follower by some entries at most, so that many readings are needed.
	ahead := make(chan struct{}, 1000)
	var mu sync.Mutex
	written := map[string]bool{}
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for i := range each {
				ahead <- struct{}{}
				entry := emulator.LogEntry{Method: "eth_call", Timestamp: time.Now()}
				if i%3 == 0 {
					entry.Timestamp = entry.Timestamp.Add(-rand.N(window / 2))
				}
				ids, err := b.AppendLog(endpoint, entry)
				if !assert.NoError(t, err) {
					return
				}
				mu.Lock()
				written[ids[0]] = true
				mu.Unlock()
			}
		})
	}

	seen := make(map[string]bool, writers*each)
	for entry, err := range b.Logs.Follow(ctx, endpoint, began.Add(-window), rpcfleet.FollowOptions{
		MinInterval: 20 * time.Millisecond, MaxInterval: 100 * time.Millisecond, LateWindow: window, PageLimit: 300,
	}) {
		if err != nil {
			require.ErrorIs(t, err, context.Canceled)
			break
		}
		require.False(t, seen[entry.RequestID], "an entry came twice")
		seen[entry.RequestID] = true
		if entry.Method == "the last one" {
			cancel()
			continue
		}
		<-ahead
		if len(seen) == writers*each {
			// One more: the readings until it comes bring nothing twice.
			_, err := b.AppendLog(endpoint, emulator.LogEntry{Method: "the last one"})
			require.NoError(t, err)
			grown := liveHeap() - before
			t.Logf("the live heap has grown by %.1f MiB", float64(grown)/(1<<20))
			assert.Less(t, grown, int64(8<<20), "what following keeps is bounded")
		}
	}
	all.Wait()
	assert.Len(t, seen, writers*each+1)
	require.Len(t, written, writers*each)
	for id := range written {
		assert.True(t, seen[id], "an entry was lost")
	}
}
