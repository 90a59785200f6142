package transport_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// TestProxy_loopbackIsDirect runs itself again with a proxy in the environment, which net/http reads once.
func TestProxy_loopbackIsDirect(t *testing.T) {
	const inside = "RPCFLEET_TEST_INSIDE"
	if os.Getenv(inside) == "" {
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Through", r.Header.Get("X-Api-Key"))
		}))
		defer proxy.Close()
		again := exec.Command(os.Args[0], "-test.run=^TestProxy_loopbackIsDirect$", "-test.v")
		again.Env = append(os.Environ(), inside+"=1", "HTTP_PROXY="+proxy.URL, "NO_PROXY=", "no_proxy=")
		output, err := again.CombinedOutput()
		require.NoError(t, err, string(output))
		require.Contains(t, string(output), "--- PASS: TestProxy_loopbackIsDirect/", "it has run")
		return
	}
	direct := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/thing" {
			_, port, _ := strings.Cut(r.Host, ":")
			http.Redirect(w, r, "http://LocalHost:"+port+"/moved", http.StatusTemporaryRedirect)
		}
	}))
	defer direct.Close()
	_, port, _ := strings.Cut(direct.Listener.Addr().String(), ":")
	for _, host := range []string{"localhost", "LOCALHOST", "LocalHost", "127.0.0.1", "127.8.9.1", "[::1]",
		"[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]"} {
		t.Run(host, func(t *testing.T) {
			origin, err := url.Parse("http://" + host + ":" + port)
			require.NoError(t, err)
			require.True(t, transport.IsLoopback(origin))
			for name, client := range map[string]*http.Client{"none": nil, "one without a transport": {}} {
				h := serve(t, status(200))
				h.config.Origin, h.config.HTTPClient = origin, client
				h.Transport = transport.New(h.config)
				response, _, err := h.send(t.Context(), read)
				if err == nil { // There may be no listener at some of the addresses.
					assert.Empty(t, response.Header.Get("Through"), name)
				}
			}
		})
	}
	t.Run("a redirect that spells it differently", func(t *testing.T) {
		h := serve(t, status(200))
		h.config.Origin = &url.URL{Scheme: "http", Host: "localhost:" + port}
		h.config.HTTPClient = &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment}}
		h.Transport = transport.New(h.config)
		response, _, err := h.send(t.Context(), set)
		require.NoError(t, err)
		assert.Empty(t, response.Header.Get("Through"), "the caller's own transport asks net/http")
	})
	t.Run("another host", func(t *testing.T) {
		h := serve(t, status(200))
		h.config.Origin, h.config.HTTPClient = &url.URL{Scheme: "http", Host: "service.example"}, nil
		h.Transport = transport.New(h.config)
		response, _, err := h.send(t.Context(), read)
		require.NoError(t, err)
		assert.Equal(t, key, response.Header.Get("Through"), "it does")
	})
}

// TestProxy_functionGetsFullOrigin, which net/http does not name in full to the proxy function of the caller.
func TestProxy_functionGetsFullOrigin(t *testing.T) {
	refused := errors.New("no way out")
	for _, test := range []struct{ origin, asked, callers string }{
		{"http://[2001:db8::1]:99", "[2001:db8::1]:99", "[2001:db8::1]:99"},
		{"http://192.0.2.1:99", "192.0.2.1:99", "192.0.2.1"},
	} {
		asked := ""
		base := &http.Transport{Proxy: func(req *http.Request) (*url.URL, error) {
			asked = req.URL.Host
			return nil, &url.Error{Op: "Get", URL: "http://secret", Err: refused}
		}}
		instead(t, base)
		for client, want := range map[*http.Client]string{nil: test.asked, {Transport: base}: test.callers} {
			h := own(t, test.origin)
			h.config.HTTPClient = client
			h.Transport = transport.New(h.config)
			_, _, err := h.send(t.Context(), read, once)
			require.ErrorIs(t, err, refused)
			assert.NotContains(t, err.Error(), "secret")
			assert.Equal(t, want, asked)
			_, _ = base.Proxy(&http.Request{URL: parsed(t, "http://other.example")})
			assert.Equal(t, "other.example", asked, "the caller's transport is not changed")
		}
	}
}
