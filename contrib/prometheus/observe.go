package fleetprometheus

import (
	"context"
	"net/http"
	"strconv"

	"github.com/rpcfleet/rpcfleet-go"
)

// ObserveCall is a [rpcfleet.CallHook].
func (c *Collector) ObserveCall(ctx context.Context, op rpcfleet.Operation) (context.Context,
	func(rpcfleet.CallResult)) {
	operation := c.operations.label(op.ID)
	return ctx, func(outcome rpcfleet.CallResult) {
		class := rpcfleet.KindOf(outcome.Err)
		c.calls.WithLabelValues(operation, class, status(outcome.Response.StatusCode)).Inc()
		c.callTime.WithLabelValues(operation, class).Observe(outcome.Response.Duration.Seconds())
		c.window("second", outcome.Response.RateLimit.PerSecond)
		c.window("minute", outcome.Response.RateLimit.PerMinute)
	}
}

// ObserveAttempt is a [rpcfleet.AttemptHook].
func (c *Collector) ObserveAttempt(ctx context.Context, attempt rpcfleet.Attempt) (context.Context,
	func(rpcfleet.AttemptResult)) {
	operation := c.operations.label(attempt.Operation.ID)
	return ctx, func(outcome rpcfleet.AttemptResult) {
		status := status(outcome.StatusCode)
		c.attempts.WithLabelValues(operation, status).Inc()
		c.attemptTime.WithLabelValues(operation, status).Observe(outcome.Duration.Seconds())
		if outcome.Retried {
			c.retries.WithLabelValues(operation).Inc()
		}
		if outcome.PacerWait > 0 {
			c.paced.WithLabelValues(operation).Add(outcome.PacerWait.Seconds())
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

// status returns the label of a status. A service can send any number, so only those with a name are labels.
func status(code int) string {
	switch {
	case code == 0:
		return "none"
	case http.StatusText(code) == "":
		return "other"
	}
	return strconv.Itoa(code)
}
