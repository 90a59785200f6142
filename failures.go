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

// newError begins an *Error about the call.
func (r *response) newError() *Error {
	failure := &Error{
		Operation: r.op.ID, Method: r.op.Method, Path: r.op.Path,
		Attempts: r.result.Attempts, RetryBudgetExhausted: r.result.QuotaExhausted,
	}
	if last := r.result.Last; last != nil {
		failure.StatusCode = last.Status
		failure.Body = r.excerpt(last.Body)
		failure.RequestID = r.requestID(last)
		failure.RetryAfter, _ = transport.RetryAfter(last.Header, time.Now())
	}
	return failure
}

// statusError describes a response with another status than success.
func (r *response) statusError() *Error {
	failure := r.newError()
	failure.OutcomeUnknown = !r.op.Idempotent && r.result.Open
	contentType := r.Header.Get("Content-Type")
	failure.Message = r.clean(reply.Explain(contentType, r.Body))
	if failure.Message == "" && strings.HasPrefix(strings.ToLower(contentType), "text/html") {
		failure.Message = string(reply.HTML)
	}
	if r.op.Area == api.AreaGraph {
		r.addGraphErrors(failure, graphql.Errors(contentType, r.Body))
		if len(failure.GraphQL) > 0 {
			failure.Message = failure.GraphQL[0].Message // The others are beside it.
		}
	}
	if r.Status/100 == 3 && r.Header.Get("Location") != "" {
		failure.Message = "a redirect that is not followed: it leads to another origin, changes the method or cannot be read"
	}
	return failure
}

// sendError describes a call whose last attempt brought no complete response.
func (r *response) sendError(err error) error {
	var failure *transport.Failure
	if errors.As(err, &failure) && (failure.Kind == transport.TooLarge || failure.Kind == transport.Truncated) {
		partial := r.result.Partial
		return &DecodeError{
			Operation: r.op.ID, Method: r.op.Method, Path: r.op.Path,
			Reason: DecodeReason(failure.Kind), Detail: r.clean(failure.Err.Error()),
			StatusCode: partial.Status, ContentType: r.clean(partial.Header.Get("Content-Type")),
			Body: r.excerpt(partial.Body), RequestID: r.requestID(partial), Attempts: r.result.Attempts, RetryBudgetExhausted: r.result.QuotaExhausted,
			cause: seal(failure.Err, r.clean(failure.Err.Error())), OutcomeUnknown: !r.op.Idempotent,
		}
	}
	described := r.newError()
	described.why = r.clean(err.Error())
	described.cause = seal(err, described.why)
	// Where there is a response, it is the time to read it that is lacking.
	described.OutcomeUnknown = !r.op.Idempotent && (r.result.Open || r.Response != nil)
	return described
}

// readError is contentError, or describes a response that there was no time left to read. The context is the caller's.
func (r *response) readError(caller context.Context, err error) error {
	switch {
	case !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded):
		return r.contentError(err)
	case caller.Err() != nil:
		return r.sendError(&transport.Failure{Kind: transport.Canceled, Err: withCause(caller, caller.Err())})
	}
	return r.sendError(&transport.Failure{Kind: transport.Timeout, Err: err})
}

// contentError describes a response with a success status that states a failure or cannot be used. No other attempt was
// due after it.
func (r *response) contentError(err error) error {
	var refusal *reply.Failure
	if errors.As(err, &refusal) {
		failure := r.newError()
		failure.Message = r.clean(refusal.Error())
		return failure
	}
	var malformed *reply.Malformed
	errors.As(err, &malformed)
	unread := &DecodeError{
		Operation: r.op.ID, Method: r.op.Method, Path: r.op.Path,
		Reason: DecodeReason(malformed.Reason), Detail: r.clean(malformed.Detail),
		StatusCode: r.Status, ContentType: r.clean(r.Header.Get("Content-Type")),
		Body: r.excerpt(r.Body), RequestID: r.requestID(r.Response), Attempts: r.result.Attempts,
	}
	unread.OutcomeUnknown = !r.op.Idempotent
	unread.NoRecord = unread.OutcomeUnknown && unread.lacksRecord()
	if unread.NoRecord {
		r.unrecorded()
	}
	if malformed.NotFound {
		failure := r.notFound()
		failure.cause, failure.why = unread, string(unread.Reason)
		return failure
	}
	return unread
}

// clean takes out of a text what must not be shown, the credentials of the call included.
func (r *response) clean(text string) string {
	return redact.Excerpt([]byte(text), textSize, r.secrets()...)
}

func (r *response) excerpt(body []byte) string {
	return redact.Excerpt(body, excerptSize, r.secrets()...)
}

func (r *response) secrets() []string {
	secrets := r.settings.extras.secrets()
	for _, credentials := range r.result.Credentials {
		secrets = append(secrets, credentials.APIKey.Reveal(), credentials.BearerToken.Reveal())
	}
	return secrets
}

// requestID returns the id of a request, by its response, which may be nil.
func (r *response) requestID(of *transport.Response) string {
	if of == nil {
		return ""
	}
	return redact.RequestID(of.Header, r.secrets()...)
}
