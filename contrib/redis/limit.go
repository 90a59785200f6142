package fleetredis

import (
	"errors"
	"fmt"
	"time"

	"github.com/go-redis/redis_rate/v10"
)

// Limit is a request limit of the service, which counts in consecutive fixed windows.
//
// A [Pacer] admits at most Requests - Headroom attempts in any period of a window's length: Burst of them at once after
// a pause, and the others evenly. If at most Headroom requests are in flight at once over all replicas, the service
// rejects none, however long each takes. With more in flight, requests of very different durations may exceed the
// limit.
type Limit struct {
	// Requests is the number of requests that the service allows in a window.
	Requests int
	// Burst is the number of attempts that may go at once, at least 1. The default is a tenth of Requests - Headroom.
	Burst int
	// Headroom is the number of requests left for those in flight. It may be 0.
	Headroom int
}

// rate returns the limit as a leaky bucket. In any window the bucket admits its burst and the requests that leak
// meanwhile, less one because the first of a burst starts the leak.
func (l Limit) rate(period time.Duration) (redis_rate.Limit, error) {
	free := l.Requests - l.Headroom
	switch {
	case l.Requests < 1 || l.Burst < 0 || l.Headroom < 0:
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
