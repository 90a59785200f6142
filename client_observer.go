package rpcfleet

import (
	"context"
	"time"
)

// Observer is told of every call that is sent: when it begins, and through the function that it returns, when it has
// ended. The context that it returns is the call's from then on, so that a span can be put in it. It is called
// concurrently.
//
//	func trace(ctx context.Context, op rpcfleet.Operation) (context.Context, func(rpcfleet.Outcome)) {
//		ctx, span := tracer.Start(ctx, op.ID)
//		return ctx, func(outcome rpcfleet.Outcome) {
//			span.SetAttributes(attribute.Int("attempts", outcome.Attempts))
//			span.RecordError(outcome.Err)
//			span.End()
//		}
//	}
//
// The operation's id and path template are few, and hold nothing of the arguments: they can be names and labels. A
// call that a [ValidationError] keeps from being sent is not observed. An [AttemptObserver] is told of the single
// attempts of a call.
type Observer func(ctx context.Context, op Operation) (context.Context, func(Outcome))

// Outcome is how a call ended.
type Outcome struct {
	// StatusCode is that of the last response, or 0 where none came.
	StatusCode int
	// RequestID is the service's id of the last request that it responded to, as in [Error].
	RequestID string
	// Attempts is the number of attempts that were made.
	Attempts int
	// Duration is the time from the first attempt to the end of the last, waits between them included.
	Duration time.Duration
	// RateLimit is what the last response tells of the service's own limits.
	RateLimit RateLimitState
	// Err is what the call returns: nil, or an [*Error], or a [*DecodeError].
	Err error
}

// around returns an observer that is told as o is, with inner told in between.
func (o Observer) around(inner Observer) Observer {
	if o == nil {
		return inner
	}
	return func(ctx context.Context, op Operation) (context.Context, func(Outcome)) {
		ctx, endOuter := o.begin(ctx, op)
		ctx, endInner := inner.begin(ctx, op)
		return ctx, func(outcome Outcome) {
			defer endOuter(outcome) // Even where inner panics: a span that has begun is to end.
			endInner(outcome)
		}
	}
}

// begin tells the observer that a call begins.
func (o Observer) begin(ctx context.Context, op Operation) (context.Context, func(Outcome)) {
	observed, end := o(ctx, op)
	if observed == nil {
		observed = ctx
	}
	if end == nil {
		end = func(Outcome) {}
	}
	return observed, end
}
