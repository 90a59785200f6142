package fleetprometheus

import (
	"context"
	"strconv"

	"github.com/rpcfleet/rpcfleet-go"
)

// ObserveCall is a [rpcfleet.Observer].
func (c *Collector) ObserveCall(ctx context.Context, op rpcfleet.Operation) (context.Context, func(rpcfleet.Outcome)) {
	operation := c.operations.label(op.ID)
	return ctx, func(outcome rpcfleet.Outcome) {
		class := outcome.Class()
		c.calls.WithLabelValues(operation, class, status(outcome.StatusCode)).Inc()
		c.callTime.WithLabelValues(operation, class).Observe(outcome.Duration.Seconds())
		c.window("second", outcome.RateLimit.PerSecond)
		c.window("minute", outcome.RateLimit.PerMinute)
	}
}

// ObserveAttempt is a [rpcfleet.AttemptObserver].
func (c *Collector) ObserveAttempt(ctx context.Context, attempt rpcfleet.Attempt) (context.Context, func(rpcfleet.AttemptOutcome)) {
	operation := c.operations.label(attempt.Operation.ID)
	return ctx, func(outcome rpcfleet.AttemptOutcome) {
		status := status(outcome.StatusCode)
		c.attempts.WithLabelValues(operation, status).Inc()
		c.attemptTime.WithLabelValues(operation, status).Observe(outcome.Duration.Seconds())
		if outcome.Retried {
			c.retries.WithLabelValues(operation).Inc()
		}
		if outcome.Paced > 0 {
			c.paced.WithLabelValues(operation).Add(outcome.Paced.Seconds())
		}
	}
}

// window sets the metrics of a request limit.
func (c *Collector) window(name string, window *rpcfleet.RateLimitWindow) {
	if window == nil {
		return
	}
	c.limit.WithLabelValues(name).Set(float64(window.Limit))
	c.remaining.WithLabelValues(name).Set(float64(window.Remaining))
}

// status returns the label of a status.
func status(code int) string {
	switch {
	case code == 0:
		return "none"
	case code < 100 || code > 599:
		return "other"
	}
	return strconv.Itoa(code)
}
