package fleetredis_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	fleetredis "github.com/rpcfleet/rpcfleet-go/contrib/redis"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// The service allows 400 requests a second. 4 processes with 4 calls at a time have 16 under way at most.
const (
	processes, callsEach, workers = 4, 500, 4
	perSecond                     = 400
)

var limit = fleetredis.Limit{Requests: perSecond, Burst: 40, Headroom: processes * workers}

// beCaller makes its share of the calls.
func beCaller(shared *redis.Client) error {
	pacer, err := fleetredis.NewPacer(shared, key, fleetredis.PacerOptions{PerSecond: limit, Timeout: time.Minute})
	if err != nil {
		return err
	}
	options := []rpcfleet.ClientOption{rpcfleet.WithBaseURL(os.Getenv("SERVICE")), rpcfleet.WithAPIKey(key.Reveal())}
	client, err := rpcfleet.New(append(options, pacer.ClientOptions()...)...)
	if err != nil {
		return err
	}
	calls := make(chan struct{})
	failures := make(chan error, workers)
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for range calls {
				if _, err := client.Account.Info(context.Background()); err != nil {
					failures <- err
					return
				}
			}
		})
	}
	for range callsEach {
		select {
		case calls <- struct{}{}:
		case err := <-failures:
			return err
		}
	}
	close(calls)
	all.Wait()
	fmt.Println("done")
	return nil
}

// counting counts the responses by status.
type counting struct {
	http.Handler
	refused, served atomic.Int64
}

func (c *counting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.Handler.ServeHTTP(&counted{w, c}, r)
}

type counted struct {
	http.ResponseWriter
	by *counting
}

func (c *counted) Unwrap() http.ResponseWriter { return c.ResponseWriter }

func (c *counted) WriteHeader(status int) {
	if status == http.StatusTooManyRequests {
		c.by.refused.Add(1)
	} else {
		c.by.served.Add(1)
	}
	c.ResponseWriter.WriteHeader(status)
}

func TestPacer_processesShareLimit(t *testing.T) {
	shared := startRedis(t)
	service := &counting{
		Handler: emulator.New(emulator.WithAPIKey(key.Reveal()), emulator.WithPlan(emulator.Plan{PerSecond: perSecond}))}
	front := httptest.NewServer(service)
	defer front.Close()
	begun := time.Now()
	var callers []*another
	for range processes {
		callers = append(callers, shared.start(t, "caller", "SERVICE="+front.URL))
	}
	for _, caller := range callers {
		assert.Equal(t, "done", caller.line(t))
	}
	took := time.Since(begun)
	t.Logf("%d calls in %v, %d refused", service.served.Load(), took.Round(time.Millisecond), service.refused.Load())
	assert.Zero(t, service.refused.Load())
	assert.Equal(t, int64(processes*callsEach), service.served.Load())
	// If each process has the limit for itself, or if there is no limit, the calls take less time than this.
	rate := limit.Requests - limit.Headroom - limit.Burst + 1
	assert.Greater(t, took, time.Duration(processes*callsEach-limit.Burst)*time.Second/time.Duration(rate))
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
