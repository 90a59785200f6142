package transport

import (
	"context"
	"errors"
	"net/http"
	"net/url"
)

// Kind tells why a try brought no complete answer.
type Kind string

// The kinds of failure.
const (
	// Unsent means that the request could not even be prepared: nothing was sent.
	Unsent Kind = "not sent"
	// Connection means that the connection could not be made, or was lost before the answer began.
	Connection Kind = "connection failed"
	// Timeout means that the try's own time limit passed.
	Timeout Kind = "timed out"
	// Canceled means that the caller's context ended.
	Canceled Kind = "canceled"
	// Truncated means that the answer ended early.
	Truncated Kind = "answer cut short"
	// TooLarge means that the answer was larger than the call allows.
	TooLarge Kind = "answer too large"
)

// Failure is a try that brought no complete answer. Its text holds no URL and no header.
type Failure struct {
	Kind Kind
	// Status, Header and Piece are what had arrived of the answer, where it had begun; Status is 0 otherwise.
	Status int
	Header http.Header
	Piece  []byte
	// Err is the cause, free of the request's URL.
	Err error
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

// failure turns what the client returned into a *Failure, with net/http's *url.Error, which carries the address,
// peeled off. What a *Failure of the chain wraps stays whole: it may be an error of the caller's own.
func (f *flight) failure(err error) *Failure {
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
