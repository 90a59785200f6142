package rpcfleet

import (
	"context"
	"net/url"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// AttemptObserver is told of every attempt of a call: when it begins, before the pacer is asked, and through the
// function that it returns, when its response is there or it has failed. The requests of the attempt, of which there
// are several where it follows redirects, carry the values of the context that it returns, which must be derived from
// the one that it is given: a span that it puts there is that of the request. It is called concurrently for different
// calls.
//
// The context that it is given is the one that an [Observer] has returned for the call.
type AttemptObserver func(ctx context.Context, attempt Attempt) (context.Context, func(AttemptOutcome))

// Attempt is an attempt that begins.
type Attempt struct {
	Operation Operation
	// Number counts the attempts of a call from 1.
	Number int
	// Origin is where it goes: scheme, host and, where it is not that of the scheme, port of the base URL, such as
	// "https://api.example.com". The path is that of the operation, and what else the address has is nobody's business.
	Origin string
}

// AttemptOutcome is how an attempt ended.
type AttemptOutcome struct {
	// StatusCode is that of the response, or 0 where none came.
	StatusCode int
	// Protocol is that of the response, such as "HTTP/1.1" or "HTTP/2.0".
	Protocol string
	// RequestID is the service's id of the request, as in [Error].
	RequestID string
	// Duration is the time of the attempt without that in the pacer, which is Paced.
	Duration, Paced time.Duration
	// Failure is why there is no complete response, or empty where there is one: "not sent", "connection failed",
	// "timed out", "canceled", "response cut short", "response too large" or "HTTP transport at fault".
	Failure string
	// Retried is set where another attempt follows, after the wait RetryIn.
	Retried bool
	RetryIn time.Duration
}

// around returns an observer that is told as o is, with inner told in between.
func (o AttemptObserver) around(inner AttemptObserver) AttemptObserver {
	if o == nil {
		return inner
	}
	return func(ctx context.Context, attempt Attempt) (context.Context, func(AttemptOutcome)) {
		ctx, endOuter := o.begin(ctx, attempt)
		ctx, endInner := inner.begin(ctx, attempt)
		return ctx, func(outcome AttemptOutcome) {
			defer endOuter(outcome)
			endInner(outcome)
		}
	}
}

// begin tells the observer that an attempt begins.
func (o AttemptObserver) begin(ctx context.Context, attempt Attempt) (context.Context, func(AttemptOutcome)) {
	observed, end := o(ctx, attempt)
	if observed == nil {
		observed = ctx
	}
	if end == nil {
		end = func(AttemptOutcome) {}
	}
	return observed, end
}

// told returns what the transport tells the observer with, or nil where there is none.
func (o AttemptObserver) told(base *url.URL) transport.AttemptObserver {
	if o == nil {
		return nil
	}
	origin := base.Scheme + "://" + base.Host
	return func(ctx context.Context, op *api.Operation, number int) (context.Context, func(transport.AttemptOutcome)) {
		ctx, end := o.begin(ctx, Attempt{Operation: public(op), Number: number, Origin: origin})
		return ctx, func(outcome transport.AttemptOutcome) { end(AttemptOutcome(outcome)) }
	}
}
