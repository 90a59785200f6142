// Package fleetprometheus measures the calls of an rpcfleet client with Prometheus.
//
//	collector := fleetprometheus.NewCollector(fleetprometheus.Options{})
//	prometheus.MustRegister(collector)
//	options := append(collector.ClientOptions(), rpcfleet.WithBaseURL(address), rpcfleet.WithAPIKey(key))
//	client, err := rpcfleet.New(options...)
//
// The metrics are:
//
//	rpcfleet_calls_total{operation,outcome,status}       completed calls; the outcome is [rpcfleet.CallResult.Kind]
//	rpcfleet_call_duration_seconds{operation,outcome}    histogram of the duration of calls, with all their attempts
//	rpcfleet_attempts_total{operation,status}            attempts; the status is "none" if no response arrived
//	rpcfleet_attempt_duration_seconds{operation,status}  histogram, without the pacer's delay
//	rpcfleet_retries_total{operation}                    attempts that were followed by another one
//	rpcfleet_pacer_wait_seconds_total{operation}         time for which a pacer has delayed attempts
//	rpcfleet_rate_limit{window}                          the last request limit; a window is "second" or "minute"
//	rpcfleet_rate_limit_remaining{window}                the remaining requests of the window
//
// Labels contain nothing of a call's arguments, and their values are bounded: the service's operations, and the first
// 100 names of the caller's own queries and calls; further ones are "other". A status without a name in net/http, such
// as 599, is "other" as well.
package fleetprometheus

import (
	"context"
	"net/http"
	"strconv"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/rpcfleet/rpcfleet-go"
)

// maxOwnOperations is how many names of the caller's own queries and calls become labels.
const maxOwnOperations = 100

// Options configure a [Collector]. The zero Options are ready for use.
type Options struct {
	// ConstLabels are added to all metrics: two collectors in one registry need different ones.
	ConstLabels prometheus.Labels
	// Buckets are the bounds of the histograms in seconds, [prometheus.DefBuckets] by default.
	Buckets []float64
}

// Collector is a [prometheus.Collector] that observes the calls of clients. It is safe for concurrent use. Use
// [NewCollector] to create one.
type Collector struct {
	registry                        *prometheus.Registry
	calls, attempts, retries, paced *prometheus.CounterVec
	callTime, attemptTime           *prometheus.HistogramVec
	limit, remaining                *prometheus.GaugeVec

	mu         sync.Mutex
	operations map[string]bool // The names that are labels.
	left       int             // The remaining names of the caller's own operations.
}

// NewCollector returns a collector.
func NewCollector(options Options) *Collector {
	registry := prometheus.NewRegistry()
	with := promauto.With(prometheus.WrapRegistererWith(options.ConstLabels, registry))
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return with.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	histogram := func(name, help string, labels ...string) *prometheus.HistogramVec {
		return with.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: options.Buckets}, labels)
	}
	gauge := func(name, help string) *prometheus.GaugeVec {
		return with.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, []string{"window"})
	}
	c := &Collector{
		registry: registry, operations: map[string]bool{}, left: maxOwnOperations,
		calls: counter("rpcfleet_calls_total", "Calls that have ended.", "operation", "outcome", "status"),
		callTime: histogram("rpcfleet_call_duration_seconds", "Duration of calls, with all their attempts.",
			"operation", "outcome"),
		attempts: counter("rpcfleet_attempts_total", "Attempts that have ended.", "operation", "status"),
		attemptTime: histogram("rpcfleet_attempt_duration_seconds", "Duration of attempts, without waiting for a pacer.",
			"operation", "status"),
		retries:   counter("rpcfleet_retries_total", "Attempts that were retried.", "operation"),
		paced:     counter("rpcfleet_pacer_wait_seconds_total", "Time that attempts waited for the pacer.", "operation"),
		limit:     gauge("rpcfleet_rate_limit", "Request limit, as last reported."),
		remaining: gauge("rpcfleet_rate_limit_remaining", "Remaining requests of the limit, as last reported."),
	}
	for _, op := range rpcfleet.Operations() {
		c.operations[op.ID] = true
	}
	return c
}

// ClientOptions returns the options of a client to measure.
func (c *Collector) ClientOptions() []rpcfleet.ClientOption {
	return []rpcfleet.ClientOption{rpcfleet.WithCallHook(c.ObserveCall), rpcfleet.WithAttemptHook(c.ObserveAttempt)}
}

// Describe implements [prometheus.Collector].
func (c *Collector) Describe(into chan<- *prometheus.Desc) { c.registry.Describe(into) }

// Collect implements [prometheus.Collector].
func (c *Collector) Collect(into chan<- prometheus.Metric) { c.registry.Collect(into) }

// ObserveCall is a [rpcfleet.CallHook].
func (c *Collector) ObserveCall(ctx context.Context, op rpcfleet.Operation) (context.Context,
	func(rpcfleet.CallResult)) {
	operation := c.operation(op.ID)
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
	operation := c.operation(attempt.Operation.ID)
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

// operation returns the label of an operation, by its id.
func (c *Collector) operation(id string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.operations[id] {
		if c.left == 0 {
			return "other"
		}
		c.left--
		c.operations[id] = true
	}
	return id
}

// window sets the metrics of a request limit.
func (c *Collector) window(name string, window rpcfleet.RateLimitWindow) {
	if window.Limit > 0 {
		c.limit.WithLabelValues(name).Set(float64(window.Limit))
		c.remaining.WithLabelValues(name).Set(float64(window.Remaining))
	}
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
