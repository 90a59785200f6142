package rpcfleet

import (
	"context"
	"errors"
)

// Class says in a word how the call ended, for labels of metrics: "ok", or by what its error matches "rate_limited",
// "not_found", "unauthorized", "forbidden", "conflict", "invalid_request", "server_error", "refused", "canceled",
// "timed_out" (the deadline of the caller or the time limit of an attempt), "unreadable" (a [*DecodeError], a response
// cut short among them), "connection_failed" or "failed" for any other.
func (o Outcome) Class() string {
	var unreadable *DecodeError
	switch {
	case o.Err == nil:
		return "ok"
	case errors.Is(o.Err, context.Canceled):
		return "canceled"
	case errors.Is(o.Err, context.DeadlineExceeded):
		return "timed_out"
	case errors.Is(o.Err, ErrNotFound):
		return "not_found" // Also where what it wraps is a response that cannot be read.
	case errors.As(o.Err, &unreadable):
		return "unreadable"
	case errors.Is(o.Err, ErrConnection):
		return "connection_failed" // Whatever the status of an earlier attempt.
	}
	for _, class := range []struct {
		of   error
		name string
	}{
		{ErrRateLimited, "rate_limited"}, {ErrUnauthorized, "unauthorized"},
		{ErrForbidden, "forbidden"}, {ErrConflict, "conflict"}, {ErrInvalidRequest, "invalid_request"},
		{ErrServer, "server_error"}, {ErrRefused, "refused"},
	} {
		if errors.Is(o.Err, class.of) {
			return class.name
		}
	}
	return "failed"
}
