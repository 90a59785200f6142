package pacer_test

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/contrib/pacer"
)

// limited is a service that allows so many requests in each second or minute of its clock, and refuses the rest.
type limited struct {
	allowed int
	length  time.Duration
	latency time.Duration
	ahead   time.Duration // How far its clock is ahead.
	clients int           // Of one pacer, or 0 for one.

	mu                      sync.Mutex
	window                  time.Time
	used, refused, accepted int
}

func (l *limited) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	good, remaining, reset := l.use()
	time.Sleep(l.latency)
	name := map[time.Duration]string{time.Second: "rps", time.Minute: "rpm"}[l.length]
	w.Header().Set("Date", time.Now().Add(l.ahead).UTC().Format(http.TimeFormat))
	status, body := http.StatusTooManyRequests, `{"error":"slow down"}`
	if good {
		status, body = http.StatusOK, record
	}
	says(w, status, body, name+"limit", strconv.Itoa(l.allowed), name+"remaining", strconv.Itoa(remaining),
		name+"reset", strconv.FormatInt(reset.Unix(), 10))
}

// use counts a request.
func (l *limited) use() (good bool, remaining int, reset time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now().Add(l.ahead)
	if window := now.Truncate(l.length); window != l.window {
		l.window, l.used = window, 0
	}
	if l.used < l.allowed {
		l.used++
		l.accepted++
		good = true
	} else {
		l.refused++
	}
	return good, l.allowed - l.used, l.window.Add(l.length)
}

// crowd lets 64 callers call, five times each and by turns over the clients, and returns how long that took and how
// many calls failed.
func crowd(t *testing.T, clients ...*rpcfleet.Client) (time.Duration, int) {
	t.Helper()
	start := time.Now()
	var callers sync.WaitGroup
	var failed atomic.Int64
	for i := range 64 {
		callers.Go(func() {
			for range 5 {
				if _, err := clients[i%len(clients)].Endpoints.Get(t.Context(), "ep1"); err != nil {
					failed.Add(1)
				}
			}
		})
	}
	callers.Wait()
	return time.Since(start), int(failed.Load())
}

const crowdCalls = 64 * 5

// A crowd needs at least as many windows as its calls fill.
func TestAdaptive_keepsConcurrentCallsWithinLimit(t *testing.T) {
	for _, test := range []*limited{
		{allowed: 20, length: time.Second},
		{allowed: 20, length: time.Second, latency: 30 * time.Millisecond},
		{allowed: 20, length: time.Second, latency: 30 * time.Millisecond, clients: 3},
		{allowed: 1, length: time.Second, latency: 30 * time.Millisecond},
		{allowed: 3, length: time.Second},
		{allowed: 1000, length: time.Second, latency: 30 * time.Millisecond},
		{allowed: 50, length: time.Minute, latency: 30 * time.Millisecond},
		{allowed: 50, length: time.Minute, latency: 30 * time.Millisecond, ahead: time.Hour + 300*time.Millisecond},
		{allowed: 50, length: time.Minute, latency: 30 * time.Millisecond, ahead: -time.Hour},
	} {
		t.Run(fmt.Sprintf("%d in %v, latency %v, ahead %v, %d clients", test.allowed, test.length, test.latency, test.ahead,
			test.clients), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				limit, clients := new(pacer.Adaptive), []*rpcfleet.Client{}
				for range max(test.clients, 1) {
					clients = append(clients, piped(t, test, limit.ClientOptions()...))
				}
				elapsed, _ := crowd(t, clients...)
				assert.Zero(t, test.refused)
				assert.Equal(t, crowdCalls, test.accepted)
				windows := (crowdCalls + test.allowed - 1) / test.allowed
				longest := time.Duration(windows+1)*test.length + 6*test.latency + time.Second
				assert.LessOrEqual(t, elapsed, longest, "%d windows", windows)
			})
		})
	}
}

// Responses that come after their window is over contain the limit and the start of the windows.
func TestAdaptive_slowServiceStaysWithinLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &limited{allowed: 20, length: time.Second, latency: 2500 * time.Millisecond}
		_, failed := crowd(t, piped(t, service, new(pacer.Adaptive).ClientOptions()...))
		assert.LessOrEqual(t, failed, 64-20, "only those that went before anything was known")
	})
}

func TestNoPacer_concurrentCallsAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &limited{allowed: 20, length: time.Second, latency: 30 * time.Millisecond}
		crowd(t, piped(t, service))
		assert.Equal(t, crowdCalls-20, service.refused)
	})
}

// Another program uses up the limit now and then. Its requests between two responses cannot be known.
func TestAdaptive_leavesRoomForOtherPrograms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &limited{allowed: 20, length: time.Second, latency: 5 * time.Millisecond}
		other := piped(t, service)
		ctx, cancel := context.WithCancel(t.Context())
		var others sync.WaitGroup
		others.Go(func() {
			for ctx.Err() == nil {
				_, _ = get(t, other)
				time.Sleep(100 * time.Millisecond)
			}
		})
		elapsed, failed := crowd(t, piped(t, service, new(pacer.Adaptive).ClientOptions()...))
		cancel()
		others.Wait()
		t.Logf("%d of the crowd's calls were refused, %d of the other's; %v", failed, service.refused-failed, elapsed)
		assert.Less(t, failed, crowdCalls/20)
	})
}
