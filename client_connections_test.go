package rpcfleet_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
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
