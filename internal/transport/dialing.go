package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"
)

// errServed ends the making of a connection for a request that has got another one meanwhile. Nobody sees it.
var errServed = errors.New("the request has got another connection")

// maxHold is how long a request waits at most for a connection of another one. It is a guard: to make one connection too
// many is better than to wait for one that does not come. maxSharedHold is the same where connections are shared, which
// may be in use to their limit.
const (
	maxHold       = 10 * time.Second
	maxSharedHold = time.Second
)

// connections is an http.Transport that has no more connections than there have been requests at a time. net/http begins
// one for each request that finds none idle, and the request then takes what comes first, so that a burst leaves
// connections over. Here one begins only while there are fewer than requests; and until the protocol is known, or where
// it is HTTP/2, whose connections are shared, one at a time.
type connections struct {
	*http.Transport
	dial func(ctx context.Context, network, address string) (net.Conn, error)

	mu sync.Mutex
	// uses are the requests under way, until their bodies are closed, by their traces.
	uses map[*httptrace.ClientTrace]*use
	// held is how many of them have a connection held back, open how many connections there are, and making how many of
	// those have not been used yet.
	held, open, making int
	// shared is set while connections may be of HTTP/2.
	shared bool
}

func newConnections(base *http.Transport) *connections {
	c := &connections{Transport: base, dial: base.DialContext, uses: map[*httptrace.ClientTrace]*use{}, shared: true}
	if c.dial == nil {
		c.dial = (&net.Dialer{}).DialContext
	}
	base.DialContext = c.connect
	if base.TLSClientConfig == nil {
		base.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	verify := base.TLSClientConfig.VerifyConnection
	base.TLSClientConfig.VerifyConnection = func(state tls.ConnectionState) error {
		c.negotiated(state.NegotiatedProtocol)
		if verify == nil {
			return nil
		}
		return verify(state)
	}
	return c
}

// RoundTrip sends a request. It is known by its trace: see send.
func (c *connections) RoundTrip(req *http.Request) (*http.Response, error) {
	trace := httptrace.ContextClientTrace(req.Context())
	if trace == nil {
		return c.Transport.RoundTrip(req)
	}
	u := c.begin(trace, req.URL.Scheme)
	resp, err := c.Transport.RoundTrip(req)
	if err != nil {
		c.end(u)
		return resp, err
	}
	u.ReadCloser, resp.Body = resp.Body, u
	return resp, nil
}

// connect makes a connection, once it is wanted.
func (c *connections) connect(ctx context.Context, network, address string) (net.Conn, error) {
	if err := c.hold(httptrace.ContextClientTrace(ctx)); err != nil {
		return nil, err
	}
	conn, err := c.dial(ctx, network, address)
	if err != nil {
		c.change(func() { c.open--; c.making-- })
		return nil, err
	}
	return &connection{
		Conn: conn,
		use:  sync.OnceFunc(func() { c.change(func() { c.making-- }) }),
		end:  sync.OnceFunc(func() { c.change(func() { c.open-- }) }),
	}, nil
}

// hold waits until another connection is wanted, and counts it.
func (c *connections) hold(trace *httptrace.ClientTrace) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	u := c.uses[trace]
	switch {
	case trace != nil && (u == nil || u.served):
		return errServed
	case trace == nil || c.wanted():
		c.open++
		c.making++
		return nil
	}
	u.held = make(chan struct{})
	c.held++
	held, longest := u.held, maxHold
	if c.shared {
		longest = maxSharedHold
	}
	c.mu.Unlock()
	guard := time.NewTimer(longest)
	defer guard.Stop()
	select {
	case <-held:
	case <-guard.C:
	}
	c.mu.Lock()
	if u.held != nil {
		c.letGo(u)
	}
	if u.served {
		return errServed
	}
	return nil
}

// letGo ends the holding back of a request's connection, which is counted from then on if the request still waits.
func (c *connections) letGo(u *use) {
	close(u.held)
	u.held = nil
	c.held--
	if !u.served {
		c.open++
		c.making++
	}
}

// wanted reports whether another connection is to be made.
func (c *connections) wanted() bool {
	return c.open < len(c.uses) && (!c.shared || c.making == 0)
}

// change changes the numbers, and lets those go on that are held back, as long as another connection is wanted. Those
// that share a connection get it without that, or after maxSharedHold one of their own.
func (c *connections) change(numbers func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	numbers()
	if c.held == 0 || c.shared && c.open > 0 {
		return
	}
	for _, u := range c.uses {
		if !c.wanted() {
			return
		}
		if u.held != nil {
			c.letGo(u)
		}
	}
}

// negotiated notes the protocol of a new connection.
func (c *connections) negotiated(protocol string) {
	c.change(func() { c.shared = protocol == "h2" })
}

// use is a request under way, and then the body of its response.
type use struct {
	io.ReadCloser
	connections *connections
	trace       *httptrace.ClientTrace
	gotConn     func(httptrace.GotConnInfo) // The trace's own.
	// held is what the making of a connection for the request waits for, or nil.
	held   chan struct{}
	served bool // It has a connection, or has ended.
}

// begin notes that a request is under way.
func (c *connections) begin(trace *httptrace.ClientTrace, scheme string) *use {
	u := &use{connections: c, trace: trace, gotConn: trace.GotConn}
	trace.GotConn = u.got
	c.change(func() {
		c.uses[trace] = u
		c.shared = c.shared && scheme == "https"
	})
	return u
}

// end notes that a request does not need a connection any more.
func (c *connections) end(u *use) {
	c.change(func() {
		u.served = true
		if u.held != nil {
			c.letGo(u)
		}
		delete(c.uses, u.trace)
	})
}

// got notes that a request has got a connection.
func (u *use) got(info httptrace.GotConnInfo) {
	conn := info.Conn
	if encrypted, ok := conn.(*tls.Conn); ok {
		conn = encrypted.NetConn()
	}
	if made, ok := conn.(*connection); ok {
		made.use()
	}
	u.connections.change(func() {
		u.served = true
		if u.held != nil {
			u.connections.letGo(u)
		}
	})
	if u.gotConn != nil {
		u.gotConn(info)
	}
}

// Close closes the body.
func (u *use) Close() error {
	err := u.ReadCloser.Close()
	u.connections.end(u)
	return err
}

// connection is one that was made.
type connection struct {
	net.Conn
	use, end func() // Called when it is used first, and when it is closed.
}

// Close closes the connection.
func (c *connection) Close() error {
	c.use()
	c.end()
	return c.Conn.Close()
}
