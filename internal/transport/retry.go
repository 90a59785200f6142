package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"
)

// Policy says how often and how patiently a call is tried.
type Policy struct {
	// MaxAttempts is the number of attempts at most, the first included. Below 1 counts as 1.
	MaxAttempts int
	// BaseDelay and MaxDelay bound the backoff: the wait before attempt n+1 is drawn evenly from zero to
	// BaseDelay*2^(n-1), at most MaxDelay.
	BaseDelay time.Duration
	MaxDelay  time.Duration
	// MaxRetryAfter is the longest wait that a Retry-After header is granted. A longer one ends the call at once.
	MaxRetryAfter time.Duration
	// Quota is the capacity of the retry quota that all calls of a client share. Zero means the default of 500, a
	// negative number none. The client's policy decides about the quota; that of a single call can only do without it.
	Quota int
}

// check runs after every attempt and decides about another one. The decision is safe before it is persistent: a write
// that is not idempotent is repeated only where the service cannot have acted on it.
func (f *state) check(ctx context.Context, _ *http.Response, err error) (bool, error) {
	var status int
	var failure *Failure
	if err != nil {
		failure = failureOf(err)
	} else {
		f.result.Last.Release()
		f.result.Last, status = f.attempt.response, f.attempt.response.Status
		f.earn(status)
	}
	again, gaveUp := f.another(ctx, status, failure)
	f.observe(f.attempt.values, status, failure, again)
	f.conclude(failure, again)
	if gaveUp != "" && f.call.Retry.MaxAttempts > 1 {
		f.warn(ctx, status, failure, gaveUp)
	}
	if leavesOpen(status, failure) {
		f.result.Open, f.result.MayHaveActed = true, f.result.MayHaveActed || again
	}
	return again, nil
}

// another decides about another attempt. Where one would be promising and safe and there is none, it says why.
func (f *state) another(ctx context.Context, status int, failure *Failure) (again bool, gaveUp string) {
	over := errors.Is(ctx.Err(), context.DeadlineExceeded)
	repeating := f.result.Attempts > 1 && failure != nil && failure.Kind == Canceled // The end came in the middle of a retry.
	switch {
	case over && (repeating || f.mayRepeat(status, failure)):
		return false, "the deadline is over"
	case ctx.Err() != nil || !f.mayRepeat(status, failure):
		return false, ""
	}
	if gaveUp = f.due(ctx, failure); gaveUp == "" && !f.pay(failure != nil) {
		gaveUp = "the retry quota is used up"
	}
	return gaveUp == "", gaveUp
}

// mayRepeat reports whether another attempt is both promising and safe.
func (f *state) mayRepeat(status int, failure *Failure) bool {
	switch {
	case failure != nil:
		return !permanent(failure) && (f.call.Operation.Idempotent || failure.fate != unknown)
	case status == http.StatusTooManyRequests:
		return true // Refused before it was acted on, whatever the operation.
	}
	return f.call.Operation.Idempotent && retryable(status)
}

// retryable reports whether a status asks for another attempt, where that is safe.
func retryable(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests,
		http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// due settles the wait before another attempt, or says why there shall be none. An attempt that the service has returned
// unprocessed is made up for at once, beyond the number that the policy grants: the end of a connection's life is no
// failure. That happens once in a call.
func (f *state) due(ctx context.Context, failure *Failure) (gaveUp string) {
	if failure != nil && failure.fate == unprocessed && !f.returned {
		f.returned, f.wait = true, 0
		return ""
	}
	if f.result.Attempts >= f.allowed() {
		return "the attempts are used up"
	}
	var header http.Header
	if failure == nil {
		header = f.result.Last.Header
	}
	f.wait, gaveUp = f.delay(ctx, header)
	return gaveUp
}

// allowed is the number of attempts that the call may take, of which one has been made.
func (f *state) allowed() int {
	if f.returned {
		return f.call.Retry.MaxAttempts + 1
	}
	return f.call.Retry.MaxAttempts
}

// leavesOpen reports whether the service may have carried out an attempt that ended this way.
func leavesOpen(status int, failure *Failure) bool {
	if failure != nil {
		return failure.fate == unknown && failure.Kind != Unsent
	}
	switch status / 100 {
	case 2: // The body says whether it was.
		return false
	case 4:
		return status == http.StatusRequestTimeout
	}
	return true
}

// permanent reports whether another attempt would meet the same failure.
func permanent(failure *Failure) bool {
	switch failure.Kind {
	case Unsent, Canceled, TooLarge, Faulty:
		return true
	}
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	return errors.Is(failure, errTooManyRedirects) ||
		errors.As(failure, &certificate) || errors.As(failure, &authority) || errors.As(failure, &host)
}

// delay returns the wait before the next attempt, or why waiting is pointless: the service asks for more patience than
// the call has, or the context would end first.
func (f *state) delay(ctx context.Context, header http.Header) (wait time.Duration, gaveUp string) {
	wait = f.jitter()
	if wanted, ok := RetryAfter(header, time.Now()); ok && wanted > 0 {
		if wanted > f.call.Retry.MaxRetryAfter {
			return 0, "Retry-After is longer than the policy waits"
		}
		wait = wanted
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= wait {
		return 0, "the deadline comes before the next attempt"
	}
	return wait, ""
}

// jitter draws the backoff: full jitter under an exponentially growing ceiling.
func (f *state) jitter() time.Duration {
	longest := f.call.Retry.MaxDelay
	ceiling := min(f.call.Retry.BaseDelay, longest)
	for n := 1; n < f.result.Attempts && ceiling < longest; n++ {
		ceiling += min(ceiling, longest-ceiling) // Doubled, without an overflow.
	}
	if ceiling <= 0 {
		return 0
	}
	return rand.N(ceiling)
}

// backoff hands go-retryablehttp the wait that check has settled.
func (f *state) backoff(_, _ time.Duration, _ int, _ *http.Response) time.Duration { return f.wait }
