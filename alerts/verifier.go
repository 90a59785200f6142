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
