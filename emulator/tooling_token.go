package emulator

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"
)

// signer signs session tokens, and checks them. The tokens are JWTs signed with ES256. They are made by hand because
// the same seed and clock are to give the same token, and JWT libraries sign with fresh randomness.
type signer struct{ key *ecdsa.PrivateKey }

// claims is what a session token says.
type claims struct {
	ID       string `json:"jti"`
	Subject  string `json:"sub"`
	IssuedAt int64  `json:"iat"`
	Expires  int64  `json:"exp"`
}

// newSigner makes the key that belongs to a seed.
func newSigner(seed uint64) signer {
	for attempt := 0; ; attempt++ {
		secret := sha256.Sum256(fmt.Appendf(nil, "tooling key %d of seed %d", attempt, seed))
		// Nearly every 32 bytes are a key of the curve. Those that are not make way for the next.
		if key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), secret[:]); err == nil {
			return signer{key}
		}
	}
}

// tokenHeader is the first part of every token, and the only one that is accepted: no token chooses how it is checked.
var tokenHeader = base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"ES256","typ":"JWT"}`))

// Half of a signature is a number of 32 bytes.
const halfSignature = 32

// sign returns the token that makes these claims.
func (s signer) sign(claims claims) (string, error) {
	payload, err := json.Marshal(claims)
	if err != nil {
		return "", err
	}
	signed := tokenHeader + "." + base64.RawURLEncoding.EncodeToString(payload)
	digest := sha256.Sum256([]byte(signed))
	// Without a source of randomness the signature is the deterministic one of RFC 6979.
	encoded, err := s.key.Sign(nil, digest[:], crypto.SHA256)
	if err != nil {
		return "", err
	}
	var numbers struct{ R, S *big.Int }
	if _, err := asn1.Unmarshal(encoded, &numbers); err != nil {
		return "", err
	}
	signature := make([]byte, 2*halfSignature)
	numbers.R.FillBytes(signature[:halfSignature])
	numbers.S.FillBytes(signature[halfSignature:])
	return signed + "." + base64.RawURLEncoding.EncodeToString(signature), nil
}

var (
	errTokenForm      = errors.New("not a session token")
	errTokenSignature = errors.New("the session token's signature does not match")
	errTokenExpired   = errors.New("the session token has expired")
)

// check returns the claims of a token that is signed with the signer's key and has not expired.
func (s signer) check(token string, now time.Time) (claims, error) {
	header, rest, _ := strings.Cut(token, ".")
	payload, signature, found := strings.Cut(rest, ".")
	if !found || header != tokenHeader {
		return claims{}, errTokenForm
	}
	numbers, err := base64.RawURLEncoding.Strict().DecodeString(signature)
	if err != nil || len(numbers) != 2*halfSignature {
		return claims{}, errTokenForm
	}
	r, t := new(big.Int).SetBytes(numbers[:halfSignature]), new(big.Int).SetBytes(numbers[halfSignature:])
	digest := sha256.Sum256([]byte(header + "." + payload))
	if !ecdsa.Verify(&s.key.PublicKey, digest[:], r, t) {
		return claims{}, errTokenSignature
	}
	text, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil {
		return claims{}, errTokenForm
	}
	var made claims
	if err := json.Unmarshal(text, &made); err != nil {
		return claims{}, errTokenForm
	}
	if now.Unix() >= made.Expires {
		return claims{}, errTokenExpired
	}
	return made, nil
}
