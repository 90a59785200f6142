package transport

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestConnectionsAreAsManyAsCallers counts on the server what many callers at a time connect with.
func TestConnectionsAreAsManyAsCallers(t *testing.T) {
	for protocol, counts := range map[string][]int{"http": {8, 64, 128}, "https": {64}, "h2": {64, 128}} {
		for _, callers := range counts {
			t.Run(fmt.Sprint(protocol, " ", callers), func(t *testing.T) {
				var opened, closed atomic.Int64
				server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					_, _ = io.WriteString(w, r.Proto)
				}))
				server.EnableHTTP2 = protocol == "h2"
				server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
					switch state {
					case http.StateNew:
						opened.Add(1)
					case http.StateClosed:
						closed.Add(1)
					}
				}
				base := defaultBase().(*connections)
				defer base.CloseIdleConnections()
				if protocol == "http" {
					server.Start()
				} else {
					server.StartTLS()
					base.TLSClientConfig.RootCAs = server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
				}
				defer server.Close()
				var running sync.WaitGroup
				for range callers {
					running.Go(func() {
						for range 200 {
							ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{WroteHeaders: func() {}})
							req, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, http.NoBody)
							if !assert.NoError(t, err) {
								return
							}
							resp, err := base.RoundTrip(req)
							if !assert.NoError(t, err) {
								return
							}
							body, err := io.ReadAll(resp.Body)
							assert.NoError(t, err)
							assert.Equal(t, protocol == "h2", string(body) == "HTTP/2.0")
							_ = resp.Body.Close()
						}
					})
				}
				running.Wait()
				most := int64(callers)
				if protocol == "h2" {
					most = min(most, 4)
				}
				// On a busy machine net/http gives up a connection now and then whose writing end is late.
				assert.LessOrEqual(t, opened.Load(), most+closed.Load())
				assert.LessOrEqual(t, closed.Load(), int64(4), "they are kept for reuse")
				base.mu.Lock()
				defer base.mu.Unlock()
				assert.Empty(t, base.uses)
			})
		}
	}
}
