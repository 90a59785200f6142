package rpcfleet

import (
	"errors"
	"math/rand/v2"
	"time"
)

const (
	// firstTokenBackoff and maxTokenBackoff are the ceilings of the wait after the first failure in a row, and after
	// many. Half of a ceiling is always waited, so that the number of requests has a bound; the rest is drawn.
	firstTokenBackoff = time.Second
	maxTokenBackoff   = 30 * time.Second
	// maxTokenRetryAfter is the longest Retry-After that is respected. A program that runs for months must not be shut
	// out of its endpoint for good by one odd header.
	maxTokenRetryAfter = time.Hour
)

// tokenBackoff is how long a source of tokens makes no request, and why. The zero value allows one.
type tokenBackoff struct {
	failures int // In a row.
	until    time.Time
	err      error
}

// failed begins the wait after a failure. Every failure counts, those included that will hardly go away by themselves,
// as a wrong key: the requests for a token come as often as those of the calls that need it.
func (b *tokenBackoff) failed(err error) {
	ceiling := firstTokenBackoff
	for n := 0; n < b.failures && ceiling < maxTokenBackoff; n++ {
		ceiling = min(2*ceiling, maxTokenBackoff)
	}
	wait := ceiling/2 + rand.N(ceiling/2)
	var fault *Error
	if errors.As(err, &fault) {
		wait = max(wait, min(fault.RetryAfter, maxTokenRetryAfter))
	}
	b.failures++
	b.until, b.err = time.Now().Add(wait), err
}

// failure returns the last failure while it is too early for another request, and nil otherwise.
func (b *tokenBackoff) failure() error {
	if time.Now().Before(b.until) {
		return b.err
	}
	return nil
}
