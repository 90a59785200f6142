package rpcfleet

import (
	"context"
	"net/url"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
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
// call that a [ValidationError] keeps from being sent is not observed. An [AttemptHook] is told of the single
// attempts of a call.
type CallHook func(ctx context.Context, op Operation) (context.Context, func(CallResult))

// Outcome is how a call ended.
type CallResult struct {
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
func (o CallHook) around(inner CallHook) CallHook {
	if o == nil {
		return inner
	}
	return func(ctx context.Context, op Operation) (context.Context, func(CallResult)) {
		ctx, endOuter := o.begin(ctx, op)
		ctx, endInner := inner.begin(ctx, op)
		return ctx, func(outcome CallResult) {
			defer endOuter(outcome) // Even where inner panics: a span that has begun is to end.
			endInner(outcome)
		}
	}
}

// begin tells the observer that a call begins.
func (o CallHook) begin(ctx context.Context, op Operation) (context.Context, func(CallResult)) {
	observed, end := o(ctx, op)
	if observed == nil {
		observed = ctx
	}
	if end == nil {
		end = func(CallResult) {}
	}
	return observed, end
}

// AttemptHook is told of every attempt of a call: when it begins, before the pacer is asked, and through the
// function that it returns, when its response is there or it has failed. The requests of the attempt, of which there
// are several where it follows redirects, carry the values of the context that it returns, which must be derived from
// the one that it is given: a span that it puts there is that of the request. It is called concurrently for different
// calls.
//
// The context that it is given is the one that an [CallHook] has returned for the call.
type AttemptHook func(ctx context.Context, attempt Attempt) (context.Context, func(AttemptResult))

// Attempt is an attempt that begins.
type Attempt struct {
	Operation Operation
	// Number counts the attempts of a call from 1.
	Number int
	// Origin is where it goes: scheme, host and, where it is not that of the scheme, port of the base URL, such as
	// "https://api.example.com". The path is that of the operation, and what else the address has is nobody's business.
	Origin string
}

// AttemptResult is how an attempt ended.
type AttemptResult struct {
	// StatusCode is that of the response, or 0 where none came.
	StatusCode int
	// Protocol is that of the response, such as "HTTP/1.1" or "HTTP/2.0".
	Protocol string
	// RequestID is the service's id of the request, as in [Error].
	RequestID string
	// Duration is the time of the attempt without that in the pacer, which is Paced.
	Duration, PacerWait time.Duration
	// Failure is why there is no complete response, or empty where there is one: "not sent", "connection failed",
	// "timed out", "canceled", "response cut short", "response too large" or "HTTP transport at fault".
	Failure string
	// Retried is set where another attempt follows, after the wait RetryIn.
	Retried bool
	RetryIn time.Duration
}

// around returns an observer that is told as o is, with inner told in between.
func (o AttemptHook) around(inner AttemptHook) AttemptHook {
	if o == nil {
		return inner
	}
	return func(ctx context.Context, attempt Attempt) (context.Context, func(AttemptResult)) {
		ctx, endOuter := o.begin(ctx, attempt)
		ctx, endInner := inner.begin(ctx, attempt)
		return ctx, func(outcome AttemptResult) {
			defer endOuter(outcome)
			endInner(outcome)
		}
	}
}

// begin tells the observer that an attempt begins.
func (o AttemptHook) begin(ctx context.Context, attempt Attempt) (context.Context, func(AttemptResult)) {
	observed, end := o(ctx, attempt)
	if observed == nil {
		observed = ctx
	}
	if end == nil {
		end = func(AttemptResult) {}
	}
	return observed, end
}

// told returns what the transport tells the observer with, or nil where there is none.
func (o AttemptHook) told(base *url.URL) transport.AttemptHook {
	if o == nil {
		return nil
	}
	origin := base.Scheme + "://" + base.Host
	return func(ctx context.Context, op *api.Operation, number int) (context.Context, func(transport.AttemptResult)) {
		ctx, end := o.begin(ctx, Attempt{Operation: public(op), Number: number, Origin: origin})
		return ctx, func(outcome transport.AttemptResult) { end(AttemptResult(outcome)) }
	}
}

// Kind returns the kind of the call's error, or [KindOK].
func (o CallResult) Kind() ErrorKind { return KindOf(o.Err) }
