package clienttest

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
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

// body reports whether it was closed, and may change something then.
type body struct {
	io.Reader
	closed bool
	change func()
}

func (b *body) Close() error {
	if b.closed = true; b.change != nil {
		b.change()
	}
	return nil
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

// TestToolingHTTPClient_sharesConnections: TestProxy_loopbackIsDirect of internal/transport tests their proxy.
func TestToolingHTTPClient_sharesConnections(t *testing.T) {
	connections := make(chan string, 3)
	p := startTooling(t, func(w http.ResponseWriter, r *http.Request) {
		connections <- r.RemoteAddr
		fine(w, r)
	})
	for range 3 {
		assert.Equal(t, 200, post(t, p.admin.Tooling.HTTPClient(), p.tokens.address, nil))
	}
	first := <-connections
	assert.Equal(t, []string{first, first}, []string{<-connections, <-connections})
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
		if req.Body != nil && req.Body != http.NoBody {
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

// A rejected request opens no body if it is not retried although its body could be sent again. The next one has no
// token, and is not sent: the rejected one has not expired by the clock.
func TestToolingTransport_unsentRetries(t *testing.T) {
	at := func(address string) func(*tokenService) { return func(m *tokenService) { m.address = address } }
	fails := func(m *tokenService) { m.failure = later(503, "60") }
	for name, test := range map[string]struct {
		spoil  func(*tokenService)
		text   string
		opened bool
	}{
		"the renewal fails":      {fails, "503", false},
		"the endpoint has moved": {at("https://rpc.example.com/tooling/43"), "URL must", false},
		"the endpoint is lost":   {at(""), "no usable address", false},
		"the body is broken":     {func(*tokenService) {}, "cannot be read again", true},
		"no body to read again":  {fails, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			var sent []*http.Request
			service, refused, opened := &tokenService{}, replies(401, "a"), false
			transport := scriptedTransport(t, service, &sent, refused, replies(200, ""))
			first := &body{Reader: strings.NewReader("text"), change: func() { test.spoil(service) }}
			req := request(t, "https://rpc.example.com/tooling/42", first)
			if test.text != "" {
				req.GetBody = func() (io.ReadCloser, error) {
					opened = true
					return nil, errors.New("cannot be read again")
				}
			}
			resp, err := transport.RoundTrip(req)
			assert.Equal(t, test.opened, opened)
			if assert.Equal(t, 2, service.made); test.text == "" {
				require.NoError(t, err)
				assert.Same(t, refused.resp, resp)
				assert.Equal(t, "a", refused.rest())
			} else {
				require.ErrorContains(t, err, "responded with 401")
				require.ErrorContains(t, err, test.text)
				assert.Equal(t, test.text == "503", errors.Is(err, rpcfleet.ErrServer))
				assert.Nil(t, resp)
				assert.True(t, refused.body.closed)
			}
			err = errOf(transport.RoundTrip(request(t, "https://rpc.example.com/tooling/42", nil)))
			assert.Equal(t, test.opened, err == nil, err)
			assert.Equal(t, 2, service.made)
		})
	}
	for _, none := range []io.Reader{nil, http.NoBody} {
		var sent []*http.Request
		refused := replies(401, strings.Repeat("x", 1<<20))
		transport := scriptedTransport(t, &tokenService{}, &sent, refused, replies(200, "b"))
		require.NoError(t, errOf(transport.RoundTrip(request(t, "https://rpc.example.com/tooling/42", none))))
		assert.Len(t, sent, 2)
		assert.True(t, refused.body.closed)
		assert.Len(t, refused.rest(), 1<<20-64<<10, "little is read of a refusal")
	}
}
