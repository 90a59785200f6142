package rpcfleet

import (
	"context"
	"net/url"
	"slices"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// CallHook is called when a call begins, and the function that it returns at the end. The returned context replaces the
// call's, for example for a span. The operation has no arguments: use it as a label. Hooks run concurrently.
type CallHook func(ctx context.Context, op Operation) (context.Context, func(CallResult))

// CallResult is the result of a call.
type CallResult struct {
	Response Response // The last response. Its body is valid only until the hook returns.
	Err      error    // Err is nil, an [*Error] or a [*DecodeError].
}

// AttemptHook is called when an attempt begins, before the pacer waits, and the function that it returns at the end.
// The returned context must derive from its argument; the attempt's requests carry it. Hooks run concurrently.
type AttemptHook func(ctx context.Context, attempt Attempt) (context.Context, func(AttemptResult))

// Attempt describes an attempt that begins.
type Attempt struct {
	Operation Operation
	Number    int    // Number counts the attempts of a call from 1.
	Origin    string // Scheme, host and non-default port of the base URL.
}

// AttemptResult is the result of an attempt.
type AttemptResult struct {
	StatusCode          int    // StatusCode is 0 if there was no response.
	Protocol            string // "HTTP/1.1" or "HTTP/2.0".
	RequestID           string // As in [Error].
	RateLimit           RateLimitState
	Duration, PacerWait time.Duration // Duration does not include PacerWait.
	// Failure is the reason for a missing or incomplete response, or empty: "not sent", "connection failed", "timed
	// out", "canceled", "response cut short", "response too large" or "HTTP transport at fault".
	Failure string
	Retried bool // Retried is set if another attempt follows, after the wait RetryIn.
	RetryIn time.Duration
}

// hookFunc is a CallHook or an AttemptHook.
type hookFunc[E, R any] = func(ctx context.Context, event E) (context.Context, func(R))

// wrap returns a hook that calls outer, if there is one, and inside it inner. It returns neither a nil context nor a
// nil function, whatever inner returns; outer is such a hook already.
func wrap[E, R any](outer, inner hookFunc[E, R]) hookFunc[E, R] {
	return func(ctx context.Context, event E) (context.Context, func(R)) {
		endOuter := func(R) {}
		if outer != nil {
			ctx, endOuter = outer(ctx, event)
		}
		observed, endInner := inner(ctx, event)
		if observed == nil {
			observed = ctx
		}
		return observed, func(result R) {
			defer endOuter(result) // Even if inner panics, end the span.
			if endInner != nil {
				endInner(result)
			}
		}
	}
}

// asTransportHook adapts the hook to the transport. It returns nil if there is no hook.
func (o AttemptHook) asTransportHook(base *url.URL) transport.AttemptHook {
	if o == nil {
		return nil
	}
	origin := base.Scheme + "://" + base.Host
	return func(ctx context.Context, op *api.Operation, number int) (context.Context, func(transport.AttemptResult)) {
		ctx, end := o(ctx, Attempt{Operation: exportOperation(op), Number: number, Origin: origin})
		return ctx, func(r transport.AttemptResult) {
			last := orNew(r.Response)
			end(AttemptResult{
				StatusCode: last.Status, Protocol: last.Protocol, RequestID: r.RequestID,
				RateLimit: rateLimitState(last.Status, last.Header), Duration: r.Duration, PacerWait: r.PacerWait,
				Failure: string(orNew(r.Failure).Kind), Retried: r.Retried, RetryIn: r.RetryIn,
			})
		}
	}
}

// Operation describes an operation, without arguments, for spans and metrics.
type Operation struct {
	ID         string // Such as "getEndpoint", or the name of a query or of the call of [Do].
	Method     string
	Path       string // The path template, such as "/v0/endpoints/{id}".
	Area       string // "admin", "alerts", "graph", "webhooks", "keyvalue" or "streams".
	Tag        string // The field of Client, such as "Endpoints". It is empty if only [Do] can call the operation.
	Source     string // "contract", "observed" or "assumed".
	Idempotent bool   // Idempotent is set for reads and for writes that set a value.
	Deprecated bool
	Bearer     bool   // Bearer is set if a bearer token is sent in addition to the API key.
	Paging     string // "none", "offset" or "cursor".
	Response   string // The kind of response, such as "data", "page", "confirm" or "text".
	Statuses   []int  // The documented status codes.
}

// Operations returns all operations, and then the queries of the graph area.
func Operations() []Operation {
	var all []Operation
	for _, op := range slices.Concat(api.Admin, api.Alerts, api.Webhooks, api.KeyValue, api.Streams, graphql.Table()) {
		all = append(all, exportOperation(op))
	}
	return all
}

// exportOperation returns an exported copy of an operation, which the caller may change.
func exportOperation(op *api.Operation) Operation {
	seen := Operation(*op)
	seen.Statuses = slices.Clone(op.Statuses)
	return seen
}
