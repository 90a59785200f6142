package fleetotel

import (
	"context"

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
		span.SetAttributes(attribute.Int("rpcfleet.attempts", outcome.Response.Attempts), attribute.String("rpcfleet.outcome", class))
		if outcome.Response.StatusCode != 0 {
			span.SetAttributes(semconv.HTTPResponseStatusCode(outcome.Response.StatusCode))
		}
		if outcome.Response.RequestID != "" {
			span.SetAttributes(attribute.String("rpcfleet.request_id", outcome.Response.RequestID))
		}
		if outcome.Err != nil {
			// Not the error's text, which quotes the service.
			span.SetAttributes(semconv.ErrorTypeKey.String(class))
			span.SetStatus(codes.Error, class)
		}
		i.calls.Record(ctx, outcome.Response.Duration.Seconds(),
			metric.WithAttributes(operation, attribute.String("rpcfleet.outcome", class)))
		span.End()
	}
}
