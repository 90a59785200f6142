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

func parsed(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	return u
}

func TestSameOrigin_comparesSchemeHostAndPort(t *testing.T) {
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"https://api.example.com", "https://api.example.com/other?path", true},
		{"HTTPS://API.example.com", "https://api.example.COM", true},
		{"https://api.example.com", "https://api.example.com:443", true},
		{"http://api.example.com:80", "HTTP://api.example.com", true},
		{"https://api.example.com:8443", "https://api.example.com:8443", true},
		{"https://api.example.com", "http://api.example.com", false},
		{"https://api.example.com:8443", "http://api.example.com:8443", false},
		{"https://api.example.com:80", "http://api.example.com", false},
		{"https://api.example.com", "https://www.example.com", false},
		{"https://api.example.com", "https://api.example.com:444", false},
		{"https://api.example.com", "https://api.example.com:80", false},
		{"http://api.example.com", "http://api.example.com:443", false},
	} {
		a, b := parsed(t, test.a), parsed(t, test.b)
		assert.Equal(t, test.same, transport.SameOrigin(a, b), "%s %s", a, b)
		assert.Equal(t, test.same, transport.SameOrigin(b, a), "%s %s", b, a)
	}
}

// TestSend_refusesOtherOrigin for each part of the origin.
func TestSend_refusesOtherOrigin(t *testing.T) {
	for _, address := range []string{"http://other.example", "https://127.0.0.1:80", "http://127.0.0.1:81"} {
		h := serve(t, status(200))
		_, result, err := h.send(t.Context(), read, func(c *transport.Call) { c.Address = parsed(t, address) })
		assert.Equal(t, transport.Unsent, failed(t, err).Kind)
		require.ErrorContains(t, err, "not sent: the request's address is not at the configured base URL")
		assert.Empty(t, h.seen)
		assert.Empty(t, result.Secrets, "nobody was asked for any")
		assert.False(t, result.Open)
	}
}

// TestNewBase_copiesDefaultTransport with room for a fleet, if it is one of net/http's own.
func TestNewBase_copiesDefaultTransport(t *testing.T) {
	base := transport.NewBase().(*http.Transport)
	assert.Equal(t, []int{512, 512}, []int{base.MaxIdleConns, base.MaxIdleConnsPerHost})
	assert.Equal(t, http.DefaultTransport.(*http.Transport).IdleConnTimeout, base.IdleConnTimeout)
	assert.NotNil(t, base.Proxy)

	instead(t, &http.Transport{ResponseHeaderTimeout: 7})
	base = transport.NewBase().(*http.Transport)
	assert.EqualValues(t, 7, base.ResponseHeaderTimeout)
	assert.Nil(t, base.Proxy, "there was none")
	assert.NotSame(t, http.DefaultTransport, base)

	instead(t, tripper(nil))
	assert.IsType(t, tripper(nil), transport.NewBase())
}

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
		response, _, err := h.send(t.Context(), set)
		require.NoError(t, err)
		assert.Empty(t, response.Header.Get("Through"), "the caller's own transport asks net/http")
	})
	t.Run("another host", func(t *testing.T) {
		h := serve(t, status(200))
		h.config.Origin, h.config.HTTPClient = &url.URL{Scheme: "http", Host: "service.example"}, nil
		response, _, err := h.send(t.Context(), read)
		require.NoError(t, err)
		assert.Equal(t, key, response.Header.Get("Through"), "it does")
	})
}

// TestProxy_functionGetsFullOrigin, which net/http does not name in full to the proxy function of the caller.
func TestProxy_functionGetsFullOrigin(t *testing.T) {
	refused := errors.New("no way out")
	for _, full := range []string{"[2001:db8::1]:99", "192.0.2.1:99"} {
		asked := ""
		base := &http.Transport{Proxy: func(req *http.Request) (*url.URL, error) {
			asked = req.URL.Host
			return nil, &url.Error{Op: "Get", URL: "http://secret", Err: refused}
		}}
		instead(t, base)
		for _, client := range []*http.Client{nil, {Transport: base}} {
			h := own(t, "http://"+full)
			h.config.HTTPClient = client
			_, _, err := h.send(t.Context(), read, once)
			require.ErrorIs(t, err, refused)
			assert.NotContains(t, err.Error(), "secret")
			assert.Equal(t, full, asked)
			_, _ = base.Proxy(&http.Request{URL: parsed(t, "http://other.example")})
			assert.Equal(t, "other.example", asked, "the caller's transport is not changed")
		}
	}
}
