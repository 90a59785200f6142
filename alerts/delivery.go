package alerts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
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
	FencingToken int64
}

// Callback is what a Receiver runs for a delivery. The context is the request's: it ends when the sender gives up, and
// where a shared [DedupStore] has granted the delivery for a time, when that is over.
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

// Identity is what a delivery is known by. Two deliveries with the same Whole are one that came twice. Two that share a
// mark and differ as a whole cannot both be genuine: neither a nonce nor a signature is used twice. All of it are
// hashes, which may be stored and logged.
type Identity struct {
	// Marks stand for the nonce and the signature, as far as the delivery has them. Without any, it is not known again.
	Keys []Digest
	// Whole stands for the delivery.
	Sum Digest
}

// Nonce and content hash are signed without anything between them. With some letters moved from one to the other, a
// delivery has another nonce and the same signature; with some moved between content hash and timestamp, the same
// nonce and signature and another content hash. That is why the signature is a mark beside the nonce, and the content
// hash a part of the whole. Where those three are the same, so is the timestamp that was signed with them.

// Mark stands for a text of any length: it is a hash of it.
type Digest [sha256.Size]byte

// String returns the mark in hexadecimal digits.
func (m Digest) String() string { return hex.EncodeToString(m[:]) }

func markOf(kind, text string) Digest { return sha256.Sum256([]byte(kind + " " + text)) }

// Identity returns what a delivery with these headers is known by.
func (h *Headers) Identity() Identity {
	nonce := markOf("nonce", h.Nonce)
	hash := markOf("content hash", h.ContentHash)
	signature := markOf("signature", h.Signature)
	var id Identity
	if h.Nonce != "" {
		id.Keys = append(id.Keys, nonce)
	}
	if h.Signature != "" {
		id.Keys = append(id.Keys, signature)
	}
	id.Sum = sha256.Sum256(slices.Concat(nonce[:], hash[:], signature[:])) // All of one length: nothing can move.
	return id
}
