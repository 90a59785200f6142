// Package pipe is a network in memory: a listener whose connections are pipes. The bytes of HTTP over it are those of
// any other network, but nothing of it needs the machine's. Inside a testing/synctest bubble a goroutine that waits for
// a real socket keeps the clock from moving; one that waits for a pipe does not.
package pipe

import (
	"context"
	"net"
	"sync"
)

// Listener hands out the server's ends of pipes whose other ends its Dial returns. Use Listen to make one.
type Listener struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

// Listen makes a listener.
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
