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
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// TestCredentials_bearerTokenOnlyIfDeclared also lets the key rotate between two attempts.
func TestCredentials_bearerTokenOnlyIfDeclared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serve(t, status(502), status(200))
		attempts := 0
		h.config.Credentials = func(context.Context) (key, token scalar.Secret, err error) {
			attempts++
			key = scalar.NewSecret([]string{"", "old", "new", "new"}[attempts])
			return key, scalar.NewSecret("made-up-bearer"), nil
		}
		_, _, err := h.send(t.Context(), read)
		require.NoError(t, err)
		teams := &api.Operation{ID: "listTeams", Method: http.MethodPost, Bearer: true}
		_, _, err = h.send(t.Context(), teams, func(c *transport.Call) {
			c.Body, c.Header = []byte("7"), http.Header{"X-Extra": {"more"}, "X-Api-Key": {"another"}}
		})
		require.NoError(t, err)
		require.Len(t, h.seen, 3)
		for i, key := range []string{"old", "new", "new"} {
			assert.Equal(t, key, h.seen[i].header.Get("X-Api-Key"), "a rotated key is used by the next attempt")
			assert.Equal(t, "test", h.seen[i].header.Get("User-Agent"))
		}
		assert.Empty(t, h.seen[0].header.Get("Authorization"))
		assert.Equal(t, "Bearer made-up-bearer", h.seen[2].header.Get("Authorization"))
		assert.Equal(t, "7", h.seen[2].body)
		assert.Equal(t, "application/json", h.seen[2].header.Get("Content-Type"))
		assert.Equal(t, "more", h.seen[2].header.Get("X-Extra"))
	})
}

func TestSend_sendsNothingIfThePacerOrTheCredentialsFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serve(t, status(200))
		credentials := h.config.Credentials
		for _, err := range []error{
			errors.New("the vault is closed"),
			fmt.Errorf("the vault: %w", &url.Error{Op: "Get", URL: "https://vault.example", Err: io.EOF}), // Of its own request.
		} {
			h.config.Wait, h.config.Credentials = func(context.Context) error { return err }, credentials
			for range 2 {
				h.Transport = transport.New(h.config)
				_, result, got := h.send(t.Context(), read)
				require.ErrorIs(t, got, err)
				assert.Equal(t, "not sent: "+err.Error(), got.Error())
				assert.Equal(t, 1, result.Attempts)
				h.config.Wait = nil
				h.config.Credentials = func(context.Context) (key, token scalar.Secret, _ error) { return key, token, err }
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		h.config.Credentials = func(context.Context) (key, token scalar.Secret, err error) { cancel(); return }
		own := h.config.HTTPClient.Transport
		h.config.HTTPClient = &http.Client{Transport: tripper(own.RoundTrip)} // It does not know what was sent.
		h.Transport = transport.New(h.config)
		_, result, err := h.send(ctx, create)
		assert.Equal(t, transport.Canceled, failed(t, err).Kind)
		assert.False(t, result.Open, "nothing was sent")
		assert.Empty(t, h.seen)
	})
}

// look is an operation that reads, and yet has a body here.
var look = &api.Operation{ID: "lookAtThing", Method: http.MethodHead, Path: "/thing", Idempotent: true}

// TestRedirects_keepCredentialsAtOrigin runs over loopback with two servers, so that the two origins are real.
func TestRedirects_keepCredentialsAtOrigin(t *testing.T) {
	var elsewhere []http.Header
	foreign := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		elsewhere = append(elsewhere, r.Header.Clone())
	}))
	defer foreign.Close()
	for name, test := range map[string]struct {
		op       *api.Operation
		code     int
		to       string
		requests int
		status   int
	}{
		"302 to another origin":            {read, 302, foreign.URL + "/thing", 1, 302},
		"307 to another origin":            {set, 307, foreign.URL + "/thing", 1, 307},
		"302 to another scheme":            {read, 302, "https://127.0.0.1/thing", 1, 302},
		"301 of a read on the same origin": {read, 301, "/moved", 2, 200},
		"302 of a read on the same origin": {read, 302, "/moved", 2, 200},
		"303 of a read on the same origin": {read, 303, "/moved", 2, 200},
		"307 of a read on the same origin": {read, 307, "/moved", 2, 200},
		"300 of a read on the same origin": {read, 300, "/moved", 1, 300},
		"302 of a look on the same origin": {look, 302, "/moved", 2, 200},
		"303 of a look to another origin":  {look, 303, foreign.URL + "/thing", 1, 303},
		"307 of a set on the same origin":  {set, 307, "/moved", 2, 200},
		"308 of a set on the same origin":  {set, 308, "/moved", 2, 200},
		"301 that would turn into a GET":   {set, 301, "/moved", 1, 301},
		"302 that would turn into a GET":   {set, 302, "/moved", 1, 302},
		"303 that would turn into a GET":   {create, 303, "/moved", 1, 303},
		"307 of a create, round and round": {create, 307, "/thing", 1, 307},
		"308 of a create":                  {create, 308, "/moved", 1, 308},
		"302 to nowhere":                   {read, 302, "", 1, 302},
		"302 to what is no address":        {read, 302, "/moved%zz", 1, 302},
		"307 to what is no address":        {create, 307, "https://127.0.0.1:x/%zz", 1, 307},
		"307 round and round":              {read, 307, "/thing", 6, 0},
	} {
		t.Run(name, func(t *testing.T) {
			elsewhere = nil
			var keys, bodies []string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				keys = append(keys, r.Header.Get("X-Api-Key"))
				body, _ := io.ReadAll(r.Body)
				bodies = append(bodies, string(body))
				if r.URL.Path == "/thing" {
					w.Header().Set("Location", test.to)
					w.WriteHeader(test.code)
				}
			}))
			defer server.Close()
			h := serve(t, status(200))
			h.config.HTTPClient = nil
			origin, err := url.Parse(server.URL)
			require.NoError(t, err)
			h.config.Origin = origin
			response, _, err := h.send(t.Context(), test.op)
			assert.Empty(t, elsewhere, "the other origin sees nothing at all")
			assert.Len(t, keys, test.requests)
			if test.op.Method != http.MethodGet && test.requests == 2 {
				kept := map[bool]string{true: `{"a":1}`}[test.code >= 307]
				assert.Equal(t, []string{`{"a":1}`, kept}, bodies, "307 and 308 keep the body, the others drop it")
			}
			for _, sent := range keys {
				assert.Equal(t, key, sent)
			}
			if test.status == 0 {
				assert.Equal(t, transport.Connection, failed(t, err).Kind)
				require.ErrorContains(t, err, "connection failed: the service redirected too often")
				return
			}
			require.NoError(t, err)
			assert.Equal(t, test.status, response.Status)
			if test.status >= 300 {
				assert.Equal(t, test.to, response.Header.Get("Location"), "the response is kept as it came")
			}
		})
	}
}

func TestSend_boundsBodySize(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for name, script := range map[string]responder{
		"stated length": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "5000")
			_, _ = w.Write([]byte(long))
		},
		"chunked": func(w http.ResponseWriter, _ *http.Request) {
			w.(http.Flusher).Flush()
			_, _ = w.Write([]byte(long))
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := serve(t, script)
			response, _, err := h.send(t.Context(), read, func(c *transport.Call) { c.MaxBody = 5000 })
			require.NoError(t, err)
			assert.Len(t, response.Body, 5000, name)

			response, _, err = h.send(t.Context(), read, func(c *transport.Call) { c.MaxBody = math.MaxInt64 })
			require.NoError(t, err)
			assert.Len(t, response.Body, 5000, "the largest limit is one as well")

			_, result, err := h.send(t.Context(), read, func(c *transport.Call) { c.MaxBody = 4999 })
			assert.Equal(t, transport.TooLarge, failed(t, err).Kind)
			assert.Equal(t, "response too large: more than 4999 bytes", err.Error())
			assert.Equal(t, 1, result.Attempts, "a second attempt would bring the same")
		})
	}
}

func TestCookies_useJarOfCallersClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serve(t, status(302, "Location", "/moved", "Set-Cookie", "a=cookie"), status(503), status(503),
			status(200, "Set-Cookie", "b=2"), status(200))
		var err error
		h.config.HTTPClient.Jar, err = cookiejar.New(nil)
		require.NoError(t, err)
		for range 2 {
			_, result, err := h.send(t.Context(), read)
			require.NoError(t, err)
			assert.Contains(t, result.Secrets, "cookie")
		}
		var sent []string
		for _, seen := range h.seen {
			sent = append(sent, seen.header.Get("Cookie"))
		}
		assert.Equal(t, []string{"", "a=cookie", "a=cookie", "a=cookie", "a=cookie; b=2"}, sent)
	})
}

func TestTLS_refusesUntrustedCertificates(t *testing.T) {
	for _, protocol := range []string{"https", "h2"} {
		server := count(t, protocol, 0)
		trusted := server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
		_, port, err := net.SplitHostPort(server.Listener.Addr().String())
		require.NoError(t, err)
		for name, c := range map[string]struct {
			host   string
			roots  *x509.CertPool
			refuse string
		}{
			"trusted":          {"127.0.0.1", trusted, ""},
			"of somebody else": {"127.0.0.1", x509.NewCertPool(), "unknown authority"},
			"of another host":  {"localhost", trusted, "certificate is valid for"},
		} {
			base := http.DefaultTransport.(*http.Transport).Clone()
			base.TLSClientConfig = &tls.Config{RootCAs: c.roots}
			instead(t, base)
			_, _, err := own(t, "https://"+net.JoinHostPort(c.host, port)).send(t.Context(), create)
			if c.refuse == "" {
				require.NoError(t, err, name)
				continue
			}
			assert.Equal(t, transport.Connection, failed(t, err).Kind, name)
			assert.ErrorContains(t, err, c.refuse)
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
	require.ErrorContains(t, err, "TLS handshake timeout")
	var timeout net.Error
	require.ErrorAs(t, err, &timeout)
	assert.True(t, timeout.Timeout())
	assert.False(t, result.Open, "nothing was sent")
}

// TestSend_createIsRepeatedIfNothingWasSent, nor a connection: nothing was sent.
func TestSend_createIsRepeatedIfNothingWasSent(t *testing.T) {
	for name, end := range map[string]func(*net.TCPConn) error{
		"refused": nil,
		"closed":  (*net.TCPConn).Close,
		"reset":   func(conn *net.TCPConn) error { return errors.Join(conn.SetLinger(0), conn.Close()) },
	} {
		t.Run(name, func(t *testing.T) {
			closing, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			defer closing.Close()
			if end == nil {
				require.NoError(t, closing.Close())
			}
			go func() {
				for conn, err := closing.Accept(); err == nil; conn, err = closing.Accept() {
					assert.NoError(t, end(conn.(*net.TCPConn)))
				}
			}()
			server := count(t, "https", 0)
			base := server.Client().Transport.(*http.Transport).Clone()
			dials := 0
			base.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
				if dials++; dials <= 2 {
					address = closing.Addr().String()
				}
				return (&net.Dialer{}).DialContext(ctx, network, address)
			}
			instead(t, base)
			_, result, err := own(t, server.URL).send(t.Context(), create, func(c *transport.Call) { c.BaseDelay = 0 })
			require.NoError(t, err)
			assert.Equal(t, 3, result.Attempts)
			assert.False(t, result.MayHaveActed)
		})
	}
}

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
	for _, address := range []string{"http://other.example", "https://127.0.0.1", "http://127.0.0.1:81"} {
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

// TestProxy_loopbackIsDirect although every request has a proxy.
func TestProxy_loopbackIsDirect(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Through", r.Header.Get("X-Api-Key"))
	}))
	defer proxy.Close()
	direct := count(t, "http", 0)
	_, port, _ := strings.Cut(direct.Listener.Addr().String(), ":")
	instead(t, &http.Transport{Proxy: http.ProxyURL(parsed(t, proxy.URL))})
	for _, host := range []string{"localhost", "LOCALHOST", "LocalHost", "127.0.0.1", "127.8.9.1", "[::1]",
		"[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "service.example"} {
		origin := parsed(t, "http://"+host+":"+port)
		require.Equal(t, host != "service.example", transport.IsLoopback(origin), host)
		for name, client := range map[string]*http.Client{"none": nil, "one without a transport": {}} {
			h := serve(t, status(200))
			h.config.Origin, h.config.HTTPClient = origin, client
			response, _, err := h.send(t.Context(), read, once)
			switch {
			case !transport.IsLoopback(origin):
				require.NoError(t, err)
				assert.Equal(t, key, response.Header.Get("Through"))
			case err == nil: // There may be no listener at some of the addresses.
				assert.Empty(t, response.Header.Get("Through"), name)
			}
		}
	}
	assert.Positive(t, direct.opened.Load())
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
