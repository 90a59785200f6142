// Package fleetotel traces and measures the calls of an rpcfleet client with OpenTelemetry.
//
//	instrumentation, err := fleetotel.New(fleetotel.Options{})
//	if err != nil {
//		return err
//	}
//	options := append(instrumentation.ClientOptions(), rpcfleet.WithBaseURL(address), rpcfleet.WithAPIKey(key))
//	client, err := rpcfleet.New(options...)
//
// A call is a span of kind internal, named "rpcfleet." and the id of the operation, with rpcfleet.operation,
// rpcfleet.area, rpcfleet.attempts, rpcfleet.outcome (see [rpcfleet.CallResult.Kind]), rpcfleet.request_id,
// http.response.status_code, and error.type if the call failed.
//
// Each attempt is a child span of kind client, by the semantic conventions for HTTP clients (1.43): it is named by
// method and url.template, with http.request.method, server.address, server.port, url.scheme, url.full,
// http.request.resend_count, http.response.status_code, network.protocol.version and error.type, and in addition
// rpcfleet.request_id, rpcfleet.pacer.wait and rpcfleet.retry.wait in seconds. It is in the context of the attempt's
// request, so spans of a custom transport are its children. No trace header is sent to the service.
//
// Two histograms, in seconds: http.client.request.duration of the attempts that were sent, without the pacer's delay,
// and rpcfleet.call.duration of the calls, by rpcfleet.operation and rpcfleet.outcome. Whatever a service sends, their
// attributes have few values: a status without a name in net/http and a protocol other than HTTP/1.0, 1.1 and 2.0 are
// left out, and the error.type of such a status is "_OTHER".
//
// No attribute contains a call's arguments, query, headers or body: url.full has "REDACTED" in place of each path
// parameter and ends after the path below the base URL.
package fleetotel

import (
	"errors"

	"github.com/rpcfleet/rpcfleet-go"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
)

const scope = "github.com/rpcfleet/rpcfleet-go/contrib/otel"

// Options select the providers. The zero Options use the global ones.
type Options struct {
	TracerProvider trace.TracerProvider
	MeterProvider  metric.MeterProvider
}

// Instrumentation traces and measures clients. It is safe for concurrent use. Use [New] to create one.
type Instrumentation struct {
	tracer   trace.Tracer
	requests metric.Float64Histogram
	calls    metric.Float64Histogram
}

// bounds are the buckets that the conventions advise for request durations.
var bounds = metric.WithExplicitBucketBoundaries(
	0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
)

// New returns an instrumentation, or the error of the meter provider.
func New(options Options) (*Instrumentation, error) {
	if options.TracerProvider == nil {
		options.TracerProvider = otel.GetTracerProvider()
	}
	if options.MeterProvider == nil {
		options.MeterProvider = otel.GetMeterProvider()
	}
	i := &Instrumentation{tracer: options.TracerProvider.Tracer(
		scope, trace.WithInstrumentationVersion(rpcfleet.Version), trace.WithSchemaURL(semconv.SchemaURL),
	)}
	meter := options.MeterProvider.Meter(
		scope, metric.WithInstrumentationVersion(rpcfleet.Version), metric.WithSchemaURL(semconv.SchemaURL),
	)
	var requestsErr, callsErr error
	i.requests, requestsErr = meter.Float64Histogram("http.client.request.duration",
		metric.WithUnit("s"), metric.WithDescription("Duration of HTTP client requests."), bounds)
	i.calls, callsErr = meter.Float64Histogram("rpcfleet.call.duration",
		metric.WithUnit("s"), metric.WithDescription("Duration of calls, with all their attempts."), bounds)
	if err := errors.Join(requestsErr, callsErr); err != nil {
		return nil, err
	}
	return i, nil
}

// ClientOptions returns the options of a client to trace and measure.
func (i *Instrumentation) ClientOptions() []rpcfleet.ClientOption {
	return []rpcfleet.ClientOption{rpcfleet.WithCallHook(i.ObserveCall), rpcfleet.WithAttemptHook(i.ObserveAttempt)}
}
