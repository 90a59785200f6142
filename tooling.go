package rpcfleet

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// ToolingService switches the tooling endpoint on and off, and calls it with tokens that last ten minutes (observed).
type ToolingService struct {
	engine         *engine
	source         *ToolingTokenSource
	base           *http.Client // A client for the tooling endpoint that sends no tokens.
	allowPlainHTTP bool         // Tokens may be sent on plain http to hosts other than the loopback.
}

func newToolingService(e *engine, settings *clientSettings) *ToolingService {
	base := *orNew(settings.httpClient)
	if base.Transport == nil {
		base.Transport = transport.NewBase()
	}
	s := &ToolingService{engine: e, base: &base, allowPlainHTTP: settings.insecureHTTP}
	s.source = &ToolingTokenSource{create: s.CreateToken}
	s.source.forget()
	return s
}

// Status reports if the access is on, and since when.
// GET /v0/tooling-access
func (s *ToolingService) Status(ctx context.Context, opts ...CallOption) (*admin.ToolingAccess, error) {
	return fetch(ctx, orNew(s).engine, api.GetToolingAccess(), opts)
}

// Enable turns the access on. The address may be empty.
// PATCH /v0/tooling-access
func (s *ToolingService) Enable(ctx context.Context, opts ...CallOption) (*admin.ToolingAccess, error) {
	return s.set(ctx, true, opts)
}

// Disable turns the tooling access off.
// PATCH /v0/tooling-access
func (s *ToolingService) Disable(ctx context.Context, opts ...CallOption) (*admin.ToolingAccess, error) {
	return s.set(ctx, false, opts)
}

func (s *ToolingService) set(ctx context.Context, enabled bool, opts []CallOption) (*admin.ToolingAccess, error) {
	defer s.TokenSource().forget() // A token from before the change may be invalid after it, whatever the response.
	sent := admin.ToolingAccess{Enabled: enabled}
	return fetchChanged(ctx, orNew(s).engine, api.UpdateToolingAccess(enabled), opts, sent)
}

// CreateToken creates a session token: a JWT that RPC calls carry as "Authorization: Bearer" until ExpiresAt. If the
// access is off, the error is [ErrInvalidRequest] (assumed).
// POST /v0/tooling-access/token
func (s *ToolingService) CreateToken(ctx context.Context, opts ...CallOption) (*admin.ToolingToken, error) {
	return fetch(ctx, orNew(s).engine, api.CreateToolingToken(), opts)
}

// HTTPClient returns a client for RPC calls to the tooling endpoint, with a token of TokenSource. A request to another
// address than the endpoint's or below it is not sent: the error is a [*ValidationError]. Redirects are returned, not
// followed. After a response with status 401, the next request has a new token. Other settings of [WithHTTPClient]
// apply. The address is a secret, but the text of a *url.Error of net/http contains it.
// POST /v0/tooling-access/token
func (s *ToolingService) HTTPClient() *http.Client {
	s = orNew(s)
	client := *orNew(s.base)
	client.Transport = (*toolingTransport)(s)
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client
}

// toolingTransport sends requests with session tokens, to the tooling endpoint only.
type toolingTransport ToolingService

// RoundTrip implements http.RoundTripper.
func (t *toolingTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	token, err := t.source.Token(req.Context())
	if err == nil {
		err = t.check(token, req.URL)
	}
	if err != nil {
		if req.Body != nil {
			_ = req.Body.Close()
		}
		return nil, err
	}
	sent := req.Clone(req.Context())
	sent.Header.Set("Authorization", "Bearer "+token.Token.Reveal())
	resp, err := t.base.Transport.RoundTrip(sent)
	if resp != nil {
		resp.Request = req // It does not reveal the token.
		if resp.StatusCode == http.StatusUnauthorized {
			t.source.reject(req.Context(), token.Token)
		}
	}
	return resp, err
}

// CloseIdleConnections implements the interface that http.Client.CloseIdleConnections looks for.
func (t *toolingTransport) CloseIdleConnections() { orNew(t.base).CloseIdleConnections() }

// check returns an error if a token cannot be sent, or is for another address.
func (t *toolingTransport) check(token admin.ToolingToken, address *url.URL) error {
	endpoint, err := token.EndpointURL.URL()
	switch {
	case err != nil || endpoint.Scheme != "https" && endpoint.Scheme != "http" || !isUnder(endpoint, endpoint):
		return errors.New("rpcfleet: the service returned no usable address of the tooling endpoint")
	case !isUnder(endpoint, address):
		return &ValidationError{Field: "URL", Rule: "must be the tooling endpoint's or below it, without dot segments"}
	case headerSafe("token", token.Token.Reveal()) != nil: // A caller's transport may write even line ends unchanged.
		return errors.New("rpcfleet: the session token cannot be sent: it is not printable ASCII without spaces")
	case endpoint.Scheme == "http" && !transport.IsLoopback(endpoint) && !t.allowPlainHTTP:
		return errors.New("rpcfleet: the tooling endpoint's address is plain http, which would show the token to the network")
	}
	return nil
}

// isUnder reports whether an address is the endpoint's address or below it. Dot segments are not resolved but rejected,
// even behind a backslash or before a parameter: a server that resolves them would take the token to another path.
func isUnder(endpoint, address *url.URL) bool {
	prefix := strings.TrimRight(endpoint.EscapedPath(), "/") + "/"
	segments := strings.FieldsFunc(address.Path, func(r rune) bool { return strings.ContainsRune(`/\;`, r) })
	return address.Opaque == "" && transport.SameOrigin(endpoint, address) &&
		strings.HasPrefix(address.EscapedPath()+"/", prefix) &&
		!slices.Contains(segments, ".") && !slices.Contains(segments, "..")
}
