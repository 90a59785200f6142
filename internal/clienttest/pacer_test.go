package clienttest

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
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

// limited is a service with the limit of a plan: a bucket of its own, in floating point.
type limited struct {
	plan rpcfleet.PlanLimit

	mu       sync.Mutex
	tokens   float64
	last     time.Time
	requests int
	refused  int
}

func (l *limited) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.requests++; l.last.IsZero() {
		l.tokens = float64(l.plan.Burst)
	} else {
		l.tokens = min(l.tokens+time.Since(l.last).Seconds()*l.plan.PerSecond, float64(l.plan.Burst))
	}
	l.last = time.Now()
	if l.tokens < 1-1e-6 {
		l.refused++
		respondJSON(429, ``)(w, r)
		return
	}
	l.tokens--
	respondJSON(200, `{"data":[],"next_at":null}`)(w, r)
}

// TestFollow_keepsWithinPlan follows 300 endpoints, which asks for 200 requests a second at first. Without a pacer they
// are refused, and a warning comes before that.
func TestFollow_keepsWithinPlan(t *testing.T) {
	const warning = "rpcfleet follows logs without a pacer"
	for name, test := range map[string]struct {
		endpoints int
		options   []rpcfleet.ClientOption
		refused   bool
		warned    bool
	}{
		"paced":     {300, []rpcfleet.ClientOption{rpcfleet.WithPacer(rpcfleet.PlanBuild.NewPacer())}, false, false},
		"not paced": {300, nil, true, true},
		"few":       {30, nil, false, false},
	} {
		bubble(t, name, func(t *testing.T) {
			service, log := &limited{plan: rpcfleet.PlanBuild}, &bytes.Buffer{}
			logger := slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn}))
			client := piped(t, service, append(test.options, rpcfleet.WithLogger(logger))...)
			options := rpcfleet.FollowOptions{From: time.Now(), MaxFailures: 1000, Parallel: 64}
			_, ended := followAll(timeout(t, time.Minute), t, client, numbered("ep", 0, test.endpoints), options)
			require.ErrorIs(t, ended, context.DeadlineExceeded)
			assert.Equal(t, test.refused, service.refused > 0, "%d of %d refused", service.refused, service.requests)
			assert.Equal(t, test.warned, bytes.Contains(log.Bytes(), []byte(warning)), log)
			assert.LessOrEqual(t, bytes.Count(log.Bytes(), []byte(warning)), 1)
			if name == "paced" {
				assert.Greater(t, service.requests, 60*10, "the limit is used")
			}
		})
	}
}

func TestPlan_paces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pacer, begin := rpcfleet.PlanLimit{PerSecond: 10, Burst: 5}.NewPacer(), time.Now()
		ended, cancel := context.WithCancel(t.Context())
		var passed []time.Duration
		for range 5 {
			require.NoError(t, pacer.Wait(t.Context()))
		}
		assert.Equal(t, begin, time.Now(), "a burst goes at once")
		var group sync.WaitGroup
		group.Go(func() { assert.ErrorIs(t, pacer.Wait(ended), context.Canceled) })
		synctest.Wait()
		cancel()
		group.Wait()
		for range 3 { // The token of the call that ended is there again.
			require.NoError(t, pacer.Wait(t.Context()))
			passed = append(passed, time.Since(begin))
		}
		assert.Equal(t, "[100ms 200ms 300ms]", fmt.Sprint(passed))
		time.Sleep(time.Hour)
		begin = time.Now()
		for range 6 {
			require.NoError(t, pacer.Wait(t.Context()))
		}
		assert.Equal(t, 100*time.Millisecond, time.Since(begin), "a pause fills the bucket, and no more")
		for _, test := range []struct {
			limit rpcfleet.PlanLimit
			wait  time.Duration
		}{
			{rpcfleet.PlanLimit{}, time.Second},
			{rpcfleet.PlanLimit{PerSecond: 1e-300, Burst: -1}, time.Hour},
			{rpcfleet.PlanLimit{PerSecond: 1e300, Burst: math.MaxInt}, 0},
			{rpcfleet.PlanLimit{PerSecond: 1e-300, Burst: math.MaxInt}, 0},
		} {
			pacer, begin := test.limit.NewPacer(), time.Now()
			require.NoError(t, pacer.Wait(t.Context()))
			assert.Equal(t, begin, time.Now())
			require.NoError(t, pacer.Wait(t.Context()))
			assert.Equal(t, test.wait, time.Since(begin), "%+v", test.limit)
		}
	})
}
