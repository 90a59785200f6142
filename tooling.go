package rpcfleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// ToolingService switches the tooling endpoint on and off, and calls it.
type ToolingService struct {
	engine *engine
	source *ToolingTokenSource
	// base is the caller's http.Client, or nil.
	base *http.Client
	// connections returns the transport to the tooling endpoint if base has none.
	connections func() http.RoundTripper
	// allowPlainHTTP allows tokens on plain http to hosts other than the loopback.
	allowPlainHTTP bool
}

func newToolingService(e *engine, settings *clientSettings) *ToolingService {
	s := &ToolingService{
		engine: e, base: settings.httpClient, connections: sync.OnceValue(transport.NewBase),
		allowPlainHTTP: settings.insecureHTTP,
	}
	s.source = &ToolingTokenSource{create: s.CreateToken}
	s.source.forget()
	return s
}

// Status reports if the access is on, and since when.
// GET /v0/tooling-access
func (s *ToolingService) Status(ctx context.Context, opts ...CallOption) (*admin.ToolingAccess, error) {
	return fetch(ctx, orNew(s).engine, api.GetToolingAccess(), opts)
}

// Enable turns the access on. The address may be nil.
// PATCH /v0/tooling-access
func (s *ToolingService) Enable(ctx context.Context, opts ...CallOption) (*admin.ToolingAccessUpdate, error) {
	return s.set(ctx, true, opts)
}

// Disable turns the tooling access off.
// PATCH /v0/tooling-access
func (s *ToolingService) Disable(ctx context.Context, opts ...CallOption) (*admin.ToolingAccessUpdate, error) {
	return s.set(ctx, false, opts)
}

func (s *ToolingService) set(ctx context.Context, enabled bool, opts []CallOption) (*admin.ToolingAccessUpdate, error) {
	defer s.TokenSource().forget() // A token from before the change may be invalid after it, whatever the response.
	sent := admin.ToolingAccessUpdate{Enabled: enabled}
	return fetchChanged(ctx, orNew(s).engine, api.UpdateToolingAccess(enabled), opts, sent)
}

// CreateToken creates a session token: a JWT that RPC calls carry as "Authorization: Bearer" until ExpiresAt. If the
// access is off, the error is [ErrInvalidRequest] (assumed).
// POST /v0/tooling-access/token
func (s *ToolingService) CreateToken(ctx context.Context, opts ...CallOption) (*admin.ToolingToken, error) {
	return fetch(ctx, orNew(s).engine, api.CreateToolingToken(), opts)
}

var (
	errNoToolingAddress = errors.New("rpcfleet: the service returned no usable address of the tooling endpoint")
	// A caller's transport may write headers unchanged, even with line ends.
	errUnsendableToken = errors.New(
		"rpcfleet: the session token cannot be sent: it is not printable ASCII without spaces")
	errPlainToolingAddress = errors.New(
		"rpcfleet: the tooling endpoint's address is plain http, which would show the session token to the network")
)

// toolingAddress returns the address of the endpoint that a token is for. It rejects an address with dot segments:
// isUnder would silently keep the token from every request to it.
func toolingAddress(token admin.ToolingToken) (*url.URL, error) {
	endpoint, err := token.EndpointURL.URL()
	if err != nil || endpoint.Scheme != "https" && endpoint.Scheme != "http" || !isUnder(endpoint, endpoint) {
		return nil, errNoToolingAddress
	}
	return endpoint, nil
}

// isUnder reports whether an address is the endpoint's address or below it. Dot segments are not resolved but rejected,
// even behind a backslash or before a parameter: a server that resolves them would take the token to another path.
func isUnder(endpoint, address *url.URL) bool {
	prefix, path := strings.TrimRight(endpoint.EscapedPath(), "/"), address.EscapedPath()
	if address.Opaque != "" || !transport.SameOrigin(endpoint, address) || !strings.HasPrefix(path+"/", prefix+"/") {
		return false
	}
	segments := strings.FieldsFunc(address.Path, func(r rune) bool { return strings.ContainsRune(`/\;`, r) })
	return !slices.Contains(segments, ".") && !slices.Contains(segments, "..")
}

// deleteReferer deletes a Referer that reveals the endpoint. After a redirect, net/http adds the address of the
// previous request, including its path. That address is checked separately, because the endpoint may have moved since.
func deleteReferer(req *http.Request, endpoint *url.URL) {
	secret := []*url.URL{endpoint}
	if from := req.Response; from != nil && from.Request != nil {
		secret = append(secret, from.Request.URL)
	}
	names := func(referer string) bool {
		address, err := url.Parse(referer)
		return err != nil || slices.ContainsFunc(secret, func(u *url.URL) bool { return transport.SameOrigin(u, address) })
	}
	if slices.ContainsFunc(req.Header.Values("Referer"), names) {
		req.Header.Del("Referer")
	}
}

// HTTPClient returns a client for RPC calls to the tooling endpoint. Requests to its address or below carry the token
// of TokenSource; others do not. After a 401 it renews the token and retries once, if the body can be read again.
// Without a token, requests fail. The settings of [WithHTTPClient] apply, also its redirect policy. A response with
// status 101 to a request without Upgrade has no body. The address is a secret: no Referer contains it, but the text of
// a *url.Error of net/http does.
// POST /v0/tooling-access/token
func (s *ToolingService) HTTPClient() *http.Client {
	s = orNew(s)
	client := *orNew(s.base)
	if client.Transport == nil && s.connections != nil {
		client.Transport = s.connections()
	}
	client.Transport = &toolingTransport{tokens: s.source, base: client.Transport, allowPlainHTTP: s.allowPlainHTTP}
	return &client
}

// toolingTransport adds session tokens to requests to the tooling endpoint.
type toolingTransport struct {
	tokens         *ToolingTokenSource
	base           http.RoundTripper
	allowPlainHTTP bool
}

// RoundTrip implements http.RoundTripper.
func (t *toolingTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	sent, token, err := t.prepare(req)
	if err != nil {
		closeBody(req)
		return nil, err
	}
	resp, err := t.send(sent, req)
	if token == nil || err != nil || resp == nil || resp.StatusCode != http.StatusUnauthorized {
		return resp, err
	}
	t.tokens.discard(*token)
	if req.GetBody == nil && req.Body != nil && req.Body != http.NoBody {
		return resp, nil
	}
	sent, token, err = t.prepare(req)
	switch {
	case err != nil:
		drain(resp)
		return nil, fmt.Errorf(
			"rpcfleet: the tooling endpoint responded with 401, and the session token cannot be renewed: %w", err)
	case token == nil || !rewind(sent): // The endpoint has moved, or the body cannot be read again.
		return resp, nil
	}
	drain(resp)
	return t.send(sent, req)
}

// CloseIdleConnections implements the interface that http.Client.CloseIdleConnections looks for.
func (t *toolingTransport) CloseIdleConnections() {
	(&http.Client{Transport: t.base}).CloseIdleConnections()
}

// prepare returns a copy of the request to send; net/http copies the original's headers after a redirect. For the
// endpoint it has a token, which is returned as well. For any other address the token is nil.
func (t *toolingTransport) prepare(req *http.Request) (*http.Request, *admin.ToolingToken, error) {
	token, err := t.tokens.Token(req.Context())
	if err != nil {
		return nil, nil, err
	}
	endpoint, err := toolingAddress(token)
	if err != nil {
		return nil, nil, err
	}
	req = req.Clone(req.Context())
	deleteReferer(req, endpoint)
	if !isUnder(endpoint, req.URL) {
		return req, nil, nil
	}
	if endpoint.Scheme != "https" && !transport.IsLoopback(endpoint) && !t.allowPlainHTTP {
		return nil, nil, errPlainToolingAddress
	}
	if headerSafe("session token", token.Token.Reveal()) != nil {
		return nil, nil, errUnsendableToken
	}
	req.Header.Set("Authorization", "Bearer "+token.Token.Reveal())
	return req, &token, nil
}

// send sends a request on behalf of the original. The response refers to the original, so it does not reveal the token.
func (t *toolingTransport) send(req, original *http.Request) (*http.Response, error) {
	resp, err := t.base.RoundTrip(req)
	if resp == nil {
		return nil, err
	}
	resp.Request = original
	if resp.StatusCode == http.StatusSwitchingProtocols && req.Header.Get("Upgrade") == "" && resp.Body != nil {
		_ = resp.Body.Close() // It is the connection, which no context can end any more.
		resp.Body = http.NoBody
	}
	return resp, err
}

// rewind gives a request its body again, if it has one, and reports whether it could.
func rewind(req *http.Request) bool {
	if req.Body == nil || req.GetBody == nil {
		return true
	}
	var err error
	req.Body, err = req.GetBody()
	return err == nil
}

func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close()
	}
}

// drain reads the rest of a response, up to a limit, so that its connection can be reused.
func drain(resp *http.Response) {
	if resp.Body == nil { // A caller's transport may leave it nil.
		return
	}
	_, _ = io.CopyN(io.Discard, resp.Body, 64<<10)
	_ = resp.Body.Close()
}
