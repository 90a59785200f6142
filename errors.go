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
	// ErrRejected matches a failure that came with a success status: a non-empty error field, a false where the service
	// says whether something happened, or GraphQL errors.
	ErrRejected = errors.New("rpcfleet: refused")
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
	// Body is the beginning of the response's body, cleaned of secrets. [WithResponse] gives the whole of it.
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
	// RetryBudgetExhausted is set where another attempt was due and the client's retry quota was used up: see
	// [RetryPolicy.Quota].
	RetryBudgetExhausted bool
	// OutcomeUnknown is set if the operation is not idempotent and may have been executed: see [ErrOutcomeUnknown].
	OutcomeUnknown bool
	// GraphQL are the errors that a response of the graph area states, at any status. Other areas have none.
	GraphQL []GraphQLError

	cause error
	// why is the cause's text, cleaned of secrets: net/http quotes responses that it cannot read.
	why string
	// graph is the errors of the graph area as genqlient has them, cleaned of secrets, or nil.
	graph *genqlient.Response
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

// Is matches the sentinels by status, and [ErrOutcomeUnknown] by how the attempts ended.
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

// ErrOutcomeUnknown matches the error of a call that is not idempotent, such as a create, and that the service may
// have carried out: no complete response came to a request that may have arrived, or it came with the status 408 or any
// status that is neither 2xx nor 4xx, or it cannot be read. So does every [ErrNoRecord]. To make the call again may
// do the same thing twice. The methods that begin with Find tell whether what was to be created exists: see [Lookup].
//
// An error that does not match it says that nothing was carried out: what a call that is idempotent was to set can be
// set again in any case.
var ErrOutcomeUnknown = errors.New("rpcfleet: the service may have carried the call out")

// sealed is the cause of a failure with its text cleaned of secrets. net/http quotes what it cannot read of a response,
// and an error of the caller's own may hold anything: errors.Is and errors.As find what they look for in the cause, and
// nothing that prints, encodes or walks through an error finds anything else.
type sealed struct {
	text  string
	cause func() error // A function is not walked into.
}

// seal hides a cause behind its cleaned text.
func seal(cause error, text string) error {
	return &sealed{text, func() error { return cause }}
}

// Error returns the cleaned text.
func (s *sealed) Error() string { return s.text }

// Is reports whether the cause is the target or wraps it.
func (s *sealed) Is(target error) bool { return errors.Is(s.cause(), target) }

// As finds the target in the cause.
func (s *sealed) As(target any) bool { return errors.As(s.cause(), target) }

// withCause adds the cause of a context's end to the error by which it ended, so that errors.Is finds the cause. It
// returns other errors as they are.
func withCause(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	if cause == nil || !errors.Is(err, ctx.Err()) || errors.Is(err, cause) {
		return err
	}
	return &endedError{err, cause}
}

// endedError matches the cause itself, and nothing that the cause wraps: that may be the failure of another call.
type endedError struct {
	error
	cause error
}

func (e *endedError) Unwrap() error { return e.error }

func (e *endedError) Is(target error) bool {
	return reflect.ValueOf(target).Comparable() && target == e.cause
}

// ErrNoRecord matches the [*DecodeError] of a create that was carried out: the service responded to it with a
// success status and stated no failure, but sent no record that could be read, so that nothing tells the id of what
// exists now. A listing does: see [Lookup]. A write of any other kind that the service carries out does not fail for
// want of a record, unless it is a call of [Do] that asks for one.
var ErrNoRecord = errors.New("rpcfleet: carried out, but the service sent no record")

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
	// ReasonTrailingData is text after the JSON value.
	ReasonTrailingData DecodeReason = "text after the JSON value"
	// ReasonSyntax is a body that is not JSON.
	ReasonSyntax DecodeReason = "invalid JSON"
	// ReasonUnexpectedType is JSON of a shape that does not fit the operation.
	ReasonUnexpectedType DecodeReason = "unexpected shape"
	// ReasonTooDeep is a value that is nested too deeply to be read: more than 100 levels, or more than 9,000 if it is
	// handed out as it came, as the metadata of a token is. What is not read may be nested as deeply as it likes.
	ReasonTooDeep DecodeReason = "nested too deeply"
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
	// Body is the beginning of the body, cleaned of secrets. [WithResponse] gives the whole of it, unless it was cut
	// short or too large to be read.
	Body string
	// RequestID is the service's id of the request, as in [Error].
	RequestID string
	// Attempts is the number of attempts that were made.
	Attempts int
	// RetryBudgetExhausted is set where another attempt was due and the client's retry quota was used up: see
	// [RetryPolicy.Quota].
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

// Unwrap returns the cause of a response that was cut short, or nil.
func (e *DecodeError) Unwrap() error { return e.cause }

// Is matches [ErrConnection] for a response that was cut short: the connection was lost in the middle of it. It matches
// [ErrNoRecord] for a create that lacks nothing but its record, and [ErrOutcomeUnknown] for any create.
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

// lacksRecord reports whether the service responded, in its own way, and the record is what is missing. An HTML page is
// the word of a gateway, and of a body that was cut short or is no JSON nobody knows what it was to say.
func (e *DecodeError) lacksRecord() bool {
	switch e.Reason {
	case ReasonEmpty, ReasonNoData, ReasonUnexpectedType:
		return true
	}
	return false
}

// graphError describes a response with a success status that has errors in it.
func (r *response) graphError(stated []graphql.Error) *Error {
	failure := r.newError()
	r.addGraphErrors(failure, stated)
	failure.Message = failure.GraphQL[0].Message
	return failure
}

// notFound describes a good response that has a null in the place of what was asked for.
func (r *response) notFound() *Error {
	failure := r.newError()
	failure.notFound = true
	return failure
}

// addGraphErrors adds the errors of a response, cleaned of secrets.
func (r *response) addGraphErrors(failure *Error, stated []graphql.Error) {
	for _, e := range stated {
		failure.GraphQL = append(failure.GraphQL, GraphQLError{r.clean(e.Message), r.clean(e.Path), r.clean(e.Code)})
	}
	failure.graph = r.genqlient(failure.GraphQL)
}

// graphSize bounds the errors and extensions of a response that are kept as genqlient has them.
const graphSize = 64 << 10

// genqlient returns the errors and the extensions of a response as genqlient has them, cleaned of secrets. Where they
// have not the shape that GraphQL prescribes, or are too large, they are what was found of them.
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
		_ = json.Unmarshal(text, &made) // It has the shape that was wanted.
	}
	return &made
}

// cleanAll cleans the texts in a decoded JSON value.
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
