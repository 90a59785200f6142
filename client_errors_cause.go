package rpcfleet

import (
	"context"
	"errors"
	"reflect"
)

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
