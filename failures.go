package rpcfleet

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
	"github.com/rpcfleet/rpcfleet-go/internal/redact"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// newError returns an *Error with the fields common to all failures of the call.
func (r *response) newError() *Error {
	last := orNew(r.result.Last)
	failure := &Error{
		Operation: r.op.ID, Method: r.op.Method, Path: r.op.Path, StatusCode: last.Status,
		Body:      redact.Excerpt(last.Body, excerptSize, r.result.Secrets...),
		RequestID: redact.RequestID(last.Header, r.result.Secrets...),
		Attempts:  r.result.Attempts, RetryBudgetExhausted: r.result.BudgetExhausted,
	}
	failure.RetryAfter, _ = transport.RetryAfter(last.Header, time.Now())
	return failure
}

// newDecodeError returns a *DecodeError for a response, which may be the beginning of one.
func (r *response) newDecodeError(read *transport.Response, reason, detail string) *DecodeError {
	return &DecodeError{
		Operation: r.op.ID, Method: r.op.Method, Path: r.op.Path,
		Reason: DecodeReason(reason), Detail: r.clean(detail),
		StatusCode: read.Status, ContentType: r.clean(read.Header.Get("Content-Type")),
		Body:      redact.Excerpt(read.Body, excerptSize, r.result.Secrets...),
		RequestID: redact.RequestID(read.Header, r.result.Secrets...),
		Attempts:  r.result.Attempts, RetryBudgetExhausted: r.result.BudgetExhausted,
		OutcomeUnknown: !r.op.Idempotent,
	}
}

// statusError returns the error of a response without a success status. caller is the caller's context.
func (r *response) statusError(caller context.Context) *Error {
	failure := r.newError()
	failure.OutcomeUnknown = !r.op.Idempotent && r.result.Open
	contentType := r.Header.Get("Content-Type")
	failure.Message = r.clean(reply.NewBody(context.Background(), contentType, r.Body).Explain())
	if failure.Message == "" && strings.HasPrefix(strings.ToLower(contentType), "text/html") {
		failure.Message = reply.HTML
	}
	if r.op.Area == api.AreaGraph {
		r.addGraphErrors(failure, graphql.Errors(contentType, r.Body))
	}
	if r.Status/100 == 3 && r.Header.Get("Location") != "" {
		failure.Message = "a redirect that is not followed: the call is not idempotent, or the redirect leads to another " +
			"origin, changes the method or cannot be read"
	}
	if r.Cut != nil {
		failure.causeText = r.clean(r.Cut.Error())
		if r.Cut.Kind != transport.Timeout { // It would match context.DeadlineExceeded, but the call was refused in time.
			failure.cause = opaque(withCause(caller, r.Cut), failure.causeText)
		}
	}
	return failure
}

// sendError returns the error of a call without a complete response to its last attempt.
func (r *response) sendError(err error) error {
	failure, ok := errors.AsType[*transport.Failure](err)
	if ok && (failure.Kind == transport.TooLarge || failure.Kind == transport.Truncated) {
		unread := r.newDecodeError(r.result.Partial, string(failure.Kind), failure.Err.Error())
		unread.cause = opaque(failure.Err, unread.Detail)
		return unread
	}
	described := r.newError()
	described.lost = true
	described.causeText = r.clean(err.Error())
	described.cause = opaque(err, described.causeText)
	// If there is a response, the timeout expired while it was decoded.
	described.OutcomeUnknown = !r.op.Idempotent && (r.result.Open || r.Response != nil)
	return described
}

// readError is contentError, or returns the error of a timeout or a canceled context if one ended the decoding. caller
// is the caller's context.
func (r *response) readError(caller context.Context, err error) error {
	switch {
	case !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded):
		return r.contentError(err)
	case caller.Err() != nil:
		return r.sendError(&transport.Failure{Kind: transport.Canceled, Err: withCause(caller, caller.Err())})
	}
	return r.sendError(&transport.Failure{Kind: transport.Timeout, Err: err})
}

// contentError returns the error of a response with a success status that reports a failure or cannot be decoded. Such
// a response is not retried.
func (r *response) contentError(err error) error {
	if refusal, ok := errors.AsType[*reply.Failure](err); ok {
		failure := r.newError()
		failure.Message = r.clean(refusal.Error())
		return failure
	}
	malformed, _ := errors.AsType[*reply.Malformed](err)
	unread := r.newDecodeError(r.Response, malformed.Reason, malformed.Detail)
	isWrite := !isSafe(r.op.Method) && (r.op.Area != api.AreaGraph || !r.op.Idempotent)
	unread.NoRecord = isWrite && unread.lacksRecord()
	if malformed.NotFound && !isWrite {
		failure := r.notFound()
		failure.cause, failure.causeText = unread, string(unread.Reason)
		return failure
	}
	return unread
}

// noRecordError returns the error of an executed write without the record that the caller asks for.
func (r *response) noRecordError() error {
	unread := r.newDecodeError(r.Response, string(ReasonNoData), "")
	unread.NoRecord = true
	return unread
}

// clean redacts a text, including the credentials of the call.
func (r *response) clean(text string) string {
	return redact.Excerpt([]byte(text), textSize, r.result.Secrets...)
}
