package emulator

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

const tokenLifetime = 10 * time.Minute // Observed.

// toolingPath is the path of the tooling endpoint's data plane, without the endpoint's id.
const toolingPath = "/tooling/"

// toolingURL returns the address of the tooling endpoint for this caller, or nil while the access is off.
func (r *request) toolingURL() *string {
	if !r.state.tooling.Enabled {
		return nil
	}
	scheme := "http"
	if r.http.TLS != nil {
		scheme = "https"
	}
	return new(fmt.Sprintf("%s://%s%s%d", scheme, r.http.Host, toolingPath, *r.state.tooling.EndpointID))
}

// GetToolingAccess is GET /v0/tooling-access. While the access is off, the endpoint is not shown.
func (r *request) GetToolingAccess() (*adminapi.ToolingAccess, error) {
	if !r.state.tooling.Enabled {
		return &adminapi.ToolingAccess{}, nil
	}
	r.state.tooling.EndpointURL = r.toolingURL()
	return &r.state.tooling, nil
}

// UpdateToolingAccess is PATCH /v0/tooling-access. Enabling an enabled access changes nothing, and enabling it again
// keeps the endpoint.
func (r *request) UpdateToolingAccess(body *adminapi.UpdateToolingAccessRequest) (*adminapi.ToolingAccessUpdate, error) {
	tooling := &r.state.tooling
	if body.Enabled && !tooling.Enabled {
		tooling.EnabledAt = new(r.state.now())
		if tooling.EndpointID == nil {
			tooling.EndpointID = new(r.state.ids.number())
		}
	}
	tooling.Enabled = body.Enabled
	return &adminapi.ToolingAccessUpdate{Enabled: body.Enabled, EndpointURL: r.toolingURL()}, nil
}

// CreateToolingToken is POST /v0/tooling-access/token. While the access is off, it responds with 400 (assumed). A token
// has the form of a JWT. Its signature is made up, because only the emulator judges it.
func (r *request) CreateToolingToken() (*adminapi.ToolingToken, error) {
	address := r.toolingURL()
	if address == nil {
		return nil, serve.BadRequest("tooling access is off")
	}
	expires := r.state.now().Truncate(time.Second).Add(tokenLifetime)
	encode := base64.RawURLEncoding.EncodeToString
	token := encode([]byte(`{"alg":"ES256","typ":"JWT"}`)) + "." +
		encode(fmt.Appendf(nil, `{"jti":%q,"sub":"%d","exp":%d}`, r.state.ids.uuid(), *r.state.tooling.EndpointID,
			expires.Unix())) + "." +
		r.state.ids.text(86)
	r.state.sessions[token] = expires
	return &adminapi.ToolingToken{EndpointURL: *address, Token: token, ExpiresAt: expires}, nil
}

// serveTooling serves the data plane of the tooling endpoint: JSON-RPC calls with a session token as bearer. The
// contract states no more than that.
func (r *request) serveTooling(w http.ResponseWriter) {
	scheme, token, _ := strings.Cut(r.http.Header.Get("Authorization"), " ")
	expires, known := r.state.sessions[token]
	switch {
	case !strings.EqualFold(scheme, "Bearer") || !known || !r.settings.clock().Before(expires) ||
		r.params["endpoint_id"] != fmt.Sprint(*r.state.tooling.EndpointID):
		w.Header().Set("WWW-Authenticate", "Bearer")
		http.Error(w, "a session token is required that has not expired", http.StatusUnauthorized)
	case !r.state.tooling.Enabled:
		http.Error(w, "tooling access is off", http.StatusForbidden)
	default:
		writeJSON(w, http.StatusOK, respondRPC(r.body))
	}
}

// rejectTooling writes a failure that has nothing to do with the token.
func rejectTooling(w http.ResponseWriter, failed *serve.Error) {
	http.Error(w, failed.Reason, failed.Status)
}

// respondRPC makes the response to a JSON-RPC call. The chain has one block.
func respondRPC(text []byte) map[string]any {
	var call struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	_ = json.Unmarshal(text, &call) // Without a method, the call is rejected.
	if call.Method != "eth_blockNumber" && call.Method != "eth_chainId" {
		return map[string]any{"jsonrpc": "2.0", "id": call.ID,
			"error": map[string]any{"code": -32601, "message": "the method does not exist"}}
	}
	return map[string]any{"jsonrpc": "2.0", "id": call.ID, "result": "0x1"}
}
