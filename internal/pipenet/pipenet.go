// Package pipenet serves HTTP over pipes in memory, for tests of time: inside a testing/synctest bubble a goroutine
// that waits for a real socket keeps the clock from moving, one that waits for a pipe does not. The bytes are those of
// real HTTP, read and written by net/http on both sides.
package pipenet

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"
)

// Listener hands out the server's ends of pipes whose other ends its Dial returns.
type Listener struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

// Accept waits for the next Dial.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conns:
		return conn, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

// Close ends the listener.
func (l *Listener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

// Addr names the listener.
func (l *Listener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "pipe"} }

// Dial connects to the listener, whatever the address.
func (l *Listener) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case l.conns <- theirs:
		return ours, nil
	case <-l.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Serve starts a server for the handler and returns a client that reaches it under any plain-http address. Both end
// with the test.
func Serve(t testing.TB, handler http.Handler) *http.Client {
	t.Helper()
	return Start(t, &http.Server{Handler: handler})
}

// Start is Serve with a server of the caller's own.
func Start(t testing.TB, server *http.Server) *http.Client {
	t.Helper()
	listener := &Listener{conns: make(chan net.Conn), done: make(chan struct{})}
	go server.Serve(listener) //nolint:errcheck // It ends with ErrServerClosed when the test does.
	base := &http.Transport{DialContext: listener.Dial}
	t.Cleanup(func() {
		base.CloseIdleConnections()
		_ = server.Close()
	})
	return &http.Client{Transport: base}
}
