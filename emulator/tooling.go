package emulator

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
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
