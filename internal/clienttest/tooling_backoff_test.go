package clienttest

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

// later responds with a status and a Retry-After.
func later(status int, retryAfter string) responder {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", retryAfter)
		says(status, "x")(w, r)
	}
}

func TestAFailureIsSharedAndBacksOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &mint{lifetime: time.Minute, slow: time.Second, failure: down}
		tokens := piped(t, service).Tooling.TokenSource()
		var errs [20]error
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() {
				token, err := tokens.Token(t.Context())
				assert.True(t, token.Token.IsZero())
				errs[i] = err
			})
		}
		all.Wait()
		began := time.Now()
		_, err := tokens.Token(t.Context())
		assert.Zero(t, time.Since(began), "the failure comes at once while it is too early for another request")
		var fault *rpcfleet.Error
		require.ErrorAs(t, err, &fault)
		assert.Equal(t, 503, fault.StatusCode)
		for _, other := range errs {
			assert.Same(t, err, other)
		}
		assert.Equal(t, 1, service.count(), "one request for all")

		service.fails(nil)
		_, err = tokens.Token(t.Context())
		require.ErrorIs(t, err, rpcfleet.ErrServer)
		time.Sleep(time.Second)
		assert.Equal(t, "session-2", take(t, tokens))
	})
}

func TestAServiceThatIsDownIsAskedNowAndThen(t *testing.T) {
	for name, test := range map[string]struct {
		failure     responder
		valid       bool // The callers have a token that is good for the minute.
		least, most int
	}{
		"down":                      {down, false, 6, 8},
		"down, with a token":        {down, true, 6, 8},
		"the key is wrong":          {says(401, "x"), false, 6, 8},
		"not allowed":               {says(403, "x"), true, 6, 8},
		"the access is off":         {says(400, "x"), false, 6, 8},
		"no JSON":                   {saysAs("text/html", 200, "<html>"), false, 6, 8},
		"connections are lost":      {hangsUp, true, 6, 8},
		"too many requests":         {later(429, "7"), false, 6, 8},
		"come back in a minute":     {later(503, "60"), false, 1, 1},
		"in a minute, with a token": {later(503, "60"), true, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				service := &mint{lifetime: time.Hour}
				tokens := piped(t, service).Tooling.TokenSource()
				if test.valid {
					take(t, tokens)
					time.Sleep(59 * time.Minute) // The margin is a minute.
				}
				service.fails(test.failure)
				before, calls := service.count(), 0
				var mu sync.Mutex
				var all sync.WaitGroup
				for range 64 {
					all.Go(func() {
						for range 600 {
							token, err := tokens.Token(t.Context())
							assert.Equal(t, test.valid, err == nil)
							assert.Equal(t, test.valid, token.Token.Reveal() == "session-1")
							mu.Lock()
							calls++
							mu.Unlock()
							time.Sleep(time.Minute / 600 * 999 / 1000)
						}
					})
				}
				all.Wait()
				synctest.Wait()
				t.Logf("%d calls in a minute made %d requests", calls, service.count()-before)
				assert.GreaterOrEqual(t, service.count()-before, test.least)
				assert.LessOrEqual(t, service.count()-before, test.most)
			})
		})
	}
}

// waits asks for tokens that fail until so many requests were made, and returns the waits between these.
func waits(t *testing.T, service *mint, tokens *rpcfleet.ToolingTokenSource, requests int) (waits []time.Duration) {
	t.Helper()
	const pause = 10 * time.Millisecond // Half of each ceiling is a multiple of it.
	last := time.Now()
	for range requests {
		for before := service.count(); service.count() == before; {
			_, err := tokens.Token(t.Context())
			require.Error(t, err)
			time.Sleep(pause)
		}
		waits = append(waits, time.Since(last)-pause)
		last = time.Now()
	}
	return waits[1:]
}

func TestTheWaitDoublesUpToHalfAMinute(t *testing.T) {
	ceilings := []time.Duration{1, 2, 4, 8, 16, 30, 30}
	longest, shortest := make([]time.Duration, len(ceilings)), make([]time.Duration, len(ceilings))
	for range 40 {
		synctest.Test(t, func(t *testing.T) {
			service := &mint{lifetime: time.Minute, failure: down}
			for i, wait := range waits(t, service, piped(t, service).Tooling.TokenSource(), len(ceilings)+1) {
				longest[i] = max(longest[i], wait)
				if shortest[i] == 0 || wait < shortest[i] {
					shortest[i] = wait
				}
			}
		})
	}
	for i, ceiling := range ceilings {
		ceiling *= time.Second
		assert.LessOrEqual(t, longest[i], ceiling)
		assert.GreaterOrEqual(t, shortest[i], ceiling/2)
		assert.Greater(t, longest[i], ceiling*3/4, "of 40 draws one is in the upper half,")
		assert.Less(t, shortest[i], ceiling*3/4, "and one in the lower")
	}
}

func TestRetryAfterOfTheTokenIsRespected(t *testing.T) {
	for retryAfter, want := range map[string]time.Duration{
		"17": 17 * time.Second, "3600": time.Hour, "3601": time.Hour, fmt.Sprint(int64(math.MaxInt64)): time.Hour,
	} {
		synctest.Test(t, func(t *testing.T) {
			service := &mint{lifetime: time.Minute, failure: later(503, retryAfter)}
			tokens := piped(t, service).Tooling.TokenSource()
			_, err := tokens.Token(t.Context())
			require.ErrorIs(t, err, rpcfleet.ErrServer)
			service.fails(nil)
			time.Sleep(want - time.Nanosecond)
			_, err = tokens.Token(t.Context())
			require.ErrorIs(t, err, rpcfleet.ErrServer)
			time.Sleep(time.Nanosecond)
			assert.Equal(t, "session-2", take(t, tokens))
		})
	}
}

func TestASuccessEndsTheBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &mint{lifetime: time.Minute, failure: down}
		tokens := piped(t, service).Tooling.TokenSource()
		waits(t, service, tokens, 6)
		service.fails(nil)
		time.Sleep(30 * time.Second)
		take(t, tokens)
		time.Sleep(time.Minute)
		service.fails(down)
		assert.LessOrEqual(t, waits(t, service, tokens, 2)[0], time.Second+time.Millisecond, "the next failure is a first one")
	})
}

func TestAChangeOfTheAccessEndsTheBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &mint{lifetime: time.Minute, failure: says(400, "the access is off")}
		tooling := piped(t, service).Tooling
		waits(t, service, tooling.TokenSource(), 6)
		_, err := tooling.Enable(t.Context())
		require.NoError(t, err)
		assert.LessOrEqual(t, waits(t, service, tooling.TokenSource(), 2)[0], time.Second+time.Millisecond, "nor does it count")
		_, err = tooling.Enable(t.Context())
		require.NoError(t, err)
		service.fails(nil)
		take(t, tooling.TokenSource())
		_, err = tooling.Disable(t.Context())
		require.NoError(t, err)
		take(t, tooling.TokenSource())
	})
}

func TestTheEndOfACallersContextIsNoFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &mint{lifetime: time.Minute, slow: time.Second}
		tokens := piped(t, service).Tooling.TokenSource()
		for range 5 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			_, err := tokens.Token(ctx)
			cancel()
			require.ErrorIs(t, err, context.DeadlineExceeded)
			synctest.Wait()
		}
		began := time.Now()
		assert.Equal(t, "session-1", take(t, tokens))
		assert.Equal(t, time.Second, time.Since(began))
	})
}
