package transport

import (
	"net/http"
	"sync"
)

// The prices of the quota are those of the AWS SDKs' standard retry mode.
const (
	defaultQuota  = 500
	retryCost     = 5  // A retry after a response.
	lostRetryCost = 10 // A retry after a timeout or a lost connection.
	successReward = 1  // What an attempt gives that succeeds at once.
)

// quota is the budget of retries that the calls of one client share, a token bucket. While a service is down it runs
// empty, and most calls end with their first attempt instead of multiplying the load; successes fill it again. A nil
// quota is without limit.
type quota struct {
	mu               sync.Mutex
	tokens, capacity int
}

// newQuota makes a full bucket. Zero means the default capacity, a negative one no limit.
func newQuota(capacity int) *quota {
	switch {
	case capacity < 0:
		return nil
	case capacity == 0:
		capacity = defaultQuota
	}
	return &quota{tokens: capacity, capacity: capacity}
}

// take pays for a retry, or reports that there is not enough left.
func (q *quota) take(cost int) bool {
	if q == nil {
		return true
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.tokens < cost {
		return false
	}
	q.tokens -= cost
	return true
}

// give fills the bucket, never above its capacity.
func (q *quota) give(tokens int) {
	if q == nil {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.tokens = min(q.tokens+tokens, q.capacity)
}

// pay takes from the quota what a retry costs.
func (f *state) pay(lost bool) bool {
	cost := retryCost
	if lost {
		cost = lostRetryCost
	}
	if !f.quota.take(cost) {
		f.result.QuotaExhausted = true
		return false
	}
	f.paid = cost
	return true
}

// earn gives the quota what the last attempt is worth: the cost of the retry that it was, or a little where the first
// one succeeded. Success is a response of a service that works, such as 404.
func (f *state) earn(status int) {
	if status < http.StatusInternalServerError && !retryable(status) {
		f.quota.give(max(f.paid, successReward))
	}
}
