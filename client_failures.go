package rpcfleet

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
	"github.com/rpcfleet/rpcfleet-go/internal/operation"
	"github.com/rpcfleet/rpcfleet-go/internal/redact"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

const (
	// excerptSize bounds the piece of a body that an error keeps, and textSize each text in it, such as a message.
	excerptSize = 1 << 10
	textSize    = 4 << 10
)

// fault begins an *Error about the call.
func (r *response) fault() *Error {
	fault := &Error{
		Operation: r.op.ID, Method: r.op.Method, Path: r.op.Path,
		Attempts: r.result.Attempts, RetryQuotaExhausted: r.result.QuotaExhausted,
	}
	if reply := r.result.Last; reply != nil {
		fault.StatusCode = reply.Status
		fault.Body = r.excerpt(reply.Body)
		fault.RequestID = r.clean(reply.Header.Get("X-Request-Id"))
		fault.RetryAfter, _ = transport.RetryAfter(reply.Header, time.Now())
	}
	return fault
}

// failed describes a response with another status than success.
func (r *response) failed() *Error {
	fault := r.fault()
	contentType := r.Header.Get("Content-Type")
	fault.Message = r.clean(envelope.Explain(contentType, r.Body))
	if fault.Message == "" && strings.HasPrefix(strings.ToLower(contentType), "text/html") {
		fault.Message = string(envelope.HTML)
	}
	if r.op.Area == operation.AreaGraph {
		r.addGraphErrors(fault, envelope.GraphErrors(contentType, r.Body))
		if len(fault.GraphQL) > 0 {
			fault.Message = fault.GraphQL[0].Message // The others are beside it.
		}
	}
	if r.Status >= 300 && r.Status < 400 && r.Header.Get("Location") != "" {
		fault.Message = "a redirect that is not followed: it leads to another origin, changes the method or cannot be read"
	}
	return fault
}

// unresponded to describes a call whose last attempt brought no complete response.
func (r *response) unanswered(err error) error {
	var failure *transport.Failure
	if errors.As(err, &failure) && (failure.Kind == transport.TooLarge || failure.Kind == transport.Truncated) {
		partial := r.result.Partial
		return &DecodeError{
			Operation: r.op.ID, Method: r.op.Method, Path: r.op.Path,
			Reason: DecodeReason(failure.Kind), Detail: r.clean(failure.Err.Error()),
			StatusCode: partial.Status, ContentType: r.clean(partial.Header.Get("Content-Type")),
			Body: r.excerpt(partial.Body), Attempts: r.result.Attempts, RetryQuotaExhausted: r.result.QuotaExhausted,
			cause: failure.Err,
		}
	}
	fault := r.fault()
	fault.cause, fault.why = err, r.clean(err.Error())
	return fault
}

// unread is unreadable, or describes a response that there was no time left to read. The context is the caller's.
func (r *response) unread(caller context.Context, err error) error {
	switch {
	case !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded):
		return r.unreadable(err)
	case caller.Err() != nil:
		return r.unanswered(&transport.Failure{Kind: transport.Canceled, Err: transport.Ended(caller, caller.Err())})
	}
	return r.unanswered(&transport.Failure{Kind: transport.Timeout, Err: err})
}

// unreadable describes a response with a success status that states a failure or cannot be used.
func (r *response) unreadable(err error) error {
	var refusal *envelope.Refusal
	if errors.As(err, &refusal) {
		fault := r.fault()
		fault.Message = r.clean(refusal.Error())
		return fault
	}
	var malformed *envelope.Malformed
	errors.As(err, &malformed)
	unread := &DecodeError{
		Operation: r.op.ID, Method: r.op.Method, Path: r.op.Path,
		Reason: DecodeReason(malformed.Reason), Detail: r.clean(malformed.Detail),
		StatusCode: r.Status, ContentType: r.clean(r.Header.Get("Content-Type")),
		Body: r.excerpt(r.Body), Attempts: r.result.Attempts, RetryQuotaExhausted: r.result.QuotaExhausted,
	}
	unread.carriedOut = !r.op.Idempotent && unread.lacksRecord()
	r.recorded(!unread.carriedOut)
	if malformed.Absent {
		fault := r.absent()
		fault.cause, fault.why = unread, string(unread.Reason)
		return fault
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
	var secrets []string
	for _, credentials := range r.result.Credentials {
		secrets = append(secrets, credentials.APIKey.Reveal(), credentials.BearerToken.Reveal())
	}
	return secrets
}
