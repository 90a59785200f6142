package alerts

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/times"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// Verifier reports whether a request comes from the service, judged by its headers. The body is read only if it does. A
// Verifier is used concurrently.
type Verifier interface {
	// Verify returns the verified headers. If a nonce or a signature has several spellings, Verify must return the same
	// one for all of them: a Receiver compares these texts to recognize duplicates. If it returns an error, the delivery
	// is rejected: with a 400 if the error matches [ErrHeader], else with a 401. The sender does not see the error.
	Verify(header http.Header) (Headers, error)
}

// ContentVerifier is a Verifier for a scheme that also signs the body. Its Verify checks the headers, so that the body
// is not read if they are invalid.
//
// A type that wraps another Verifier must forward VerifyContent. This line makes the compiler check that a type has
// both methods:
//
//	var _ alerts.ContentVerifier = (*MyVerifier)(nil)
type ContentVerifier interface {
	Verifier

	// VerifyContent checks the request's body, together with the headers that Verify returned. Its errors are handled like
	// the errors of Verify.
	VerifyContent(r *http.Request, body []byte, headers Headers) error
}

// ErrUnverified matches the error of a delivery if none of the verifier's tokens verifies it.
var ErrUnverified = errors.New("alerts: the delivery is not verified")

// TokenVerifier expects a header with a token that the sender shares. Use [NewTokenVerifier] to make one.
//
// It reads no timestamp and no nonce, so a Receiver does not recognize duplicates. An attacker who can replay a
// delivery has seen the token and could forge any other.
type TokenVerifier struct {
	header string
	tokens []scalar.Secret
}

// NewTokenVerifier returns a verifier that accepts any of the tokens. To rotate a token, add the new one, change the
// sender, and remove the old one.
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
	// Comparison time depends on the length, and digests all have the same length.
	digest := sha256.Sum256([]byte(given))
	err = ErrUnverified
	for _, token := range v.tokens { // Each, as HMACVerifier does.
		if expected := sha256.Sum256([]byte(token.Reveal())); hmac.Equal(digest[:], expected[:]) {
			err = nil
		}
	}
	return Headers{}, err
}

// checkTokens rejects empty tokens, which would let anyone in.
func checkTokens(tokens []scalar.Secret) error {
	if len(tokens) == 0 {
		return errors.New("alerts: a verifier needs at least one token")
	}
	if i := slices.IndexFunc(tokens, scalar.Secret.IsZero); i >= 0 {
		return fmt.Errorf("alerts: token %d of the verifier is empty", i+1)
	}
	return nil
}

// HeaderNames are the names of the headers of a signed delivery. If a name is empty, the observed one is used.
type HeaderNames struct {
	// Timestamp is the name of the header with the time of signing, by default x-qn-timestamp.
	Timestamp string
	// Nonce is the name of the header with a text that is used once, by default x-qn-nonce.
	Nonce string
	// ContentHash is the name of the header with a hash of the content, by default x-qn-content-hash.
	ContentHash string
	// Signature is the name of the header with the signature over the other three, by default x-qn-signature.
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

// Headers are the parsed headers of a delivery. A field is zero if the verifier's scheme does not have its header.
type Headers struct {
	// Timestamp is the time of signing. A Receiver rejects a delivery if it is too far from the current time. Without it,
	// duplicates are recognized for twice the tolerance only.
	Timestamp time.Time
	// Nonce is a text that is used once. A Receiver runs its callback once for each nonce.
	Nonce string
	// ContentHash is the sender's hash of the content.
	ContentHash string
	// Signature is the signature, in base64. A Receiver runs its callback once for each signature.
	Signature string

	// stamp is the timestamp as received. The signature covers this spelling.
	stamp string
}

// ErrHeader matches the error of a delivery if a header is missing, duplicate or invalid.
var ErrHeader = errors.New("alerts: unusable header")

// ReadHeaders parses the headers of a signed delivery without verifying them. The timestamp may be in unix seconds or
// milliseconds, in RFC 3339, or in the format of [time.Time.String], 2024-05-14 12:34:56.123456789 +0000 UTC.
// The service was observed to send each of these. An error matches [ErrHeader] and names the header without its value.
func ReadHeaders(header http.Header, names HeaderNames) (Headers, error) {
	names = names.withDefaults()
	var values [4]string
	for i, name := range []string{names.Timestamp, names.Nonce, names.ContentHash, names.Signature} {
		var err error
		if values[i], err = single(header, name); err != nil {
			return Headers{}, err
		}
	}
	timestamp, valid := times.Parse(values[0])
	if !valid || timestamp.IsZero() {
		return Headers{}, fmt.Errorf("%w: %s is not a time", ErrHeader, names.Timestamp)
	}
	return Headers{
		Timestamp: timestamp, Nonce: values[1], ContentHash: values[2], Signature: values[3], stamp: values[0],
	}, nil
}

// single returns the value of a header that must be present exactly once: if there are two, a proxy and this program
// could each trust another one.
func single(header http.Header, name string) (string, error) {
	values := header.Values(name)
	switch {
	case len(values) == 0 || len(values) == 1 && values[0] == "":
		return "", fmt.Errorf("%w: %s is missing", ErrHeader, name)
	case len(values) > 1:
		return "", fmt.Errorf("%w: %s is duplicate", ErrHeader, name)
	}
	return values[0], nil
}

// HMACVerifier checks the observed signature of deliveries: the base64 of the HMAC-SHA256 of the concatenated nonce,
// content hash and timestamp, keyed by the destination's token. Use [NewHMACVerifier] to make one.
//
// The signature covers the content hash and not the content. How the service computes that hash is unknown; once it is
// known, use [WithContentHash] to check the content. Until then, only TLS protects the content.
//
// The three texts have no separators, so characters can be moved from one to the next under the same signature. A
// Receiver detects it while it remembers the signature, for twice its tolerance. Later, a captured delivery can pass as
// new if the digits at the border of content hash and timestamp happen to fit: the last digits of the hash before a
// timestamp in seconds make one in milliseconds, and a timestamp in milliseconds without its first digits is one in
// seconds. Either must also be close to the current time. If the timestamp begins with a date, this is impossible,
// because a longer or shorter text is not a date. [WithContentHash] rejects all of these.
type HMACVerifier struct {
	names  HeaderNames
	tokens []scalar.Secret
}

// NewHMACVerifier returns a verifier that accepts a signature by any of the tokens, which permits rotation. The zero
// [HeaderNames] are the observed names.
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
		// Check every token, so that the time does not reveal which one matched.
		known = hmac.Equal(given, headers.mac(token)) || known
	}
	if !known {
		return Headers{}, ErrUnverified
	}
	// A signature can have several base64 spellings. A Receiver must see the same one each time.
	headers.Signature = base64.StdEncoding.EncodeToString(given)
	return headers, nil
}

// mac returns the HMAC of the signed headers under a token.
func (h *Headers) mac(token scalar.Secret) []byte {
	mac := hmac.New(sha256.New, []byte(token.Reveal()))
	mac.Write([]byte(h.Nonce + h.ContentHash + h.stamp))
	return mac.Sum(nil)
}

// Signer signs deliveries with the observed scheme, to test programs that receive them.
type Signer struct {
	// Token is the destination's token.
	Token scalar.Secret
	// HeaderNames are the names of the headers. The zero [HeaderNames] are the observed names.
	HeaderNames HeaderNames
}

// Sign sets the headers of a delivery: the three given ones, which must not be empty, and their signature. The
// timestamp is written in unix seconds.
//
//	err := alerts.Signer{Token: token}.Sign(request.Header, alerts.Headers{
//		Timestamp: time.Now(), Nonce: "nonce-1", ContentHash: "hash-1",
//	})
func (s Signer) Sign(header http.Header, headers Headers) error {
	switch {
	case s.Token.IsZero():
		return errors.New("alerts: the signer's token is empty")
	case header == nil:
		return errors.New("alerts: there is no header to put the signature into")
	case headers.Timestamp.IsZero() || headers.Nonce == "" || headers.ContentHash == "":
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
