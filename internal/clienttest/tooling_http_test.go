package clienttest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
)

// plane is a tooling endpoint below a server's /tooling/42, with a service that makes tokens for it, and a client.
type plane struct {
	*scriptnet.Server
	mint    *mint
	rpc     *http.Client
	admin   *rpcfleet.Client
	service string // The address of the service.
}

func startPlane(t *testing.T, lines ...responder) *plane {
	t.Helper()
	p := &plane{Server: scriptnet.Serve(t, lines...)}
	p.mint = &mint{lifetime: time.Hour, address: p.URL + "/tooling/42/"}
	service := httptest.NewServer(p.mint)
	t.Cleanup(service.Close)
	p.service = service.URL
	var err error
	p.admin, err = rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(testKey), rpcfleet.WithoutRetries())
	require.NoError(t, err)
	p.rpc = p.admin.Tooling.HTTPClient()
	return p
}

// post sends a text, and returns the response's status.
func post(t *testing.T, client *http.Client, address string, body io.Reader) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, body)
	require.NoError(t, err)
	resp, err := client.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	require.NoError(t, err)
	return resp.StatusCode
}

// bearers returns the Authorization headers that a server saw, empty where a request had none.
func bearers(s *scriptnet.Server) (headers []string) {
	for _, r := range s.Requests() {
		headers = append(headers, r.Header.Get("Authorization"))
	}
	return headers
}

var fine = says(200, `{}`)

func TestToolingRequestsCarryTheToken(t *testing.T) {
	p := startPlane(t, fine)
	req, err := http.NewRequest(http.MethodPost, p.URL+"/tooling/42", strings.NewReader("x"))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer of-the-callers")
	resp, err := p.rpc.Do(req)
	require.NoError(t, err)
	resp.Body.Close()
	assert.Equal(t, "Bearer of-the-callers", req.Header.Get("Authorization"), "the caller's request is left as it is")
	assert.Equal(t, 200, post(t, p.rpc, p.URL+"/tooling/42/ext/bc?x=y", strings.NewReader("y")))
	assert.Equal(t, []string{"Bearer session-1", "Bearer session-1"}, bearers(p.Server))
	assert.Equal(t, "x", p.Requests()[0].Body)
	assert.Equal(t, 1, p.mint.count())
}

// body reports whether it was closed.
type body struct {
	io.Reader
	closed bool
}

func (b *body) Close() error { b.closed = true; return nil }

func TestToolingRequestsWithoutAToken(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(*mint)
		text  string
	}{
		"no token":            {func(m *mint) { m.failure = down }, "503"},
		"no address":          {func(m *mint) { m.address = "" }, "no usable address"},
		"a relative address":  {func(m *mint) { m.address = "/tooling/42" }, "no usable address"},
		"a line end":          {func(m *mint) { m.token = "t0k3n\r\nX-Evil: 1" }, "cannot be sent"},
		"a space":             {func(m *mint) { m.token = "t0k3n x" }, "cannot be sent"},
		"a foreign letter":    {func(m *mint) { m.token = "t0k3nö" }, "cannot be sent"},
		"an address in plain": {func(m *mint) { m.address = "http://rpc.example.com/tooling/42/" }, "plain http"},
	} {
		t.Run(name, func(t *testing.T) {
			p := startPlane(t, fine)
			test.spoil(p.mint)
			address := p.URL + "/tooling/42"
			if strings.HasPrefix(p.mint.address, "http") {
				address = p.mint.address
			}
			sent := &body{Reader: strings.NewReader("text")}
			req, err := http.NewRequest(http.MethodPost, address, sent)
			require.NoError(t, err)
			_, err = p.rpc.Do(req)
			require.ErrorContains(t, err, test.text)
			assert.Equal(t, test.text == "503", errors.Is(err, rpcfleet.ErrServer))
			assert.Empty(t, p.Requests())
			assert.True(t, sent.closed, "a RoundTripper closes the body, whatever happens")
			assert.NotContains(t, err.Error(), "session-1")
			assert.NotContains(t, err.Error(), "t0k3n")
		})
	}
	p := startPlane(t, fine)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL, nil)
	require.NoError(t, err)
	_, err = p.rpc.Do(req)
	require.ErrorIs(t, err, context.Canceled)
}

func TestToolingClientIsMadeOfTheConfiguredOne(t *testing.T) {
	var seen []string
	base := &http.Client{Timeout: time.Minute, Transport: tripper(func(req *http.Request) (*http.Response, error) {
		seen = append(seen, req.URL.Host+" "+req.Header.Get("Authorization"))
		recorder := httptest.NewRecorder()
		m := &mint{lifetime: time.Hour, address: "http://rpc.example.com/tooling/42/"}
		m.ServeHTTP(recorder, req)
		return recorder.Result(), nil
	})}
	client, err := rpcfleet.New(rpcfleet.WithBaseURL("http://api.example.com"), rpcfleet.WithAPIKey(testKey),
		rpcfleet.WithHTTPClient(base), rpcfleet.WithInsecureHTTP())
	require.NoError(t, err)
	rpc := client.Tooling.HTTPClient()
	assert.Equal(t, time.Minute, rpc.Timeout)
	assert.Equal(t, 200, post(t, rpc, "http://rpc.example.com/tooling/42/", nil), "plain http was asked for by name")
	assert.Equal(t, []string{"api.example.com ", "rpc.example.com Bearer session-1"}, seen)

	rpc.Timeout = time.Second
	assert.Equal(t, time.Minute, base.Timeout, "the given client is left as it is")
	assert.Equal(t, time.Minute, client.Tooling.HTTPClient().Timeout)
}

func TestAToolingResponseThatSwitchesProtocolsUnaskedHasNoBody(t *testing.T) {
	closed := make(chan bool, 1)
	p := startPlane(t, switches(closed))
	assert.Equal(t, http.StatusSwitchingProtocols, post(t, p.rpc, p.URL+"/tooling/42", nil))
	assert.True(t, <-closed, "the connection was left open")

	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.URL+"/tooling/42", nil)
	require.NoError(t, err)
	req.Header.Set("Connection", "Upgrade")
	req.Header.Set("Upgrade", "websocket")
	resp, err := p.rpc.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	_, writable := resp.Body.(io.Writer)
	assert.True(t, writable, "it was asked for, and the connection is the caller's")
}
