package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// Scheme is a way to sign deliveries. [Verifier] is the one of Webhooks and Streams, and alerts.HMACVerifier the ended
// one of alerts. A Scheme is used concurrently. If one of its errors matches [ErrHeader], the delivery is rejected with
// a 400, else with a 401. The sender does not see the error.
type Scheme interface {
	// ReadHeaders parses the headers of a delivery before its body is read. If they are signed by themselves, it should
	// verify them. If its error matches [ErrUnsigned], the response is a 200, and the callback does not run.
	ReadHeaders(header http.Header) (Headers, error)

	// VerifyPayload verifies the uncompressed payload of a request, which is empty if there is none, with the headers
	// that ReadHeaders returned.
	VerifyPayload(r *http.Request, headers Headers, payload []byte) error
}

// Errors of a [Scheme].
var (
	// ErrUnsigned matches the error of a request without any header of the scheme, such as a ping.
	ErrUnsigned = errors.New("webhooks: the request is not signed")
	// ErrHeader matches the error of a delivery if a header is missing, duplicate or invalid.
	ErrHeader = errors.New("webhooks: unusable header")
	// ErrUnverified matches the error of a delivery if none of the tokens verifies it.
	ErrUnverified = errors.New("webhooks: the delivery is not verified")
)

// Headers are the parsed headers of a delivery.
type Headers struct {
	// Timestamp is the time of signing. A Receiver rejects a delivery if it is too far from the current time. It is zero
	// if the scheme has no timestamp: duplicates are then recognized for twice the tolerance only.
	Timestamp time.Time
	// Nonce is a text that the sender uses once.
	Nonce string
	// ContentHash is the sender's hash of the content. Only the scheme of alerts has one.
	ContentHash string
	// Signature is the signature in its only spelling. A Receiver runs its callback once for each signature, and does not
	// recognize duplicates if it is empty.
	Signature string
}

// The headers of a signed delivery.
const nonceHeader, timestampHeader, signatureHeader = "X-Qn-Nonce", "X-Qn-Timestamp", "X-Qn-Signature"

// Verifier is the [Scheme] of Webhooks and Streams: the HMAC-SHA256 of nonce, timestamp in unix seconds, and
// uncompressed payload, in lower-case hexadecimal digits with or without the prefix "sha256=". The key is the security
// token as the service shows it, with a prefix such as qnsec_. Use [NewVerifier] to make one.
type Verifier struct{ tokens []scalar.Secret }

// NewVerifier returns a verifier that accepts a signature by any of the tokens. To rotate a token, add the new one,
// change the webhook or the stream, and remove the old one.
func NewVerifier(tokens []scalar.Secret) (*Verifier, error) {
	if len(tokens) == 0 {
		return nil, errors.New("webhooks: a verifier needs at least one token")
	}
	for i, token := range tokens {
		switch {
		case token.IsZero():
			return nil, fmt.Errorf("webhooks: token %d of the verifier is empty", i+1)
		case token.IsRedacted():
			return nil, fmt.Errorf("webhooks: token %d of the verifier %w", i+1, scalar.ErrRedacted)
		}
	}
	return &Verifier{slices.Clone(tokens)}, nil
}

// ReadHeaders implements [Scheme]. A [Receiver] compares the timestamp with its clock.
func (v *Verifier) ReadHeaders(header http.Header) (Headers, error) {
	names, values := []string{nonceHeader, timestampHeader, signatureHeader}, [3]string{}
	if !slices.ContainsFunc(names, func(name string) bool { return header.Values(name) != nil }) {
		return Headers{}, ErrUnsigned
	}
	for i, name := range names {
		found := header.Values(name) // If there are two, a proxy and this program could each trust another one.
		if len(found) != 1 || found[0] == "" {
			return Headers{}, fmt.Errorf("%w: %s is missing or duplicate", ErrHeader, name)
		}
		values[i] = found[0]
	}
	// One spelling of a time, since the signature has no separators: with a leading zero, the last digit of a nonce could
	// be moved to the timestamp.
	seconds, err := strconv.ParseUint(values[1], 10, 62)
	if err != nil || values[1][0] == '0' {
		return Headers{}, fmt.Errorf("%w: %s is not in unix seconds", ErrHeader, timestampHeader)
	}
	return Headers{
		Nonce: values[0], Timestamp: time.Unix(int64(seconds), 0), Signature: strings.TrimPrefix(values[2], "sha256="),
	}, nil
}

// VerifyPayload implements [Scheme]. It takes as long whichever token matches.
func (v *Verifier) VerifyPayload(_ *http.Request, headers Headers, payload []byte) error {
	err := ErrUnverified
	for _, token := range v.tokens {
		expected := signature(token, headers.Nonce, headers.Timestamp, payload)
		if hmac.Equal([]byte(headers.Signature), []byte(expected)) {
			err = nil
		}
	}
	return err
}

func signature(token scalar.Secret, nonce string, at time.Time, payload []byte) string {
	mac := hmac.New(sha256.New, []byte(token.Reveal()))
	mac.Write([]byte(nonce + strconv.FormatInt(at.Unix(), 10)))
	mac.Write(payload)
	return hex.EncodeToString(mac.Sum(nil))
}

// Signer signs deliveries as the service does, to test programs that receive them.
type Signer struct {
	// Token is the security token of the webhook or the stream.
	Token scalar.Secret
}

// Sign sets the headers of a delivery. The nonce must not be empty, and the payload is signed uncompressed.
//
//	err := webhooks.Signer{Token: token}.Sign(request.Header, "nonce-1", time.Now(), payload)
func (s Signer) Sign(header http.Header, nonce string, at time.Time, payload []byte) error {
	if s.Token.IsZero() || header == nil || nonce == "" || at.Unix() < 1 {
		return errors.New("webhooks: a signature needs a token, a header, a nonce and a time after 1970")
	}
	header.Set(nonceHeader, nonce)
	header.Set(timestampHeader, strconv.FormatInt(at.Unix(), 10))
	header.Set(signatureHeader, signature(s.Token, nonce, at, payload))
	return nil
}
