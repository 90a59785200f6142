package pacer_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/contrib/pacer"
)

// told makes a pacer that has observed a limit without requests left in this minute, half of which is over.
func told(t *testing.T) *pacer.Adaptive {
	t.Helper()
	limit := new(pacer.Adaptive)
	time.Sleep(time.Until(time.Now().Truncate(time.Minute).Add(90 * time.Second)))
	observe(limit, rpcfleet.RateLimitState{PerMinute: window(8, 0, time.Now().Add(30*time.Second).Unix())})
	require.NoError(t, limit.Wait(t.Context()), "the first is not held back")
	return limit
}

func TestAdaptive_waitEndsWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := told(t)
		for _, after := range []time.Duration{0, time.Second} {
			start := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), after)
			ended := make(chan error)
			for range 2 { // One is at the head, and one behind it.
				go func() { ended <- limit.Wait(ctx) }()
			}
			for range 2 {
				assert.ErrorIs(t, <-ended, context.DeadlineExceeded)
			}
			assert.Equal(t, after, time.Since(start))
			cancel()
		}
		start := time.Now()
		require.NoError(t, limit.Wait(t.Context()), "who gives up takes nothing with him")
		assert.Equal(t, 29*time.Second, time.Since(start))
	})
}

func TestAdaptive_newLimitEndsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := told(t)
		start := time.Now()
		time.AfterFunc(time.Second, func() { // The service's clock was set back, and its minute begins anew.
			observe(limit, rpcfleet.RateLimitState{PerMinute: window(8, 8, start.Add(-20*time.Minute).Unix()),
				Date: start.Add(-20*time.Minute - 40*time.Second)})
		})
		require.NoError(t, limit.Wait(t.Context()))
		assert.Equal(t, time.Second, time.Since(start))
	})
}

func TestAdaptive_forgetsLimitNotMentioned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := told(t)
		waits := func(attempts int) time.Duration {
			start := time.Now()
			for range attempts {
				require.NoError(t, limit.Wait(t.Context()))
				observe(limit, rpcfleet.RateLimitState{})
			}
			return time.Since(start)
		}
		assert.Equal(t, 30*time.Second, waits(1), "it holds until the window is over")
		assert.Zero(t, waits(100))
	})
}

func TestAdaptive_retryAfterHoldsBackAll(t *testing.T) {
	for asked, waited := range map[time.Duration]time.Duration{
		7 * time.Second: 7 * time.Second, time.Minute: time.Minute, time.Minute + 1: 0, 1<<63 - 1: 0, 0: 0,
	} {
		synctest.Test(t, func(t *testing.T) {
			limit := new(pacer.Adaptive)
			require.NoError(t, limit.Wait(t.Context()))
			observe(limit, rpcfleet.RateLimitState{RetryAfter: asked})
			observe(limit, rpcfleet.RateLimitState{})
			start := time.Now()
			require.NoError(t, limit.Wait(t.Context()))
			assert.Equal(t, waited, time.Since(start), "asked for %v", asked)
		})
	}
}

// If a service does not respond, it does not hold back callers that have not called it yet.
func TestAdaptive_waitsASecondForFirstResponse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := new(pacer.Adaptive)
		start := time.Now()
		for i, after := range []time.Duration{0, time.Second, time.Second, time.Second} {
			require.NoError(t, limit.Wait(t.Context()))
			assert.Equal(t, after, time.Since(start), "attempt %d", i)
		}
	})
}
