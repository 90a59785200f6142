package transport

import (
	"context"
	"errors"
	"net/url"
	"reflect"
)

// Kind tells why an attempt brought no complete response.
type Kind string

// The kinds of failure.
const (
	// Unsent means that the request could not even be prepared: nothing was sent.
	Unsent Kind = "not sent"
	// Connection means that the connection could not be made, or was lost before the response began.
	Connection Kind = "connection failed"
	// Timeout means that the attempt's own time limit passed.
	Timeout Kind = "timed out"
	// Canceled means that the caller's context ended.
	Canceled Kind = "canceled"
	// Truncated means that the response ended early.
	Truncated Kind = "response cut short"
	// TooLarge means that the response was larger than the call allows.
	TooLarge Kind = "response too large"
	// Faulty means that the caller's own http.RoundTripper broke its contract.
	Faulty Kind = "HTTP transport at fault"
)

// Failure is an attempt that brought no complete response. Neither its text nor its fields hold a URL, a header or a
// body: callers reach it with errors.Unwrap, and may log what they find in any form. What had arrived of the response
// is in the Trip.
type Failure struct {
	Kind Kind
	// Err is the cause, free of the request's URL.
	Err error

	fate fate
}

// Error describes the failure without the request's address.
func (f *Failure) Error() string {
	if f.Err == nil {
		return string(f.Kind)
	}
	return string(f.Kind) + ": " + f.Err.Error()
}

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// failureOf turns what the client returned into a *Failure, with net/http's *url.Error, which carries the address,
// peeled off. What a *Failure of the chain wraps stays whole: it may be an error of the caller's own.
func failureOf(err error) *Failure {
	var failure *Failure
	if errors.As(err, &failure) {
		return failure
	}
	err = withoutAddress(err)
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &Failure{Kind: Canceled, Err: err}
	default:
		return &Failure{Kind: Connection, Err: err}
	}
}

// withoutAddress returns what is inside of every *url.Error around an error.
func withoutAddress(err error) error {
	var wrapped *url.Error
	for errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return err
}

// Ended adds to an error by which a context has ended what the context gives as the cause of that: errors.Is finds it.
// Other errors are returned as they are.
func Ended(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	if cause == nil || !errors.Is(err, ctx.Err()) || errors.Is(err, cause) {
		return err
	}
	return &endedError{err, cause}
}

// endedError is the end of a context that has a cause. It matches the cause itself, and nothing that the cause matches
// or wraps: that may be the failure of another call, whose status and meaning are not this call's.
type endedError struct {
	error
	cause error
}

func (e *endedError) Unwrap() error { return e.error }

func (e *endedError) Is(target error) bool {
	return reflect.ValueOf(target).Comparable() && target == e.cause
}
