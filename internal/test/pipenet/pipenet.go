// Package pipenet serves HTTP over pipes in memory, for tests of time: inside a testing/synctest bubble a goroutine
// that waits for a real socket keeps the clock from moving, one that waits for a pipe does not. The bytes are those of
// real HTTP, read and written by net/http on both sides.
package pipenet

import (
	"net/http"
	"testing"

	"github.com/rpcfleet/rpcfleet-go/internal/test/pipe"
)

// Serve starts a server for the handler and returns a client that reaches it under any plain-http address. Both end
// with the test.
func Serve(t testing.TB, handler http.Handler) *http.Client {
	t.Helper()
	return Start(t, &http.Server{Handler: handler})
}

// Start is Serve with a server of the caller's own.
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
