package transport_test

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// counted is a server that counts its connections.
type counted struct {
	*httptest.Server
	opened    atomic.Int64
	protocols sync.Map
}

// count starts one: of plain HTTP, of HTTP/1.1 over TLS, or of HTTP/2.
func count(t *testing.T, protocol string) *counted {
	c := &counted{}
	c.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.protocols.Store(r.Proto, true)
		_, _ = io.WriteString(w, `{}`)
	}))
	c.EnableHTTP2 = protocol == "h2"
	c.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			c.opened.Add(1)
		}
	}
	if protocol == "http" {
		c.Start()
	} else {
		c.StartTLS()
	}
	t.Cleanup(c.Close)
	return c
}

// instead puts a transport in the place of net/http's own for a test.
func instead(t *testing.T, base http.RoundTripper) {
	usual := http.DefaultTransport
	t.Cleanup(func() { http.DefaultTransport = usual })
	http.DefaultTransport = base
}

// own returns a transport with connections of its own to a server.
func own(t *testing.T, address string) *harness {
	h := serve(t)
	origin, err := url.Parse(address)
	require.NoError(t, err)
	h.config.Origin, h.config.HTTPClient, h.config.Logger = origin, nil, nil
	h.Transport = transport.New(h.config)
	return h
}

// TestNoMoreConnectionsThanCallers counts on the server what many callers connect with, each of which makes one call after
// another.
func TestNoMoreConnectionsThanCallers(t *testing.T) {
	transport.HoldForLong(t) // On a busy machine nothing may move for longer than a call is held up.
	for _, fleet := range []struct {
		protocol             string
		callers, calls, most int
	}{
		{"http", 1, 20, 1}, {"http", 64, 200, 64}, {"http", 128, 200, 128}, {"https", 64, 50, 64}, {"h2", 64, 50, 4}, {"h2", 128, 50, 4},
	} {
		t.Run(fmt.Sprint(fleet.protocol, " ", fleet.callers), func(t *testing.T) {
			server := count(t, fleet.protocol)
			base := http.DefaultTransport.(*http.Transport).Clone()
			if fleet.protocol != "http" {
				base.TLSClientConfig = &tls.Config{RootCAs: server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
			}
			instead(t, base)
			h := own(t, server.URL)
			var running sync.WaitGroup
			for range fleet.callers {
				running.Go(func() {
					for range fleet.calls {
						_, _, err := h.send(t.Context(), read)
						assert.NoError(t, err)
					}
				})
			}
			running.Wait()
			t.Log(server.opened.Load(), "connections")
			// There, net/http also gives up one now and then that it could not hand back in time.
			assert.LessOrEqual(t, server.opened.Load(), int64(fleet.most+fleet.callers/16))
			_, shared := server.protocols.Load("HTTP/2.0")
			assert.Equal(t, fleet.protocol == "h2", shared)
		})
	}
}
