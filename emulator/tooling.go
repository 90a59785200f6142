package emulator

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
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

const tokenLifetime = 15 * time.Minute

// toolingPath is the path of the tooling endpoint's data plane, without the endpoint's id.
const toolingPath = "/tooling/"

// toolingURL returns the address of the tooling endpoint for this caller, or nil while the access is off.
func (h adminHandlers) toolingURL(ctx context.Context) *string {
	if !h.state.tooling.Enabled {
		return nil
	}
	return new(infoOf(ctx).base + toolingPath + strconv.FormatInt(*h.state.tooling.EndpointID, 10))
}

// GetToolingAccess is GET /v0/tooling-access. While the access is off, the endpoint is not shown.
func (h adminHandlers) GetToolingAccess(ctx context.Context) (*adminapi.ToolingAccess, error) {
	if !h.state.tooling.Enabled {
		return &adminapi.ToolingAccess{}, nil
	}
	h.state.tooling.EndpointURL = h.toolingURL(ctx)
	return &h.state.tooling, nil
}

// UpdateToolingAccess is PATCH /v0/tooling-access. Enabling an enabled access changes nothing.
func (h adminHandlers) UpdateToolingAccess(ctx context.Context, body *adminapi.UpdateToolingAccessRequest) (
	*adminapi.ToolingAccessUpdate, error) {
	if body.Enabled {
		h.state.enableTooling()
	}
	h.state.tooling.Enabled = body.Enabled
	return &adminapi.ToolingAccessUpdate{Enabled: body.Enabled, EndpointURL: h.toolingURL(ctx)}, nil
}

// enableTooling enables the access. Enabling it again keeps the endpoint.
func (s *state) enableTooling() {
	if !s.tooling.Enabled {
		s.tooling.Enabled, s.tooling.EnabledAt = true, new(s.now().Truncate(time.Millisecond))
	}
	if s.tooling.EndpointID == nil {
		s.tooling.EndpointID = new(s.ids.number())
	}
}

// CreateToolingToken is POST /v0/tooling-access/token. While the access is off, it responds with 400 (assumed).
func (h adminHandlers) CreateToolingToken(ctx context.Context) (*adminapi.ToolingToken, error) {
	address := h.toolingURL(ctx)
	if address == nil {
		return nil, badRequest("tooling access is off")
	}
	now, id := h.state.now().Truncate(time.Second), *h.state.tooling.EndpointID
	expires := now.Add(tokenLifetime)
	token, err := h.state.signer.sign(claims{
		ID: h.state.ids.uuid(), Subject: strconv.FormatInt(id, 10), IssuedAt: now.Unix(), Expires: expires.Unix(),
	})
	h.state.sessions[token] = session{id, expires}
	return &adminapi.ToolingToken{EndpointURL: *address, Token: token, ExpiresAt: expires}, err
}

// signer signs session tokens: JWTs with ES256. No library makes them, because the same seed and clock must give the
// same token, and JWT libraries sign with fresh randomness.
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

// tokenHeader is the first part of every token.
var tokenHeader = base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"ES256","typ":"JWT"}`))

// A signature is two numbers of 32 bytes.
const halfSignature = 32

// sign returns a token with these claims.
func (s signer) sign(claims claims) (string, error) {
	payload, _ := json.Marshal(claims) // Texts and numbers always have a JSON form.
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

// session is a session token that was created, for one endpoint.
type session struct {
	endpoint int64
	expires  time.Time
}

// serveTooling serves the data plane of the tooling endpoint: JSON-RPC calls with a session token as bearer. The
// contract states no more than that.
func (e *Emulator) serveTooling(w http.ResponseWriter, r *http.Request) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	found, known := e.state.sessions[token]
	of := strconv.FormatInt(found.endpoint, 10)
	switch {
	case !strings.EqualFold(scheme, "Bearer") || !known || of != chi.URLParam(r, "endpoint_id"):
		w.Header().Set("WWW-Authenticate", "Bearer")
		http.Error(w, "a session token is required", http.StatusUnauthorized)
	case !e.state.now().Before(found.expires):
		w.Header().Set("WWW-Authenticate", "Bearer")
		http.Error(w, "the session token has expired", http.StatusUnauthorized)
	case !e.state.tooling.Enabled:
		http.Error(w, "tooling access is off", http.StatusForbidden)
	default:
		writeJSON(w, http.StatusOK, e.state.respondRPC(infoOf(r.Context()).body))
	}
}

// rejectTooling writes a failure that has nothing to do with the token.
func rejectTooling(w http.ResponseWriter, failed *serve.Error) {
	http.Error(w, failed.Reason, failed.Status)
}

// The made-up chain of the tooling endpoint has a block every 12 seconds of the emulator's clock since this time.
var firstBlock = time.Date(2020, time.January, 1, 0, 0, 0, 0, time.UTC)

const blockTime = 12 * time.Second

// respondRPC makes the response to a JSON-RPC call. Parameters are ignored.
func (s *state) respondRPC(text []byte) map[string]any {
	var call struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	_ = json.Unmarshal(text, &call) // Without a method, the call is rejected.
	response := map[string]any{"jsonrpc": "2.0", "id": call.ID}
	switch call.Method {
	case "eth_blockNumber":
		response["result"] = fmt.Sprintf("0x%x", max(int64(s.now().Sub(firstBlock)/blockTime), 0))
	case "eth_chainId":
		response["result"] = "0x1"
	default:
		response["error"] = map[string]any{"code": -32601, "message": "the method does not exist"}
	}
	return response
}
