package rpcfleet

import (
	"errors"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
	"github.com/rpcfleet/rpcfleet-go/internal/operation"
	"github.com/rpcfleet/rpcfleet-go/internal/redact"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// excerptSize bounds the piece of a body that an error keeps.
const excerptSize = 1 << 10

// fault begins an *Error about the call.
func (r *response) fault() *Error {
	fault := &Error{Operation: r.op.ID, Method: r.op.Method, Path: r.op.Path, Attempts: r.trip.Attempts}
	if reply := r.trip.Last; reply != nil {
		fault.StatusCode = reply.Status
		fault.Body = r.excerpt(reply.Body)
		fault.RequestID = reply.Header.Get("X-Request-Id")
		fault.RetryAfter, _ = transport.RetryAfter(reply.Header, time.Now())
	}
	return fault
}

// failed describes an answer with another status than success.
func (r *response) failed() *Error {
	fault := r.fault()
	contentType := r.Header.Get("Content-Type")
	fault.Message = r.clean(envelope.Explain(contentType, r.Body))
	if fault.Message == "" && strings.HasPrefix(strings.ToLower(contentType), "text/html") {
		fault.Message = string(envelope.HTML)
	}
	if r.op.Area == operation.AreaGraph {
		r.addGraphErrors(fault, envelope.GraphErrors(contentType, r.Body))
	}
	if r.Status >= 300 && r.Status < 400 && r.Header.Get("Location") != "" {
		fault.Message = "a redirect that is not followed: it leads to another origin, changes the method or cannot be read"
	}
	return fault
}

// unanswered describes a call whose last try brought no complete answer.
func (r *response) unanswered(err error) error {
	var failure *transport.Failure
	if errors.As(err, &failure) && (failure.Kind == transport.TooLarge || failure.Kind == transport.Truncated) {
		return &DecodeError{
			Operation: r.op.ID, Method: r.op.Method, Path: r.op.Path,
			Reason: DecodeReason(failure.Kind), Detail: r.clean(failure.Err.Error()),
			StatusCode: failure.Status, ContentType: failure.Header.Get("Content-Type"),
			Body: r.excerpt(failure.Piece), Attempts: r.trip.Attempts, cause: failure.Err,
		}
	}
	fault := r.fault()
	fault.cause, fault.why = err, r.clean(err.Error())
	return fault
}

// unreadable describes an answer with a success status that states a failure or cannot be used.
func (r *response) unreadable(err error) error {
	var refusal *envelope.Refusal
	if errors.As(err, &refusal) {
		fault := r.fault()
		fault.Message = r.clean(refusal.Error())
		return fault
	}
	var malformed *envelope.Malformed
	errors.As(err, &malformed)
	return &DecodeError{
		Operation: r.op.ID, Method: r.op.Method, Path: r.op.Path,
		Reason: DecodeReason(malformed.Reason), Detail: r.clean(malformed.Detail),
		StatusCode: r.Status, ContentType: r.Header.Get("Content-Type"),
		Body: r.excerpt(r.Body), Attempts: r.trip.Attempts,
	}
}

// clean takes out of a text what must not be shown, the credentials of the call included.
func (r *response) clean(text string) string { return redact.Text(text, r.secrets()...) }

func (r *response) excerpt(body []byte) string {
	return redact.Excerpt(body, excerptSize, r.secrets()...)
}

func (r *response) secrets() []string {
	var secrets []string
	for _, credentials := range r.trip.Credentials {
		secrets = append(secrets, credentials.APIKey.Reveal(), credentials.BearerToken.Reveal())
	}
	return secrets
}
