package alerts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
)

// Delivery is a verified payload that a Receiver has received.
type Delivery struct {
	// Payload is the body as received, which is valid JSON in UTF-8. Its layout is not part of the service's contract.
	// It is nil if a GET has no body.
	Payload json.RawMessage
	// PayloadType is the layout set by [WithPayloadType], or 0 if it is not set: a delivery does not contain it.
	PayloadType PayloadType
	// Method is POST or GET.
	Method string
	// RawQuery is the encoded query of the URL. It is not protected unless a content hash covers it.
	RawQuery string
	// Headers are the headers that the verifier has read. To pass on other headers, put them into the request's context in
	// an http.Handler around the Receiver.
	Headers Headers
}

// Callback handles a delivery. Its context is the request's: it ends if the sender closes the connection, and after the
// timeout of [WithDedupStore].
//
// If the callback returns nil, the response is a 200. If it returns an error made by Permanent, the response is a 422,
// which asks the sender not to retry. A duplicate gets the same status again, and the callback does not run for it. If
// the callback returns any other error or panics, the response is a 500 or a closed connection. The sender should
// retry, and the callback then runs again.
type Callback func(ctx context.Context, delivery *Delivery) error

// Permanent marks an error of a Callback as one that a retry would not fix. It returns nil if err is nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return &permanentError{err}
}

type permanentError struct{ cause error }

func (e *permanentError) Error() string { return e.cause.Error() }
func (e *permanentError) Unwrap() error { return e.cause }

// Identity identifies a delivery. Two deliveries with the same Sum are duplicates. If two deliveries share a key but
// not the Sum, they cannot both be genuine, because nonces and signatures are used once. An Identity contains only
// hashes, which may be stored and logged.
type Identity struct {
	// Keys are the digests of the nonce and the signature, if the delivery has them. Without keys, duplicates are not
	// recognized.
	Keys []Digest
	// Sum is the digest of the whole delivery.
	Sum Digest
}

// Nonce, content hash and timestamp are signed without separators. If characters are moved from the nonce to the
// content hash, the delivery has another nonce and the same signature. If they are moved between content hash and
// timestamp, it has the same nonce and signature and another content hash. So the signature is a key beside the nonce,
// and the content hash is a part of the sum. If those three are equal, so is the signed timestamp.

// Digest is the hash of a text of any length.
type Digest [sha256.Size]byte

// String returns the digest in hexadecimal.
func (m Digest) String() string { return hex.EncodeToString(m[:]) }

func digestOf(kind, text string) Digest { return sha256.Sum256([]byte(kind + " " + text)) }

// Identity returns the identity of a delivery with these headers.
func (h *Headers) Identity() Identity {
	nonce, hash := digestOf("nonce", h.Nonce), digestOf("content hash", h.ContentHash)
	signature := digestOf("signature", h.Signature)
	var id Identity
	if h.Nonce != "" {
		id.Keys = append(id.Keys, nonce)
	}
	if h.Signature != "" {
		id.Keys = append(id.Keys, signature)
	}
	id.Sum = sha256.Sum256(slices.Concat(nonce[:], hash[:], signature[:])) // Fixed lengths: nothing can move.
	return id
}
