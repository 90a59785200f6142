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

// ToolingService switches the account's tooling endpoint on and off, and gives access to it: to a program with
// HTTPClient, or with TokenSource where it has a client of its own, and token by token with CreateToken.
type ToolingService struct {
	engine *engine
	source *ToolingTokenSource
	// base is the caller's http.Client, or nil.
	base *http.Client
	// connections are those to the tooling endpoint where base has none.
	connections func() http.RoundTripper
	// allowPlainHTTP allows tokens on plain http beyond the loopback.
	allowPlainHTTP bool
}

func newToolingService(engine *engine, settings *clientSettings) *ToolingService {
	s := &ToolingService{engine: engine, base: settings.httpClient, allowPlainHTTP: settings.insecureHTTP}
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
	call := s.engine.call(api.UpdateToolingAccess(admin.UpdateToolingAccessRequest{Enabled: enabled}), opts)
	return change(ctx, call, admin.ToolingAccessUpdate{Enabled: enabled})
}

// CreateToken makes a session token for the tooling endpoint: a JWT that RPC calls to it carry as "Authorization:
// Bearer", until the token's ExpiresAt. How long it lives is up to the service. While the tooling access is off, this
// is [ErrInvalidRequest] (assumed). Token and address do not print; Reveal reads them. It is not repeated after a
// failure that leaves open whether the service made one, which is [ErrOutcomeUnknown]: no listing tells, and to make
// another does not end the first (assumed). A success without a record of it is [ErrNoRecord].
//
// POST /v0/tooling-access/token
func (s *ToolingService) CreateToken(ctx context.Context, opts ...CallOption) (*admin.ToolingToken, error) {
	return fetch[*admin.ToolingToken](ctx, s.engine.call(api.CreateToolingToken(), opts))
}

var (
	errNoToolingAddress = errors.New("rpcfleet: the service gave no usable address of the tooling endpoint")
	// A transport of the caller's own may write headers as they are, line ends included.
	errUnsendableToken = errors.New(
		"rpcfleet: the session token cannot be sent: it is not printable ASCII without spaces")
	errPlainToolingAddress = errors.New(
		"rpcfleet: the tooling endpoint's address is plain http, which would show the session token to the network")
)

// toolingAddress returns the address of the endpoint that a token is for. One that is not even below itself, because of
// dot segments, would keep the token from every request in silence.
func toolingAddress(token admin.ToolingToken) (*url.URL, error) {
	endpoint, err := token.EndpointURL.URL()
	if err != nil || endpoint.Scheme != "https" && endpoint.Scheme != "http" || !isUnder(endpoint, endpoint) {
		return nil, errNoToolingAddress
	}
	return endpoint, nil
}

// isUnder reports whether an address is the endpoint's or below it. Dot segments are not resolved but refused, also
// behind a backslash or before a parameter: a server that resolves them would take the token to another path.
func isUnder(endpoint, address *url.URL) bool {
	prefix, path := strings.TrimRight(endpoint.EscapedPath(), "/"), address.EscapedPath()
	if address.Opaque != "" || !transport.SameOrigin(endpoint, address) || !strings.HasPrefix(path+"/", prefix+"/") {
		return false
	}
	segments := strings.FieldsFunc(address.Path, func(r rune) bool { return strings.ContainsRune(`/\;`, r) })
	return !slices.Contains(segments, ".") && !slices.Contains(segments, "..")
}

// withoutReferer returns the request, or a copy of it that does not say where the endpoint is. net/http adds the
// address that a redirect came from to the request that follows it, path included. That address is looked at by itself
// because the endpoint may have moved since.
func withoutReferer(req *http.Request, endpoint *url.URL) *http.Request {
	secret := []*url.URL{endpoint}
	if from := req.Response; from != nil && from.Request != nil {
		secret = append(secret, from.Request.URL)
	}
	names := func(referer string) bool {
		address, err := url.Parse(referer)
		return err != nil || slices.ContainsFunc(secret, func(u *url.URL) bool { return transport.SameOrigin(u, address) })
	}
	if !slices.ContainsFunc(req.Header.Values("Referer"), names) {
		return req
	}
	req = req.Clone(req.Context())
	req.Header.Del("Referer")
	return req
}

// HTTPClient returns a client for RPC calls to the tooling endpoint. A request to the endpoint's address, or below it,
// carries the session token of TokenSource as "Authorization: Bearer"; a request to anywhere else, be it after a
// redirect, goes out without it. A 401 makes the source renew its token, and the request is repeated once where
// its body can be read again: the bodies of http.NewRequest can. A second 401 is the caller's.
//
// The endpoint's address comes with a token, so that a failure to get one fails the request, whatever its destination;
// it matches the errors of [ToolingTokenSource.Token].
//
// The address is a secret. No request carries a Referer that names the endpoint's origin, and after a redirect none
// that names the origin that it came from; any other that the caller sets goes out. The errors of net/http are a
// *url.Error, whose text shows the request's address: log what it wraps.
//
// Connections, cookie jar, redirect policy and timeout are those of [WithHTTPClient]. Where it gives no connections,
// they are as the library's own: made as those of http.DefaultTransport, and never through a proxy to this machine. The
// client is a new one each time, whose fields can be set; the connections are shared by all of them.
//
// A response with the status 101 to a request without the header Upgrade has no body, and its connection is closed.
//
// POST /v0/tooling-access/token
func (s *ToolingService) HTTPClient() *http.Client {
	var client http.Client
	if s.base != nil {
		client = *s.base
	}
	if client.Transport == nil {
		client.Transport = s.connections()
	}
	client.Transport = &toolingTransport{tokens: s.source, base: client.Transport, allowPlainHTTP: s.allowPlainHTTP}
	return &client
}

// toolingTransport puts session tokens on requests to the tooling endpoint.
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
	again, ok := replay(req)
	if !ok {
		return resp, nil
	}
	sent, token, err = t.prepare(again)
	switch {
	case err != nil:
		closeBody(again)
		drain(resp)
		return nil, fmt.Errorf(
			"rpcfleet: the tooling endpoint responded with 401, and the session token cannot be renewed: %w", err)
	case token == nil:
		closeBody(again)
		return resp, nil // The endpoint has moved: the refusal stands.
	}
	drain(resp)
	return t.send(sent, req)
}

// CloseIdleConnections is what the method of that name of http.Client looks for.
func (t *toolingTransport) CloseIdleConnections() {
	if base, ok := t.base.(interface{ CloseIdleConnections() }); ok {
		base.CloseIdleConnections()
	}
}

// prepare returns the request as it is to be sent. To the endpoint that is a copy with a token, which is returned as
// well; the original's headers are what net/http repeats after a redirect. To anywhere else the token is nil.
func (t *toolingTransport) prepare(req *http.Request) (*http.Request, *admin.ToolingToken, error) {
	token, err := t.tokens.Token(req.Context())
	if err != nil {
		return nil, nil, err
	}
	endpoint, err := toolingAddress(token)
	if err != nil {
		return nil, nil, err
	}
	req = withoutReferer(req, endpoint)
	if !isUnder(endpoint, req.URL) {
		return req, nil, nil
	}
	if endpoint.Scheme != "https" && !transport.IsLoopback(endpoint) && !t.allowPlainHTTP {
		return nil, nil, errPlainToolingAddress
	}
	if headerSafe("session token", token.Token.Reveal()) != nil {
		return nil, nil, errUnsendableToken
	}
	req = req.Clone(req.Context())
	req.Header.Set("Authorization", "Bearer "+token.Token.Reveal())
	return req, &token, nil
}

// send sends a request on behalf of another, which is the one that the response names: it shows no token.
func (t *toolingTransport) send(req, original *http.Request) (*http.Response, error) {
	resp, err := t.base.RoundTrip(req)
	if resp == nil {
		return nil, err
	}
	resp.Request = original
	if resp.StatusCode == http.StatusSwitchingProtocols && req.Header.Get("Upgrade") == "" && resp.Body != nil {
		_ = resp.Body.Close() // It is the connection, which no context ends any more.
		resp.Body = http.NoBody
	}
	return resp, err
}

// replay returns the request with a fresh body, if it can have one.
func replay(req *http.Request) (*http.Request, bool) {
	copied := req.Clone(req.Context())
	if req.Body == nil || req.Body == http.NoBody {
		return copied, true
	}
	if req.GetBody == nil {
		return nil, false
	}
	body, err := req.GetBody()
	if err != nil {
		return nil, false
	}
	copied.Body = body
	return copied, true
}

func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close()
	}
}

// drain reads what is left of a response, within reason, so that its connection can be used again.
func drain(resp *http.Response) {
	if resp.Body == nil { // A transport of the caller's own.
		return
	}
	_, _ = io.CopyN(io.Discard, resp.Body, 64<<10)
	_ = resp.Body.Close()
}
