package transport

import (
	"crypto/tls"
	"net"
	"sync/atomic"
)

// place is that of a sending in a pool, if its connections are one's. The pool's lock guards it.
type place struct {
	pool  *pool         // Set before the request is sent.
	wants bool          // It has no connection yet.
	turn  chan struct{} // What was closed, or will be, to let it look for room again.
}

// join counts the sending among those under way.
func (l *place) join(p *pool) {
	l.pool = p
	l.change(func() {
		p.calls++
		l.wants = true
	})
}

// want notes that net/http looks for a connection. It may do so again, where the first one turned out to be dead.
func (l *place) want() { l.change(func() { l.wants = true }) }

// got notes that there is a connection, and after the first one what the service speaks.
func (l *place) got(conn net.Conn) {
	var encrypted *tls.Conn // The outermost one.
	for inner, is := conn.(interface{ NetConn() net.Conn }); is; inner, is = conn.(interface{ NetConn() net.Conn }) {
		if encrypted == nil {
			encrypted, _ = conn.(*tls.Conn)
		}
		conn = inner.NetConn()
	}
	made, _ := conn.(*connection)
	l.change(func() {
		l.pool.moves++
		l.wants = false
		l.pool.release(l.turn)
		if made != nil && made.used.CompareAndSwap(false, true) {
			l.pool.making--
			l.pool.shared = l.pool.shared && encrypted != nil && encrypted.ConnectionState().NegotiatedProtocol == "h2"
		}
	})
}

// leave notes that the response was read, or that there is none.
func (l *place) leave() {
	l.change(func() {
		l.pool.moves++
		l.pool.calls--
		l.wants = false
		l.pool.release(l.turn)
	})
}

// change changes the numbers of the pool, if there is one, and lets those go on who have waited for that.
func (l *place) change(numbers func()) {
	if l.pool == nil {
		return
	}
	l.pool.mu.Lock()
	defer l.pool.mu.Unlock()
	numbers()
	l.pool.next()
}

// connection is one that a pool has made.
type connection struct {
	net.Conn
	pool         *pool
	used, closed atomic.Bool
}

// Close closes the connection.
func (c *connection) Close() error {
	c.ended()
	return c.Conn.Close()
}

// ended notes that there is no connection any more, or that there never was.
func (c *connection) ended() {
	c.pool.mu.Lock()
	defer c.pool.mu.Unlock()
	if !c.closed.CompareAndSwap(false, true) {
		return
	}
	c.pool.moves++
	c.pool.open--
	if c.used.CompareAndSwap(false, true) {
		c.pool.making--
	}
	c.pool.next()
}
