package alerts

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// Verifier tells whether a request comes from the service. It is used concurrently.
type Verifier interface {
	// Verify returns the headers that it read and vouches for. The body was read from the request before. An error
	// refuses the delivery: one that matches ErrHeader with a 400, any other with a 401. The sender is not shown it.
	Verify(r *http.Request, body []byte) (Headers, error)
}

// ErrUnverified matches the error of a delivery that none of the verifier's tokens proves.
var ErrUnverified = errors.New("alerts: the delivery is not verified")

// TokenVerifier expects a token that is shared with the sender in a header. Use NewTokenVerifier to make one.
//
// It knows no timestamp and no nonce, so that a Receiver does not refuse replays with it. Who can replay a delivery has
// seen the token, and could make up any other.
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
func (v *TokenVerifier) Verify(r *http.Request, _ []byte) (Headers, error) {
	given, err := single(r.Header, v.header)
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
