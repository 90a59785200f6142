package fleetredis

import (
	"errors"
	"fmt"
	"time"

	"github.com/go-redis/redis_rate/v10"
)

// Limit is a request limit of the service, which counts in windows that follow one another.
//
// Over any window, wherever it begins, a [Pacer] lets at most Requests - Reserve attempts go: Burst of them at once
// where none went for a while, and the others evenly. What arrives in a window of the service has gone in it, or was
// under way when it began. So where at most Reserve requests are under way at once, over all replicas, none is refused,
// however long each of them takes; where there are more, those that take unequally long may be.
type Limit struct {
	// Requests is what the service allows.
	Requests int
	// Burst is how many may go at once. It is a tenth of what is not reserved unless set, and at least 1.
	Burst int
	// Reserve is how many are left to those that are under way. It may be 0.
	Reserve int
}

// rate returns the limit as a leaky bucket: over any window it lets its burst pass, and what leaks meanwhile, which
// makes one less than the two together, because the first of a burst is the beginning of the leaking.
func (l Limit) rate(period time.Duration) (redis_rate.Limit, error) {
	free := l.Requests - l.Reserve
	switch {
	case l.Requests < 1 || l.Burst < 0 || l.Reserve < 0:
		return redis_rate.Limit{}, errors.New("the requests must be at least 1, the burst and the reserve at least 0")
	case free < 1:
		return redis_rate.Limit{}, errors.New("the reserve must be less than the requests")
	case l.Burst > free:
		return redis_rate.Limit{}, fmt.Errorf("the burst must be at most the %d requests that are not reserved", free)
	}
	burst := l.Burst
	if burst == 0 {
		burst = max(free/10, 1)
	}
	return redis_rate.Limit{Rate: free - burst + 1, Burst: burst, Period: period}, nil
}
