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

// Limit is a request limit of the service, which counts in consecutive fixed windows.
//
// A [Pacer] admits at most Requests - Headroom attempts in any period of a window's length: Burst of them at once after
// a pause, and the others evenly. If at most Headroom requests are in flight at once over all replicas, the service
// rejects none, however long each takes. With more in flight, requests of very different durations may exceed the
// limit.
type Limit struct {
	// Requests is the number of requests that the service allows in a window.
	Requests int
	// Burst is the number of attempts that may go at once, at least 1. The default is a tenth of Requests - Headroom.
	Burst int
	// Headroom is the number of requests left for those in flight. It may be 0.
	Headroom int
}

// rate returns the limit as a leaky bucket. In any window the bucket admits its burst and the requests that leak
// meanwhile, less one because the first of a burst starts the leak.
func (l Limit) rate(period time.Duration) (redis_rate.Limit, error) {
	free := l.Requests - l.Headroom
	switch {
	case l.Requests < 1 || l.Burst < 0 || l.Headroom < 0:
		return redis_rate.Limit{}, errors.New("the requests must be at least 1, the burst and the reserve at least 0")
	case free < 1:
		return redis_rate.Limit{}, errors.New("the reserve must be less than the requests")
	case l.Burst > free:
		return redis_rate.Limit{}, fmt.Errorf("the burst must be at most the %d requests that are not reserved", free)
	}
	burst := l.Burst
	if burst == 0 {
		burst = max(free/10, 1)
	}
	return redis_rate.Limit{Rate: free - burst + 1, Burst: burst, Period: period}, nil
}

// Pacer is a [rpcfleet.Pacer] that keeps all clients of an account together within its request limits. Use [NewPacer]
// to create one.
//
// Attempts are spread by go-redis/redis_rate, by the clock of the Redis server. In each process, only the attempt at
// the head of the queue calls it. A wait is at most as long as the limit's window and ends with the context. A longer
// wait means that replicas have different limits or that a clock was set back: it is an error, or a case for the
// fallback if there is one. With [Pacer.ClientOptions], a 429 with a Retry-After of at most a minute, which means that
// others use the account as well, delays all attempts of the process by that time.
type Pacer struct {
	limiter *redis_rate.Limiter
	options PacerOptions
	limits  []pacedLimit
	turn    chan struct{} // Holds an item while an attempt is at the head of the queue.
	down    time.Time     // Redis is assumed to be unreachable until then. The holder of turn owns it.

	mu     sync.Mutex
	resume time.Time // End of the delay that a 429 asked for.
}

// PacerOptions configure a [Pacer].
type PacerOptions struct {
	// PerSecond and PerMinute are the limits of the service. At least one is required.
	PerSecond, PerMinute Limit
	// Fallback paces attempts if Redis cannot be reached or asks for too long a wait, for example a *rate.Limiter of
	// golang.org/x/time/rate with the replica's share of the limit. Without a fallback, such attempts and their calls
	// fail.
	Fallback rpcfleet.Pacer
	// Prefix is the first part of all keys, "rpcfleet" by default. redis_rate adds "rate:" before it.
	Prefix string
	// Timeout bounds a command, [DefaultTimeout] by default.
	Timeout time.Duration
}

type pacedLimit struct {
	key   string
	limit redis_rate.Limit
}

const (
	// restAfterOutage is how long Redis is left alone after a failure, so that attempts do not wait for one timeout after
	// the other.
	restAfterOutage = time.Second
	// longestRetryAfter is the longest Retry-After that delays all attempts.
	longestRetryAfter = time.Minute
)

// errWait is returned if a wait is too long.
var errWait = errors.New("the limits of the replicas differ, or the clock of the server was set back")

var errUnreachable = errors.New("fleetredis: Redis could not be reached a moment ago")

// NewPacer returns a pacer for the account of an API key. All replicas must use the same limits.
func NewPacer(client redis.UniversalClient, account scalar.Secret, options PacerOptions) (*Pacer, error) {
	if client == nil {
		return nil, errors.New("fleetredis: the client must not be nil")
	}
	if account.IsZero() {
		return nil, errors.New("fleetredis: the account must not be empty")
	}
	p := &Pacer{limiter: redis_rate.NewLimiter(client), options: options, turn: make(chan struct{}, 1)}
	// The tighter limit comes last, so that attempts delayed by the other one do not arrive in a burst.
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

// Wait delays an attempt until it may be sent, or returns the context's error if the context ends first.
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

// take takes one request from a limit if one is available.
func (p *Pacer) take(ctx context.Context, of pacedLimit) error {
	for {
		result, err := bounded(ctx, p.options.Timeout, func(ctx context.Context) (*redis_rate.Result, error) {
			return p.limiter.Allow(ctx, of.key, of.limit)
		})
		if err != nil || result.Allowed > 0 {
			return err
		}
		// A limit leaks at least one request in a window. The rounding allows for redis_rate's floats.
		if result.RetryAfter.Round(time.Millisecond) > of.limit.Period {
			return fmt.Errorf("a wait of %v, longer than the limit's window: %w", result.RetryAfter, errWait)
		}
		if err := sleep(ctx, result.RetryAfter); err != nil {
			return err
		}
	}
}

// ClientOptions returns the options of a client to pace: the pacer, and the hook that it learns from.
func (p *Pacer) ClientOptions() []rpcfleet.ClientOption {
	return []rpcfleet.ClientOption{rpcfleet.WithPacer(p), rpcfleet.WithAttemptHook(p.ObserveAttempt)}
}

// ObserveAttempt is a [rpcfleet.AttemptHook], for the Retry-After of responses.
func (p *Pacer) ObserveAttempt(ctx context.Context, _ rpcfleet.Attempt) (context.Context,
	func(rpcfleet.AttemptResult)) {
	return ctx, func(result rpcfleet.AttemptResult) {
		p.mu.Lock()
		defer p.mu.Unlock()
		after := result.RateLimit.RetryAfter
		if resume := time.Now().Add(after); after <= longestRetryAfter && resume.After(p.resume) {
			p.resume = resume
		}
	}
}

func (p *Pacer) resumption() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.resume
}
