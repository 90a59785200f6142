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

// toolingEndpoint is a tooling endpoint below a server's /tooling/42, with a service that makes tokens for it.
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

var fine, unauthorized = ok(`{}`), respondJSON(401, `the token is worthless`)

// body reports whether it was closed.
type body struct {
	io.Reader
	closed bool
}

func (b *body) Close() error {
	b.closed = true
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
	client := over(t, nil, rpcfleet.WithHTTPClient(base), rpcfleet.WithInsecureHTTP())
	rpc := client.Tooling.HTTPClient()
	assert.Equal(t, time.Minute, rpc.Timeout)
	assert.Equal(t, 200, post(t, rpc, "http://rpc.example.com/tooling/42/", nil), "plain http was asked for by name")
	assert.Equal(t, []string{"api.example.com ", "rpc.example.com Bearer session-1"}, seen)

	rpc.Timeout = time.Second
	assert.Equal(t, time.Minute, base.Timeout, "the given client is left as it is")
	assert.Equal(t, time.Minute, client.Tooling.HTTPClient().Timeout)
	rpc.CloseIdleConnections()
	client.CloseIdleConnections()
	assert.Equal(t, 2, closed)
	over(t, tripper(nil)).Tooling.HTTPClient().CloseIdleConnections() // A transport without such a method.
}

// idler counts how often its idle connections are closed.
type idler struct {
	http.RoundTripper
	closed *int
}

func (i *idler) CloseIdleConnections() { *i.closed++ }

// TestToolingHTTPClient_renewsOnceAfterMany401s has responses to the old token after the new one was made.
func TestToolingHTTPClient_renewsOnceAfterMany401s(t *testing.T) {
	const many = 50
	arrived, renewed := make(chan bool, many), make(chan struct{})
	p := startTooling(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer session-1" {
			fine(w, r)
			return
		}
		if arrived <- true; r.ContentLength > 0 {
			<-renewed
		}
		unauthorized(w, r)
	})
	var all sync.WaitGroup
	for range many - 1 {
		all.Go(func() { assert.Equal(t, 401, post(t, p.rpc, p.URL+"/tooling/42/", strings.NewReader("x"))) })
		<-arrived
	}
	assert.Equal(t, 401, post(t, p.rpc, p.URL+"/tooling/42/", nil))
	assert.Equal(t, 200, post(t, p.rpc, p.URL+"/tooling/42/", nil))
	close(renewed)
	all.Wait()
	assert.Equal(t, 200, post(t, p.rpc, p.URL+"/tooling/42/", nil))
	assert.Equal(t, 2, p.tokens.made)
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

// Every way through the transport, with the token of the next request.
func TestToolingTransport_outcomes(t *testing.T) {
	for name, test := range map[string]struct {
		reply *exchange
		next  string
	}{
		"accepted":                 {replies(200, "a"), "session-1"},
		"forbidden":                {replies(403, "a"), "session-1"},
		"a connection lost":        {&exchange{err: errors.New("connection lost")}, "session-1"},
		"no response and no error": {&exchange{}, "session-1"},
		"refused":                  {replies(401, "a"), "session-2"},
	} {
		t.Run(name, func(t *testing.T) {
			var sent []*http.Request
			transport := scriptedTransport(t, &tokenService{}, &sent, test.reply, replies(200, ""))
			first := &body{Reader: strings.NewReader("text")}
			req := request(t, "https://rpc.example.com/tooling/42/x?y=z", first)
			req.ContentLength = 4
			req.Header.Set("Authorization", "Bearer of-the-callers")
			resp, err := transport.RoundTrip(req)
			require.Len(t, sent, 1)
			assert.Equal(t, test.reply.err, err)
			assert.Same(t, test.reply.resp, resp)
			if resp != nil {
				assert.Same(t, req, resp.Request, "the response names the caller's request, which has no token")
				assert.False(t, test.reply.body.closed, "that is the caller's")
			}
			assert.True(t, first.closed)
			assert.Equal(t, "Bearer session-1", sent[0].Header.Get("Authorization"))
			assert.Equal(t, req.URL, sent[0].URL)
			assert.EqualValues(t, 4, sent[0].ContentLength)
			assert.Equal(t, "Bearer of-the-callers", req.Header.Get("Authorization"), "the caller's request is left as it is")

			require.NoError(t, errOf(transport.RoundTrip(request(t, "https://rpc.example.com/tooling/42", nil))))
			assert.Equal(t, "Bearer "+test.next, sent[1].Header.Get("Authorization"))
		})
	}
}
