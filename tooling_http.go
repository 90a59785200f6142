package rpcfleet

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

var (
	errNoToolingAddress    = errors.New("rpcfleet: the service gave no usable address of the tooling endpoint")
	errPlainToolingAddress = errors.New("rpcfleet: the tooling endpoint's address is plain http, which would show the session token to the network")
)

// HTTPClient returns a client for RPC calls to the tooling endpoint. A request to the endpoint's address, or below it,
// carries the session token of TokenSource as "Authorization: Bearer"; a request to anywhere else, be it after a
// redirect, goes out as it is. An answer 401 makes the source renew its token, and the request is repeated once where
// its body can be read again: the bodies of http.NewRequest can.
//
// The endpoint's address comes with a token, so that a failure to get one fails the request, whatever its destination;
// it matches the errors of ToolingTokenSource.Token. The errors of net/http show the request's address.
//
// Connections, cookie jar, redirect policy and timeout are those of WithHTTPClient, or net/http's own. The client is a
// new one each time, whose fields can be set.
//
// POST /v0/tooling-access/token
func (s *ToolingService) HTTPClient() *http.Client {
	var client http.Client
	if s.base != nil {
		client = *s.base
	}
	if client.Transport == nil {
		client.Transport = http.DefaultTransport
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
	token, inside, err := t.token(req)
	if err != nil {
		closeBody(req)
		return nil, err
	}
	if !inside {
		return t.base.RoundTrip(req)
	}
	resp, err := t.base.RoundTrip(withToken(req, token))
	if err != nil || resp.StatusCode != http.StatusUnauthorized {
		return resp, err
	}
	t.tokens.discard(token)
	again, ok := replay(req)
	if !ok {
		return resp, nil
	}
	fresh, inside, err := t.token(again)
	switch {
	case err != nil:
		closeBody(again)
		drain(resp)
		return nil, fmt.Errorf("rpcfleet: the tooling endpoint answered 401, and the session token cannot be renewed: %w", err)
	case !inside:
		closeBody(again)
		return resp, nil // The endpoint has moved: the refusal stands.
	}
	drain(resp)
	return t.base.RoundTrip(withToken(again, fresh))
}

// token returns a token, and whether the request is one for it.
func (t *toolingTransport) token(req *http.Request) (admin.ToolingToken, bool, error) {
	token, err := t.tokens.Token(req.Context())
	if err != nil {
		return token, false, err
	}
	endpoint, err := token.EndpointURL.URL()
	if err != nil {
		return token, false, errNoToolingAddress
	}
	if !below(endpoint, req.URL) {
		return token, false, nil
	}
	if endpoint.Scheme != "https" && !transport.IsLoopback(endpoint) && !t.plain {
		return token, false, errPlainToolingAddress
	}
	return token, true, nil
}

// below tells whether an address is the endpoint's or below it. Dot segments are not resolved but refused: a server
// that resolves them would take the token to another path.
func below(endpoint, address *url.URL) bool {
	prefix, path := strings.TrimRight(endpoint.EscapedPath(), "/"), address.EscapedPath()
	if !transport.SameOrigin(endpoint, address) || path != prefix && !strings.HasPrefix(path, prefix+"/") {
		return false
	}
	segments := strings.FieldsFunc(address.Path, func(r rune) bool { return r == '/' || r == '\\' })
	return !slices.Contains(segments, ".") && !slices.Contains(segments, "..")
}

// withToken puts the token on a copy. The original's headers are what net/http repeats after a redirect.
func withToken(req *http.Request, token admin.ToolingToken) *http.Request {
	copied := req.Clone(req.Context())
	copied.Header.Set("Authorization", "Bearer "+token.Token.Reveal())
	return copied
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

// drain reads what is left of an answer, within reason, so that its connection can be used again.
func drain(resp *http.Response) {
	_, _ = io.CopyN(io.Discard, resp.Body, 64<<10)
	_ = resp.Body.Close()
}
