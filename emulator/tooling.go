package emulator

import (
	"bytes"
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
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// toolingState is the account's access to tooling.
type toolingState struct {
	// seed is what the signer's key was made from.
	seed      uint64
	signer    signer
	enabledAt *time.Time
	// endpointID is 0 until the access is enabled for the first time. Enabling it again brings the same endpoint back.
	endpointID int64
}

// newTooling is what a fresh account has: no access.
func newTooling(s *state) toolingState {
	return toolingFrom(s.settings.seed)
}

func toolingFrom(seed uint64) toolingState { return toolingState{seed: seed, signer: newSigner(seed)} }

// defaultTokenLifetime is how long a session token is good for. The contract only says that it is short.
const defaultTokenLifetime = 15 * time.Minute

// WithTokenLifetime sets how long a session token for the tooling endpoint is good for, in whole seconds and at least
// one. It is 15 minutes unless set.
func WithTokenLifetime(lifetime time.Duration) Option {
	return func(s *settings) { s.tokenLifetime = max(lifetime.Truncate(time.Second), time.Second) }
}

// WithPublicURL sets the address under which callers reach the emulator, such as "https://rpc.example.com". The address
// of the tooling endpoint starts with it. Without it that address starts with whatever a request was sent to, which is
// right unless something between the caller and the emulator changes it.
func WithPublicURL(address string) Option {
	return func(s *settings) {
		s.publicURL = strings.TrimRight(address, "/")
		if public, err := url.Parse(address); err == nil {
			s.hosts = append(s.hosts, public.Hostname())
		}
	}
}

// toolingPath is where the data plane of the tooling endpoint is. The endpoint's id follows.
const toolingPath = "/tooling/"

// toolingURL is the address of the tooling endpoint for this caller, or nil while the access is off.
func (h adminHandlers) toolingURL(ctx context.Context) *string {
	if h.state.tooling.enabledAt == nil {
		return nil
	}
	base := h.settings.publicURL
	if base == "" {
		base = receivedWith(ctx).base
	}
	return new(base + toolingPath + strconv.FormatInt(h.state.tooling.endpointID, 10))
}

// GetToolingAccess is GET /v0/tooling-access. While the access is off it tells nothing of the endpoint.
func (h adminHandlers) GetToolingAccess(ctx context.Context, _ adminapi.GetToolingAccessRequestObject) (adminapi.GetToolingAccessResponseObject, error) {
	tooling := h.state.tooling
	access := adminapi.ToolingAccess{
		Enabled:     tooling.enabledAt != nil,
		EnabledAt:   tooling.enabledAt,
		EndpointURL: h.toolingURL(ctx),
	}
	if access.Enabled {
		access.EndpointID = new(tooling.endpointID)
	}
	return adminapi.GetToolingAccess200JSONResponse{Data: access}, nil
}

// UpdateToolingAccess is PATCH /v0/tooling-access. Enabling what is enabled changes nothing.
func (h adminHandlers) UpdateToolingAccess(ctx context.Context, r adminapi.UpdateToolingAccessRequestObject) (adminapi.UpdateToolingAccessResponseObject, error) {
	body, err := sent[struct {
		Enabled *bool `json:"enabled"`
	}](ctx)
	if err != nil {
		return nil, err
	}
	if body.Enabled == nil {
		return nil, badRequest("enabled is required")
	}
	tooling := &h.state.tooling
	switch {
	case !*body.Enabled:
		tooling.enabledAt = nil
	case tooling.enabledAt == nil:
		h.state.enableTooling()
	}
	return adminapi.UpdateToolingAccess200JSONResponse{Data: adminapi.ToolingAccessUpdate{
		Enabled:     *body.Enabled,
		EndpointURL: h.toolingURL(ctx),
	}}, nil
}

func (s *state) enableTooling() {
	s.tooling.enabledAt = new(s.now().Truncate(time.Millisecond))
	if s.tooling.endpointID == 0 {
		s.tooling.endpointID = s.ids.number()
	}
}

// CreateToolingToken is POST /v0/tooling-access/token. While the access is off it responds with 400, which is assumed.
func (h adminHandlers) CreateToolingToken(ctx context.Context, _ adminapi.CreateToolingTokenRequestObject) (adminapi.CreateToolingTokenResponseObject, error) {
	address := h.toolingURL(ctx)
	if address == nil {
		return nil, badRequest("tooling access is off")
	}
	now := h.state.now().Truncate(time.Second)
	expires := now.Add(h.settings.tokenLifetime)
	token, err := h.state.tooling.signer.sign(claims{
		ID:       h.state.ids.uuid(),
		Subject:  strconv.FormatInt(h.state.tooling.endpointID, 10),
		IssuedAt: now.Unix(),
		Expires:  expires.Unix(),
	})
	if err != nil {
		return nil, err
	}
	return adminapi.CreateToolingToken200JSONResponse{Data: adminapi.ToolingToken{
		EndpointURL: *address,
		Token:       token,
		ExpiresAt:   expires,
	}}, nil
}

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

// mountToolingPlane adds the data plane of the tooling endpoint: JSON-RPC calls with a session token as bearer. The
// contract has nothing on it but that.
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
	if !strings.EqualFold(scheme, "Bearer") {
		refuseToken(w, "a session token is required")
		return
	}
	session, err := e.state.tooling.signer.check(token, e.state.now())
	if err != nil {
		refuseToken(w, err.Error())
		return
	}
	if session.Subject != chi.URLParam(r, "endpoint_id") {
		refuseToken(w, "the session token is for another endpoint")
		return
	}
	if e.state.tooling.enabledAt == nil {
		http.Error(w, "tooling access is off", http.StatusForbidden)
		return
	}
	response := e.state.respondRPC(receivedWith(r.Context()).body)
	if response == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(response) // The response is kept in memory: writing it cannot fail.
}

// refuseTooling writes a failure that is not the token's fault.
func refuseTooling(w http.ResponseWriter, _ *http.Request, err error) {
	status := http.StatusInternalServerError
	var refused *refusal
	if errors.As(err, &refused) {
		status = refused.status
	}
	http.Error(w, err.Error(), status)
}

func refuseToken(w http.ResponseWriter, reason string) {
	w.Header().Set("WWW-Authenticate", "Bearer")
	http.Error(w, reason, http.StatusUnauthorized)
}

// rpcCall is a JSON-RPC 2.0 request. Without an id it is a notification, which gets no response.
type rpcCall struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
}

type rpcResponse struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// The errors that JSON-RPC defines.
var (
	rpcParseError     = &rpcError{-32700, "parse error"}
	rpcInvalidRequest = &rpcError{-32600, "invalid request"}
	rpcUnknownMethod  = &rpcError{-32601, "the method does not exist"}
)

// respondRPC makes the response to a call or a batch of calls. It returns nil when all of them are notifications.
func (s *state) respondRPC(body []byte) []byte {
	trimmed := bytes.TrimSpace(body)
	if !json.Valid(trimmed) {
		return encodeRPC(rpcFailure(nil, rpcParseError))
	}
	if trimmed[0] != '[' {
		response := s.respondCall(trimmed)
		if response == nil {
			return nil
		}
		return encodeRPC(response)
	}
	var calls []json.RawMessage
	if err := json.Unmarshal(trimmed, &calls); err != nil || len(calls) == 0 {
		return encodeRPC(rpcFailure(nil, rpcInvalidRequest))
	}
	var responses []*rpcResponse
	for _, call := range calls {
		if response := s.respondCall(call); response != nil {
			responses = append(responses, response)
		}
	}
	if responses == nil {
		return nil
	}
	return encodeRPC(responses)
}

// answerCall makes the response to one call, with nil for a notification.
func (s *state) respondCall(text []byte) *rpcResponse {
	var call rpcCall
	if err := json.Unmarshal(text, &call); err != nil || call.Version != "2.0" || call.Method == "" {
		return rpcFailure(nil, rpcInvalidRequest)
	}
	if call.ID == nil {
		return nil
	}
	result := s.rpcResult(call.Method)
	if result == "" {
		return rpcFailure(call.ID, rpcUnknownMethod)
	}
	return &rpcResponse{Version: "2.0", ID: call.ID, Result: result}
}

// The made-up chain behind the tooling endpoint had its first block at a fixed time, and gets a new one every 12
// seconds of the emulator's clock.
var firstBlock = time.Date(2020, time.January, 1, 0, 0, 0, 0, time.UTC)

const blockTime = 12 * time.Second

// rpcResult is what a method returns, or empty for one that the endpoint does not have. No method looks at parameters.
func (s *state) rpcResult(method string) string {
	switch method {
	case "eth_blockNumber":
		return fmt.Sprintf("0x%x", max(int64(s.now().Sub(firstBlock)/blockTime), 0))
	case "eth_chainId":
		return "0x1"
	case "web3_clientVersion":
		return "Emulator/v1.0.0"
	}
	return ""
}

func rpcFailure(id json.RawMessage, failure *rpcError) *rpcResponse {
	if id == nil {
		id = json.RawMessage("null")
	}
	return &rpcResponse{Version: "2.0", ID: id, Error: failure}
}

func encodeRPC(response any) []byte {
	text, _ := json.Marshal(response) // Texts, and ids that were valid JSON when they came: this cannot fail.
	return text
}
