package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"time"
)

// Policy says how often and how patiently a call is tried.
type Policy struct {
	// MaxAttempts is the number of tries at most, the first included. Below 1 counts as 1.
	MaxAttempts int
	// BaseDelay and MaxDelay bound the backoff: the wait before try n+1 is drawn evenly from zero to
	// BaseDelay*2^(n-1), at most MaxDelay.
	BaseDelay time.Duration
	MaxDelay  time.Duration
	// MaxRetryAfter is the longest wait that a Retry-After header is granted. A longer one ends the call at once.
	MaxRetryAfter time.Duration
}

// check runs after every try and decides about another one. The decision is safe before it is persistent: a write that
// is not idempotent is repeated only where the service cannot have acted on it.
func (f *flight) check(ctx context.Context, resp *http.Response, err error) (bool, error) {
	var status int
	var header http.Header
	if err == nil {
		f.last = f.try.reply
		status, header = resp.StatusCode, resp.Header
	}
	again := ctx.Err() == nil && f.attempts < f.call.Retry.MaxAttempts && f.mayRepeat(status, err)
	if again {
		f.wait, again = f.delay(ctx, header)
	}
	f.observe(ctx, status, err, again)
	if again && leavesOpen(status, err, f.try.connected.Load()) {
		f.acted = true
	}
	return again, nil
}

// mayRepeat tells whether another try is both promising and safe.
func (f *flight) mayRepeat(status int, err error) bool {
	if err != nil {
		return !permanent(err) && (f.call.Operation.Idempotent || neverConnected(err, f.try.connected.Load()))
	}
	switch status {
	case http.StatusTooManyRequests:
		return true // Refused before it was acted on, whatever the operation.
	case http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return f.call.Operation.Idempotent
	}
	return false
}

// leavesOpen tells whether the service may have carried out a try that failed this way.
func leavesOpen(status int, err error, connected bool) bool {
	if err != nil {
		return !neverConnected(err, connected)
	}
	return status >= http.StatusInternalServerError
}

// neverConnected tells whether the try failed before there was a connection to send it on. Both signs must agree: a
// transport of the caller's own may not report connections.
func neverConnected(err error, connected bool) bool {
	if connected {
		return false
	}
	var op *net.OpError
	var dns *net.DNSError
	return errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect") || errors.As(err, &dns)
}

// permanent tells whether another try would meet the same failure.
func permanent(err error) bool {
	var failure *Failure
	if errors.As(err, &failure) {
		switch failure.Kind {
		case Unsent, Canceled, TooLarge:
			return true
		}
	}
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	return errors.Is(err, errTooManyRedirects) ||
		errors.As(err, &certificate) || errors.As(err, &authority) || errors.As(err, &host)
}

// delay returns the wait before the next try, and false where waiting is pointless: the service asks for more patience
// than the call has, or the context would end first.
func (f *flight) delay(ctx context.Context, header http.Header) (time.Duration, bool) {
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
func (f *flight) jitter() time.Duration {
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
func (f *flight) backoff(_, _ time.Duration, _ int, _ *http.Response) time.Duration { return f.wait }
