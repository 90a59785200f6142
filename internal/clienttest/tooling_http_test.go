package clienttest

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
)

// toolingEndpoint is a tooling endpoint below a server's /tooling/42, with a service that makes tokens for it, and a
// client.
type toolingEndpoint struct {
	*scriptnet.Server
	tokens *tokenService
	rpc    *http.Client
	admin  *rpcfleet.Client
}

func startTooling(t *testing.T, lines ...responder) *toolingEndpoint {
	t.Helper()
	p := &toolingEndpoint{Server: scriptnet.Serve(t, lines...)}
	p.tokens = &tokenService{lifetime: time.Hour, address: p.URL + "/tooling/42/"}
	service := httptest.NewServer(p.tokens)
	t.Cleanup(service.Close)
	p.admin = clientOf(t, service.URL, nil, rpcfleet.WithoutRetries())
	p.rpc = p.admin.Tooling.HTTPClient()
	return p
}

// request makes a request for an address.
func request(t *testing.T, address string, body io.Reader) *http.Request {
	t.Helper()
	return must(http.NewRequestWithContext(t.Context(), http.MethodPost, address, body))(t)
}

// post sends a text, and returns the response's status.
func post(t *testing.T, client *http.Client, address string, body io.Reader) int {
	t.Helper()
	resp := must(client.Do(request(t, address, body)))(t)
	defer resp.Body.Close()
	require.NoError(t, errOf(io.Copy(io.Discard, resp.Body)))
	return resp.StatusCode
}

// bearers returns the Authorization headers that a server saw, empty if a request had none.
func bearers(s *scriptnet.Server) (headers []string) {
	for _, r := range s.Requests() {
		headers = append(headers, r.Header.Get("Authorization"))
	}
	return headers
}

var fine, unauthorized = respondJSON(200, `{}`), respondJSON(401, `the token is worthless`)

// body reports whether it was closed.
type body struct {
	io.Reader
	closed bool
}

func (b *body) Close() error { b.closed = true; return nil }

func TestToolingHTTPClient_failsWithoutToken(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(*tokenService)
		text  string
	}{
		"no token":            {func(m *tokenService) { m.failure = down }, "503"},
		"a line end":          {func(m *tokenService) { m.token = "t0k3n\r\nX-Evil: 1" }, "cannot be sent"},
		"a space":             {func(m *tokenService) { m.token = "t0k3n x" }, "cannot be sent"},
		"a foreign letter":    {func(m *tokenService) { m.token = "t0k3nö" }, "cannot be sent"},
		"an address in plain": {func(m *tokenService) { m.address = "http://rpc.example.com/tooling/42/" }, "plain http"},
	} {
		t.Run(name, func(t *testing.T) {
			p := startTooling(t, fine)
			test.spoil(p.tokens)
			address := p.URL + "/tooling/42"
			if test.text == "plain http" {
				address = p.tokens.address
			}
			sent := &body{Reader: strings.NewReader("text")}
			_, err := p.rpc.Do(request(t, address, sent))
			require.ErrorContains(t, err, test.text)
			assert.Equal(t, test.text == "503", errors.Is(err, rpcfleet.ErrServer))
			assert.Empty(t, p.Requests())
			assert.True(t, sent.closed, "a RoundTripper closes the body, whatever happens")
			assert.NotContains(t, err.Error(), "session-1")
			assert.NotContains(t, err.Error(), "t0k3n")
		})
	}
}

func TestToolingHTTPClient_usesConfiguredClient(t *testing.T) {
	var seen []string
	closed := 0
	service := &tokenService{lifetime: time.Hour, address: "http://rpc.example.com/tooling/42/"}
	base := &http.Client{Timeout: time.Minute, Transport: &idler{tripper(func(req *http.Request) (*http.Response, error) {
		seen = append(seen, req.URL.Host+" "+req.Header.Get("Authorization"))
		recorder := httptest.NewRecorder()
		service.ServeHTTP(recorder, req)
		return recorder.Result(), nil
	}), &closed}}
	tooling := over(t, nil, rpcfleet.WithHTTPClient(base), rpcfleet.WithInsecureHTTP()).Tooling
	rpc := tooling.HTTPClient()
	assert.Equal(t, time.Minute, rpc.Timeout)
	assert.Equal(t, 200, post(t, rpc, "http://rpc.example.com/tooling/42/", nil), "plain http was asked for by name")
	assert.Equal(t, []string{"api.example.com ", "rpc.example.com Bearer session-1"}, seen)

	rpc.Timeout = time.Second
	assert.Equal(t, time.Minute, base.Timeout, "the given client is left as it is")
	assert.Equal(t, time.Minute, tooling.HTTPClient().Timeout)
	rpc.CloseIdleConnections()
	assert.Equal(t, 1, closed)
	over(t, tripper(nil)).Tooling.HTTPClient().CloseIdleConnections() // A transport without such a method.
}

// idler counts how often its idle connections are closed.
type idler struct {
	http.RoundTripper
	closed *int
}

func (i *idler) CloseIdleConnections() { *i.closed++ }

func TestToolingHTTPClient_switchesProtocolsIfAsked(t *testing.T) {
	closed := make(chan bool, 1)
	p := startTooling(t, switches(closed))
	assert.Equal(t, http.StatusSwitchingProtocols, post(t, p.rpc, p.URL+"/tooling/42", nil))
	assert.True(t, <-closed, "the connection was left open")

	req := request(t, p.URL+"/tooling/42", nil)
	req.Header.Set("Connection", "Upgrade")
	req.Header.Set("Upgrade", "websocket")
	resp := must(p.rpc.Do(req))(t)
	defer resp.Body.Close()
	_, writable := resp.Body.(io.Writer)
	assert.True(t, writable, "it was asked for, and the connection is the caller's")
}

// TestToolingHTTPClient_sharesConnectionsWithoutAProxy has a proxy in the environment, which is not for this machine,
// however it is spelled: plain http is allowed there because the token does not leave it. The clients share their
// connections.
func TestToolingHTTPClient_sharesConnectionsWithoutAProxy(t *testing.T) {
	var proxied atomic.Int64
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { proxied.Add(1) }))
	defer proxy.Close()
	address := must(url.Parse(proxy.URL))(t)
	usual := http.DefaultTransport
	defer func() { http.DefaultTransport = usual }()
	through := usual.(*http.Transport).Clone()
	through.Proxy = http.ProxyURL(address)
	http.DefaultTransport = through

	var addresses sync.Map
	p := startTooling(t, func(w http.ResponseWriter, r *http.Request) {
		addresses.Store(r.RemoteAddr, true)
		fine(w, r)
	})
	p.tokens.address = strings.Replace(p.URL, "127.0.0.1", "LocalHost", 1) + "/tooling/42/"
	for range 3 {
		assert.Equal(t, 200, post(t, p.admin.Tooling.HTTPClient(), p.tokens.address, nil))
	}
	connections := 0
	addresses.Range(func(any, any) bool { connections++; return true })
	assert.Equal(t, 1, connections)
	assert.Equal(t, []string{"Bearer session-1", "Bearer session-1", "Bearer session-1"}, bearers(p.Server))
	assert.Zero(t, proxied.Load())
	assert.Equal(t, 200, post(t, p.admin.Tooling.HTTPClient(), "http://elsewhere.example.com/", nil))
	assert.EqualValues(t, 1, proxied.Swap(0), "the proxy is for everything else")
}

// TestToolingHTTPClient_renewsAndRepeatsAfter401 with an empty body, and at the endpoint only. Other bodies are sent by
// TestToolingTransport_outcomes.
func TestToolingHTTPClient_renewsAndRepeatsAfter401(t *testing.T) {
	p := startTooling(t, fine, unauthorized, fine, fine, unauthorized)
	for range 3 {
		assert.Equal(t, 200, post(t, p.rpc, p.URL+"/tooling/42", http.NoBody))
	}
	assert.Equal(t, 401, post(t, p.rpc, p.URL+"/elsewhere", nil))
	assert.Equal(t, []string{"Bearer session-1", "Bearer session-1", "Bearer session-2", "Bearer session-2", ""},
		bearers(p.Server))
	assert.Equal(t, 2, p.tokens.made)
}

func TestToolingHTTPClient_renewsOnceAfterMany401s(t *testing.T) {
	const many = 50
	var arrived sync.WaitGroup
	arrived.Add(many)
	first, renewed := make(chan struct{}, 1), make(chan struct{})
	first <- struct{}{}
	done := sync.OnceFunc(func() { close(renewed) })
	p := startTooling(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer session-1" {
			arrived.Done()
			arrived.Wait() // All of them come with the old token,
			select {
			case <-first:
			case <-renewed: // and all but one hear of it when there is a new one.
			}
			unauthorized(w, r)
			return
		}
		fine(w, r)
		done()
	})
	take(t, p.admin.Tooling.TokenSource())
	var all sync.WaitGroup
	for range many {
		all.Go(func() { assert.Equal(t, 200, post(t, p.rpc, p.URL+"/tooling/42/", strings.NewReader("x"))) })
	}
	all.Wait()
	assert.Equal(t, 2, p.tokens.made)
	assert.Len(t, p.Requests(), 2*many)
}

// TestToolingHTTPClient_dropsRejectedToken, and gives up the refused one. If the same token is refused again
// later, nothing ends.
func TestToolingHTTPClient_dropsRejectedToken(t *testing.T) {
	p := startTooling(t, unauthorized)
	take(t, p.admin.Tooling.TokenSource())
	p.tokens.fails(later(503, "60"))
	for range 3 {
		require.ErrorIs(t, errOf(p.rpc.Get(p.URL+"/tooling/42")), rpcfleet.ErrServer)
	}
	_, err := p.admin.Tooling.TokenSource().Token(t.Context())
	require.ErrorIs(t, err, rpcfleet.ErrServer, "the refused one has not expired by the clock")
	assert.Equal(t, 2, p.tokens.made)
	assert.Len(t, p.Requests(), 1)
}

// exchange is a response from the test's own transport, and its fate.
type exchange struct {
	resp *http.Response
	err  error
	body *body
}

func replies(status int, text string) *exchange {
	e := &exchange{body: &body{Reader: strings.NewReader(text)}}
	e.resp = &http.Response{StatusCode: status, Header: http.Header{}, Body: e.body}
	return e
}

// rest is the unread part of the response.
func (e *exchange) rest() string {
	text, _ := io.ReadAll(e.body.Reader)
	return string(text)
}

// scriptedTransport is a tooling transport over replies, which is asked as it is: http.Client would tidy up behind it.
func scriptedTransport(t *testing.T, service *tokenService, sent *[]*http.Request,
	replies ...*exchange) http.RoundTripper {
	t.Helper()
	service.lifetime, service.address = time.Hour, "https://rpc.example.com/tooling/42"
	base := tripper(func(req *http.Request) (*http.Response, error) {
		if req.URL.Host == "api.example.com" {
			recorder := httptest.NewRecorder()
			service.ServeHTTP(recorder, req)
			return recorder.Result(), nil
		}
		*sent = append(*sent, req)
		if req.Body != nil {
			defer req.Body.Close()
			text := must(io.ReadAll(req.Body))(t)
			assert.Equal(t, "text", string(text), "every attempt has the whole body")
		}
		require.LessOrEqual(t, len(*sent), len(replies), "a request too many")
		e := replies[len(*sent)-1]
		return e.resp, e.err
	})
	return over(t, base).Tooling.HTTPClient().Transport
}

// Every way through the transport, with the expected fate of the two responses and of the token.
func TestToolingTransport_outcomes(t *testing.T) {
	lost := &exchange{err: errors.New("connection lost")}
	nothing := &exchange{}
	bodiless := &exchange{resp: &http.Response{StatusCode: http.StatusUnauthorized, Header: http.Header{}}}
	again := func() (io.ReadCloser, error) { return &body{Reader: strings.NewReader("text")}, nil }
	broken := func() (io.ReadCloser, error) { return nil, errors.New("cannot be read again") }
	for name, test := range map[string]struct {
		replies  []*exchange
		getBody  func() (io.ReadCloser, error)
		returned int // Which of the replies is the caller's.
		tokens   string
		next     string // The token of the next request.
	}{
		"accepted":                        {[]*exchange{replies(200, "a")}, again, 0, "1", "session-1"},
		"forbidden":                       {[]*exchange{replies(403, "a")}, again, 0, "1", "session-1"},
		"a connection lost":               {[]*exchange{lost}, again, 0, "1", "session-1"},
		"no response and no error":        {[]*exchange{nothing}, again, 0, "1", "session-1"},
		"refused, then accepted":          {[]*exchange{replies(401, "a"), replies(200, "b")}, again, 1, "12", "session-2"},
		"refused twice":                   {[]*exchange{replies(401, "a"), replies(401, "b")}, again, 1, "12", "session-2"},
		"refused, then a connection lost": {[]*exchange{replies(401, "a"), lost}, again, 1, "12", "session-2"},
		"refused, then nothing":           {[]*exchange{replies(401, "a"), nothing}, again, 1, "12", "session-2"},
		"refused without a body":          {[]*exchange{bodiless, replies(200, "b")}, again, 1, "12", "session-2"},
		"refused, and not repeatable":     {[]*exchange{replies(401, "a")}, nil, 0, "1", "session-2"},
		"refused, and the body is broken": {[]*exchange{replies(401, "a")}, broken, 0, "1", "session-2"},
	} {
		t.Run(name, func(t *testing.T) {
			var sent []*http.Request
			transport := scriptedTransport(t, &tokenService{}, &sent, append(test.replies, replies(200, ""))...)
			first := &body{Reader: strings.NewReader("text")}
			req := request(t, "https://rpc.example.com/tooling/42/x?y=z", first)
			req.GetBody, req.ContentLength = test.getBody, 4
			req.Header.Set("Authorization", "Bearer of-the-callers")
			resp, err := transport.RoundTrip(req)
			assert.Len(t, sent, len(test.replies))
			want := test.replies[test.returned]
			assert.Equal(t, want.err, err)
			assert.Same(t, want.resp, resp)
			if resp != nil {
				assert.Same(t, req, resp.Request, "the response names the caller's request, which has no token")
				assert.False(t, want.body.closed, "that is the caller's")
				assert.NotEmpty(t, want.rest())
			}
			if dropped := test.replies[0]; test.returned == 1 && dropped.body != nil {
				assert.Empty(t, dropped.rest(), "a dropped response is read to its end, so that its connection can be reused")
				assert.True(t, dropped.body.closed)
			}
			assert.True(t, first.closed)
			for i, request := range sent {
				assert.Equal(t, "Bearer session-"+test.tokens[i:i+1], request.Header.Get("Authorization"))
				assert.Equal(t, req.URL, request.URL)
				assert.EqualValues(t, 4, request.ContentLength)
			}
			assert.Equal(t, "Bearer of-the-callers", req.Header.Get("Authorization"), "the caller's request is left as it is")

			require.NoError(t, errOf(transport.RoundTrip(request(t, "https://rpc.example.com/tooling/42", nil))))
			assert.Equal(t, "Bearer "+test.next, sent[len(sent)-1].Header.Get("Authorization"))
		})
	}
}

// spoilingBody is a body that is closed after the first attempt.
type spoilingBody struct {
	io.Reader
	spoil func()
}

func (b spoilingBody) Close() error {
	b.spoil()
	return nil
}

// A refused request opens no body if it is not retried although its body could be sent again.
func TestToolingTransport_closesUnsentBodies(t *testing.T) {
	for name, test := range map[string]struct {
		spoil    func(*tokenService)
		text     string
		returned bool
	}{
		"the renewal fails":      {func(m *tokenService) { m.failure = down }, "responded with 401", false},
		"the endpoint has moved": {func(m *tokenService) { m.address = "https://rpc.example.com/tooling/43" }, "", true},
		"the endpoint is lost":   {func(m *tokenService) { m.address = "" }, "no usable address", false},
	} {
		t.Run(name, func(t *testing.T) {
			var sent []*http.Request
			service, refused := &tokenService{}, replies(401, "a")
			transport := scriptedTransport(t, service, &sent, refused)
			first := spoilingBody{strings.NewReader("text"), func() { test.spoil(service) }}
			req := request(t, "https://rpc.example.com/tooling/42", first)
			req.GetBody = func() (io.ReadCloser, error) {
				assert.Fail(t, "a body is opened that is not sent")
				return nil, errors.New("unexpected")
			}
			resp, err := transport.RoundTrip(req)
			assert.Equal(t, !test.returned, refused.body.closed)
			if test.returned {
				require.NoError(t, err)
				assert.Same(t, refused.resp, resp)
				assert.Equal(t, "a", refused.rest())
				return
			}
			require.ErrorContains(t, err, test.text)
			assert.Equal(t, name == "the renewal fails", errors.Is(err, rpcfleet.ErrServer))
			assert.Nil(t, resp)
		})
	}
	var sent []*http.Request
	refused := replies(401, strings.Repeat("x", 1<<20))
	transport := scriptedTransport(t, &tokenService{}, &sent, refused, replies(200, "b"))
	require.NoError(t, errOf(transport.RoundTrip(request(t, "https://rpc.example.com/tooling/42", nil))))
	assert.True(t, refused.body.closed)
	assert.Len(t, refused.rest(), 1<<20-64<<10, "little is read of a refusal")
}
