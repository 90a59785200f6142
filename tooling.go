package rpcfleet

import (
	"context"
	"net/http"
	"sync"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// ToolingService switches the account's tooling endpoint on and off, and gives access to it: to a program with
// HTTPClient, or with TokenSource where it has a client of its own, and token by token with CreateToken.
type ToolingService struct {
	engine *engine
	source *ToolingTokenSource
	// base is the caller's http.Client, or nil.
	base *http.Client
	// connections are those to the tooling endpoint where base has none.
	connections func() http.RoundTripper
	// plain allows tokens on plain http beyond the loopback.
	plain bool
}

func newToolingService(engine *engine, settings *clientSettings) *ToolingService {
	s := &ToolingService{engine: engine, base: settings.httpClient, plain: settings.insecureHTTP}
	s.source = &ToolingTokenSource{create: s.CreateToken}
	s.source.forget()
	s.connections = sync.OnceValue(transport.NewBase)
	return s
}

// Status reports whether the tooling access is on, and since when. The endpoint's id and address and the time are nil
// where the service gives null.
//
// GET /v0/tooling-access
func (s *ToolingService) Status(ctx context.Context, opts ...CallOption) (*admin.ToolingAccess, error) {
	return fetch[*admin.ToolingAccess](ctx, s.engine.call(api.GetToolingAccess(), opts))
}

// Enable switches the tooling access on: it provisions the tooling endpoint, or brings it back. The result tells the
// state that the service reports, and the endpoint's address, which may be nil. Where the service sent no record, it
// tells the state that was asked for, and no address.
//
// PATCH /v0/tooling-access
func (s *ToolingService) Enable(ctx context.Context, opts ...CallOption) (*admin.ToolingAccessUpdate, error) {
	return s.set(ctx, true, opts)
}

// Disable switches the tooling access off. The result tells the state that the service reports, or where it sent no
// record, the one that was asked for.
//
// PATCH /v0/tooling-access
func (s *ToolingService) Disable(ctx context.Context, opts ...CallOption) (*admin.ToolingAccessUpdate, error) {
	return s.set(ctx, false, opts)
}

func (s *ToolingService) set(ctx context.Context, enabled bool, opts []CallOption) (*admin.ToolingAccessUpdate, error) {
	defer s.source.forget() // A token from before the change may be worthless after it, whatever the response.
	return change(ctx, s.engine.call(api.UpdateToolingAccess(admin.UpdateToolingAccessRequest{Enabled: enabled}), opts), admin.ToolingAccessUpdate{Enabled: enabled})
}

// CreateToken makes a session token for the tooling endpoint: a JWT that RPC calls to it carry as "Authorization:
// Bearer", until the token's ExpiresAt. How long it lives is up to the service. While the tooling access is off, this
// is [ErrInvalidRequest] (assumed). Token and address do not print; Reveal reads them. It is not repeated after a
// failure that leaves open whether the service made one, which is [ErrMaybeCarriedOut]: no listing tells, and to make
// another does not end the first (assumed). A success without a record of it is [ErrCarriedOut].
//
// POST /v0/tooling-access/token
func (s *ToolingService) CreateToken(ctx context.Context, opts ...CallOption) (*admin.ToolingToken, error) {
	return fetch[*admin.ToolingToken](ctx, s.engine.call(api.CreateToolingToken(), opts))
}
