package alerts

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/times"
	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

// HMACVerifier is the [webhooks.Scheme] of alerts (observed): the base64 of the HMAC-SHA256 of the concatenated nonce,
// content hash and timestamp, keyed by the destination's token. Use [NewHMACVerifier] to make one.
//
// The signature covers the content hash and not the content. How the service computes that hash is unknown. Unless
// NewHMACVerifier is given a function for it, only TLS protects the content.
//
// The three texts have no separators, so characters can be moved from one to the next under the same signature. Such a
// delivery is a duplicate while the Receiver remembers the signature, for twice its tolerance. Later, a captured
// delivery can pass as new if digits at the border of content hash and timestamp can be moved so that the timestamp is
// close to the current time. A function for the hash rejects all of these.
type HMACVerifier struct {
	tokens      []scalar.Secret
	contentHash func(r *http.Request, payload []byte) string
}

// NewHMACVerifier returns a verifier that accepts a signature by any of the tokens, which permits rotation. If
// contentHash is not nil, it computes the content hash of a request, in the header's format, and the delivery must have
// that hash.
func NewHMACVerifier(tokens []scalar.Secret, contentHash func(r *http.Request, payload []byte) string,
) (*HMACVerifier, error) {
	if _, err := webhooks.NewVerifier(tokens); err != nil { // The rules of tokens are the same.
		return nil, err
	}
	return &HMACVerifier{slices.Clone(tokens), contentHash}, nil
}

// headerNames are the headers of a delivery: nonce, content hash, timestamp, and the signature over these three.
var headerNames = [4]string{"X-Qn-Nonce", "X-Qn-Content-Hash", "X-Qn-Timestamp", "X-Qn-Signature"}

// ReadHeaders implements [webhooks.Scheme], and verifies the headers. The timestamp may be in unix seconds or
// milliseconds, in RFC 3339, or in the format of [time.Time.String] (observed).
func (v *HMACVerifier) ReadHeaders(header http.Header) (webhooks.Headers, error) {
	var values [4]string
	for i, name := range headerNames {
		found := header.Values(name) // If there are two, a proxy and this program could each trust another one.
		if len(found) != 1 || found[0] == "" {
			return webhooks.Headers{}, fmt.Errorf("%w: %s is missing or duplicate", webhooks.ErrHeader, name)
		}
		values[i] = found[0]
	}
	timestamp, valid := times.Parse(values[2])
	if !valid || timestamp.IsZero() {
		return webhooks.Headers{}, fmt.Errorf("%w: %s is not a time", webhooks.ErrHeader, headerNames[2])
	}
	given, err := base64.StdEncoding.Strict().DecodeString(values[3])
	if err != nil {
		return webhooks.Headers{}, fmt.Errorf("%w: %s is not base64", webhooks.ErrHeader, headerNames[3])
	}
	known := false
	for _, token := range v.tokens {
		// Check every token, so that the time does not reveal which one matched.
		known = hmac.Equal(given, mac(token, values[0]+values[1]+values[2])) || known
	}
	if !known {
		return webhooks.Headers{}, webhooks.ErrUnverified
	}
	return webhooks.Headers{
		// A signature can have several base64 spellings. A Receiver must see the same one each time.
		Nonce: values[0], ContentHash: values[1], Timestamp: timestamp,
		Signature: base64.StdEncoding.EncodeToString(given),
	}, nil
}

// VerifyPayload implements [webhooks.Scheme]. It compares the content hash if it can be computed.
func (v *HMACVerifier) VerifyPayload(r *http.Request, headers webhooks.Headers, payload []byte) error {
	if v.contentHash != nil &&
		subtle.ConstantTimeCompare([]byte(v.contentHash(r, payload)), []byte(headers.ContentHash)) != 1 {
		return fmt.Errorf("%w: the content does not have the hash that was signed", webhooks.ErrUnverified)
	}
	return nil
}

func mac(token scalar.Secret, text string) []byte {
	mac := hmac.New(sha256.New, []byte(token.Reveal()))
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// HMACSigner signs deliveries as alerts does, to test programs that receive them.
type HMACSigner struct {
	// Token is the destination's token.
	Token scalar.Secret
}

// Sign sets the headers of a delivery. The nonce and the content hash must not be empty. The timestamp is written in
// unix seconds.
func (s HMACSigner) Sign(header http.Header, nonce, contentHash string, at time.Time) error {
	if s.Token.IsZero() || header == nil || nonce == "" || contentHash == "" || at.IsZero() {
		return errors.New("alerts: a signature needs a token, a header, a nonce, a content hash and a time")
	}
	timestamp := strconv.FormatInt(at.Unix(), 10)
	signature := base64.StdEncoding.EncodeToString(mac(s.Token, nonce+contentHash+timestamp))
	for i, value := range []string{nonce, contentHash, timestamp, signature} {
		header.Set(headerNames[i], value)
	}
	return nil
}
