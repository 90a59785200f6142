package webhooks

import (
	"errors"
	"log/slog"
	"math"
	"time"
)

// ReceiverOption configures a Receiver.
type ReceiverOption func(*receiverSettings) error

type receiverSettings struct {
	tolerance  time.Duration
	maxBody    int64
	maxTracked int
	store      DedupStore
	timeout    time.Duration // Of a callback, or 0.
	clock      func() time.Time
	logger     *slog.Logger
}

// option returns an option that fails if its argument is bad.
func option(bad bool, rule string, set func(*receiverSettings)) ReceiverOption {
	return func(s *receiverSettings) error {
		if bad {
			return errors.New("webhooks: " + rule)
		}
		set(s)
		return nil
	}
}

// WithTolerance sets how far the timestamp of a delivery may be from the current time, in either direction. The default
// is 5 minutes. Deliveries are remembered for twice as long. If the clock is set back after that, so that the timestamp
// of a forgotten delivery is within the tolerance again, a copy of it is executed.
func WithTolerance(tolerance time.Duration) ReceiverOption {
	return option(tolerance <= 0 || tolerance > math.MaxInt64/2,
		"the tolerance must be more than zero, and at most half of the longest time.Duration",
		func(s *receiverSettings) { s.tolerance = tolerance })
}

// WithMaxBody sets the maximum size of a payload in bytes, as it is sent and uncompressed. The default is 1 MiB: set
// more if a delivery contains whole blocks. If a request announces a larger body, it is rejected before the body is
// read. A connection uses about two to three times as much memory, even if the delivery is not genuine, since the
// signature covers the payload.
func WithMaxBody(bytes int64) ReceiverOption {
	return option(bytes < 1, "the maximum body size must be at least 1 byte",
		func(s *receiverSettings) { s.maxBody = bytes })
}

// WithMaxTracked sets the maximum number of deliveries that are remembered. The default is 100,000. If there are more
// within twice the tolerance, further ones get a 503 and should be retried later: a delivery that could be replayed
// must not be forgotten. A delivery takes about 300 bytes.
func WithMaxTracked(deliveries int) ReceiverOption {
	return option(deliveries < 1, "the number of tracked deliveries must be at least 1",
		func(s *receiverSettings) { s.maxTracked = deliveries })
}

// WithDedupStore sets the store that remembers deliveries, instead of the Receiver's own. If Receivers share a store,
// in one process or several, they run their callbacks once for each delivery. [WithMaxTracked] does not apply to it.
//
// The timeout limits a callback: its context ends then, and the delivery can be claimed again. It must be longer than
// any callback takes, and shorter than the tolerance: if a program is killed during a callback, retries of the delivery
// get a 503 until the timeout has passed. A callback that ignores its context can then run twice.
//
// If the store cannot be reached, a delivery gets a 503 and the callback does not run. If the store cannot be reached
// at the end of a callback, or the program is killed before Settle, a retry after the timeout runs the callback again.
// If that matters, the callback must do its work and record it atomically, in a database for example.
func WithDedupStore(store DedupStore, timeout time.Duration) ReceiverOption {
	if store == nil {
		return option(true, "the store of deliveries must not be nil", nil)
	}
	return option(timeout < time.Second, "the timeout of a callback must be at least a second",
		func(s *receiverSettings) { s.store, s.timeout = store, timeout })
}

// WithClock sets the Receiver's clock, time.Now by default. It is called concurrently.
func WithClock(clock func() time.Time) ReceiverOption {
	return option(clock == nil, "the clock must not be nil", func(s *receiverSettings) { s.clock = clock })
}

// WithLogger sets the logger. It receives a warning for each rejected delivery (status, reason, and the error of the
// verifier or the callback) and a message for each duplicate of an executed delivery. The Receiver itself logs no
// tokens, header values or payloads.
func WithLogger(logger *slog.Logger) ReceiverOption {
	return option(logger == nil, "the logger must not be nil", func(s *receiverSettings) { s.logger = logger })
}
