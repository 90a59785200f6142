package rpcfleet

import (
	"net/http"
	"sync"
)

// RateLimitObserver is a [Pacer] that is told what each response says of the service's limits, whichever call it belongs
// to and whatever its status. A response that says nothing is a zero state. It is called concurrently, after the
// response's headers have come and before its body is read, and should return at once. [AdaptivePacer] is one.
type RateLimitObserver interface {
	ObserveRateLimit(state RateLimitState)
}

// latestRateLimit keeps what the responses of a client have told of the service's limits.
type latestRateLimit struct {
	observer RateLimitObserver // The pacer, or nil where it does not want to know.

	mu    sync.Mutex
	state RateLimitState
}

// received is told of every response.
func (l *latestRateLimit) received(status int, header http.Header) {
	state := rateLimitState(status, header)
	if state != (RateLimitState{}) {
		l.keep(state)
	}
	if l.observer != nil {
		l.observer.ObserveRateLimit(state)
	}
}

// keep takes over what a response tells.
func (l *latestRateLimit) keep(state RateLimitState) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if state.PerSecond == nil {
		state.PerSecond = l.state.PerSecond
	}
	if state.PerMinute == nil {
		state.PerMinute = l.state.PerMinute
	}
	if state.Date.IsZero() {
		state.Date = l.state.Date
	}
	l.state = state
}

// copy returns what is known.
func (l *latestRateLimit) copy() RateLimitState {
	l.mu.Lock()
	defer l.mu.Unlock()
	return deepCopy(l.state)
}
