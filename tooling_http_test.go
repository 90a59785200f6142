package rpcfleet_test

import (
	"context"
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
)

// plane is a tooling endpoint below a server's /tooling/42, with a service that makes tokens for it, and a client.
type plane struct {
	*script
	mint  *mint
	rpc   *http.Client
	admin *rpcfleet.Client
}

func startPlane(t *testing.T, lines ...answer) *plane {
	t.Helper()
	p := &plane{script: &script{lines: lines}}
	p.script.Server = httptest.NewServer(p.script)
	t.Cleanup(p.script.Close)
	p.mint = &mint{lifetime: time.Hour, address: p.URL + "/tooling/42/"}
	service := httptest.NewServer(p.mint)
	t.Cleanup(service.Close)
	var err error
	p.admin, err = rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(testKey), rpcfleet.WithoutRetries())
	require.NoError(t, err)
	p.rpc = p.admin.Tooling.HTTPClient()
	return p
}

// post sends a text, and returns the answer's status.
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

// bearers returns the Authorization headers that a server saw.
func bearers(s *script) (headers []string) {
	for _, r := range s.requests() {
		headers = append(headers, r.header.Get("Authorization"))
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
	assert.Equal(t, []string{"Bearer session-1", "Bearer session-1"}, bearers(p.script))
	assert.Equal(t, "x", p.requests()[0].body)
	assert.Equal(t, 1, p.mint.count())
}

func TestTheTokenGoesNowhereElse(t *testing.T) {
	elsewhere := &script{lines: []answer{fine}}
	other := httptest.NewServer(elsewhere)
	defer other.Close()
	for name, address := range map[string]func(p *plane) string{
		"another origin":           func(*plane) string { return other.URL + "/tooling/42/" },
		"another host's name":      func(p *plane) string { return strings.Replace(p.URL, "127.0.0.1", "localhost", 1) + "/tooling/42/" },
		"the root":                 func(p *plane) string { return p.URL },
		"a path beside it":         func(p *plane) string { return p.URL + "/tooling/421" },
		"the path above it":        func(p *plane) string { return p.URL + "/tooling/" },
		"in another case":          func(p *plane) string { return p.URL + "/Tooling/42/" },
		"out by dots":              func(p *plane) string { return p.URL + "/tooling/42/../43" },
		"out by encoded dots":      func(p *plane) string { return p.URL + "/tooling/42/%2e%2e/43" },
		"out by encoded slashes":   func(p *plane) string { return p.URL + "/tooling/42/..%2f43" },
		"out by backslashes":       func(p *plane) string { return p.URL + "/tooling/42/..%5c43" },
		"with a dot":               func(p *plane) string { return p.URL + "/tooling/42/./x" },
		"with an encoded slash":    func(p *plane) string { return p.URL + "/tooling%2f42/" },
		"doubled slashes above it": func(p *plane) string { return p.URL + "//tooling/42/" },
	} {
		t.Run(name, func(t *testing.T) {
			p := startPlane(t, fine)
			assert.Equal(t, 200, post(t, p.rpc, address(p), nil))
			for _, header := range append(bearers(p.script), bearers(elsewhere)...) {
				assert.Empty(t, header)
			}
			req, err := http.NewRequest(http.MethodGet, address(p), nil)
			require.NoError(t, err)
			req.Header.Set("Authorization", "Basic of-the-callers")
			resp, err := p.rpc.Do(req)
			require.NoError(t, err)
			resp.Body.Close()
			headers := append(bearers(elsewhere), bearers(p.script)...)
			assert.Equal(t, "Basic of-the-callers", headers[len(headers)-1], "what the caller sets goes out")
			elsewhere.seen = nil
		})
	}
}

func TestRedirectsDoNotTakeTheTokenAway(t *testing.T) {
	elsewhere := &script{lines: []answer{fine}}
	other := httptest.NewServer(elsewhere)
	defer other.Close()
	for name, test := range map[string]struct {
		to      func(p *plane) string
		headers []string
	}{
		"to another origin":   {func(*plane) string { return other.URL + "/tooling/42/" }, []string{"Bearer session-1"}},
		"to another path":     {func(*plane) string { return "/tooling/43" }, []string{"Bearer session-1", ""}},
		"within the endpoint": {func(*plane) string { return "/tooling/42/x" }, []string{"Bearer session-1", "Bearer session-1"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := startPlane(t, nil, fine)
			p.lines[0] = redirects(test.to(p))
			resp, err := p.rpc.Get(p.URL + "/tooling/42/")
			require.NoError(t, err)
			resp.Body.Close()
			assert.Equal(t, 200, resp.StatusCode)
			assert.Equal(t, test.headers, bearers(p.script))
			for _, header := range bearers(elsewhere) {
				assert.Empty(t, header)
			}
		})
	}
	assert.Len(t, elsewhere.requests(), 1)
}

var unauthorized = says(401, `the token is worthless`)

func TestA401RenewsOnceAndRepeats(t *testing.T) {
	for name, body := range map[string]func() io.Reader{
		"a body that can be read again": func() io.Reader { return strings.NewReader("text") },
		"no body":                       func() io.Reader { return nil },
		"an empty body":                 func() io.Reader { return http.NoBody },
	} {
		t.Run(name, func(t *testing.T) {
			p := startPlane(t, fine, unauthorized, fine)
			for range 3 {
				assert.Equal(t, 200, post(t, p.rpc, p.URL+"/tooling/42", body()))
			}
			assert.Equal(t, []string{"Bearer session-1", "Bearer session-1", "Bearer session-2", "Bearer session-2"}, bearers(p.script))
			assert.Equal(t, p.requests()[1].body, p.requests()[2].body)
			assert.Equal(t, 2, p.mint.count())
		})
	}
	t.Run("a body that cannot", func(t *testing.T) {
		p := startPlane(t, unauthorized, fine)
		assert.Equal(t, 401, post(t, p.rpc, p.URL+"/tooling/42", io.MultiReader(strings.NewReader("text"))))
		assert.Equal(t, 200, post(t, p.rpc, p.URL+"/tooling/42", io.MultiReader(strings.NewReader("text"))))
		assert.Equal(t, []string{"Bearer session-1", "Bearer session-2"}, bearers(p.script))
	})
	t.Run("a 401 again", func(t *testing.T) {
		p := startPlane(t, unauthorized)
		resp, err := p.rpc.Get(p.URL + "/tooling/42/")
		require.NoError(t, err)
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		assert.Equal(t, "the token is worthless", string(text), "the answer is the caller's")
		assert.Len(t, p.requests(), 2)
	})
	t.Run("other failures", func(t *testing.T) {
		p := startPlane(t, says(403, `no`))
		assert.Equal(t, 403, post(t, p.rpc, p.URL+"/tooling/42", nil))
		assert.Len(t, p.requests(), 1)
	})
	t.Run("elsewhere", func(t *testing.T) {
		p := startPlane(t, unauthorized)
		assert.Equal(t, 401, post(t, p.rpc, p.URL+"/elsewhere", nil))
		assert.Len(t, p.requests(), 1)
		assert.Equal(t, 1, p.mint.count())
	})
	t.Run("the endpoint has moved", func(t *testing.T) {
		p := startPlane(t, nil)
		p.lines[0] = func(w http.ResponseWriter, r *http.Request) {
			p.mint.mu.Lock()
			p.mint.address = p.URL + "/tooling/43"
			p.mint.mu.Unlock()
			unauthorized(w, r)
		}
		assert.Equal(t, 401, post(t, p.rpc, p.URL+"/tooling/42", strings.NewReader("text")))
		assert.Len(t, p.requests(), 1)
	})
	t.Run("the renewal fails", func(t *testing.T) {
		p := startPlane(t, nil)
		p.lines[0] = func(w http.ResponseWriter, r *http.Request) {
			p.mint.fail(true)
			unauthorized(w, r)
		}
		_, err := p.rpc.Get(p.URL + "/tooling/42/")
		require.ErrorIs(t, err, rpcfleet.ErrServer)
		assert.ErrorContains(t, err, "answered 401")
		assert.Len(t, p.requests(), 1)
	})
}

func TestARepeatedRequestHasItsWholeBody(t *testing.T) {
	service := &mint{lifetime: time.Hour, address: "https://rpc.example.com/"}
	var bodies []string
	base := &http.Client{Transport: through(func(req *http.Request) (*http.Response, error) {
		recorder := httptest.NewRecorder()
		if req.URL.Host == "localhost" {
			service.ServeHTTP(recorder, req)
			return recorder.Result(), nil
		}
		text, err := io.ReadAll(req.Body)
		bodies = append(bodies, string(text))
		unauthorized(recorder, req)
		return recorder.Result(), err
	})}
	client, err := rpcfleet.New(rpcfleet.WithBaseURL("http://localhost"), rpcfleet.WithAPIKey(testKey), rpcfleet.WithHTTPClient(base))
	require.NoError(t, err)
	assert.Equal(t, 401, post(t, client.Tooling.HTTPClient(), "https://rpc.example.com/", strings.NewReader("text")))
	assert.Equal(t, []string{"text", "text"}, bodies)
}

func TestMany401sRenewOnce(t *testing.T) {
	const many = 50
	var arrived sync.WaitGroup
	arrived.Add(many)
	first, renewed := make(chan struct{}, 1), make(chan struct{})
	first <- struct{}{}
	done := sync.OnceFunc(func() { close(renewed) })
	p := startPlane(t, func(w http.ResponseWriter, r *http.Request) {
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
	assert.Equal(t, 2, p.mint.count())
	assert.Len(t, p.requests(), 2*many)
}

// body tells whether it was closed.
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
		"no token":            {func(m *mint) { m.failing = true }, "503"},
		"no address":          {func(m *mint) { m.address = "" }, "no usable address"},
		"a relative address":  {func(m *mint) { m.address = "/tooling/42" }, "no usable address"},
		"an address in plain": {func(m *mint) { m.address = "http://rpc.example.com/tooling/42/" }, "plain http"},
	} {
		t.Run(name, func(t *testing.T) {
			p := startPlane(t, fine)
			test.spoil(p.mint)
			address := p.URL
			if strings.HasPrefix(p.mint.address, "http") {
				address = p.mint.address
			}
			sent := &body{Reader: strings.NewReader("text")}
			req, err := http.NewRequest(http.MethodPost, address, sent)
			require.NoError(t, err)
			_, err = p.rpc.Do(req)
			require.ErrorContains(t, err, test.text)
			assert.Equal(t, test.text == "503", errors.Is(err, rpcfleet.ErrServer))
			assert.Empty(t, p.requests())
			assert.True(t, sent.closed, "a RoundTripper closes the body, whatever happens")
			assert.NotContains(t, err.Error(), "session-1")
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

// through answers every request itself.
type through func(*http.Request) (*http.Response, error)

func (f through) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

func TestToolingClientIsMadeOfTheConfiguredOne(t *testing.T) {
	var seen []string
	base := &http.Client{Timeout: time.Minute, Transport: through(func(req *http.Request) (*http.Response, error) {
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
