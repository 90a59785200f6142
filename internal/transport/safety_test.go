package transport_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// TestCredentials_bearerTokenOnlyIfDeclared also lets the key rotate between two attempts.
func TestCredentials_bearerTokenOnlyIfDeclared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, keys := serve(t, status(502), status(200)), []string{"old", "new", "new"}
		h.config.Credentials = func(context.Context) (key, token scalar.Secret, err error) {
			return scalar.NewSecret(keys[len(h.Requests())]), scalar.NewSecret("made-up-bearer"), nil
		}
		_, _, err := h.send(t.Context(), read)
		require.NoError(t, err)
		teams := &api.Operation{ID: "listTeams", Method: http.MethodPost, Bearer: true}
		_, _, err = h.send(t.Context(), teams, func(c *transport.Call) {
			c.Body, c.Header = []byte("7"), http.Header{"X-Extra": {"more"}, "X-Api-Key": {"another"}}
		})
		require.NoError(t, err)
		assert.Equal(t, keys, h.Headers("X-Api-Key"), "a rotated key is used by the next attempt")
		assert.Equal(t, []string{"test", "test", "test"}, h.Headers("User-Agent"))
		assert.Equal(t, []string{"Bearer made-up-bearer"}, h.Headers("Authorization"))
		last := h.Requests()[2]
		assert.Equal(t, []string{"7", "application/json", "more", "Bearer made-up-bearer"}, []string{last.Body,
			last.Header.Get("Content-Type"), last.Header.Get("X-Extra"), last.Header.Get("Authorization")})
	})
}

func TestSend_sendsNothingIfThePacerOrTheCredentialsFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, err := range []error{
			errors.New("the vault is closed"),
			fmt.Errorf("the vault: %w", &url.Error{Op: "Get", URL: "https://vault.example", Err: io.EOF}), // Of its own request.
		} {
			paced, asked := serve(t, status(200)), serve(t, status(200))
			paced.config.Wait = func(context.Context) error { return err }
			asked.config.Credentials = func(context.Context) (key, token scalar.Secret, _ error) { return key, token, err }
			for _, h := range []*harness{paced, asked} {
				_, result, got := h.send(t.Context(), read)
				require.ErrorIs(t, got, err)
				assert.Equal(t, "not sent: "+err.Error(), got.Error())
				assert.Equal(t, 1, result.Attempts)
				assert.Empty(t, h.Requests())
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		h := serve(t, status(200))
		h.config.Credentials = func(context.Context) (key, token scalar.Secret, err error) { cancel(); return }
		h.through(h.config.HTTPClient.Transport.RoundTrip) // It does not know what was sent.
		_, result, err := h.send(ctx, create)
		assert.Equal(t, transport.Canceled, failed(t, err).Kind)
		assert.False(t, result.Open, "nothing was sent")
		assert.Empty(t, h.Requests())
	})
}

// look is an operation that reads, and yet has a body here.
var look = &api.Operation{ID: "lookAtThing", Method: http.MethodHead, Path: "/thing", Idempotent: true}

// TestRedirects_keepCredentialsAtOrigin runs over loopback with two servers, so that the two origins are real.
func TestRedirects_keepCredentialsAtOrigin(t *testing.T) {
	foreign := count(t, "http", 0)
	for _, test := range []struct {
		op       *api.Operation
		code     int
		to       string
		requests int
	}{
		{read, 302, foreign.URL + "/thing", 1}, {set, 307, foreign.URL + "/thing", 1}, {look, 303, foreign.URL + "/thing", 1},
		{read, 302, "https://127.0.0.1/thing", 1},
		{read, 301, "/moved", 2}, {read, 302, "/moved", 2}, {read, 303, "/moved", 2}, {read, 307, "/moved", 2},
		{look, 302, "/moved", 2}, {set, 307, "/moved", 2}, {set, 308, "/moved", 2},
		{read, 300, "/moved", 1}, {set, 301, "/moved", 1}, {set, 302, "/moved", 1}, // Those of a set would turn into a GET.
		{create, 303, "/moved", 1}, {create, 307, "/thing", 1}, {create, 308, "/moved", 1},
		{read, 302, "", 1}, {read, 302, "/moved%zz", 1}, {create, 307, "https://127.0.0.1:x/%zz", 1}, // No address.
		{read, 307, "/thing", 6}, // Round and round.
	} {
		script := scriptnet.New(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/thing" {
				w.Header().Set("Location", test.to)
				w.WriteHeader(test.code)
			}
		})
		server := httptest.NewServer(script)
		defer server.Close()
		h := own(t, server.URL)
		response, _, err := h.send(t.Context(), test.op)
		assert.Zero(t, foreign.opened.Load(), "the other origin sees nothing at all")
		assert.Equal(t, slices.Repeat([]string{key}, test.requests), script.Headers("X-Api-Key"), test)
		if test.op.Method != http.MethodGet && test.requests == 2 {
			kept := map[bool]string{true: `{"a":1}`}[test.code >= 307]
			assert.Equal(t, kept, script.Requests()[1].Body, "307 and 308 keep the body, the others drop it")
		}
		switch test.requests {
		case 1:
			require.NoError(t, err)
			assert.Equal(t, test.code, response.Status)
			assert.Equal(t, test.to, response.Header.Get("Location"), "the response is kept as it came")
		case 2:
			require.NoError(t, err)
			assert.Equal(t, http.StatusOK, response.Status)
		default:
			assert.Equal(t, transport.Connection, failed(t, err).Kind)
			require.ErrorContains(t, err, "connection failed: the service redirected too often")
		}
	}
}

func TestSend_boundsBodySize(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for name, script := range map[string]responder{
		"stated length": sends(200, 5000, long, nothing),
		"chunked":       func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, long) },
	} {
		synctest.Test(t, func(t *testing.T) {
			h := serve(t, script)
			for limit, attempts := range map[int64]int{5000: 0, math.MaxInt64: 0, 4999: 1} {
				response, result, err := h.send(t.Context(), read, func(c *transport.Call) { c.MaxBody = limit })
				if attempts == 0 {
					require.NoError(t, err)
					assert.Len(t, response.Body, 5000, name)
					continue
				}
				assert.Equal(t, transport.TooLarge, failed(t, err).Kind)
				assert.Equal(t, "response too large: more than 4999 bytes", err.Error())
				assert.Equal(t, attempts, result.Attempts, "a second attempt would bring the same")
			}
		})
	}
}

func TestCookies_useJarOfCallersClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serve(t, status(302, "Location", "/moved", "Set-Cookie", "a=cookie"), status(503), status(503),
			status(200, "Set-Cookie", "b=2"), status(200))
		h.config.HTTPClient.Jar, _ = cookiejar.New(nil)
		for range 2 {
			_, result, err := h.send(t.Context(), read)
			require.NoError(t, err)
			assert.Contains(t, result.Secrets, "cookie")
		}
		assert.Equal(t, []string{"a=cookie", "a=cookie", "a=cookie", "a=cookie; b=2"}, h.Headers("Cookie"))
	})
}

func TestTLS_refusesUntrustedCertificates(t *testing.T) {
	for _, protocol := range []string{"https", "h2"} {
		server := count(t, protocol, 0)
		trusted := server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
		for refused, c := range map[string]struct {
			host  string
			roots *x509.CertPool
		}{
			"": {"127.0.0.1", trusted}, "unknown authority": {"127.0.0.1", x509.NewCertPool()},
			"certificate is valid for": {"localhost", trusted},
		} {
			base := http.DefaultTransport.(*http.Transport).Clone()
			base.TLSClientConfig = &tls.Config{RootCAs: c.roots}
			instead(t, base)
			_, _, err := own(t, strings.Replace(server.URL, "127.0.0.1", c.host, 1)).send(t.Context(), create)
			if refused == "" {
				require.NoError(t, err)
				continue
			}
			assert.Equal(t, transport.Connection, failed(t, err).Kind, refused)
			assert.ErrorContains(t, err, refused)
		}
	}
}

func TestTLS_handshakeTimesOut(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.TLSHandshakeTimeout = 20 * time.Millisecond
	instead(t, base)
	_, result, err := own(t, "https://"+listener.Addr().String()).send(t.Context(), create, once)
	require.ErrorContains(t, err, "TLS handshake: ")
	var timeout net.Error
	require.ErrorAs(t, err, &timeout)
	assert.True(t, timeout.Timeout())
	assert.False(t, result.Open, "nothing was sent")
}

// TestSend_createIsRepeatedIfNothingWasSent: there was no connection, or it was closed at once. Each attempt makes
// another one.
func TestSend_createIsRepeatedIfNothingWasSent(t *testing.T) {
	closed := func() (net.Conn, error) {
		client, server := net.Pipe()
		return client, server.Close()
	}
	reset := &net.OpError{Op: "read", Err: syscall.ECONNRESET}
	for name, dialed := range map[string]func() (net.Conn, error){
		"refused": func() (net.Conn, error) { return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED} },
		"closed":  closed,
		"reset":   func() (net.Conn, error) { conn, err := closed(); return &brittle{Conn: conn, reads: reset}, err },
	} {
		for _, protocol := range []string{"http", "https", "h2"} {
			server := count(t, protocol, 0)
			base := server.Client().Transport.(*http.Transport).Clone()
			dials := 0
			base.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
				if dials++; dials <= 2 {
					return dialed()
				}
				return (&net.Dialer{}).DialContext(ctx, network, address)
			}
			instead(t, base)
			_, result, err := own(t, server.URL).send(t.Context(), create, func(c *transport.Call) { c.BaseDelay = 0 })
			require.NoError(t, err, "%s over %s", name, protocol)
			assert.Equal(t, []int{3, 3}, []int{result.Attempts, dials})
			assert.False(t, result.MayHaveActed)
		}
	}
}

func TestSameOrigin_comparesSchemeHostAndPort(t *testing.T) {
	for pair, same := range map[string]bool{
		"HTTPS://API.example.com https://api.example.COM/other?path": true,
		"https://api.example.com https://api.example.com:443":        true,
		"http://api.example.com:80 HTTP://api.example.com":           true,
		"https://api.example.com:8443 https://api.example.com:8443":  true,
		"https://api.example.com:8443 http://api.example.com:8443":   false,
		"https://api.example.com https://www.example.com":            false,
		"https://api.example.com https://api.example.com:80":         false,
		"http://api.example.com http://api.example.com:443":          false,
	} {
		one, other, _ := strings.Cut(pair, " ")
		a, b := parsed(t, one), parsed(t, other)
		assert.Equal(t, []bool{same, same}, []bool{transport.SameOrigin(a, b), transport.SameOrigin(b, a)}, pair)
	}
}

// TestSend_refusesOtherOrigin for each part of the origin.
func TestSend_refusesOtherOrigin(t *testing.T) {
	for _, address := range []string{"http://other.example", "https://127.0.0.1", "http://127.0.0.1:81"} {
		h := serve(t, status(200))
		_, result, err := h.send(t.Context(), read, func(c *transport.Call) { c.Address = parsed(t, address) })
		assert.Equal(t, transport.Unsent, failed(t, err).Kind)
		require.ErrorContains(t, err, "not sent: the request's address is not at the configured base URL")
		assert.Empty(t, h.Requests())
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

// TestProxy_loopbackIsDirect although every request has a proxy.
func TestProxy_loopbackIsDirect(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Through", r.Header.Get("X-Api-Key"))
	}))
	defer proxy.Close()
	direct := count(t, "http", 0)
	instead(t, &http.Transport{Proxy: http.ProxyURL(parsed(t, proxy.URL))})
	for _, host := range []string{"localhost", "LOCALHOST", "LocalHost", "127.0.0.1", "127.8.9.1", "[::1]",
		"[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "service.example"} {
		for _, client := range []*http.Client{nil, {}} {
			h := own(t, strings.Replace(direct.URL, "127.0.0.1", host, 1))
			h.config.HTTPClient = client
			require.Equal(t, host != "service.example", transport.IsLoopback(h.config.Origin), host)
			response, _, err := h.send(t.Context(), read, once)
			if host == "service.example" {
				require.NoError(t, err)
				assert.Equal(t, key, response.Header.Get("Through"))
			} else if err == nil { // There may be no listener at some of the addresses.
				assert.Empty(t, response.Header.Get("Through"), host)
			}
		}
	}
	assert.Positive(t, direct.opened.Load())
}

// TestProxy_carriesHTTP2 through a tunnel, with a transport that has made its TLS configuration itself.
func TestProxy_carriesHTTP2(t *testing.T) {
	server := count(t, "h2", 0)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to, err := net.Dial("tcp", r.Host)
		assert.NoError(t, err)
		from, buffered, err := http.NewResponseController(w).Hijack()
		assert.NoError(t, err)
		_, _ = io.WriteString(from, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { _, _ = io.Copy(to, buffered) }()
		_, _ = io.Copy(from, to)
	}))
	defer proxy.Close()
	base := &http.Transport{Proxy: http.ProxyURL(parsed(t, proxy.URL))}
	_ = base.Clone()
	base.TLSClientConfig.RootCAs = server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	h := own(t, server.URL)
	h.config.HTTPClient = &http.Client{Transport: base}
	response, _, err := h.send(t.Context(), read, once)
	require.NoError(t, err)
	assert.Equal(t, "HTTP/2.0", response.Protocol)
	h.CloseIdleConnections()
}

// TestProxy_functionGetsFullOrigin, which net/http does not name in full to the proxy function of the caller.
func TestProxy_functionGetsFullOrigin(t *testing.T) {
	refused := errors.New("no way out")
	for _, full := range []string{"[2001:db8::1]:99", "192.0.2.1:99"} {
		var asked []string
		base := &http.Transport{Proxy: func(req *http.Request) (*url.URL, error) {
			asked = append(asked, req.URL.Host)
			return nil, &url.Error{Op: "Get", URL: "http://secret", Err: refused}
		}}
		instead(t, base)
		for _, client := range []*http.Client{nil, {Transport: base}} {
			asked = nil
			h := own(t, "http://"+full)
			h.config.HTTPClient = client
			_, _, err := h.send(t.Context(), read, once)
			require.ErrorIs(t, err, refused)
			assert.NotContains(t, err.Error(), "secret")
			assert.Subset(t, []string{full}, asked)
			_, _ = base.Proxy(&http.Request{URL: parsed(t, "http://other.example")})
			assert.Contains(t, asked, "other.example", "the caller's transport is not changed")
		}
	}
}
