package rpcfleet

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestTheLatestStateKeepsWhatItIsNotTold of.
func TestTheLatestStateKeepsWhatItIsNotTold(t *testing.T) {
	var latest latestRateLimit
	second, minute, date := &RateLimitWindow{Limit: 5}, &RateLimitWindow{Limit: 50}, time.Unix(1_000_000, 0)
	latest.keep(RateLimitState{PerSecond: second, PerMinute: minute, Date: date})
	latest.keep(RateLimitState{RetryAfter: time.Second})
	assert.Equal(t, RateLimitState{second, minute, date, time.Second}, latest.copy())
}
