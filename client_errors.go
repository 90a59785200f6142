package rpcfleet

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/Khan/genqlient/graphql"
)

// Sentinels for errors.Is. Each matches the [*Error] values that its comment names.
var (
	// ErrInvalidRequest matches a request that the service found invalid: status 400 or 422. It also matches a
	// [*ValidationError], a request that was not sent because the service would find it invalid.
	ErrInvalidRequest = errors.New("rpcfleet: invalid request")
	// ErrUnauthorized matches a missing or wrong key: status 401.
	ErrUnauthorized = errors.New("rpcfleet: unauthorized")
	// ErrForbidden matches a caller or a plan without access: status 403.
	ErrForbidden = errors.New("rpcfleet: forbidden")
	// ErrNotFound matches a thing that does not exist: status 404, or with a success status a null in its place: in the
	// graph area, and elsewhere beside an error that is null as well (observed). Such an [*Error] wraps the
	// [*DecodeError] that tells the reason.
	ErrNotFound = errors.New("rpcfleet: not found")
	// ErrConflict matches a clash with the present state: status 409.
	ErrConflict = errors.New("rpcfleet: conflict")
	// ErrRateLimited matches a refusal for too many requests: status 429.
	ErrRateLimited = errors.New("rpcfleet: rate limited")
	// ErrServer matches a failure on the service's side: any status from 500 on.
	ErrServer = errors.New("rpcfleet: server error")
	// ErrRefused matches a failure that came with a success status: a non-empty error field, a false where the service
	// says whether something happened, or GraphQL errors.
	ErrRefused = errors.New("rpcfleet: refused")
	// ErrConnection matches a call whose last attempt brought no complete response: no connection, a connection lost, a
	// timeout.
	ErrConnection = errors.New("rpcfleet: connection failed")
)

const (
	// excerptSize bounds the piece of a body that an error keeps, and textSize each text in it, such as a message.
	excerptSize = 1 << 10
	textSize    = 4 << 10
)

// Error is a call that failed: the service responded with a failure, or no response came. Match it with errors.As for
// its fields, or with errors.Is against the sentinels. Its text never shows credentials, and no address's path.
type Error struct {
	// Operation is the operation's id, such as "getEndpoint".
	Operation string
	// Method and Path are the HTTP method and the path template, without ids.
	Method, Path string
	// StatusCode is the status of the last response, or 0 where none came.
	StatusCode int
	// Message is the service's own explanation, cleaned of secrets. It may be empty.
	Message string
	// Body is the beginning of the response's body, cleaned of secrets. [CaptureResponse] gives the whole of it.
	Body string
	// RequestID is the id of the request by which the service, or a gateway in between, finds it in its logs. It is empty
	// where the response carries none. It is the first that is there of the headers X-Request-Id, Request-Id,
	// X-Correlation-Id, X-Amzn-RequestId, X-Amzn-Trace-Id and CF-Ray (assumed), cleaned of secrets and of what does not
	// print, and at most 128 bytes of it.
	RequestID string
	// RetryAfter is the delay that the service asked for, or 0.
	RetryAfter time.Duration
	// Attempts is the number of attempts that were made.
	Attempts int
	// RetryQuotaExhausted is set where another attempt was due and the client's retry quota was used up: see
	// [RetryPolicy.Quota].
	RetryQuotaExhausted bool
	// GraphQL are the errors that a response of the graph area states, at any status. Other areas have none.
	GraphQL []GraphQLError

	cause error
	// why is the cause's text, cleaned of secrets: net/http quotes responses that it cannot read.
	why string
	// graph is the errors of the graph area as genqlient has them, cleaned of secrets, or nil.
	graph *graphql.Response
	// maybe is set for a call that is not idempotent and may have been carried out.
	maybe bool
	// notFound is set where the response is good and says that the thing does not exist.
	notFound bool
}

// GraphQLError is one of the errors in a response of the graph area.
type GraphQLError struct {
	// Message is the service's explanation, cleaned of secrets.
	Message string
	// Path leads to the field that failed, such as "chain.collection.stats": names and indices, from the root of the
	// data. It is empty where the whole query failed.
	Path string
	// Code is the service's name for the kind of error, such as "INVALID_FIELD", or empty.
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
		fmt.Fprintf(&b, "%d %s", e.StatusCode, http.StatusText(e.StatusCode))
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
	b.WriteString(quotaNote(e.RetryQuotaExhausted))
	b.WriteString(requestNote(e.RequestID))
	b.WriteByte(')')
	return b.String()
}

// quotaNote says in the text of an error that the retry quota ended a call.
func quotaNote(exhausted bool) string {
	if exhausted {
		return ", retry quota exhausted"
	}
	return ""
}

// requestNote gives the id of a request in the text of an error.
func requestNote(id string) string {
	if id == "" {
		return ""
	}
	return ", request id " + id
}

// Unwrap returns the cause of a call without a response, such as context.Canceled or a net.Error, the [*DecodeError] of
// a thing that does not exist, or nil. Where the context of the call had ended, errors.Is finds its error and the very
// value of its cause, see context.Cause, but nothing that the cause wraps: that another call has failed, and how, is
// not this call's failure.
func (e *Error) Unwrap() error { return e.cause }

// Is matches the sentinels by status, and [ErrMaybeCarriedOut] by how the attempts ended.
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
	case ErrRefused:
		return e.refused()
	case ErrMaybeCarriedOut:
		return e.maybe
	case ErrConnection:
		return e.cause != nil && !e.notFound
	}
	return false
}

func (e *Error) refused() bool {
	return e.StatusCode >= 200 && e.StatusCode < 300 && e.cause == nil && !e.notFound
}
