package alerts

import (
	"cmp"
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

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// Verifier decides by the headers of a request whether it comes from the service. The body is read only if it does. A
// Verifier is used concurrently.
type Verifier interface {
	// Verify returns the headers that it read and vouches for. Where a nonce or a signature can be spelled in several
	// ways, it returns the same spelling for all of them: a Receiver knows a delivery again by these texts. An error
	// refuses the delivery: one that matches [ErrHeader] with a 400, any other with a 401. The sender is not shown it.
	Verify(header http.Header) (Headers, error)
}

// ContentVerifier is a Verifier for a scheme whose proof covers the body. Its Verify checks what the headers alone can
// tell, so that the body of a request that has none of them is not read.
//
// A type that wraps another Verifier has to pass VerifyContent on. This line makes the compiler check that a type has
// both methods:
//
//	var _ alerts.ContentVerifier = (*MyVerifier)(nil)
type ContentVerifier interface {
	Verifier

	// VerifyContent checks the body, which was read from the request, beside the headers that Verify returned for it.
	// Errors are treated as those of Verify.
	VerifyContent(r *http.Request, body []byte, headers Headers) error
}

// ErrUnverified matches the error of a delivery that none of the verifier's tokens proves.
var ErrUnverified = errors.New("alerts: the delivery is not verified")

// TokenVerifier expects a token that is shared with the sender in a header. Use [NewTokenVerifier] to make one.
//
// It knows no timestamp and no nonce, so that a Receiver does not recognize a delivery that comes again. Who can replay
// a delivery has seen the token, and could make up any other.
type TokenVerifier struct {
	header string
	tokens []scalar.Secret
}

// NewTokenVerifier makes a verifier that accepts any of the tokens, so that tokens can rotate: add the new one, change
// the sender, remove the old one.
func NewTokenVerifier(header string, tokens []scalar.Secret) (*TokenVerifier, error) {
	if header == "" {
		return nil, errors.New("alerts: the name of the token's header must not be empty")
	}
	if err := checkTokens(tokens); err != nil {
		return nil, err
	}
	return &TokenVerifier{header, slices.Clone(tokens)}, nil
}

// Verify implements Verifier.
func (v *TokenVerifier) Verify(header http.Header) (Headers, error) {
	given, err := single(header, v.header)
	if err != nil {
		return Headers{}, err
	}
	// Digests are of one length, which the time that a comparison takes depends on.
	digest := sha256.Sum256([]byte(given))
	known := 0
	for _, token := range v.tokens {
		expected := sha256.Sum256([]byte(token.Reveal()))
		known |= subtle.ConstantTimeCompare(digest[:], expected[:])
	}
	if known == 0 {
		return Headers{}, ErrUnverified
	}
	return Headers{}, nil
}

// checkTokens refuses what would let anybody in: an empty token is known to all.
func checkTokens(tokens []scalar.Secret) error {
	if len(tokens) == 0 {
		return errors.New("alerts: a verifier needs at least one token")
	}
	for i, token := range tokens {
		if token.IsZero() {
			return fmt.Errorf("alerts: token %d of the verifier is empty", i+1)
		}
	}
	return nil
}

// HeaderNames are the names of the headers that a signed delivery carries. An empty name stands for the observed one.
type HeaderNames struct {
	// Timestamp is the header with the time of signing, x-qn-timestamp unless set.
	Timestamp string
	// Nonce is the header with a text that is used once, x-qn-nonce unless set.
	Nonce string
	// ContentHash is the header with a hash of what was sent, x-qn-content-hash unless set.
	ContentHash string
	// Signature is the header with the signature over the other three, x-qn-signature unless set.
	Signature string
}

func (n HeaderNames) withDefaults() HeaderNames {
	return HeaderNames{
		Timestamp:   cmp.Or(n.Timestamp, "x-qn-timestamp"),
		Nonce:       cmp.Or(n.Nonce, "x-qn-nonce"),
		ContentHash: cmp.Or(n.ContentHash, "x-qn-content-hash"),
		Signature:   cmp.Or(n.Signature, "x-qn-signature"),
	}
}

// Headers are the headers of a delivery, read. A field is zero where the verifier's scheme has no such header.
type Headers struct {
	// Timestamp is the time of signing. A Receiver refuses a delivery whose time is too far from its own.
	Timestamp time.Time
	// Nonce is a text that is used once. A Receiver runs its callback once for it.
	Nonce string
	// ContentHash is the hash of what was sent, as the sender made it.
	ContentHash string
	// Signature is the signature, in base64. A Receiver runs its callback once for it.
	Signature string

	// stamp is the timestamp as it came. That is what was signed: the same time in another spelling has no signature.
	stamp string
}

// ErrHeader matches the error of a delivery that lacks a header, or has one that is given twice or cannot be read.
var ErrHeader = errors.New("alerts: unusable header")

// ReadHeaders reads the headers of a signed delivery and verifies nothing. The timestamp may be in unix seconds or
// milliseconds, in RFC 3339, or as Go prints a time, 2024-05-14 12:34:56.123456789 +0000 UTC: [scalar.Time] reads it,
// and the service was observed to send each of these. An error matches [ErrHeader], and names the header without
// showing its value.
func ReadHeaders(header http.Header, names HeaderNames) (Headers, error) {
	names = names.withDefaults()
	var headers Headers
	for _, field := range []struct {
		name string
		into *string
	}{
		{names.Timestamp, &headers.stamp},
		{names.Nonce, &headers.Nonce},
		{names.ContentHash, &headers.ContentHash},
		{names.Signature, &headers.Signature},
	} {
		value, err := single(header, field.name)
		if err != nil {
			return Headers{}, err
		}
		*field.into = value
	}
	var timestamp scalar.Time
	if err := timestamp.UnmarshalText([]byte(headers.stamp)); err != nil || !timestamp.Valid() {
		return Headers{}, fmt.Errorf("%w: %s is not a time", ErrHeader, names.Timestamp)
	}
	headers.Timestamp = timestamp.Time
	return headers, nil
}

// single returns the value of a header that must be there exactly once: of two values, a proxy and this program could
// each believe another one.
func single(header http.Header, name string) (string, error) {
	values := header.Values(name)
	switch {
	case len(values) == 0 || len(values) == 1 && values[0] == "":
		return "", fmt.Errorf("%w: %s is missing", ErrHeader, name)
	case len(values) > 1:
		return "", fmt.Errorf("%w: %s is given twice", ErrHeader, name)
	}
	return values[0], nil
}

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
	HeaderNames HeaderNames
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
	names := s.HeaderNames.withDefaults()
	headers.stamp = strconv.FormatInt(headers.Timestamp.Unix(), 10)
	header.Set(names.Timestamp, headers.stamp)
	header.Set(names.Nonce, headers.Nonce)
	header.Set(names.ContentHash, headers.ContentHash)
	header.Set(names.Signature, base64.StdEncoding.EncodeToString(headers.mac(s.Token)))
	return nil
}
