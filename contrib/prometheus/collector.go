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
// Labels contain nothing of a call's arguments, and their values are bounded: the service's operations, and as many
// names of the caller's own queries and calls as [Options] allow; further ones are "other". A status without a name in
// net/http, such as 599, is "other" as well.
package fleetprometheus

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/rpcfleet/rpcfleet-go"
)

// Options configure a [Collector]. The zero Options are ready for use.
type Options struct {
	// ConstLabels are added to all metrics: two collectors in one registry need different ones.
	ConstLabels prometheus.Labels
	// Buckets are the bounds of the histograms in seconds, [prometheus.DefBuckets] by default.
	Buckets []float64
	// MaxOwnOperations is how many names of the caller's own queries and calls become labels: 100 by default, and none if
	// it is negative.
	MaxOwnOperations int
}

// Collector is a [prometheus.Collector] that observes the calls of clients. It is safe for concurrent use. Use
// [NewCollector] to create one.
type Collector struct {
	operations *operations

	calls, attempts, retries, paced *prometheus.CounterVec
	callTime, attemptTime           *prometheus.HistogramVec
	limit, remaining                *prometheus.GaugeVec
}

// NewCollector returns a collector.
func NewCollector(options Options) *Collector {
	if options.Buckets == nil {
		options.Buckets = prometheus.DefBuckets
	}
	if options.MaxOwnOperations == 0 {
		options.MaxOwnOperations = 100
	}
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help, ConstLabels: options.ConstLabels},
			labels)
	}
	histogram := func(name, help string, labels ...string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: name, Help: help, ConstLabels: options.ConstLabels, Buckets: options.Buckets,
		}, labels)
	}
	gauge := func(name, help string, labels ...string) *prometheus.GaugeVec {
		return prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help, ConstLabels: options.ConstLabels}, labels)
	}
	return &Collector{
		operations: newOperations(options.MaxOwnOperations),
		calls:      counter("rpcfleet_calls_total", "Calls that have ended.", "operation", "outcome", "status"),
		callTime: histogram("rpcfleet_call_duration_seconds", "Duration of calls, with all their attempts.", "operation",
			"outcome"),
		attempts: counter("rpcfleet_attempts_total", "Attempts that have ended.", "operation", "status"),
		attemptTime: histogram("rpcfleet_attempt_duration_seconds", "Duration of attempts, without waiting for a pacer.",
			"operation", "status"),
		retries: counter("rpcfleet_retries_total", "Attempts that were retried.", "operation"),
		paced: counter("rpcfleet_pacer_wait_seconds_total", "Time that attempts waited for the pacer.",
			"operation"),
		limit: gauge("rpcfleet_rate_limit", "Request limit, as last reported.", "window"),
		remaining: gauge("rpcfleet_rate_limit_remaining", "Remaining requests of the limit, as last reported.",
			"window"),
	}
}

// ClientOptions returns the options of a client to measure.
func (c *Collector) ClientOptions() []rpcfleet.ClientOption {
	return []rpcfleet.ClientOption{rpcfleet.WithCallHook(c.ObserveCall), rpcfleet.WithAttemptHook(c.ObserveAttempt)}
}

// Describe implements [prometheus.Collector].
func (c *Collector) Describe(into chan<- *prometheus.Desc) {
	for _, metric := range c.metrics() {
		metric.Describe(into)
	}
}

// Collect implements [prometheus.Collector].
func (c *Collector) Collect(into chan<- prometheus.Metric) {
	for _, metric := range c.metrics() {
		metric.Collect(into)
	}
}

func (c *Collector) metrics() []prometheus.Collector {
	return []prometheus.Collector{c.calls, c.callTime, c.attempts, c.attemptTime, c.retries, c.paced, c.limit, c.remaining}
}
