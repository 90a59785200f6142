package transport

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// retryable are the statuses that are worth a retry.
var retryable = map[int]bool{
	http.StatusRequestTimeout: true, http.StatusTooEarly: true, http.StatusTooManyRequests: true,
	http.StatusInternalServerError: true, http.StatusBadGateway: true, http.StatusServiceUnavailable: true,
	http.StatusGatewayTimeout: true,
}

// checkRetry ends an attempt: it keeps the response, decides whether to make another attempt, and reports both. Then it
// waits for that attempt: after a connection error, a backoff function of go-retryablehttp does not know its call.
func checkRetry(ctx context.Context, _ *http.Response, err error) (bool, error) {
	s := ctx.Value(stateKey{}).(*callState)
	var status int
	var failure, reported *Failure // A refusal can be cut short: that is reported, and is not a failure.
	var acted bool                 // The service may have executed the attempt. The body of a 2xx response reports it.
	if err != nil {
		failure = failureOf(err)
		reported, acted = failure, failure.reach == unknown
	} else {
		s.result.Last.Release()
		s.result.Last = s.attempt.response
		status, reported = s.result.Last.Status, s.result.Last.Cut
		acted = status == http.StatusRequestTimeout || status/100 != 2 && status/100 != 4
	}
	again, wait, reason := false, time.Duration(0), ""
	if failure != nil || retryable[status] {
		again, wait, reason = s.decide(ctx, status, failure)
	}
	if again {
		s.cost = retryCost
		if failure != nil {
			s.cost, s.returned = lostRetryCost, s.returned || failure.reach == unprocessed
		}
		if s.result.BudgetExhausted = !s.call.NoBudget && !s.transport.budget.add(-s.cost); s.result.BudgetExhausted {
			again, wait, reason = false, 0, "retry budget exhausted"
		}
	}
	// A retry that succeeds gets its cost back, and a first attempt a reward. Every response that shows that the service
	// works, such as 404, counts as a success.
	if !s.call.NoBudget && status >= http.StatusOK && status < http.StatusInternalServerError && !retryable[status] {
		s.transport.budget.add(cmp.Or(s.cost, successReward))
	}
	if acted {
		s.result.Open, s.result.MayHaveActed = true, s.result.MayHaveActed || again
	}
	if s.transport.config.Logger != nil || s.attempt.end != nil {
		s.observe(status, reported, again, wait, reason)
	}
	if !again {
		return false, nil
	}
	select {
	case <-time.After(wait):
		return true, nil
	case <-ctx.Done():
		return false, &Failure{Kind: Canceled, Err: ctx.Err()}
	}
}

// decide reports whether to make another attempt after a failure or a retryable status, and after which wait. If the
// attempts, the deadline or the policy's limit of Retry-After forbid it, it returns the reason. It changes nothing.
func (s *callState) decide(ctx context.Context, status int, failure *Failure) (
	again bool, wait time.Duration, reason string,
) {
	// If the operation is not idempotent, it is retried only if the service cannot have executed it, as after 429.
	safe, useful := s.call.Operation.Idempotent || status == http.StatusTooManyRequests, true
	limit := s.call.MaxAttempts
	if failure != nil {
		safe, useful = safe || failure.reach != unknown, !isPermanent(failure)
	}
	if s.returned {
		limit++
	}
	switch {
	case ctx.Err() != nil || !safe || !useful:
		return false, 0, ""
	case failure != nil && failure.reach == unprocessed && !s.returned:
		// The end of a connection is not a failure of the service: the first retry for it in a call is immediate and does not
		// count.
		return true, 0, ""
	case s.result.Attempts >= limit:
		return false, 0, "no attempts left"
	}
	wait = s.call.jitter(s.result.Attempts)
	if failure == nil {
		wanted, _ := RetryAfter(s.result.Last.Header, time.Now())
		if wanted > s.call.MaxRetryAfter {
			return false, 0, "Retry-After is longer than the policy allows"
		}
		wait = cmp.Or(wanted, wait)
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= wait {
		return false, 0, "the deadline comes before the next attempt"
	}
	return true, wait, ""
}

// isPermanent reports whether a retry would fail in the same way.
func isPermanent(failure *Failure) bool {
	switch failure.Kind {
	case Unsent, Canceled, TooLarge, Faulty:
		return true
	}
	return errors.Is(failure, errTooManyRedirects) || errors.As(failure, new(*tls.CertificateVerificationError))
}

// isRefusal reports whether a status shows that the service did not execute the request, whatever becomes of the body.
func isRefusal(status int) bool {
	return status/100 == 4 && status != http.StatusRequestTimeout && status != http.StatusTooEarly
}

// jitter returns a random wait: full jitter with an exponentially growing maximum.
func (c *Call) jitter(attempts int) time.Duration {
	ceiling := min(c.BaseDelay, c.MaxDelay)
	for n := 1; n < attempts && ceiling < c.MaxDelay; n++ {
		ceiling += min(ceiling, c.MaxDelay-ceiling) // Doubled, without an overflow.
	}
	if ceiling <= 0 {
		return 0
	}
	return rand.N(ceiling)
}

// RetryAfter parses the Retry-After header, in seconds or as an HTTP date. It returns false if the header is missing or
// invalid. A date in the past is zero, and more than ten years are ten years.
func RetryAfter(header http.Header, now time.Time) (time.Duration, bool) {
	const longest = 10 * 365 * 24 * time.Hour
	text := strings.TrimSpace(header.Get("Retry-After"))
	if seconds, err := strconv.ParseUint(text, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(seconds, uint64(longest/time.Second))) * time.Second, true
	}
	if date, err := http.ParseTime(text); err == nil {
		return min(max(date.Sub(now), 0), longest), true
	}
	return 0, false
}

// The costs are the same as in the standard retry mode of the AWS SDKs.
const (
	defaultBudget = 500
	retryCost     = 5  // A retry after a response.
	lostRetryCost = 10 // A retry after a timeout or a lost connection.
	successReward = 1  // For a first attempt that succeeds.
)

// budget is the retry budget that the calls of a client share, a token bucket. If a service is down, the bucket
// empties, and most calls end after their first attempt instead of multiplying the load; successes refill it.
type budget struct {
	mu               sync.Mutex
	tokens, capacity int
}

// add adds tokens up to the capacity, or removes tokens if the number is negative. It returns false if there are not
// enough tokens.
func (q *budget) add(tokens int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.tokens+tokens < 0 {
		return false
	}
	q.tokens = min(q.tokens+tokens, q.capacity)
	return true
}
