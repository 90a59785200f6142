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
func (f *state) check(ctx context.Context, resp *http.Response, err error) (bool, error) {
	var status int
	var failure *Failure
	if err != nil {
		failure = failureOf(err)
	} else {
		f.last.Release()
		f.last, status = f.attempt.response, resp.StatusCode
		f.earn(status)
	}
	again := ctx.Err() == nil && f.mayRepeat(status, failure) && f.due(ctx, resp, failure) && f.pay(failure != nil)
	f.observe(ctx, status, failure, again)
	if again && leavesOpen(status, failure) {
		f.acted = true
	}
	return again, nil
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

// due settles the wait before another attempt, if there shall be one. An attempt that the service has returned
// unprocessed is made up for at once, beyond the number that the policy grants: the end of a connection's life is no
// failure. That happens once in a call.
func (f *state) due(ctx context.Context, resp *http.Response, failure *Failure) bool {
	if failure != nil && failure.fate == unprocessed && !f.returned {
		f.returned, f.wait = true, 0
		return true
	}
	if f.attempts >= f.allowed() {
		return false
	}
	var header http.Header
	if resp != nil {
		header = resp.Header
	}
	var patient bool
	f.wait, patient = f.delay(ctx, header)
	return patient
}

// allowed is the number of attempts that the call may take.
func (f *state) allowed() int {
	allowed := max(f.call.Retry.MaxAttempts, 1)
	if f.returned {
		allowed++
	}
	return allowed
}

// leavesOpen reports whether the service may have carried out an attempt that ended this way.
func leavesOpen(status int, failure *Failure) bool {
	if failure != nil {
		return failure.fate == unknown
	}
	return status >= http.StatusInternalServerError || status == http.StatusRequestTimeout
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

// delay returns the wait before the next attempt, and false where waiting is pointless: the service asks for more
// patience than the call has, or the context would end first.
func (f *state) delay(ctx context.Context, header http.Header) (time.Duration, bool) {
	wait := f.jitter()
	if wanted, ok := RetryAfter(header, time.Now()); ok && wanted > 0 {
		if wanted > f.call.Retry.MaxRetryAfter {
			return 0, false
		}
		wait = wanted
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= wait {
		return 0, false
	}
	return wait, true
}

// jitter draws the backoff: full jitter under an exponentially growing ceiling.
func (f *state) jitter() time.Duration {
	longest := f.call.Retry.MaxDelay
	ceiling := min(f.call.Retry.BaseDelay, longest)
	for n := 1; n < f.attempts && ceiling < longest; n++ {
		ceiling += min(ceiling, longest-ceiling) // Doubled, without an overflow.
	}
	if ceiling <= 0 {
		return 0
	}
	return rand.N(ceiling)
}

// backoff hands go-retryablehttp the wait that check has settled.
func (f *state) backoff(_, _ time.Duration, _ int, _ *http.Response) time.Duration { return f.wait }
