package fleetredis

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/redis/go-redis/v9"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// Pacer is a [rpcfleet.Pacer] that keeps all clients of an account together under its request limits. Use [NewPacer] to
// make one.
//
// Attempts are spread by go-redis/redis_rate, by the clock of the Redis server. In each process only the attempt at the
// head of the others asks it. A wait is as long as the limit's window at most, and ends with the context: a longer one
// comes from replicas with different limits, or from a clock that was set back, and is an error, for which the fallback
// steps in if there is one. A refusal of the service with a Retry-After of at most a minute, which means that others use
// the account as well, holds back the process for that time.
type Pacer struct {
	limiter *redis_rate.Limiter
	options PacerOptions
	limits  []pacedLimit
	turn    chan struct{} // Has an item while an attempt is at the head of the others.
	down    time.Time     // Until when Redis is taken to be unreachable. It belongs to who has the turn.

	mu     sync.Mutex
	resume time.Time // When the time is over that a refusal asked for.
}

// PacerOptions are the options of a [Pacer].
type PacerOptions struct {
	// PerSecond and PerMinute are the limits of the service. At least one is needed.
	PerSecond, PerMinute Limit
	// Fallback paces attempts while Redis cannot be reached or asks for too long a wait, such as a *rate.Limiter of
	// golang.org/x/time/rate with the replica's share of the limit. Without one, the attempts fail, and with them their
	// calls.
	Fallback rpcfleet.Pacer
	// Prefix begins the keys, "rpcfleet" unless set. It must not contain braces. redis_rate puts "rate:"
	// before it.
	Prefix string
	// Timeout bounds a command, [DefaultTimeout] unless set.
	Timeout time.Duration
}

type pacedLimit struct {
	key   string
	limit redis_rate.Limit
}

const (
	// restAfterOutage is how long Redis is not asked again after it could not be reached, so that attempts do not wait
	// for one timeout after the other.
	restAfterOutage = time.Second
	// longestRetryAfter is the longest delay that one refusal can impose.
	longestRetryAfter = time.Minute
)

// errWait matches the error of a wait that is too long.
var errWait = errors.New("the limits of the replicas differ, or the clock of the server was set back")

var errUnreachable = errors.New("fleetredis: Redis could not be reached a moment ago")

// NewPacer makes a pacer for an account, which its API key identifies. All replicas have to give it the same limits.
func NewPacer(client redis.UniversalClient, account scalar.Secret, options PacerOptions) (*Pacer, error) {
	if client == nil {
		return nil, errors.New("fleetredis: the client must not be nil")
	}
	if account.IsZero() {
		return nil, errors.New("fleetredis: the account must not be empty")
	}
	if err := checkPrefix(options.Prefix); err != nil {
		return nil, err
	}
	p := &Pacer{limiter: redis_rate.NewLimiter(client), options: options, turn: make(chan struct{}, 1)}
	// The tighter limit comes last: what waits for it goes evenly, and not in a burst of what has waited.
	for _, of := range []struct {
		name   string
		limit  Limit
		period time.Duration
	}{{"second", options.PerSecond, time.Second}, {"minute", options.PerMinute, time.Minute}} {
		if of.limit == (Limit{}) {
			continue
		}
		rate, err := of.limit.rate(of.period)
		if err != nil {
			return nil, fmt.Errorf("fleetredis: the limit per %s: %w", of.name, err)
		}
		p.limits = append(p.limits, pacedLimit{keyOf(options.Prefix, "pacer:"+of.name, account.Reveal()), rate})
	}
	if len(p.limits) == 0 {
		return nil, errors.New("fleetredis: a pacer needs a limit")
	}
	return p, nil
}

// Wait holds an attempt back until it may go, or until the context ends, whose error it returns then.
func (p *Pacer) Wait(ctx context.Context) error {
	err := p.wait(ctx)
	switch {
	case err == nil || ctx.Err() != nil:
		return ctx.Err()
	case p.options.Fallback != nil:
		return p.options.Fallback.Wait(ctx)
	}
	return fmt.Errorf("fleetredis: pacing: %w", err)
}

func (p *Pacer) wait(ctx context.Context) error {
	select {
	case p.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-p.turn }()
	if err := sleep(ctx, time.Until(p.resumption())); err != nil {
		return err
	}
	if time.Now().Before(p.down) {
		return errUnreachable
	}
	for _, limit := range p.limits {
		if err := p.take(ctx, limit); err != nil {
			if ctx.Err() == nil && !errors.Is(err, errWait) {
				p.down = time.Now().Add(restAfterOutage)
			}
			return err
		}
	}
	return nil
}

// take takes one request from a limit, when there is one.
func (p *Pacer) take(ctx context.Context, of pacedLimit) error {
	for {
		result, err := bounded(ctx, p.options.Timeout, func(ctx context.Context) (*redis_rate.Result, error) {
			return p.limiter.Allow(ctx, of.key, of.limit)
		})
		if err != nil || result.Allowed > 0 {
			return err
		}
		// A limit leaks one request in a window at least. The rounding is for redis_rate's, which counts in floats.
		if result.RetryAfter.Round(time.Millisecond) > of.limit.Period {
			return fmt.Errorf("a wait of %v, longer than the limit's window: %w", result.RetryAfter, errWait)
		}
		if err := sleep(ctx, result.RetryAfter); err != nil {
			return err
		}
	}
}

// ObserveRateLimit implements [rpcfleet.RateLimitObserver].
func (p *Pacer) ObserveRateLimit(state rpcfleet.RateLimitState) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if resume := time.Now().Add(state.RetryAfter); state.RetryAfter <= longestRetryAfter && resume.After(p.resume) {
		p.resume = resume
	}
}

func (p *Pacer) resumption() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.resume
}

// sleep waits, and not beyond the end of the context.
func sleep(ctx context.Context, wait time.Duration) error {
	if wait <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
