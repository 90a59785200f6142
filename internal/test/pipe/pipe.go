// Package pipe provides an in-memory net.Listener for testing/synctest, in which a goroutine that waits for a real
// socket stops the clock.
package pipe

import (
	"context"
	"net"
	"sync"
)

// Listener accepts the connections that Dial makes. Use Listen to create one.
type Listener struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

// Listen returns a listener.
func Listen() *Listener { return &Listener{conns: make(chan net.Conn), done: make(chan struct{})} }

// Accept waits for the next Dial.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conns:
		return conn, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

// Close stops the listener.
func (l *Listener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

// Addr returns the name of the network.
func (l *Listener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "pipe"} }

// Dial connects to the listener. It ignores the address.
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
