// Package pacer keeps a client within the request limits that the service reports in its responses.
package pacer

import (
	"context"
	"sync"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
)

// Adaptive is a [rpcfleet.Pacer] that learns the service's request limits from its responses and delays attempts before
// the service rejects them:
//
//	limit := new(pacer.Adaptive)
//	options := []rpcfleet.ClientOption{rpcfleet.WithBaseURL(address), rpcfleet.WithAPIKey(key)}
//	client, err := rpcfleet.New(append(options, limit.ClientOptions()...)...)
//
// With [rpcfleet.WithPacer] alone it learns nothing, and delays no attempt after the first second.
//
// Clients with the same key share a limit and should share its pacer as well. The zero value is ready for use. An
// Adaptive must not be copied.
//
// If more than a quarter of a window's requests remain, attempts go at once. The last quarter is spread evenly over the
// rest of the window; if no requests remain, attempts wait for the next window. A 429 with a Retry-After of at most a
// minute delays all attempts by that time. Attempts are admitted roughly in FIFO order. Until the first response
// arrives, one attempt goes alone and the others wait for its response, for at most a second.
//
// No response delays an attempt by more than the length of the window, a second or a minute. A window is ignored if it
// has no reset time, if its reset time is implausible, or if responses no longer include it. Windows are assumed to
// follow one another without a gap. If the service's clock and the local clock differ by more than two seconds, resets
// are measured against the Date of the response.
//
// Requests of other programs under the same limit only show in the next response. With such programs a 429 is rare but
// possible; it is retried like any other.
type Adaptive struct {
	once sync.Once
	turn chan struct{} // Holds an item while a caller is at the head of the queue.
	news chan struct{} // Receives an item with each response.

	mu      sync.Mutex
	first   time.Time // Time of the first attempt, or zero.
	told    bool      // A response has arrived.
	resume  time.Time // End of the delay that a 429 asked for.
	windows [2]window
}

const (
	// firstResponse is how long attempts wait for the first response.
	firstResponse = time.Second
	// longestRetryAfter is the longest Retry-After that delays all callers.
	longestRetryAfter = time.Minute
)

// init fills in the zero value.
func (p *Adaptive) init() {
	p.once.Do(func() {
		p.turn, p.news = make(chan struct{}, 1), make(chan struct{}, 1)
		p.windows[0].length, p.windows[1].length = time.Second, time.Minute
	})
}

// Wait delays an attempt until it may be sent, or returns the context's error if the context ends first. Only the
// caller at the head of the queue has a timer.
func (p *Adaptive) Wait(ctx context.Context) error {
	p.init()
	select {
	case p.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-p.turn }()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		wait := p.take(time.Now())
		if wait <= 0 {
			return nil
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-p.news: // The wait may be shorter or longer now.
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

// take takes one request from every window. If there is none, it returns the time to wait.
func (p *Adaptive) take(now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.first.IsZero() {
		p.first = now
		return 0
	}
	wait := p.resume.Sub(now)
	if !p.told {
		wait = max(wait, p.first.Add(firstResponse).Sub(now))
	}
	for i := range p.windows {
		wait = max(wait, p.windows[i].wait(now))
	}
	if wait > 0 {
		return wait
	}
	for i := range p.windows {
		p.windows[i].take(now)
	}
	return 0
}

// ClientOptions returns the options of a client to pace: the pacer, and the hook that it learns from.
func (p *Adaptive) ClientOptions() []rpcfleet.ClientOption {
	return []rpcfleet.ClientOption{rpcfleet.WithPacer(p), rpcfleet.WithAttemptHook(p.ObserveAttempt)}
}

// ObserveAttempt is a [rpcfleet.AttemptHook]. The pacer learns from every response, whatever its status, also if its
// body was cut short.
func (p *Adaptive) ObserveAttempt(ctx context.Context, _ rpcfleet.Attempt) (context.Context,
	func(rpcfleet.AttemptResult)) {
	return ctx, func(result rpcfleet.AttemptResult) {
		if result.StatusCode == 0 {
			return // There was no response.
		}
		p.init()
		p.learn(&result.RateLimit, time.Now())
		select {
		case p.news <- struct{}{}:
		default: // The head of the queue has an update to read already.
		}
	}
}

func (p *Adaptive) learn(state *rpcfleet.RateLimitState, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.told = true
	p.windows[0].learn(state.PerSecond, state.Date, now)
	p.windows[1].learn(state.PerMinute, state.Date, now)
	if resume := now.Add(state.RetryAfter); state.RetryAfter <= longestRetryAfter && resume.After(p.resume) {
		p.resume = resume
	}
}
