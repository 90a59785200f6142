package rpcfleet

import (
	"cmp"
	"context"
	"errors"
	"net/http"
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
	last := cmp.Or(r.result.Last, &transport.Response{})
	retryAfter, _ := transport.RetryAfter(last.Header, time.Now())
	return &Error{
		Operation: r.op.ID, Method: r.op.Method, Path: r.op.Path,
		StatusCode: last.Status, RequestID: redact.RequestID(last.Header, r.result.Secrets...), RetryAfter: retryAfter,
		Attempts: r.result.Attempts, RetryBudgetExhausted: r.result.BudgetExhausted,
		open: r.result.Open && !isSafe(r.op.Method),
	}
}

// newDecodeError returns a *DecodeError for a response, which may be the beginning of one.
func (r *response) newDecodeError(read *transport.Response, reason, detail string) *DecodeError {
	return &DecodeError{
		Operation: r.op.ID, Method: r.op.Method, Path: r.op.Path, Reason: reason, Detail: r.clean(detail),
		StatusCode: read.Status, RequestID: redact.RequestID(read.Header, r.result.Secrets...),
		ContentType: r.clean(read.Header.Get("Content-Type")),
		Attempts:    r.result.Attempts, RetryBudgetExhausted: r.result.BudgetExhausted, OutcomeUnknown: !r.op.Idempotent,
	}
}

// graphError returns the error of a response with GraphQL errors. The message of the first is the failure's.
func (r *response) graphError(stated []graphql.Error) *Error {
	failure := r.newError()
	for _, e := range stated {
		failure.GraphQL = append(failure.GraphQL, GraphQLError{r.clean(e.Message), r.clean(e.Path), r.clean(e.Code)})
	}
	if len(stated) > 0 {
		failure.Message = failure.GraphQL[0].Message
	}
	return failure
}

// notFound returns the error of a valid response with a null result.
func (r *response) notFound() *Error {
	failure := r.newError()
	failure.notFound = true
	return failure
}

// statusError returns the error of a response without a success status. caller is the caller's context.
func (r *response) statusError(caller context.Context) *Error {
	contentType := r.Header.Get("Content-Type")
	failure := r.newError()
	if r.op.Area == api.AreaGraph {
		failure = r.graphError(graphql.Errors(contentType, r.Body))
	}
	failure.OutcomeUnknown = !r.op.Idempotent && r.result.Open
	if failure.Message == "" {
		failure.Message = r.clean(reply.Explain(contentType, r.Body))
	}
	if failure.Message == "" && strings.HasPrefix(strings.ToLower(contentType), "text/html") {
		failure.Message = reply.HTML
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
	described.OutcomeUnknown = !r.op.Idempotent && r.result.Open
	return described
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
		failure.cause, failure.causeText = unread, unread.Reason
		return failure
	}
	return unread
}

// noRecordError returns the error of an executed write without the record that the caller asks for.
func (r *response) noRecordError() error {
	unread := r.newDecodeError(r.Response, ReasonNoData, "")
	unread.NoRecord = true
	return unread
}

// clean redacts a text, including the credentials of the call.
func (r *response) clean(text string) string {
	return redact.Excerpt([]byte(text), textSize, r.result.Secrets...)
}

// isSafe reports whether HTTP defines a method as safe, which means read-only.
func isSafe(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}
