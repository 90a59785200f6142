package rpcfleet

import (
	"errors"
	"fmt"
	"net/http"
)

// ErrCarriedOut matches the [*DecodeError] of a create that was carried out: the service responded to it with a success
// status and stated no failure, but sent no record that could be read, so that nothing tells the id of what exists now.
// A listing does: see [Lookup]. A write of any other kind that the service carries out does not fail for want of a record, unless it
// is a call of [Do] that asks for one.
var ErrCarriedOut = errors.New("rpcfleet: carried out, but the service sent no record")

// DecodeReason tells why a response could not be read.
type DecodeReason string

// The reasons why a response could not be read.
const (
	// ReasonHTML is an HTML page where JSON was expected, as gateways send it.
	ReasonHTML DecodeReason = "an HTML page instead of JSON"
	// ReasonContentType is a body that is declared to be something else than JSON.
	ReasonContentType DecodeReason = "unexpected content type"
	// ReasonEmpty is an empty body where a record or a list was expected.
	ReasonEmpty DecodeReason = "empty body"
	// ReasonNoData is a response without a payload where one was expected, or the response to a create without an id.
	ReasonNoData DecodeReason = "no data in the response"
	// ReasonTruncated is a response that ended early.
	ReasonTruncated DecodeReason = "response cut short"
	// ReasonTooLarge is a response over the limit set by [WithMaxBodySize].
	ReasonTooLarge DecodeReason = "response too large"
	// ReasonTrailing is text after the JSON value.
	ReasonTrailing DecodeReason = "text after the JSON value"
	// ReasonSyntax is a body that is not JSON.
	ReasonSyntax DecodeReason = "invalid JSON"
	// ReasonShape is JSON of a shape that does not fit the operation.
	ReasonShape DecodeReason = "unexpected shape"
	// ReasonTooDeep is a value that is nested too deeply to be read: more than 100 levels, or more than 9,000 if it is
	// handed out as it came, as the metadata of a token is. What is not read may be nested as deeply as it likes.
	ReasonTooDeep DecodeReason = "nested too deeply"
	// ReasonNoMember is data of a caller's own query with a field that the caller's type has no member for. Names match
	// exactly, capitals included.
	ReasonNoMember DecodeReason = "a field without a member"
)

// DecodeError is a response that arrived and cannot be used. For a write this means that the service may well have
// carried it out. Its text never shows a value of the body.
type DecodeError struct {
	// Operation is the operation's id, such as "getEndpoint".
	Operation string
	// Method and Path are the HTTP method and the path template, without ids.
	Method, Path string
	// Reason tells what is wrong.
	Reason DecodeReason
	// Detail says where and what, or is empty.
	Detail string
	// StatusCode and ContentType are those of the response.
	StatusCode  int
	ContentType string
	// Body is the beginning of the body, cleaned of secrets. [CaptureResponse] gives the whole of it, unless it was cut
	// short or too large to be read.
	Body string
	// RequestID is the service's id of the request, as in [Error].
	RequestID string
	// Attempts is the number of attempts that were made.
	Attempts int
	// RetryQuotaExhausted is set where another attempt was due and the client's retry quota was used up: see
	// [RetryPolicy.Quota].
	RetryQuotaExhausted bool

	cause error
	// carriedOut is set for a create that lacks nothing but its record.
	carriedOut bool
	// maybe is set for a call that is not idempotent.
	maybe bool
}

// Error describes the failure in one line.
func (e *DecodeError) Error() string {
	detail := ""
	if e.Detail != "" {
		detail = ": " + e.Detail
	}
	return fmt.Sprintf("rpcfleet: %s: cannot read the response: %s%s (%s %s, status %d %s%s%s)",
		e.Operation, e.Reason, detail, e.Method, e.Path, e.StatusCode, http.StatusText(e.StatusCode),
		quotaNote(e.RetryQuotaExhausted), requestNote(e.RequestID))
}

// Unwrap returns the cause of a response that was cut short, or nil.
func (e *DecodeError) Unwrap() error { return e.cause }

// Is matches [ErrConnection] for a response that was cut short: the connection was lost in the middle of it. It matches
// [ErrCarriedOut] for a create that lacks nothing but its record, and [ErrMaybeCarriedOut] for any create.
func (e *DecodeError) Is(target error) bool {
	switch target {
	case ErrConnection:
		return e.Reason == ReasonTruncated && e.cause != nil
	case ErrCarriedOut:
		return e.carriedOut
	case ErrMaybeCarriedOut:
		return e.carriedOut || e.maybe
	}
	return false
}

// lacksRecord reports whether the service responded, in its own way, and the record is what is missing. An HTML page is
// the word of a gateway, and of a body that was cut short or is no JSON nobody knows what it was to say.
func (e *DecodeError) lacksRecord() bool {
	switch e.Reason {
	case ReasonEmpty, ReasonNoData, ReasonShape:
		return true
	}
	return false
}
