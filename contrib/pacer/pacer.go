// Package pacer keeps a client within the service's request limits by what its responses tell of them. It is a module
// of its own:
//
//	go get github.com/rpcfleet/rpcfleet-go/contrib/pacer
package pacer

import (
	"context"
	"sync"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
)

// Adaptive is a [rpcfleet.Pacer] that learns the service's request limits from its responses, and holds attempts back
// before the service refuses them:
//
//	limit := new(pacer.Adaptive)
//	client, err := rpcfleet.New(rpcfleet.WithBaseURL(address), rpcfleet.WithAPIKey(key), rpcfleet.WithPacer(limit))
//
// Clients of one key share a limit, and should share its pacer as well. The zero value knows nothing yet and is ready
// for use. It must not be copied.
//
// While more than a quarter of a window's requests are left, attempts go at once. The last quarter is spread evenly
// over the time until the window begins anew, and when none are left, attempts wait until then. A refusal with a
// Retry-After of at most a minute holds back all of them for that time. Attempts go in the order in which they come,
// more or less. Before the first response nothing is known: the first attempt goes alone, and the others wait for the
// response to it, a second at most.
//
// Nothing that a response says holds an attempt back for longer than the window's own length, a second or a minute,
// from one attempt to the next. A window without a reset, or with one that is too far away, is not gone by, and neither
// is one that responses have ceased to mention. Windows are taken to follow one another without a gap (assumed). If the
// service's clock and this machine's differ by more than two seconds, resets are measured against the date of the
// response that told them, which is good to a second.
//
// What other programs use of the limit shows in the responses. Between two of them it cannot be known, so that with
// them about, a refusal is rare and not impossible; it is retried like any other.
type Adaptive struct {
	once sync.Once
	turn chan struct{} // Has an item while a caller is at the head of the others.
	news chan struct{} // Gets an item with a response.

	mu      sync.Mutex
	first   time.Time // When the first attempt went, or zero.
	told    bool      // A response has come.
	resume  time.Time // When the time is over that a refusal asked for.
	windows [2]window
}

const (
	// firstResponse is how long the first response is waited for.
	firstResponse = time.Second
	// longestRetryAfter is the longest delay that one refusal can impose on all callers.
	longestRetryAfter = time.Minute
)

// init makes what the zero value lacks.
func (p *Adaptive) init() {
	p.once.Do(func() {
		p.turn, p.news = make(chan struct{}, 1), make(chan struct{}, 1)
		p.windows[0].length, p.windows[1].length = time.Second, time.Minute
	})
}

// Wait holds an attempt back until it may go, or until the context ends, whose error it returns then. Only the caller
// at the head has a timer: the others wait for their turn, so that none wakes in vain.
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
		case <-p.news: // It may have to wait for less, or for more.
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

// take takes one request from every window, or returns how long there is none.
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

// ObserveRateLimit implements [rpcfleet.RateLimitObserver].
func (p *Adaptive) ObserveRateLimit(state rpcfleet.RateLimitState) {
	p.init()
	p.learn(&state, time.Now())
	select {
	case p.news <- struct{}{}:
	default: // The caller at the head has yet to look at what came before.
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
