// Package pipenet serves HTTP over in-memory pipes, for tests in a testing/synctest bubble.
package pipenet

import (
	"net/http"
	"testing"

	"github.com/rpcfleet/rpcfleet-go/internal/test/pipe"
)

// Serve starts a server for the handler and returns a client that connects to it for any http URL. Both end with the
// test.
func Serve(t testing.TB, handler http.Handler) *http.Client {
	t.Helper()
	return Start(t, &http.Server{Handler: handler})
}

// Start is like Serve with the caller's server.
func Start(t testing.TB, server *http.Server) *http.Client {
	t.Helper()
	listener := pipe.Listen()
	go server.Serve(listener) //nolint:errcheck // It ends with ErrServerClosed when the test does.
	base := &http.Transport{DialContext: listener.Dial}
	t.Cleanup(func() {
		base.CloseIdleConnections()
		_ = server.Close()
	})
	return &http.Client{Transport: base}
}
