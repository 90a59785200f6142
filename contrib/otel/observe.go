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

// ObserveCall is a [rpcfleet.CallHook].
func (i *Instrumentation) ObserveCall(ctx context.Context, op rpcfleet.Operation) (context.Context,
	func(rpcfleet.CallResult)) {
	operation := attribute.String("rpcfleet.operation", op.ID)
	ctx, span := i.tracer.Start(ctx, "rpcfleet."+op.ID,
		trace.WithAttributes(operation, attribute.String("rpcfleet.area", op.Area)))
	return ctx, func(outcome rpcfleet.CallResult) {
		class := rpcfleet.KindOf(outcome.Err)
		response := &outcome.Response
		span.SetAttributes(attribute.Int("rpcfleet.attempts", response.Attempts), attribute.String("rpcfleet.outcome", class))
		if response.StatusCode != 0 {
			span.SetAttributes(semconv.HTTPResponseStatusCode(response.StatusCode))
		}
		if response.RequestID != "" {
			span.SetAttributes(attribute.String("rpcfleet.request_id", response.RequestID))
		}
		if outcome.Err != nil {
			// Not the error's text, which quotes the service.
			span.SetAttributes(semconv.ErrorTypeKey.String(class))
			span.SetStatus(codes.Error, class)
		}
		i.calls.Record(ctx, response.Duration.Seconds(),
			metric.WithAttributes(operation, attribute.String("rpcfleet.outcome", class)))
		span.End()
	}
}

// notSent is the failure of an attempt that sent no request.
const notSent = "not sent"

// parameter matches a parameter in the path of an operation.
var parameter = regexp.MustCompile(`\{[^{}]*\}`)

// ObserveAttempt is a [rpcfleet.AttemptHook].
func (i *Instrumentation) ObserveAttempt(ctx context.Context, attempt rpcfleet.Attempt) (context.Context,
	func(rpcfleet.AttemptResult)) {
	op, known := &attempt.Operation, known(&attempt)
	path := parameter.ReplaceAllLiteralString(op.Path, "REDACTED")
	ctx, span := i.tracer.Start(ctx, op.Method+" "+op.Path, trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(known...), trace.WithAttributes(semconv.URLFull(attempt.Origin+path)))
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
