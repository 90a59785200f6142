package transport_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// TestTheCertificateIsVerified connects to servers whose certificates are not trusted, or are another host's.
func TestTheCertificateIsVerified(t *testing.T) {
	for _, protocol := range []string{"https", "h2"} {
		server := count(t, protocol)
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
			t.Run(protocol+" "+name, func(t *testing.T) {
				base := http.DefaultTransport.(*http.Transport).Clone()
				base.TLSClientConfig = &tls.Config{RootCAs: c.roots}
				instead(t, base)
				_, _, err := own(t, "https://"+net.JoinHostPort(c.host, port)).send(t.Context(), create)
				if c.refuse == "" {
					require.NoError(t, err)
					return
				}
				var failure *transport.Failure
				require.ErrorAs(t, err, &failure)
				assert.Equal(t, transport.Connection, failure.Kind)
				assert.ErrorContains(t, err, c.refuse)
			})
		}
	}
}

// TestAHandshakeHasATimeLimit connects to a server that says nothing.
func TestAHandshakeHasATimeLimit(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.TLSHandshakeTimeout = 20 * time.Millisecond
	instead(t, base)
	_, _, err = own(t, "https://"+listener.Addr().String()).send(t.Context(), create, once)
	require.ErrorContains(t, err, "no TLS handshake within its time limit")
	var timeout net.Error
	require.ErrorAs(t, err, &timeout)
	assert.True(t, timeout.Timeout())
}

// TestACreateIsRepeatedWhenNoHandshakeWasMade: nothing was sent without encryption.
func TestACreateIsRepeatedWhenNoHandshakeWasMade(t *testing.T) {
	for name, end := range map[string]func(*net.TCPConn) error{
		"closed": (*net.TCPConn).Close,
		"reset":  func(conn *net.TCPConn) error { return errors.Join(conn.SetLinger(0), conn.Close()) },
	} {
		t.Run(name, func(t *testing.T) {
			closing, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			defer closing.Close()
			go func() {
				for conn, err := closing.Accept(); err == nil; conn, err = closing.Accept() {
					assert.NoError(t, end(conn.(*net.TCPConn)))
				}
			}()
			server := talk(t, true, good, "", good)
			base := http.DefaultTransport.(*http.Transport).Clone()
			base.TLSClientConfig = server.roots
			dials := 0
			base.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
				if dials++; dials <= 2 {
					address = closing.Addr().String()
				}
				return (&net.Dialer{}).DialContext(ctx, network, address)
			}
			instead(t, base)
			got, result, err := own(t, server.url).send(t.Context(), create, func(c *transport.Call) { c.Retry.BaseDelay = 0 })
			require.NoError(t, err)
			assert.Equal(t, "good", string(got.Body))
			assert.Equal(t, 3, result.Attempts)
			assert.False(t, result.MayHaveActed)
		})
	}
}

// TestAHandshakeIsTraced: who traces a call sees what net/http would tell of.
func TestAHandshakeIsTraced(t *testing.T) {
	server := talk(t, true, good, "", good)
	var steps []string
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
		TLSHandshakeStart: func() { steps = append(steps, "start") },
		TLSHandshakeDone: func(state tls.ConnectionState, err error) {
			assert.NoError(t, err)
			assert.True(t, state.HandshakeComplete)
			steps = append(steps, "done")
		},
		PutIdleConn: func(error) { steps = append(steps, "idle") },
	})
	_, _, err := server.client(t).send(ctx, read)
	require.NoError(t, err)
	assert.Equal(t, []string{"start", "done", "idle"}, steps)
}

// TestAConnectionThroughAProxy is net/http's, encryption and all.
func TestAConnectionThroughAProxy(t *testing.T) {
	for name, way := range map[string]struct {
		protocol string
		start    func(proxy *httptest.Server)
	}{
		"HTTP/1.1":                    {"https", (*httptest.Server).Start},
		"HTTP/2":                      {"h2", (*httptest.Server).Start},
		"HTTP/1.1, to it through TLS": {"https", (*httptest.Server).StartTLS},
	} {
		t.Run(name, func(t *testing.T) {
			server := count(t, way.protocol)
			asked := make(chan string, 9)
			proxy := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked <- r.Method + " " + r.Host
				client, _, err := w.(http.Hijacker).Hijack()
				if !assert.NoError(t, err) {
					return
				}
				service, err := net.Dial("tcp", server.Listener.Addr().String())
				if !assert.NoError(t, err) {
					return
				}
				_, _ = io.WriteString(client, "HTTP/1.1 200 OK\r\n\r\n")
				go func() { _, _ = io.Copy(service, client); _ = service.Close() }()
				_, _ = io.Copy(client, service)
				_ = client.Close()
			}))
			way.start(proxy)
			t.Cleanup(proxy.Close)
			address, err := url.Parse(proxy.URL)
			require.NoError(t, err)
			base := http.DefaultTransport.(*http.Transport).Clone()
			base.Proxy = http.ProxyURL(address)
			base.TLSClientConfig = &tls.Config{RootCAs: server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
			instead(t, base)
			h := own(t, "https://example.com")
			for range 3 {
				_, _, err = h.send(t.Context(), create)
				require.NoError(t, err)
			}
			assert.Equal(t, int64(1), server.opened.Load())
			assert.Equal(t, "CONNECT example.com:443", <-asked)
			server.CloseClientConnections()
		})
	}
}
