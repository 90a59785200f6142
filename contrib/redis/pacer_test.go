package fleetredis_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	fleetredis "github.com/rpcfleet/rpcfleet-go/contrib/redis"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// TestPacer_programsShareLimit of 400 requests a second. 4 programs with 4 calls at a time have 16 under way at most.
func TestPacer_programsShareLimit(t *testing.T) {
	const programs, callers, callsEach, perSecond = 4, 4, 50, 400
	limit := fleetredis.Limit{Requests: perSecond, Burst: 40, Headroom: programs * callers}
	shared := startRedis(t)
	service := emulator.New(emulator.WithAPIKey(key.Reveal()), emulator.WithPlan(emulator.Plan{PerSecond: perSecond}))
	t.Cleanup(service.Close)
	begun := time.Now()
	var all sync.WaitGroup
	for range programs {
		own := connect(shared.socket)
		defer own.Close()
		pacer := must(fleetredis.NewPacer(own, key, fleetredis.PacerOptions{PerSecond: limit, Timeout: time.Minute}))(t)
		client := must(rpcfleet.New(append(pacer.ClientOptions(), rpcfleet.WithBaseURL(emulator.ClientURL),
			rpcfleet.WithHTTPClient(service.Client()), rpcfleet.WithAPIKey(key.Reveal()), rpcfleet.WithoutRetries())...))(t)
		for range callers {
			all.Go(func() {
				for range callsEach {
					_, err := client.Account.Info(context.Background())
					assert.NoError(t, err)
				}
			})
		}
	}
	all.Wait()
	calls := len(service.Calls())
	assert.Equal(t, programs*callers*callsEach, calls, "none was refused and retried")
	// If each program has the limit for itself, or if there is no limit, the calls take less time than this.
	rate := limit.Requests - limit.Headroom - limit.Burst + 1
	assert.Greater(t, time.Since(begun), time.Duration(calls-limit.Burst)*time.Second/time.Duration(rate))
}

func TestPacer_keepsToBothLimits(t *testing.T) {
	shared := startRedis(t)
	pacer := shared.pacer(t, fleetredis.PacerOptions{
		PerSecond: fleetredis.Limit{Requests: 1000}, PerMinute: fleetredis.Limit{Requests: 30, Burst: 3},
		Timeout: time.Minute,
	})
	for range 3 {
		require.NoError(t, pacer.Wait(t.Context()))
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
	defer cancel()
	require.ErrorIs(t, pacer.Wait(ctx), context.DeadlineExceeded, "the minute's burst is used up")
	keys := must(shared.Keys(t.Context(), "*").Result())(t)
	assert.Len(t, keys, 2)
	for _, name := range keys {
		assert.True(t, strings.HasPrefix(name, "rate:rpcfleet:pacer:"), name)
		assert.NotContains(t, name, key.Reveal())
	}
	other := must(fleetredis.NewPacer(shared, scalar.NewSecret("another key"),
		fleetredis.PacerOptions{PerMinute: fleetredis.Limit{Requests: 30, Burst: 3}, Timeout: time.Minute}))(t)
	require.NoError(t, other.Wait(t.Context()), "another account has limits of its own")
}

func TestPacer_waitsAfterRetryAfter(t *testing.T) {
	shared := startRedis(t)
	pacer := shared.pacer(t, fleetredis.PacerOptions{PerSecond: fleetredis.Limit{Requests: 10}, Timeout: time.Minute})
	_, learn := pacer.ObserveAttempt(t.Context(), rpcfleet.Attempt{})
	// No caller waits for so long.
	learn(rpcfleet.AttemptResult{RateLimit: rpcfleet.RateLimitState{RetryAfter: 24 * time.Hour}})
	require.NoError(t, pacer.Wait(t.Context()))
	learn(rpcfleet.AttemptResult{RateLimit: rpcfleet.RateLimitState{RetryAfter: time.Minute}})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, pacer.Wait(ctx), context.DeadlineExceeded)
}

// local is a fallback that counts.
type local struct{ waits int }

func (l *local) Wait(context.Context) error {
	l.waits++
	return nil
}

// TestPacer_waitsAtMostAWindow: the replica before it has another limit, and has taken the requests of ten windows.
func TestPacer_waitsAtMostAWindow(t *testing.T) {
	shared := startRedis(t)
	options := fleetredis.PacerOptions{PerMinute: fleetredis.Limit{Requests: 10, Burst: 10}, Timeout: time.Minute}
	generous := shared.pacer(t, options)
	for range 10 {
		require.NoError(t, generous.Wait(t.Context()))
	}
	options.PerMinute.Burst = 1
	strict := shared.pacer(t, options)
	fallback := &local{}
	options.Fallback = fallback
	lenient := shared.pacer(t, options)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	for range 2 {
		require.ErrorContains(t, strict.Wait(ctx), "fleetredis: pacing: a wait of ")
		require.NoError(t, lenient.Wait(ctx))
	}
	assert.Equal(t, 2, fallback.waits)

	// A wait of less than a window is taken, and ends with the context.
	options.PerMinute.Burst, options.Fallback = 10, nil
	patient := shared.pacer(t, options)
	ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, patient.Wait(ctx), context.DeadlineExceeded)
}
