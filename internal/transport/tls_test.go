package transport_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// TestTLS_refusesUntrustedCertificates connects to servers with certificates that are not trusted, or are another
// host's.
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

// TestTLS_handshakeTimesOut connects to a server that never responds.
func TestTLS_handshakeTimesOut(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.TLSHandshakeTimeout = 20 * time.Millisecond
	instead(t, base)
	_, result, err := own(t, "https://"+listener.Addr().String()).send(t.Context(), create, once)
	require.ErrorContains(t, err, "TLS handshake timeout")
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
