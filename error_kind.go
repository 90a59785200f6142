package rpcfleet

import (
	"context"
	"errors"
	"math"
)

// ErrorKind is a class of errors, for labels of metrics and for switches.
type ErrorKind string

// The kinds of errors.
const (
	KindOK             ErrorKind = "ok"
	KindCanceled       ErrorKind = "canceled"
	KindTimeout        ErrorKind = "timed_out"         // The deadline of the caller, or the timeout of an attempt.
	KindInvalidRequest ErrorKind = "invalid_request"   // A [*ValidationError], or status 400 or 422.
	KindUnauthorized   ErrorKind = "unauthorized"      // See [ErrUnauthorized].
	KindForbidden      ErrorKind = "forbidden"         // See [ErrForbidden].
	KindNotFound       ErrorKind = "not_found"         // See [ErrNotFound].
	KindConflict       ErrorKind = "conflict"          // See [ErrConflict].
	KindRateLimited    ErrorKind = "rate_limited"      // See [ErrRateLimited].
	KindRejected       ErrorKind = "rejected"          // See [ErrRejected].
	KindServer         ErrorKind = "server_error"      // See [ErrServer].
	KindConnection     ErrorKind = "connection_failed" // See [ErrConnection].
	KindDecode         ErrorKind = "unreadable"        // A [*DecodeError] of a whole body.
	KindOther          ErrorKind = "failed"            // An error of none of these kinds.
)

// KindOf returns the kind of an error of this library, or KindOther.
func KindOf(err error) ErrorKind {
	if err == nil {
		return KindOK
	}
	for _, kind := range errorKinds {
		if errors.Is(err, kind.of) {
			return kind.kind
		}
	}
	return KindOther
}

// errorKind is a kind of errors, its sentinel, and the statuses of an [*Error] of this kind, or -1.
type errorKind struct {
	kind            ErrorKind
	of              error
	lowest, highest int
}

// errorKinds are the kinds of errors, the first that matches before the others.
var errorKinds = []errorKind{
	{KindCanceled, context.Canceled, -1, -1},
	{KindTimeout, context.DeadlineExceeded, -1, -1},
	{KindNotFound, ErrNotFound, 404, 404}, // Also if the error wraps a response that cannot be decoded.
	{KindConnection, ErrConnection, 0, 0}, // Whatever the status of an earlier attempt. Also if a body was cut short.
	{KindDecode, errDecode, -1, -1},
	{KindRateLimited, ErrRateLimited, 429, 429},
	{KindUnauthorized, ErrUnauthorized, 401, 401},
	{KindForbidden, ErrForbidden, 403, 403},
	{KindConflict, ErrConflict, 409, 409},
	{KindInvalidRequest, ErrInvalidRequest, 400, 400},
	{KindInvalidRequest, ErrInvalidRequest, 422, 422},
	{KindServer, ErrServer, 500, math.MaxInt},
	{KindRejected, ErrRejected, 200, 299},
}

// RequestID returns the service's id of the request that failed, or "".
func RequestID(err error) string {
	if failure, ok := errors.AsType[*Error](err); ok {
		return failure.RequestID
	}
	if unreadable, ok := errors.AsType[*DecodeError](err); ok {
		return unreadable.RequestID
	}
	return ""
}

// IsRetryable reports whether a retry is safe and may succeed: after a timeout, lost connection, rate limit or 5xx,
// unless [ErrOutcomeUnknown].
func IsRetryable(err error) bool {
	if errors.Is(err, ErrOutcomeUnknown) || errors.Is(err, ErrNoRecord) {
		return false
	}
	switch KindOf(err) {
	case KindTimeout, KindConnection, KindRateLimited, KindServer:
		return true
	}
	return false
}
