package transport

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"
)

const (
	// maxResends bounds how often a request moves on because its idle connection was closed before it was written.
	maxResends = 5
	// patience bounds how long a request waits for a connection that another one is making.
	patience = time.Second
)

// pool keeps the connections to one host. http.Transport repeats requests by itself, also some that the service may have
// carried out; an http.ClientConn sends each request once.
type pool struct {
	transport       *http.Transport
	scheme, address string

	mu       sync.Mutex
	idle     []*conn       // HTTP/1 connections without a request, the latest last.
	expiring bool          // A timer is running that closes connections that are idle for too long.
	shared   []*conn       // HTTP/2 connections.
	known    bool          // The service speaks HTTP/1: requests make connections side by side, not in turns.
	turn     chan struct{} // It is closed when the connection that is being made can be shared. Nil if none is being made.
}

// conn is a connection of a pool.
type conn struct {
	*http.ClientConn
	share     func()    // It lets other requests use a new HTTP/2 connection. Nil for HTTP/1.
	idleSince time.Time // When an HTTP/1 connection joined the idle ones. Zero if it is not among them.
}

func newPool(transport *http.Transport, origin *url.URL) *pool {
	return &pool{
		transport: transport, scheme: origin.Scheme, address: net.JoinHostPort(origin.Hostname(), port(origin)),
	}
}

// RoundTrip sends a request once. If its connection turns out to be closed before anything was written, the request
// moves on to another one. An error is a *Failure.
func (p *pool) RoundTrip(req *http.Request) (*http.Response, error) {
	for resends := 0; ; resends++ {
		c, used, err := p.get(req.Context())
		if err != nil {
			return nil, &Failure{Kind: Connection, Err: withoutAddress(err), reach: unsent}
		}
		resp, err := c.RoundTrip(req)
		if !used && c.share != nil {
			c.share()
		}
		if err == nil {
			return resp, nil
		}
		reach := reachOf(err)
		if !used || resends == maxResends || reach != unsent || req.Context().Err() != nil {
			return nil, &Failure{Kind: Connection, Err: err, reach: reach}
		}
		if req.GetBody != nil {
			req = req.WithContext(req.Context())
			req.Body, _ = req.GetBody() // It reads from memory.
		}
	}
}

// get returns a connection with a reserved place for a request, and reports whether it was used before.
func (p *pool) get(ctx context.Context) (c *conn, used bool, err error) {
	var overdue chan struct{}
	for {
		c, wait, turn := p.next(overdue)
		switch {
		case c != nil:
			if c.Reserve() == nil {
				return c, true, nil
			}
			continue // It was closed meanwhile, or its last place was taken.
		case wait == nil:
			c, err := p.dial(ctx, turn)
			return c, false, err
		}
		select {
		case <-wait:
		case <-time.After(patience):
			overdue = wait
		case <-ctx.Done():
			return nil, false, ctx.Err()
		}
	}
}

// next returns a connection with a free place, or a turn to wait for, or the turn to make a connection, which is nil if
// turns are needless.
func (p *pool) next(overdue chan struct{}) (c *conn, wait, turn chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.shared {
		if c.Err() == nil && c.Available() > 0 {
			return c, nil, nil
		}
	}
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle = slices.Delete(p.idle, n-1, n)
		c.idleSince = time.Time{}
		return c, nil, nil
	}
	switch {
	case p.known:
		return nil, nil, nil
	case p.turn != nil && p.turn != overdue:
		return nil, p.turn, nil
	}
	p.turn = make(chan struct{})
	return nil, nil, p.turn
}

// dial makes a connection and reserves a place on it. HTTP/2 connections are shared from their first response on:
// net/http can block for good if more requests have a place than the service's settings, which come first, allow.
func (p *pool) dial(ctx context.Context, turn chan struct{}) (*conn, error) {
	made, err := p.transport.NewClientConn(ctx, p.scheme, p.address)
	if err == nil {
		err = made.Reserve()
	}
	if err != nil {
		p.endTurn(turn, nil)
		return nil, err
	}
	c := &conn{ClientConn: made}
	if made.Available() > 0 { // It is HTTP/2.
		c.share = sync.OnceFunc(func() { p.endTurn(turn, c) })
		time.AfterFunc(patience, c.share)
	} else {
		p.endTurn(turn, c)
	}
	made.SetStateHook(func(*http.ClientConn) { p.update(c) })
	return c, nil
}

// endTurn lets the requests that wait look for a connection again. The new one is nil if it could not be made.
func (p *pool) endTurn(turn chan struct{}, c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c != nil {
		p.known = c.share == nil
		if !p.known && c.Err() == nil {
			p.shared = append(p.shared, c)
		}
	}
	if turn != nil {
		close(turn)
	}
	if p.turn == turn {
		p.turn = nil
	}
}

// update is called when a request on a connection has ended, or the connection was closed.
func (p *pool) update(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case c.Err() != nil:
		p.idle, p.shared = without(p.idle, c), without(p.shared, c)
	case c.share == nil && c.idleSince.IsZero() && c.Available() > 0:
		c.idleSince = time.Now()
		p.idle = append(p.idle, c)
		if timeout := p.transport.IdleConnTimeout; timeout > 0 && !p.expiring {
			p.expiring = true
			time.AfterFunc(timeout, p.expire)
		}
	}
}

// expire closes the HTTP/1 connections that have been idle for too long. net/http closes those of HTTP/2. One timer
// serves all connections: a timer for each would be set twice in a call, and hold the connection after its end.
func (p *pool) expire() {
	p.mu.Lock()
	n, timeout := 0, p.transport.IdleConnTimeout
	for n < len(p.idle) && time.Since(p.idle[n].idleSince) >= timeout {
		n++
	}
	expired := slices.Clone(p.idle[:n])
	p.idle = slices.Delete(p.idle, 0, n)
	if p.expiring = len(p.idle) > 0; p.expiring {
		time.AfterFunc(timeout-time.Since(p.idle[0].idleSince), p.expire)
	}
	p.mu.Unlock()
	for _, c := range expired {
		_ = c.Close() // It calls update.
	}
}

// CloseIdleConnections closes the connections that no request is using.
func (p *pool) CloseIdleConnections() {
	p.mu.Lock()
	unused := p.idle
	p.idle = nil
	for _, c := range p.shared {
		if c.InFlight() == 0 {
			unused = append(unused, c)
		}
	}
	p.mu.Unlock()
	for _, c := range unused {
		_ = c.Close() // It calls update.
	}
}

func without(conns []*conn, c *conn) []*conn {
	return slices.DeleteFunc(conns, func(other *conn) bool { return other == c })
}
