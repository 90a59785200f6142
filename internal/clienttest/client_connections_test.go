package clienttest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/test/pipenet"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestIdleConnectionsAreClosedOnDemand(t *testing.T) {
	for name, options := range map[string][]rpcfleet.Option{
		"the client's own":     nil,
		"those of http.Client": {rpcfleet.WithHTTPClient(&http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()})},
	} {
		t.Run(name, func(t *testing.T) {
			closed := make(chan struct{}, 1)
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write([]byte(`{"data":[]}`))
			}))
			server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
				if state == http.StateClosed {
					closed <- struct{}{}
				}
			}
			server.Start()
			t.Cleanup(server.Close)
			client, err := rpcfleet.New(append(options, rpcfleet.WithBaseURL(server.URL), rpcfleet.WithAPIKey("made-up"))...)
			require.NoError(t, err)
			_, err = client.Chains.List(t.Context())
			require.NoError(t, err)

			client.CloseIdleConnections()
			select {
			case <-closed:
			case <-time.After(time.Minute):
				require.Fail(t, "the connection is still open")
			}
		})
	}
}

// switches responds with 101 and keeps the connection open until the client closes it, for 15 seconds at most. It
// reports whether the client did.
func switches(closed chan<- bool) responder {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		_ = conn.SetReadDeadline(time.Now().Add(15 * time.Second))
		_, err = conn.Read(make([]byte, 1))
		closed <- !errors.Is(err, os.ErrDeadlineExceeded)
		_ = conn.Close()
	}
}

// TestA101EndsTheCallAndItsConnection: net/http returns the connection as the body, and no context ends it any more.
func TestA101EndsTheCallAndItsConnection(t *testing.T) {
	for name, call := range map[string]use{
		"read":   func(ctx context.Context, c *rpcfleet.Client) error { _, err := c.Chains.List(ctx); return err },
		"create": func(ctx context.Context, c *rpcfleet.Client) error { return createEndpoint(ctx, c) },
		"graph": func(ctx context.Context, c *rpcfleet.Client) error {
			_, err := graph.Query[map[string]int](ctx, c.Graph, "{ a }", nil)
			return err
		},
	} {
		ends := func(t *testing.T, client *rpcfleet.Client, closed <-chan bool) {
			err := call(t.Context(), client)
			var failure *rpcfleet.Error
			require.ErrorAs(t, err, &failure)
			assert.Equal(t, http.StatusSwitchingProtocols, failure.StatusCode)
			assert.Equal(t, 1, failure.Attempts)
			assert.Equal(t, name == "create", errors.Is(err, rpcfleet.ErrMaybeCarriedOut))
			assert.True(t, <-closed, "the connection was left open")
		}
		t.Run(name+", the client's own connections", func(t *testing.T) {
			closed := make(chan bool, 1)
			client, _ := scripted(t, switches(closed))
			ends(t, client, closed)
		})
		t.Run(name+", those of http.Client", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				closed := make(chan bool, 1)
				client := piped(t, switches(closed), rpcfleet.WithTimeout(time.Second))
				begun := time.Now()
				ends(t, client, closed)
				assert.Zero(t, time.Since(begun))
			})
		})
	}
}

// TestAThousandGoroutines_shareAClientAndMixNothingUp while keys rotate and the service drops every 50th connection. The
// end of the bubble shows that no goroutine is left, and the server that no connection is.
func TestAThousandGoroutines_shareAClientAndMixNothingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var open, requests, keys atomic.Int64
		http1 := pipenet.Start(t, &http.Server{
			Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if !strings.HasPrefix(r.Header.Get("X-Api-Key"), "made-up-key-") {
					w.WriteHeader(http.StatusUnauthorized)
					return
				}
				if requests.Add(1)%50 == 0 {
					panic(http.ErrAbortHandler)
				}
				id := strings.TrimPrefix(r.URL.Path, "/v0/endpoints/")
				_, _ = fmt.Fprintf(w, `{"data":{"http_url":"https://a.example.com/%s/"},"error":null}`, strings.TrimSuffix(id, "/urls"))
			}),
			ConnState: func(_ net.Conn, state http.ConnState) {
				switch state {
				case http.StateNew:
					open.Add(1)
				case http.StateClosed:
					open.Add(-1)
				}
			},
		})
		client, err := rpcfleet.New(rpcfleet.WithBaseURL("http://127.0.0.1"), rpcfleet.WithHTTPClient(http1),
			rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 9, Quota: -1}),
			rpcfleet.WithCredentialSource(source(func() (rpcfleet.Credentials, error) {
				return rpcfleet.Credentials{APIKey: scalar.NewSecret(fmt.Sprint("made-up-key-", keys.Add(1)/100))}, nil
			})))
		require.NoError(t, err)
		var running sync.WaitGroup
		for caller := range 1000 {
			running.Go(func() {
				for call := range 5 {
					id := fmt.Sprintf("ep-%d-%d", caller, call)
					urls, err := client.Endpoints.URLs(t.Context(), id)
					if assert.NoError(t, err) {
						assert.Equal(t, "https://a.example.com/"+id+"/", urls.HTTPURL.Reveal())
					}
				}
			})
		}
		running.Wait()
		client.CloseIdleConnections()
		synctest.Wait()
		assert.Zero(t, open.Load(), "connections left open")
	})
}
