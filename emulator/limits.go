package emulator

import (
	"net/http"
	"strconv"
	"time"
)

// Plan is a plan of the account: the limit of its requests to all areas together.
type Plan struct {
	// Name is the plan of the account's records, and "Scale" by default.
	Name string
	// PerSecond is the number of requests per second in the long run. 0 means unlimited.
	PerSecond int
	// Burst is the number of requests at once after a pause. It is at least PerSecond.
	Burst int
}

// The plans of the service (observed).
var (
	PlanFree       = Plan{"Free", 3, 6}
	PlanBuild      = Plan{"Build", 20, 60}
	PlanAccelerate = Plan{"Accelerate", 40, 120}
	PlanScale      = Plan{"Scale", 60, 120}
	PlanBusiness   = Plan{"Business", 80, 160}
	PlanEnterprise = Plan{"Enterprise", 250, 500}
)

// tokenBucket is the limit of a plan. A fresh one is full.
type tokenBucket struct {
	Plan

	tokens float64
	filled time.Time // The time at which tokens was right.
}

// admit takes a token if there is one, and writes the headers. It reports whether there was one.
func (b *tokenBucket) admit(header http.Header, now time.Time) bool {
	if b.PerSecond <= 0 {
		return true
	}
	most := float64(max(b.Burst, b.PerSecond))
	if b.filled.IsZero() {
		b.tokens = most
	}
	b.tokens = min(most, b.tokens+float64(b.PerSecond)*max(now.Sub(b.filled), 0).Seconds())
	b.filled = now
	admitted := b.tokens >= 1
	if admitted {
		b.tokens--
	} else {
		header.Set("Retry-After", strconv.FormatInt(int64((b.until(1)+time.Second-1)/time.Second), 10))
	}
	header.Set("X-Ratelimit-Rpslimit", strconv.Itoa(b.PerSecond))
	header.Set("X-Ratelimit-Rpsremaining", strconv.Itoa(min(int(b.tokens), b.PerSecond)))
	header.Set("X-Ratelimit-Rpsreset", strconv.FormatInt(now.Add(b.until(most)+time.Second-1).Unix(), 10))
	return admitted
}

// until returns the time until the bucket has so many tokens, which is at least a nanosecond.
func (b *tokenBucket) until(tokens float64) time.Duration {
	return max(time.Duration((tokens-b.tokens)/float64(b.PerSecond)*float64(time.Second)), 1)
}
