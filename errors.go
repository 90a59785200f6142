package rpcfleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	genqlient "github.com/Khan/genqlient/graphql"
	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// Sentinels for errors.Is. Each matches [*Error] values, as described.
var (
	// ErrInvalidRequest matches a request that the service rejected as invalid: status 400 or 422. It also matches a
	// [*ValidationError], the error of a request that was not sent.
	ErrInvalidRequest = errors.New("rpcfleet: invalid request")
	// ErrUnauthorized matches a missing or invalid key: status 401.
	ErrUnauthorized = errors.New("rpcfleet: unauthorized")
	// ErrForbidden matches a key or a plan without access: status 403.
	ErrForbidden = errors.New("rpcfleet: forbidden")
	// ErrNotFound matches an object that does not exist: status 404, or a null result with a success status, in the graph
	// area or beside a null error (observed). In the second case the [*Error] wraps a [*DecodeError] with the reason.
	ErrNotFound = errors.New("rpcfleet: not found")
	// ErrConflict matches a conflict with the current state: status 409.
	ErrConflict = errors.New("rpcfleet: conflict")
	// ErrRateLimited matches too many requests: status 429.
	ErrRateLimited = errors.New("rpcfleet: rate limited")
	// ErrServer matches a server error: status 500 or higher.
	ErrServer = errors.New("rpcfleet: server error")
	// ErrRejected matches a failure with a success status: a non-empty error field, a result of false for an operation
	// that confirms success, or GraphQL errors.
	ErrRejected = errors.New("rpcfleet: refused")
	// ErrConnection matches a call without a complete response to its last attempt: no connection, a lost connection, or a
	// timeout.
	ErrConnection = errors.New("rpcfleet: connection failed")
)

const (
	// excerptSize is the maximum size of the body in an error, textSize of other texts, such as a message.
	excerptSize = 1 << 10
	textSize    = 4 << 10
)

// Error is the error of a failed call: the service reported a failure, or there was no response. Use errors.As for its
// fields, or errors.Is with the sentinels. Its text contains no credentials, and of a URL never the path, only the path
// template.
type Error struct {
	// Operation is the operation's id, such as "getEndpoint".
	Operation string
	// Method and Path are the HTTP method and the path template, without ids.
	Method, Path string
	// StatusCode is the status code of the last response, or 0 if there was none.
	StatusCode int
	// Message is the service's explanation, redacted. It may be empty.
	Message string
	// Body is the beginning of the response's body, redacted. [WithResponse] captures the whole body.
	Body string
	// RequestID is the id of the request in the logs of the service or of a gateway. It is the first of the headers
	// X-Request-Id, Request-Id, X-Correlation-Id, X-Amzn-RequestId, X-Amzn-Trace-Id and CF-Ray (assumed), redacted,
	// limited to 128 printable bytes. It is empty if the response has none.
	RequestID string
	// RetryAfter is the delay from the Retry-After header, or 0.
	RetryAfter time.Duration
	// Attempts is the number of attempts that were made.
	Attempts int
	// RetryBudgetExhausted is set if the call was not retried because the client's retry budget was exhausted: see
	// [RetryPolicy.Budget].
	RetryBudgetExhausted bool
	// OutcomeUnknown is set if the operation is not idempotent and may have been executed: see [ErrOutcomeUnknown].
	OutcomeUnknown bool
	// GraphQL contains the errors in a response of the graph area, with any status. It is empty in other areas.
	GraphQL []GraphQLError

	cause error
	// why is the redacted text of the cause: net/http quotes responses that it cannot parse.
	why string
	// graph contains the errors of the graph area as genqlient values, redacted, or is nil.
	graph *genqlient.Response
	// notFound is set if a valid response shows that the object does not exist.
	notFound bool
}

// GraphQLError is one error in a response of the graph area.
type GraphQLError struct {
	// Message is the service's explanation, redacted.
	Message string
	// Path is the path of the failed field, such as "chain.collection.stats": names and indices from the root of the data.
	// It is empty if the whole query failed.
	Path string
	// Code is the service's error code, such as "INVALID_FIELD", or empty.
	Code string
}

// Error describes the failure in one line.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "rpcfleet: %s: ", e.Operation)
	switch {
	case e.StatusCode == 0:
		b.WriteString("no response")
	case e.notFound:
		b.WriteString("not found")
	case e.refused():
		fmt.Fprintf(&b, "refused with status %d", e.StatusCode)
	default:
		b.WriteString(statusText(e.StatusCode))
	}
	if e.StatusCode == http.StatusUnauthorized {
		b.WriteString(" (set the API key with WithAPIKey or " + apiKeyVariable + ")")
	}
	if e.Message != "" {
		fmt.Fprintf(&b, ": %s", e.Message)
	}
	if e.why != "" {
		fmt.Fprintf(&b, ": %s", e.why)
	}
	fmt.Fprintf(&b, " (%s %s", e.Method, e.Path)
	if e.Attempts > 1 {
		fmt.Fprintf(&b, ", %d attempts", e.Attempts)
	}
	if e.RetryAfter > 0 {
		fmt.Fprintf(&b, ", retry after %s", e.RetryAfter)
	}
	b.WriteString(quotaNote(e.RetryBudgetExhausted))
	b.WriteString(requestNote(e.RequestID))
	b.WriteByte(')')
	return b.String()
}

// statusText returns a status with its text, if it has one.
func statusText(status int) string {
	return strings.TrimSpace(strconv.Itoa(status) + " " + http.StatusText(status))
}

// quotaNote returns the note in an error's text that the retry budget was exhausted.
func quotaNote(exhausted bool) string {
	if exhausted {
		return ", retry quota exhausted"
	}
	return ""
}

// requestNote returns the note in an error's text with the request id.
func requestNote(id string) string {
	if id == "" {
		return ""
	}
	return ", request id " + id
}

// Unwrap returns the cause of a call without a response, such as context.Canceled or a net.Error, the [*DecodeError] of
// an object that does not exist, or nil. If the context of the call had ended, errors.Is matches the context's error
// and its cause (see context.Cause), but not errors that the cause wraps.
func (e *Error) Unwrap() error { return e.cause }

// Is matches the sentinels by status, and [ErrOutcomeUnknown] by the result of the attempts.
func (e *Error) Is(target error) bool {
	switch target {
	case ErrInvalidRequest:
		return e.StatusCode == http.StatusBadRequest || e.StatusCode == http.StatusUnprocessableEntity
	case ErrUnauthorized:
		return e.StatusCode == http.StatusUnauthorized
	case ErrForbidden:
		return e.StatusCode == http.StatusForbidden
	case ErrNotFound:
		return e.StatusCode == http.StatusNotFound || e.notFound
	case ErrConflict:
		return e.StatusCode == http.StatusConflict
	case ErrRateLimited:
		return e.StatusCode == http.StatusTooManyRequests
	case ErrServer:
		return e.StatusCode >= http.StatusInternalServerError
	case ErrRejected:
		return e.refused()
	case ErrOutcomeUnknown:
		return e.OutcomeUnknown
	case ErrConnection:
		return e.cause != nil && !e.notFound
	}
	return false
}

func (e *Error) refused() bool {
	return e.StatusCode >= 200 && e.StatusCode < 300 && e.cause == nil && !e.notFound
}

// ErrOutcomeUnknown matches the error of a call that is not idempotent, such as a create, if the service may have
// executed it: a request that may have arrived got no complete response, the status was 408 or neither 2xx nor 4xx, or
// the response cannot be decoded. Every [ErrNoRecord] matches it too. A retry may execute the call twice. The methods
// that begin with Find check whether the object exists: see [Lookup].
//
// Other errors mean that the call was not executed, or is idempotent and can be retried safely.
var ErrOutcomeUnknown = errors.New("rpcfleet: the service may have carried the call out")

// sealed hides an error behind its redacted text. net/http quotes responses that it cannot parse, and an error from the
// caller's code may contain anything. errors.Is and errors.As still reach the cause; printing, encoding or reflection
// does not.
type sealed struct {
	text  string
	cause func() error // Reflection cannot look into a function.
}

// seal hides a cause behind its redacted text.
func seal(cause error, text string) error {
	return &sealed{text, func() error { return cause }}
}

// Error returns the redacted text.
func (s *sealed) Error() string { return s.text }

// Is reports whether the cause is the target or wraps it.
func (s *sealed) Is(target error) bool { return errors.Is(s.cause(), target) }

// As looks for the target in the cause.
func (s *sealed) As(target any) bool { return errors.As(s.cause(), target) }

// withCause adds the cause of the context to the context's error, so that errors.Is matches it. It returns other errors
// unchanged.
func withCause(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	if cause == nil || !errors.Is(err, ctx.Err()) || errors.Is(err, cause) {
		return err
	}
	return &endedError{err, cause}
}

// endedError matches the cause itself, but not errors that the cause wraps, which may be the failure of another call.
type endedError struct {
	error
	cause error
}

func (e *endedError) Unwrap() error { return e.error }

func (e *endedError) Is(target error) bool {
	return reflect.ValueOf(target).Comparable() && target == e.cause
}

// ErrNoRecord matches the [*DecodeError] of a create that the service executed: the response has a success status and
// reports no failure, but has no record that can be decoded, so the id of the new object is unknown. A listing contains
// it: see [Lookup]. Other writes do not fail if the record is missing, except for calls of [Do] that ask for a record.
var ErrNoRecord = errors.New("rpcfleet: carried out, but the service sent no record")

// DecodeReason is the reason that a response could not be decoded.
type DecodeReason string

// The reasons that a response could not be decoded.
const (
	// ReasonHTML is an HTML page, usually from a gateway, instead of JSON.
	ReasonHTML DecodeReason = "an HTML page instead of JSON"
	// ReasonContentType is a content type other than JSON.
	ReasonContentType DecodeReason = "unexpected content type"
	// ReasonEmpty is an empty body instead of a record or a list.
	ReasonEmpty DecodeReason = "empty body"
	// ReasonNoData is a response without the expected payload, or the response to a create without an id.
	ReasonNoData DecodeReason = "no data in the response"
	// ReasonTruncated is an incomplete response.
	ReasonTruncated DecodeReason = "response cut short"
	// ReasonTooLarge is a response over the limit set by [WithMaxBodySize].
	ReasonTooLarge DecodeReason = "response too large"
	// ReasonTrailingData is text after the JSON value.
	ReasonTrailingData DecodeReason = "text after the JSON value"
	// ReasonSyntax is a body that is not JSON.
	ReasonSyntax DecodeReason = "invalid JSON"
	// ReasonUnexpectedType is JSON of a type that does not match the operation.
	ReasonUnexpectedType DecodeReason = "unexpected shape"
	// ReasonTooDeep is a value with more than 100 levels of nesting, or more than 9,000 if it is returned as raw JSON,
	// such as the metadata of a token. The nesting of ignored values is not limited.
	ReasonTooDeep DecodeReason = "nested too deeply"
)

// DecodeError is the error of a response that cannot be used. If the call was a write, the service may have executed
// it. Its text contains no value of the body.
type DecodeError struct {
	// Operation is the operation's id, such as "getEndpoint".
	Operation string
	// Method and Path are the HTTP method and the path template, without ids.
	Method, Path string
	// Reason is the kind of problem.
	Reason DecodeReason
	// Detail is the position and a description of the problem, or empty.
	Detail string
	// StatusCode and ContentType are the response's status code and content type.
	StatusCode  int
	ContentType string
	// Body is the beginning of the body, redacted. [WithResponse] captures the whole body, unless it was truncated or too
	// large.
	Body string
	// RequestID is the service's id of the request, as in [Error].
	RequestID string
	// Attempts is the number of attempts that were made.
	Attempts int
	// RetryBudgetExhausted is set if the call was not retried because the client's retry budget was exhausted: see
	// [RetryPolicy.Budget].
	RetryBudgetExhausted bool
	// NoRecord is set if a create was executed and its response has no record: see [ErrNoRecord].
	NoRecord bool
	// OutcomeUnknown is set if the operation is not idempotent and may have been executed: see [ErrOutcomeUnknown].
	OutcomeUnknown bool

	cause error
}

// Error describes the failure in one line.
func (e *DecodeError) Error() string {
	detail := ""
	if e.Detail != "" {
		detail = ": " + e.Detail
	}
	return fmt.Sprintf("rpcfleet: %s: cannot read the response: %s%s (%s %s, status %s%s%s)",
		e.Operation, e.Reason, detail, e.Method, e.Path, statusText(e.StatusCode),
		quotaNote(e.RetryBudgetExhausted), requestNote(e.RequestID))
}

// Unwrap returns the cause of a truncated response, or nil.
func (e *DecodeError) Unwrap() error { return e.cause }

// Is matches [ErrConnection] for a truncated response, since the connection was lost. It matches [ErrNoRecord] for a
// create if only the record is missing, and [ErrOutcomeUnknown] for any create.
func (e *DecodeError) Is(target error) bool {
	switch target {
	case ErrConnection:
		return e.Reason == ReasonTruncated && e.cause != nil
	case ErrNoRecord:
		return e.NoRecord
	case ErrOutcomeUnknown:
		return e.NoRecord || e.OutcomeUnknown
	}
	return false
}

// lacksRecord reports whether the service itself responded and only the record is missing. HTML comes from a gateway; a
// truncated or invalid body proves nothing.
func (e *DecodeError) lacksRecord() bool {
	switch e.Reason {
	case ReasonEmpty, ReasonNoData, ReasonUnexpectedType:
		return true
	}
	return false
}

// graphError returns the error of a response with a success status and GraphQL errors.
func (r *response) graphError(stated []graphql.Error) *Error {
	failure := r.newError()
	r.addGraphErrors(failure, stated)
	failure.Message = failure.GraphQL[0].Message
	return failure
}

// notFound returns the error of a valid response with a null result.
func (r *response) notFound() *Error {
	failure := r.newError()
	failure.notFound = true
	return failure
}

// addGraphErrors adds the GraphQL errors of a response, redacted.
func (r *response) addGraphErrors(failure *Error, stated []graphql.Error) {
	for _, e := range stated {
		failure.GraphQL = append(failure.GraphQL, GraphQLError{r.clean(e.Message), r.clean(e.Path), r.clean(e.Code)})
	}
	failure.graph = r.genqlient(failure.GraphQL)
}

// graphSize is the maximum size of the errors and extensions that are kept as genqlient values.
const graphSize = 64 << 10

// genqlient returns the errors and the extensions of a response as genqlient values, redacted. If they do not have the
// types that GraphQL specifies, or are too large, the result is made from found.
func (r *response) genqlient(found []GraphQLError) *genqlient.Response {
	type object = map[string]any
	var stated struct {
		Errors     any `json:"errors,omitempty"`
		Extensions any `json:"extensions,omitempty"`
	}
	var made genqlient.Response
	if json.Unmarshal(r.Body, &stated) == nil {
		stated.Errors, stated.Extensions = r.cleanAll(stated.Errors), r.cleanAll(stated.Extensions)
		text, err := json.Marshal(stated)
		if err == nil && len(text) <= graphSize {
			err = json.Unmarshal([]byte(redact.Text(string(text), r.secrets()...)), &made)
			if err == nil && !slices.Contains(made.Errors, nil) {
				return &made
			}
		}
	}
	var errors []object
	for _, e := range found {
		errors = append(errors, object{"message": e.Message, "extensions": object{"code": e.Code}})
	}
	made = genqlient.Response{}
	if text, err := json.Marshal(object{"errors": errors}); err == nil {
		_ = json.Unmarshal(text, &made) // It has the required types.
	}
	return &made
}

// cleanAll redacts the strings in a decoded JSON value.
func (r *response) cleanAll(value any) any {
	switch value := value.(type) {
	case string:
		return r.clean(value)
	case []any:
		for i := range value {
			value[i] = r.cleanAll(value[i])
		}
	case map[string]any:
		for name := range value {
			value[name] = r.cleanAll(value[name])
		}
	}
	return value
}
