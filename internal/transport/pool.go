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
	// maxResends is the maximum number of times that a request moves to another connection, because its idle connection
	// was closed before it was written.
	maxResends = 5
	// stallTimeout is the maximum time that a request waits for a connection that another request is making.
	stallTimeout = time.Second
)

// pool manages the connections to one host. http.Transport retries requests by itself, including requests that the
// service may have executed; an http.ClientConn sends each request once.
type pool struct {
	transport *http.Transport
	origin    *url.URL
	address   string
	quiet     func() *quiet // It makes the connections, unless it is nil.

	mu       sync.Mutex
	idle     []*conn       // Idle HTTP/1 connections, the latest last.
	expiring bool          // A timer is running that closes connections after their idle timeout.
	shared   []*conn       // HTTP/2 connections.
	known    bool          // The service uses HTTP/1: requests connect in parallel, not in turns.
	turn     chan struct{} // It is closed when the connection in progress can be shared. It may be nil.
}

// conn is a connection of a pool.
type conn struct {
	*http.ClientConn
	http1     *pieces   // An HTTP/1 connection of quiet, or nil.
	share     func()    // It shares a new HTTP/2 connection with other requests. Nil for HTTP/1.
	idleSince time.Time // The time when an HTTP/1 connection became idle. Zero if it is not idle.
}

func newPool(transport *http.Transport, origin *url.URL) *pool {
	return &pool{
		transport: transport, origin: origin, address: net.JoinHostPort(origin.Hostname(), port(origin)),
		quiet: sync.OnceValue(func() *quiet { return newQuiet(transport, origin.Hostname()) }),
	}
}

// RoundTrip sends a request once. If its connection was closed before anything was written, the request moves to
// another connection. The error is a *Failure.
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
			if c.http1 != nil && resp.Body != http.NoBody {
				c.http1.body = max(0, resp.ContentLength)
			}
			return resp, nil
		}
		reach := reachOf(err)
		if !used || resends == maxResends || reach != unsent || req.Context().Err() != nil {
			return nil, &Failure{Kind: Connection, Err: err, reach: reach}
		}
		if req.GetBody != nil {
			req = req.WithContext(req.Context())
			req.Body, _ = req.GetBody() // The body is in memory.
		}
	}
}

// get returns a connection with a reserved slot for a request, and reports whether it was used before.
func (p *pool) get(ctx context.Context) (c *conn, used bool, err error) {
	var overdue chan struct{}
	for {
		c, wait, turn := p.next(overdue)
		switch {
		case c != nil:
			if c.Reserve() == nil {
				return c, true, nil
			}
			continue // It was closed in the meantime, or its last slot was taken.
		case wait == nil:
			c, err := p.dial(ctx, turn)
			return c, false, err
		}
		select {
		case <-wait:
		case <-time.After(stallTimeout):
			overdue = wait
		case <-ctx.Done():
			return nil, false, ctx.Err()
		}
	}
}

// next returns a connection with a free slot, or a channel to wait for, or the turn to make a connection. The turn is
// nil if connections are made in parallel.
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

// dial makes a connection and reserves a slot on it. HTTP/2 connections are shared after their first response: net/http
// can block forever if more requests have a slot than the settings of the service, which arrive first, allow.
func (p *pool) dial(ctx context.Context, turn chan struct{}) (*conn, error) {
	made, http1, err := p.connect(ctx)
	if err == nil {
		if err = made.Reserve(); err != nil {
			_ = made.Close()
		}
	}
	if err != nil {
		p.endTurn(turn, nil)
		return nil, err
	}
	c := &conn{ClientConn: made, http1: http1}
	if made.Available() > 0 { // HTTP/2.
		c.share = sync.OnceFunc(func() { p.endTurn(turn, c) })
		time.AfterFunc(stallTimeout, c.share)
	} else {
		p.endTurn(turn, c)
	}
	made.SetStateHook(func(*http.ClientConn) { p.update(c) })
	return c, nil
}

// endTurn wakes the requests that wait for a connection. The new connection is nil if it could not be made.
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

// update is called when a request on a connection has ended, or if the connection was closed.
func (p *pool) update(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case c.Err() != nil:
		ended := func(other *conn) bool { return other == c }
		p.idle, p.shared = slices.DeleteFunc(p.idle, ended), slices.DeleteFunc(p.shared, ended)
	case c.share == nil && c.idleSince.IsZero() && c.Available() > 0:
		c.idleSince = time.Now()
		if c.http1 != nil && !c.http1.end() {
			return // net/http closes it after its next Read.
		}
		p.idle = append(p.idle, c)
		if timeout := p.transport.IdleConnTimeout; timeout > 0 && !p.expiring {
			p.expiring = true
			time.AfterFunc(timeout, p.expire)
		}
	}
}

// expire closes HTTP/1 connections after their idle timeout; net/http closes idle HTTP/2 connections. All connections
// share one timer, because a timer for each would be set twice in a call, and keep the connection in memory after its
// end.
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

// CloseIdleConnections closes unused connections.
func (p *pool) CloseIdleConnections() {
	p.mu.Lock()
	unused := p.idle
	p.idle = nil
	p.shared = slices.DeleteFunc(p.shared, func(c *conn) bool {
		if c.InFlight() == 0 {
			unused = append(unused, c)
			return true
		}
		return false
	})
	p.mu.Unlock()
	for _, c := range unused {
		_ = c.Close() // It calls update.
	}
}
