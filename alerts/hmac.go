package alerts

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// HMACVerifier checks the signature that the service was observed to put on its deliveries: the base64 of the
// HMAC-SHA256 of nonce, content hash and timestamp, one behind the other, keyed by the destination's token. Use
// [NewHMACVerifier] to make one.
//
// The signature covers the content hash and not the content. How the service makes that hash is not known; once it is,
// [WithContentHash] makes a Receiver hold the content against it. Without that, only TLS protects the content.
//
// Nothing divides the three texts either, so that characters can be moved from one to the next under the same
// signature. A Receiver sees through that as long as it remembers the signature, which is twice its tolerance. Later, a
// delivery that somebody has captured can pass for a new one if the digits around the border of content hash and
// timestamp happen to allow it: the last digits of the hash, put before a timestamp in seconds, make one in
// milliseconds, and one in milliseconds without its first digits is one in seconds. Either would have to be near the
// present of that day. With a timestamp that begins with a date no such border is possible, because a longer or shorter
// one is no date. [WithContentHash] refuses all of these.
type HMACVerifier struct {
	names  HeaderNames
	tokens []scalar.Secret
}

// NewHMACVerifier makes a verifier that accepts a signature by any of the tokens, so that tokens can rotate. The zero
// [HeaderNames] are the observed ones.
func NewHMACVerifier(tokens []scalar.Secret, names HeaderNames) (*HMACVerifier, error) {
	if err := checkTokens(tokens); err != nil {
		return nil, err
	}
	return &HMACVerifier{names.withDefaults(), slices.Clone(tokens)}, nil
}

// Verify implements Verifier.
func (v *HMACVerifier) Verify(header http.Header) (Headers, error) {
	headers, err := ReadHeaders(header, v.names)
	if err != nil {
		return Headers{}, err
	}
	given, err := base64.StdEncoding.Strict().DecodeString(headers.Signature)
	if err != nil {
		return Headers{}, fmt.Errorf("%w: %s is not base64", ErrHeader, v.names.Signature)
	}
	known := false
	for _, token := range v.tokens {
		// Every token is tried, so that the time tells nothing of which one it was.
		known = hmac.Equal(given, headers.mac(token)) || known
	}
	if !known {
		return Headers{}, ErrUnverified
	}
	// Several texts can be the base64 of one signature. A Receiver must see the same one each time.
	headers.Signature = base64.StdEncoding.EncodeToString(given)
	return headers, nil
}

// mac returns what a token makes of the signed headers.
func (h *Headers) mac(token scalar.Secret) []byte {
	mac := hmac.New(sha256.New, []byte(token.Reveal()))
	for _, part := range []string{h.Nonce, h.ContentHash, h.stamp} {
		mac.Write([]byte(part))
	}
	return mac.Sum(nil)
}

// Signer signs deliveries as the service was observed to, for tests of programs that receive them.
type Signer struct {
	// Token is the destination's token.
	Token scalar.Secret
	// Names are the names of the headers. The zero [HeaderNames] are the observed ones.
	Names HeaderNames
}

// Sign sets the headers of a delivery: the three that are given, of which none may be empty, and their signature. The
// timestamp is written in unix seconds.
//
//	err := alerts.Signer{Token: token}.Sign(request.Header, alerts.Headers{
//		Timestamp: time.Now(), Nonce: "nonce-1", ContentHash: "hash-1",
//	})
func (s Signer) Sign(header http.Header, headers Headers) error {
	if s.Token.IsZero() {
		return errors.New("alerts: the signer's token is empty")
	}
	if header == nil {
		return errors.New("alerts: there is no header to put the signature into")
	}
	if headers.Timestamp.IsZero() || headers.Nonce == "" || headers.ContentHash == "" {
		return errors.New("alerts: a signed delivery needs a timestamp, a nonce and a content hash")
	}
	names := s.Names.withDefaults()
	headers.stamp = strconv.FormatInt(headers.Timestamp.Unix(), 10)
	header.Set(names.Timestamp, headers.stamp)
	header.Set(names.Nonce, headers.Nonce)
	header.Set(names.ContentHash, headers.ContentHash)
	header.Set(names.Signature, base64.StdEncoding.EncodeToString(headers.mac(s.Token)))
	return nil
}
