package alerts

import (
	"context"
	"encoding/json"
	"errors"
)

// Delivery is a payload that reached a Receiver and was verified.
type Delivery struct {
	// Payload is the body as it came, which is valid JSON. Its layout is not stated by the service's contract. It is nil where a
	// GET came without a body.
	Payload json.RawMessage
	// PayloadType is the layout that WithPayloadType stated, or 0: a delivery does not tell.
	PayloadType PayloadType
	// Method is POST or GET.
	Method string
	// RawQuery are the parameters of the address, in their encoded form. Nothing but a content hash that covers them
	// protects them.
	RawQuery string
	// Headers are the headers that the verifier has read. Other headers can be handed on in the request's context, by
	// an http.Handler around the Receiver.
	Headers Headers
}

// Callback is what a Receiver runs for a delivery. The context is the request's: it ends when the sender gives up.
//
// A nil error takes the delivery over: it is answered with 200, and refused should it come again. Any other error asks
// the sender to try again, with a 500, and lets the same delivery in once more. An error made by Permanent asks the
// sender not to, with a 422.
type Callback func(ctx context.Context, delivery *Delivery) error

// Permanent marks an error of a Callback that another try would not mend. A nil error stays nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return &permanentError{err}
}

type permanentError struct{ cause error }

func (e *permanentError) Error() string { return e.cause.Error() }
func (e *permanentError) Unwrap() error { return e.cause }

func isPermanent(err error) bool {
	var permanent *permanentError
	return errors.As(err, &permanent)
}
