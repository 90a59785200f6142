package rpcfleet

import (
	"fmt"
	"io"
	"net/http"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

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
	client.Transport = &toolingTransport{tokens: s.source, base: client.Transport, plain: s.plain}
	return &client
}

// toolingTransport puts session tokens on requests to the tooling endpoint.
type toolingTransport struct {
	tokens *ToolingTokenSource
	base   http.RoundTripper
	plain  bool
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
		return nil, fmt.Errorf("rpcfleet: the tooling endpoint responded with 401, and the session token cannot be renewed: %w", err)
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
	if !below(endpoint, req.URL) {
		return req, nil, nil
	}
	if endpoint.Scheme != "https" && !transport.IsLoopback(endpoint) && !t.plain {
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
