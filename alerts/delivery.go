package alerts

import (
	"context"
	"encoding/json"
	"errors"
)

// Delivery is a payload that reached a Receiver and was verified.
type Delivery struct {
	// Payload is the body as it came, which is valid JSON. Its layout is not stated by the service's contract. It is
	// nil where a GET came without a body.
	Payload json.RawMessage
	// PayloadType is the layout that [WithPayloadType] stated, or 0: a delivery does not tell.
	PayloadType PayloadType
	// Method is POST or GET.
	Method string
	// RawQuery are the parameters of the address, in their encoded form. Nothing but a content hash that covers them
	// protects them.
	RawQuery string
	// Headers are the headers that the verifier has read. Other headers can be handed on in the request's context, by
	// an http.Handler around the Receiver.
	Headers Headers
	// Fence is the number of the claim under which the callback runs, or 0 where a delivery without nonce and signature
	// is not known again. Of two runs for one delivery, the later one has the greater number: a store that refuses what
	// comes with a smaller number than it has seen is safe from a callback that goes on after its lease.
	Fence int64
}

// Callback is what a Receiver runs for a delivery. The context is the request's: it ends when the sender gives up, and
// where a shared [ReplayMemory] has granted the delivery for a time, when that is over.
//
// A nil error takes the delivery over: the response is a 200, and again a 200 should the delivery come again. An error
// made by Permanent asks the sender not to send it again, with a 422, and again a 422 should it do so. In neither case
// does the callback run for it once more. Any other error, or a panic, asks the sender for another attempt, with a 500
// or a closed connection, for which the callback runs again.
type Callback func(ctx context.Context, delivery *Delivery) error

// Permanent marks an error of a Callback that another attempt would not mend. A nil error stays nil.
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
