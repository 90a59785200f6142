package rpcfleet

import (
	"context"
	"net/url"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// CallHook is called at the beginning of every call that is sent. The function that it returns is called at the end.
// The context that it returns replaces the context of the call, so a hook can add a span to it. Hooks are called
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
// The operation's id and path template have few distinct values and contain no arguments: they are safe as names and
// labels. If a [ValidationError] prevents a call, the hook is not called. An [AttemptHook] observes the attempts of a
// call.
type CallHook func(ctx context.Context, op Operation) (context.Context, func(CallResult))

// CallResult is the result of a call.
type CallResult struct {
	// StatusCode is the status of the last response, or 0 if there was no response.
	StatusCode int
	// RequestID is the service's id of the last request that got a response, as in [Error].
	RequestID string
	// Attempts is the number of attempts.
	Attempts int
	// Duration is the time from the first attempt to the end of the last, including waits.
	Duration time.Duration
	// RateLimit is the state of the service's own limits from the last response.
	RateLimit RateLimitState
	// Err is the call's result: nil, an [*Error] or a [*DecodeError].
	Err error
}

// AttemptHook is called at the beginning of every attempt of a call, before the pacer waits. The function that it
// returns is called when the response has arrived or the attempt has failed. The context that it returns must be
// derived from its argument. The requests of the attempt, several if it follows redirects, carry the values of that
// context: a span in it is the request's span. Hooks are called concurrently for different calls.
//
// The context passed to it is the one that a [CallHook] returned for the call.
type AttemptHook func(ctx context.Context, attempt Attempt) (context.Context, func(AttemptResult))

// Attempt describes an attempt that begins.
type Attempt struct {
	Operation Operation
	// Number counts the attempts of a call from 1.
	Number int
	// Origin is the scheme, host and non-default port of the base URL, such as "https://api.example.com". The path and
	// query are omitted: the path is in Operation.
	Origin string
}

// AttemptResult is the result of an attempt.
type AttemptResult struct {
	// StatusCode is the status of the response, or 0 if there was no response.
	StatusCode int
	// Protocol is the protocol of the response, such as "HTTP/1.1" or "HTTP/2.0".
	Protocol string
	// RequestID is the service's id of the request, as in [Error].
	RequestID string
	// Duration is the time of the attempt without the wait for the pacer, which is PacerWait.
	Duration, PacerWait time.Duration
	// Failure is the reason for a missing or incomplete response, or empty if it is complete: "not sent", "connection
	// failed", "timed out", "canceled", "response cut short", "response too large" or "HTTP transport at fault".
	Failure string
	// Retried is set if another attempt follows, after the wait RetryIn.
	Retried bool
	RetryIn time.Duration
}

// hook is a CallHook or an AttemptHook.
type hook[E, R any] = func(ctx context.Context, event E) (context.Context, func(R))

// around returns a hook that calls outer, if there is one, and inside it inner.
func around[E, R any](outer, inner hook[E, R]) hook[E, R] {
	if outer == nil {
		return inner
	}
	return func(ctx context.Context, event E) (context.Context, func(R)) {
		ctx, endOuter := beginHook(outer, ctx, event)
		ctx, endInner := beginHook(inner, ctx, event)
		return ctx, func(result R) {
			defer endOuter(result) // Even if inner panics, end the span.
			endInner(result)
		}
	}
}

// beginHook calls a hook at the beginning of a call or an attempt.
func beginHook[E, R any](begin hook[E, R], ctx context.Context, event E) (context.Context, func(R)) {
	observed, end := begin(ctx, event)
	if observed == nil {
		observed = ctx
	}
	if end == nil {
		end = func(R) {}
	}
	return observed, end
}

// told adapts the hook to the transport. It returns nil if there is no hook.
func (o AttemptHook) told(base *url.URL) transport.AttemptHook {
	if o == nil {
		return nil
	}
	origin := base.Scheme + "://" + base.Host
	return func(ctx context.Context, op *api.Operation, number int) (context.Context, func(transport.AttemptResult)) {
		ctx, end := beginHook(o, ctx, Attempt{Operation: public(op), Number: number, Origin: origin})
		return ctx, func(told transport.AttemptResult) {
			result := AttemptResult{
				RequestID: told.RequestID, Duration: told.Duration, PacerWait: told.PacerWait,
				Retried: told.Retried, RetryIn: told.RetryIn,
			}
			if told.Response != nil {
				result.StatusCode, result.Protocol = told.Response.Status, told.Response.Protocol
			}
			if told.Failure != nil {
				result.Failure = string(told.Failure.Kind)
			}
			end(result)
		}
	}
}

// Kind returns the kind of the call's error, or [KindOK].
func (o CallResult) Kind() ErrorKind { return KindOf(o.Err) }
