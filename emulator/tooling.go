package emulator

import (
	"cmp"
	"context"
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
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// toolingState is the account's access to tooling.
type toolingState struct {
	// Seed is the seed of the key that signs session tokens.
	Seed      uint64
	EnabledAt *time.Time
	// EndpointID is 0 until the access is enabled for the first time. Enabling it again keeps the endpoint.
	EndpointID int64
}

// toolingPath is the path of the tooling endpoint's data plane, without the endpoint's id.
const toolingPath = "/tooling/"

// toolingURL returns the address of the tooling endpoint for this caller, or nil while the access is off.
func (h adminHandlers) toolingURL(ctx context.Context) *string {
	if h.state.Tooling.EnabledAt == nil {
		return nil
	}
	base := cmp.Or(h.settings.publicURL, info(ctx).base)
	return new(base + toolingPath + strconv.FormatInt(h.state.Tooling.EndpointID, 10))
}

// GetToolingAccess is GET /v0/tooling-access. While the access is off, the endpoint is not shown.
func (h adminHandlers) GetToolingAccess(ctx context.Context) (*adminapi.ToolingAccess, error) {
	tooling := h.state.Tooling
	if tooling.EnabledAt == nil {
		return &adminapi.ToolingAccess{}, nil
	}
	return &adminapi.ToolingAccess{
		Enabled: true, EnabledAt: tooling.EnabledAt, EndpointURL: h.toolingURL(ctx), EndpointID: &tooling.EndpointID,
	}, nil
}

// UpdateToolingAccess is PATCH /v0/tooling-access. Enabling an enabled access changes nothing.
func (h adminHandlers) UpdateToolingAccess(ctx context.Context, body *adminapi.UpdateToolingAccessRequest) (
	*adminapi.ToolingAccessUpdate, error) {
	if body.Enabled {
		h.state.enableTooling()
	} else {
		h.state.Tooling.EnabledAt = nil
	}
	return &adminapi.ToolingAccessUpdate{Enabled: body.Enabled, EndpointURL: h.toolingURL(ctx)}, nil
}

func (s *state) enableTooling() {
	if s.Tooling.EnabledAt == nil {
		s.Tooling.EnabledAt = new(s.now().Truncate(time.Millisecond))
	}
	if s.Tooling.EndpointID == 0 {
		s.Tooling.EndpointID = s.IDs.number()
	}
}

// CreateToolingToken is POST /v0/tooling-access/token. While the access is off, it responds with 400 (assumed).
func (h adminHandlers) CreateToolingToken(ctx context.Context) (*adminapi.ToolingToken, error) {
	address := h.toolingURL(ctx)
	if address == nil {
		return nil, badRequest("tooling access is off")
	}
	now := h.state.now().Truncate(time.Second)
	expires := now.Add(h.settings.tokenLifetime)
	token, err := h.state.signer.sign(claims{
		ID: h.state.IDs.uuid(), Subject: strconv.FormatInt(h.state.Tooling.EndpointID, 10),
		IssuedAt: now.Unix(), Expires: expires.Unix(),
	})
	return &adminapi.ToolingToken{EndpointURL: *address, Token: token, ExpiresAt: expires}, err
}

// signer signs session tokens, and checks them. The tokens are JWTs signed with ES256. No library makes them, because
// the same seed and clock must give the same token, and JWT libraries sign with fresh randomness.
type signer struct{ key *ecdsa.PrivateKey }

// claims are the claims of a session token.
type claims struct {
	ID       string `json:"jti"`
	Subject  string `json:"sub"`
	IssuedAt int64  `json:"iat"`
	Expires  int64  `json:"exp"`
}

// newSigner makes the key of a seed.
func newSigner(seed uint64) signer {
	for attempt := 0; ; attempt++ {
		secret := sha256.Sum256(fmt.Appendf(nil, "tooling key %d of seed %d", attempt, seed))
		// Nearly all 32 bytes are a key of the curve. If these are not, the next may be.
		if key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), secret[:]); err == nil {
			return signer{key}
		}
	}
}

// tokenHeader is the first part of every token. No other is accepted, so that a token cannot choose its algorithm.
var tokenHeader = base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"ES256","typ":"JWT"}`))

// A signature is two numbers of 32 bytes.
const halfSignature = 32

// sign returns a token with these claims.
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

// check refuses a token that is not signed with the signer's key, has expired, or is for another endpoint.
func (s signer) check(token, endpoint string, now time.Time) error {
	header, rest, _ := strings.Cut(token, ".")
	payload, signature, _ := strings.Cut(rest, ".")
	numbers, err := base64.RawURLEncoding.Strict().DecodeString(signature)
	if err != nil || len(numbers) != 2*halfSignature || header != tokenHeader {
		return errors.New("not a session token")
	}
	r, t := new(big.Int).SetBytes(numbers[:halfSignature]), new(big.Int).SetBytes(numbers[halfSignature:])
	digest := sha256.Sum256([]byte(header + "." + payload))
	if !ecdsa.Verify(&s.key.PublicKey, digest[:], r, t) {
		return errors.New("the session token's signature does not match")
	}
	text, err := base64.RawURLEncoding.DecodeString(payload)
	var made claims
	if err = errors.Join(err, json.Unmarshal(text, &made)); err != nil {
		return err
	}
	switch {
	case now.Unix() >= made.Expires:
		return errors.New("the session token has expired")
	case made.Subject != endpoint:
		return errors.New("the session token is for another endpoint")
	}
	return nil
}

// mountToolingPlane adds the data plane of the tooling endpoint: JSON-RPC calls with a session token as bearer. The
// contract states no more than that.
func (e *Emulator) mountToolingPlane(router chi.Router) {
	for _, path := range []string{toolingPath + "{endpoint_id}", toolingPath + "{endpoint_id}/*"} {
		router.Post(path, e.serveTooling)
		e.operations.add(serve.Operation{
			ID: toolingOperation, Method: http.MethodPost, Path: path, Paging: "none",
		}, refuseTooling)
	}
}

func (e *Emulator) serveTooling(w http.ResponseWriter, r *http.Request) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	err := errors.New("a session token is required")
	if strings.EqualFold(scheme, "Bearer") {
		err = e.state.signer.check(token, chi.URLParam(r, "endpoint_id"), e.state.now())
	}
	if err != nil {
		w.Header().Set("WWW-Authenticate", "Bearer")
		http.Error(w, err.Error(), http.StatusUnauthorized)
		return
	}
	if e.state.Tooling.EnabledAt == nil {
		http.Error(w, "tooling access is off", http.StatusForbidden)
		return
	}
	response := e.state.respondRPC(info(r.Context()).body)
	if response == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	writeJSON(w, http.StatusOK, response)
}

// refuseTooling writes a failure that has nothing to do with the token.
func refuseTooling(w http.ResponseWriter, _ *http.Request, err error) {
	http.Error(w, err.Error(), refusalOf(err).status)
}

// rpcFailure makes a JSON-RPC response with an error.
func rpcFailure(id json.RawMessage, code int, message string) map[string]any {
	return map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": message}}
}

// respondRPC makes the response to a call or a batch of calls. It is nil if all of them are notifications.
func (s *state) respondRPC(body []byte) any {
	var calls []json.RawMessage
	batch := json.Unmarshal(body, &calls) == nil && calls != nil
	switch {
	case !json.Valid(body):
		return rpcFailure(nil, -32700, "parse error")
	case !batch:
		calls = []json.RawMessage{body}
	case len(calls) == 0:
		return rpcFailure(nil, -32600, "invalid request")
	}
	var responses []map[string]any
	for _, call := range calls {
		if response := s.respondCall(call); response != nil {
			responses = append(responses, response)
		}
	}
	switch {
	case responses == nil:
		return nil
	case !batch:
		return responses[0]
	}
	return responses
}

// The made-up chain of the tooling endpoint has a block every 12 seconds of the emulator's clock since this time.
var firstBlock = time.Date(2020, time.January, 1, 0, 0, 0, 0, time.UTC)

const blockTime = 12 * time.Second

// respondCall makes the response to one call. It is nil for a notification, which has no id. Parameters are ignored.
func (s *state) respondCall(text []byte) map[string]any {
	var call struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  string          `json:"method"`
	}
	if err := json.Unmarshal(text, &call); err != nil || call.Version != "2.0" || call.Method == "" {
		return rpcFailure(nil, -32600, "invalid request")
	}
	if call.ID == nil {
		return nil
	}
	var result string
	switch call.Method {
	case "eth_blockNumber":
		result = fmt.Sprintf("0x%x", max(int64(s.now().Sub(firstBlock)/blockTime), 0))
	case "eth_chainId":
		result = "0x1"
	case "web3_clientVersion":
		result = "Emulator/v1.0.0"
	default:
		return rpcFailure(call.ID, -32601, "the method does not exist")
	}
	return map[string]any{"jsonrpc": "2.0", "id": call.ID, "result": result}
}
