package rpcfleet

import (
	"cmp"
	"context"
	"sync"
	"time"
)

// Pacer delays every attempt until it may be sent; its error ends the call. Others are *rate.Limiter of
// golang.org/x/time/rate and contrib/pacer.
type Pacer interface {
	Wait(ctx context.Context) error
}

// WithPacer sets the pacer of all areas, such as PlanBuild.NewPacer(). By default attempts are not delayed. Clients of
// one account share a pacer, since the service counts their requests together (observed).
func WithPacer(pacer Pacer) ClientOption {
	return clientOption{notNil("pacer", pacer == nil), func(s *clientSettings) { s.wait = pacer.Wait }}
}

// PlanLimit is the limit of an account's requests to all areas together (observed), not of RPC calls to endpoints.
type PlanLimit struct {
	PerSecond float64 // The requests per second in the long run.
	Burst     int     // The requests that can be sent at once after a pause.
}

// The plans of the service (observed on 2026-11-24). Any other has PlanLimit{PerSecond: 20, Burst: 40}.
var (
	PlanFree       = PlanLimit{3, 6}    // Also Discover.
	PlanBuild      = PlanLimit{20, 60}  // Also Discover Plus and Starter.
	PlanAccelerate = PlanLimit{40, 120} // Also Growth.
	PlanScale      = PlanLimit{60, 120}
	PlanBusiness   = PlanLimit{80, 160} // Also Business Plus 1 to 3.
	PlanEnterprise = PlanLimit{250, 500}
)

// NewPacer returns a new pacer for a plan. Attempts pass in the order of their arrival. A number that is not positive
// counts as 1, less than one request an hour as one an hour, and a Burst of more than a million as a million.
func (p PlanLimit) NewPacer() Pacer {
	interval := time.Duration(min(float64(time.Second)/cmp.Or(max(p.PerSecond, 0), 1), float64(time.Hour)))
	return &bucket{interval: interval, size: time.Duration(min(max(p.Burst, 1), 1_000_000)) * interval}
}

// bucket is a token bucket. Tokens are counted as the time that it takes to add them.
type bucket struct {
	interval time.Duration // The time between two tokens.
	size     time.Duration
	mu       sync.Mutex
	full     time.Time // The time at which the bucket is full again.
}

// Wait takes a token, and waits until it is there. If the context ends first, the token is put back.
func (b *bucket) Wait(ctx context.Context) error {
	timer := time.NewTimer(b.take(1))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		b.take(-1)
		return ctx.Err()
	}
}

// take takes tokens, and returns the time until the last of them is there.
func (b *bucket) take(tokens time.Duration) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if b.full.Before(now) {
		b.full = now
	}
	b.full = b.full.Add(tokens * b.interval)
	return b.full.Sub(now) - b.size
}
