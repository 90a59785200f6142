package rpcfleet

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Sentinels for errors.Is.
var (
	ErrInvalidRequest = errors.New("rpcfleet: invalid request")   // Status 400 or 422, or a [*ValidationError].
	ErrUnauthorized   = errors.New("rpcfleet: unauthorized")      // Status 401: a missing or invalid key.
	ErrForbidden      = errors.New("rpcfleet: forbidden")         // Status 403: a key or a plan without access.
	ErrNotFound       = errors.New("rpcfleet: not found")         // Status 404, or null data with a null error (observed).
	ErrConflict       = errors.New("rpcfleet: conflict")          // Status 409.
	ErrRateLimited    = errors.New("rpcfleet: rate limited")      // Status 429.
	ErrServer         = errors.New("rpcfleet: server error")      // Status 500 or higher.
	ErrRejected       = errors.New("rpcfleet: rejected")          // Status 2xx with an error, false or GraphQL errors.
	ErrConnection     = errors.New("rpcfleet: connection failed") // No complete response to the last attempt.
	// The service may have executed a call that is not idempotent, such as a create: a request that may have arrived got
	// no complete response, the status was 408 or neither 2xx nor 4xx, or the response cannot be decoded. Of a 4xx
	// response, except 408 and 425, the status is enough. A retry may execute the call twice: see [WithCreateOnce]. Test
	// it first: if the context ended, the error matches context.Canceled or context.DeadlineExceeded too. After other
	// errors, the call was not executed, or can be retried safely.
	ErrOutcomeUnknown = errors.New("rpcfleet: the service may have executed the call")
	// The service executed a create or a call of [Do]; the response has no id: see [WithCreateOnce]. It implies
	// ErrOutcomeUnknown.
	ErrNoRecord = errors.New("rpcfleet: executed, but the response has no record")
	// The service returned the same page or cursor twice, in a [*PageError].
	ErrRepeatedPage = errors.New("rpcfleet: the service repeats a page")
	// Fewer items came than the total, or the listing changed and the iteration cannot go back, in a [*PageError].
	ErrIncompleteListing = errors.New("rpcfleet: the listing ended before its total")
	// The logs have more entries within their late windows than [FollowOptions.MaxTracked].
	ErrFollowLimit = errors.New("rpcfleet: more log entries to track than MaxTracked allows")
	// The clocks of this machine and of the service differ by more than [FollowOptions.LateWindow], in a [*FollowError].
	ErrClock = errors.New("rpcfleet: the clocks differ by more than LateWindow")
	// The clocks differ by more than the lifetime of a session token.
	ErrExpiredToken = errors.New("rpcfleet: the service returned a session token that has already expired")
	// After [WebhooksService.Change], the webhook could not be activated again.
	ErrStaysPaused = errors.New("rpcfleet: the webhook stays paused")
	// The stream was terminated or blocked, or has completed: [StreamsService.WaitFor] cannot succeed.
	ErrStreamStopped = errors.New("rpcfleet: the stream has stopped")
)

// errDecode matches every [*DecodeError].
var errDecode = errors.New("rpcfleet: the response cannot be decoded")

// textSize is the maximum size of a text in an error, such as a message.
const textSize = 4 << 10

// Error is a failure that the service reported, or the lack of a response.
type Error struct {
	Operation    string // The operation's id, such as "getEndpoint".
	Method, Path string // Path is the path template, without ids.
	StatusCode   int    // The status code of the last response, or 0 if there was none.
	Message      string // The service's explanation, redacted. It may be empty.
	// The first of X-Request-Id, Request-Id, X-Correlation-Id, X-Amzn-RequestId, X-Amzn-Trace-Id and CF-Ray (assumed).
	RequestID            string
	RetryAfter           time.Duration // The delay from the Retry-After header, at most ten years, or 0.
	Attempts             int
	RetryBudgetExhausted bool           // RetryBudgetExhausted is set if [RetryPolicy.Budget] ended the retries.
	OutcomeUnknown       bool           // OutcomeUnknown is set if the error matches [ErrOutcomeUnknown].
	GraphQL              []GraphQLError // GraphQL contains the errors in a response of the graph area.

	cause     error
	causeText string // The redacted text of the cause: net/http quotes responses that it cannot parse.
	lost      bool   // The last attempt has no complete response.
	open      bool   // The service may have executed the call, even if it is idempotent.
	notFound  bool   // A valid response shows that the object does not exist.
}

// GraphQLError is one error in a response of the graph area.
type GraphQLError struct {
	Message string
	Path    string // Path of the failed field, such as "chain.collection.stats", or empty.
	Code    string // The service's error code, such as "INVALID_FIELD", or empty.
}

// Error describes the failure in one line.
func (e *Error) Error() string {
	outcome := statusText(e.StatusCode)
	switch {
	case e.StatusCode == 0:
		outcome = "no response"
	case e.notFound:
		outcome = "not found"
	case e.Is(ErrRejected):
		outcome = fmt.Sprintf("rejected with status %d", e.StatusCode)
	case e.StatusCode == http.StatusUnauthorized:
		outcome += " (set the API key with WithAPIKey or RPCFLEET_API_KEY)"
	}
	return fmt.Sprintf("rpcfleet: %s: %s%s%s (%s %s%s%s%s%s)", e.Operation, outcome,
		noteIf(e.Message != "", ": %s", e.Message), noteIf(e.causeText != "", ": %s", e.causeText), e.Method, e.Path,
		noteIf(e.Attempts > 1, ", %d attempts", e.Attempts), noteIf(e.RetryAfter > 0, ", retry after %s", e.RetryAfter),
		noteIf(e.RetryBudgetExhausted, ", retry budget exhausted"), noteIf(e.RequestID != "", ", request id %s", e.RequestID))
}

// statusText returns a status with its text, if it has one.
func statusText(status int) string {
	return strings.TrimSpace(strconv.Itoa(status) + " " + http.StatusText(status))
}

// noteIf returns an optional part of an error's text, or "" if the condition is false.
func noteIf(condition bool, format string, args ...any) string {
	if !condition {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// Unwrap returns the cause, such as context.Canceled or context.Cause, or nil.
func (e *Error) Unwrap() error { return e.cause }

// LogValue returns the error as a group.
func (e *Error) LogValue() slog.Value {
	return logValue(e, "operation", e.Operation, "status", e.StatusCode, "request_id", e.RequestID,
		"attempts", e.Attempts, "retry_after", e.RetryAfter, "outcome_unknown", e.OutcomeUnknown)
}

// logValue returns a group with the text and the kind of an error, and with the pairs that have a value.
func logValue(err error, pairs ...any) slog.Value {
	group := []slog.Attr{slog.String("error", err.Error()), slog.String("kind", KindOf(err))}
	for pair := range slices.Chunk(pairs, 2) {
		if value := reflect.ValueOf(pair[1]); value.IsValid() && !value.IsZero() {
			group = append(group, slog.Any(pair[0].(string), pair[1]))
		}
	}
	return slog.GroupValue(group...)
}

// Is matches the sentinels.
func (e *Error) Is(target error) bool {
	switch {
	case target == ErrOutcomeUnknown:
		return e.OutcomeUnknown
	case target == ErrConnection && e.lost, target == ErrNotFound && e.notFound:
		return true
	case target == ErrRejected && (e.lost || e.notFound):
		return false
	}
	return slices.ContainsFunc(errorKinds, func(k errorKind) bool {
		return k.of == target && k.lowest <= e.StatusCode && e.StatusCode <= k.highest
	})
}

// opaqueError hides an error behind its redacted text. net/http quotes responses that it cannot parse, and an error
// from the caller's code may contain anything. errors.Is and errors.As still reach the cause; printing, encoding or
// reflection does not.
type opaqueError struct {
	text  string
	cause func() error // Reflection cannot look into a function.
}

// opaque hides a cause behind its redacted text.
func opaque(cause error, text string) error {
	return &opaqueError{text, func() error { return cause }}
}

// Error returns the redacted text.
func (s *opaqueError) Error() string { return s.text }

// Is reports whether the cause is the target or wraps it.
func (s *opaqueError) Is(target error) bool { return errors.Is(s.cause(), target) }

// As looks for the target in the cause.
func (s *opaqueError) As(target any) bool { return errors.As(s.cause(), target) }

// withCause adds the cause of the context to the context's error, so that errors.Is matches it. It returns other errors
// unchanged.
func withCause(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	if cause == nil || !errors.Is(err, ctx.Err()) || errors.Is(err, cause) {
		return err
	}
	return &causeError{err, cause}
}

// causeError matches the cause itself, but not errors that the cause wraps, which may be the failure of another call.
type causeError struct {
	error
	cause error
}

func (e *causeError) Unwrap() error { return e.error }

func (e *causeError) Is(target error) bool {
	return reflect.ValueOf(target).Comparable() && target == e.cause
}

// The reasons that a response could not be decoded.
const (
	ReasonHTML           = "an HTML page instead of JSON" // Usually from a gateway.
	ReasonContentType    = "unexpected content type"
	ReasonEmpty          = "empty body"
	ReasonNoData         = "no data in the response" // No payload, or no id of a created object.
	ReasonTruncated      = "response cut short"
	ReasonTooLarge       = "response too large" // Or its records, for its size: see [WithMaxBodySize].
	ReasonTrailingData   = "text after the JSON value"
	ReasonSyntax         = "invalid JSON"
	ReasonUnexpectedType = "unexpected type"
	ReasonTooDeep        = "nested too deeply" // More than 9,000 levels.
)

// DecodeError is the error of a response that cannot be used. If it was a write, the service may have executed it. Its
// text has no value of the body.
type DecodeError struct {
	Operation            string // These fields are as in [Error].
	Method, Path         string
	Reason               string // One of the Reason constants.
	Detail               string // Detail is the position and a description of the problem, or empty.
	StatusCode, Attempts int
	ContentType          string
	RequestID            string
	RetryBudgetExhausted bool
	NoRecord             bool // NoRecord is set if the error matches [ErrNoRecord].
	OutcomeUnknown       bool // OutcomeUnknown is set if the error matches [ErrOutcomeUnknown].

	cause error
}

// Error describes the failure in one line.
func (e *DecodeError) Error() string {
	return fmt.Sprintf("rpcfleet: %s: cannot read the response: %s%s (%s %s, status %s%s%s%s)",
		e.Operation, e.Reason, noteIf(e.Detail != "", ": %s", e.Detail), e.Method, e.Path, statusText(e.StatusCode),
		noteIf(e.Attempts > 1, ", %d attempts", e.Attempts),
		noteIf(e.RetryBudgetExhausted, ", retry budget exhausted"), noteIf(e.RequestID != "", ", request id %s", e.RequestID))
}

// LogValue returns the error as a group.
func (e *DecodeError) LogValue() slog.Value {
	return logValue(e, "operation", e.Operation, "status", e.StatusCode, "request_id", e.RequestID,
		"attempts", e.Attempts, "reason", e.Reason, "outcome_unknown", e.Is(ErrOutcomeUnknown))
}

// Unwrap returns the cause of a truncated or too large response, or nil.
func (e *DecodeError) Unwrap() error { return e.cause }

// Is matches the sentinels.
func (e *DecodeError) Is(target error) bool {
	switch target {
	case errDecode:
		return true
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
	return e.Reason == ReasonEmpty || e.Reason == ReasonNoData || e.Reason == ReasonUnexpectedType
}

// KindOf returns the kind of an error of this library, as a label of metrics: "ok", "canceled", "timed_out" (by the
// caller's deadline or an attempt's timeout), "not_found", "connection_failed", "unreadable" (a [*DecodeError]),
// "rate_limited", "unauthorized", "forbidden", "conflict", "invalid_request", "server_error" or "rejected", like the
// sentinels, or "failed".
func KindOf(err error) string {
	if err == nil {
		return "ok"
	}
	for _, kind := range errorKinds {
		if errors.Is(err, kind.of) {
			return kind.name
		}
	}
	return "failed"
}

// errorKind is a kind of errors, its sentinel, and the statuses of an [*Error] of this kind, or -1.
type errorKind struct {
	name            string
	of              error
	lowest, highest int
}

// errorKinds are the kinds of errors, the first that matches before the others.
var errorKinds = []errorKind{
	{"canceled", context.Canceled, -1, -1},
	{"timed_out", context.DeadlineExceeded, -1, -1},
	{"not_found", ErrNotFound, 404, 404},       // Also if the error wraps a response that cannot be decoded.
	{"connection_failed", ErrConnection, 0, 0}, // Whatever the status of an earlier attempt. Also if a body was cut short.
	{"unreadable", errDecode, -1, -1},
	{"rate_limited", ErrRateLimited, 429, 429},
	{"unauthorized", ErrUnauthorized, 401, 401},
	{"forbidden", ErrForbidden, 403, 403},
	{"conflict", ErrConflict, 409, 409},
	{"invalid_request", ErrInvalidRequest, 400, 400},
	{"invalid_request", ErrInvalidRequest, 422, 422},
	{"server_error", ErrServer, 500, math.MaxInt},
	{"rejected", ErrRejected, 200, 299},
}

// IsRetryable reports whether a retry is safe and may succeed: after a timeout, lost connection, rate limit or 5xx,
// unless [ErrOutcomeUnknown].
func IsRetryable(err error) bool {
	if errors.Is(err, ErrOutcomeUnknown) {
		return false
	}
	return slices.Contains([]string{"timed_out", "connection_failed", "rate_limited", "server_error"}, KindOf(err))
}
