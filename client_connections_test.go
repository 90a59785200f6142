package rpcfleet_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
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
