package fleetotel

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rpcfleet/rpcfleet-go"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
)

// notSent is the failure of an attempt that sent no request.
const notSent = "not sent"

// ObserveAttempt is a [rpcfleet.AttemptHook].
func (i *Instrumentation) ObserveAttempt(ctx context.Context, attempt rpcfleet.Attempt) (context.Context,
	func(rpcfleet.AttemptResult)) {
	op := &attempt.Operation
	known := known(&attempt)
	ctx, span := i.tracer.Start(ctx, op.Method+" "+op.Path, trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(known...), trace.WithAttributes(semconv.URLFull(attempt.Origin+masked(op.Path))))
	if attempt.Number > 1 {
		span.SetAttributes(semconv.HTTPRequestResendCount(attempt.Number - 1))
	}
	return ctx, func(outcome rpcfleet.AttemptResult) {
		span.SetAttributes(learned(&outcome)...)
		span.SetAttributes(details(&outcome)...)
		if outcome.Failure != "" || outcome.StatusCode >= 400 {
			span.SetStatus(codes.Error, outcome.Failure)
		}
		if outcome.Failure != notSent {
			i.requests.Record(ctx, outcome.Duration.Seconds(), metric.WithAttributes(known...),
				metric.WithAttributes(measured(outcome)...))
		}
		span.End()
	}
}

// known returns the attributes of spans and measurements that are known before an attempt.
func known(attempt *rpcfleet.Attempt) []attribute.KeyValue {
	attributes := []attribute.KeyValue{
		semconv.HTTPRequestMethodKey.String(attempt.Operation.Method), semconv.URLTemplate(attempt.Operation.Path),
	}
	origin, err := url.Parse(attempt.Origin)
	if err != nil {
		return attributes // The library builds only valid URLs.
	}
	port, err := strconv.Atoi(origin.Port())
	if err != nil {
		port = map[string]int{"http": 80, "https": 443}[origin.Scheme]
	}
	return append(attributes, semconv.URLScheme(origin.Scheme), semconv.ServerAddress(origin.Hostname()),
		semconv.ServerPort(port))
}

// measured returns the attributes of measurements that an attempt adds. Whatever a service sends, they have few values.
func measured(outcome rpcfleet.AttemptResult) []attribute.KeyValue {
	if http.StatusText(outcome.StatusCode) == "" {
		if outcome.StatusCode >= 400 {
			outcome.Failure = cmp.Or(outcome.Failure, semconv.ErrorTypeOther.Value.AsString())
		}
		outcome.StatusCode = 0
	}
	if !slices.Contains([]string{"HTTP/1.0", "HTTP/1.1", "HTTP/2.0"}, outcome.Protocol) {
		outcome.Protocol = ""
	}
	return learned(&outcome)
}

// learned returns the attributes of a span that an attempt adds.
func learned(outcome *rpcfleet.AttemptResult) (attributes []attribute.KeyValue) {
	if outcome.StatusCode != 0 {
		attributes = append(attributes, semconv.HTTPResponseStatusCode(outcome.StatusCode))
	}
	if _, version, found := strings.Cut(outcome.Protocol, "/"); found {
		attributes = append(attributes, semconv.NetworkProtocolVersion(strings.TrimSuffix(version, ".0"))) // HTTP/2.0 is "2".
	}
	switch {
	case outcome.Failure != "":
		attributes = append(attributes, semconv.ErrorTypeKey.String(strings.ReplaceAll(outcome.Failure, " ", "_")))
	case outcome.StatusCode >= 400:
		attributes = append(attributes, semconv.ErrorTypeKey.String(strconv.Itoa(outcome.StatusCode)))
	}
	return attributes
}

// details returns the attributes of spans alone.
func details(outcome *rpcfleet.AttemptResult) (attributes []attribute.KeyValue) {
	if outcome.RequestID != "" {
		attributes = append(attributes, attribute.String("rpcfleet.request_id", outcome.RequestID))
	}
	if outcome.PacerWait > 0 {
		attributes = append(attributes, attribute.Float64("rpcfleet.pacer.wait", outcome.PacerWait.Seconds()))
	}
	if outcome.Retried {
		attributes = append(attributes, attribute.Float64("rpcfleet.retry.wait", outcome.RetryIn.Seconds()))
	}
	return attributes
}

var parameter = regexp.MustCompile(`\{[^{}]*\}`)

// masked returns a path with "REDACTED" in place of its parameters.
func masked(path string) string { return parameter.ReplaceAllLiteralString(path, "REDACTED") }
