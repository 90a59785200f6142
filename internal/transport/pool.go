package transport

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// pool manages the connections to one host. http.Transport retries requests by itself, including requests that the
// service may have executed; an http.ClientConn sends each request once.
type pool struct {
	transport *http.Transport
	direct    *http.Transport // The transport for connections without a proxy.
	origin    *url.URL

	mu       sync.Mutex
	conns    []*conn // Idle or not, the latest last.
	expiring bool    // A timer is running that closes idle connections.
}

// conn is a connection of a pool.
type conn struct {
	*http.ClientConn
	http1 *pieces   // An HTTP/1 connection of a quiet transport, or nil.
	used  time.Time // The beginning of the last request.
}

// RoundTrip sends a request once. If its connection was closed before anything was written, the request moves to a new
// one. The error is a *Failure.
func (p *pool) RoundTrip(req *http.Request) (*http.Response, error) {
	for fresh := false; ; fresh = true {
		c, isNew, err := p.reserve(req.Context(), fresh)
		if err != nil {
			return nil, err
		}
		if c.http1 != nil {
			c.http1.idle.Store(false)
			c.http1.clean.Store(false)
		}
		resp, err := c.RoundTrip(req)
		if isNew {
			p.add(c)
		}
		if err == nil {
			if c.http1 != nil && resp.Body != http.NoBody {
				c.http1.body = max(0, resp.ContentLength)
			}
			return resp, nil
		}
		reach := reachOf(err)
		if isNew || reach != unsent || req.Context().Err() != nil {
			return nil, &Failure{Kind: Connection, Err: err, reach: reach}
		}
		if req.GetBody != nil {
			req = req.WithContext(req.Context())
			req.Body, _ = req.GetBody() // The body is in memory.
		}
	}
}

// reserve returns a connection with a reserved slot for a request: one that has a slot, unless it must be fresh, or a
// new one.
func (p *pool) reserve(ctx context.Context, fresh bool) (c *conn, isNew bool, err error) {
	p.mu.Lock()
	for _, c := range slices.Backward(p.conns) {
		if !fresh && (c.http1 == nil || c.http1.clean.Load()) && c.Reserve() == nil {
			c.used = time.Now()
			p.mu.Unlock()
			return c, false, nil
		}
	}
	p.mu.Unlock()
	via := p.direct
	if p.transport.Proxy != nil {
		if proxy, err := p.transport.Proxy(&http.Request{URL: p.origin}); proxy != nil || err != nil {
			via = p.transport
		}
	}
	c = &conn{used: time.Now()}
	ctx, address := context.WithValue(ctx, piecesKey{}, &c.http1), net.JoinHostPort(p.origin.Hostname(), port(p.origin))
	made, err := via.NewClientConn(ctx, p.origin.Scheme, address)
	if err != nil {
		return nil, true, &Failure{Kind: Connection, Err: withoutAddress(err), reach: unsent}
	}
	_ = made.Reserve() // If it was closed, RoundTrip reports that.
	if c.ClientConn = made; c.http1 != nil {
		made.SetStateHook(func(*http.ClientConn) {
			if made.Available() > 0 { // A response has ended.
				c.http1.idle.Store(true)
				c.http1.clean.Store(!c.http1.more.Load())
			}
		})
	}
	return c, true, nil
}

// add adds a connection after its first response, and forgets those that were closed. Before it, an HTTP/2 connection
// must not be shared: net/http can block forever if more requests have a slot than the settings of the service, which
// arrive first, allow.
func (p *pool) add(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns = slices.DeleteFunc(append(p.conns, c), func(c *conn) bool { return c.Err() != nil })
	p.expireIn(p.transport.IdleConnTimeout)
}

// expireIn lets a timer close idle connections. All share one, which is not set in each call.
func (p *pool) expireIn(wait time.Duration) {
	if wait > 0 && len(p.conns) > 0 && !p.expiring {
		p.expiring = true
		time.AfterFunc(wait, func() { p.closeIdle(p.transport.IdleConnTimeout) })
	}
}

// CloseIdleConnections closes unused connections.
func (p *pool) CloseIdleConnections() { p.closeIdle(0) }

// closeIdle closes the connections that were not used for some time.
func (p *pool) closeIdle(age time.Duration) {
	p.mu.Lock()
	now, next := time.Now(), age
	var unused []*conn
	p.conns = slices.DeleteFunc(p.conns, func(c *conn) bool {
		if c.InFlight() > 0 {
			c.used = now
		} else if now.Sub(c.used) >= age {
			unused = append(unused, c)
			return true
		}
		next = min(next, age-now.Sub(c.used))
		return false
	})
	if age > 0 {
		p.expiring = false
		p.expireIn(next)
	}
	p.mu.Unlock()
	for _, c := range unused {
		_ = c.Close()
	}
}

// quiet returns a transport whose HTTP/1 connections do not fill the program's log: net/http writes all that it has
// read beyond the end of a response to the standard logger. Only a connection between net/http and TLS can keep such
// data from it. Through a proxy, or with the caller's implementation of TLS, there is none.
func quiet(caller *http.Transport, origin *url.URL) *http.Transport {
	t := caller.Clone()
	t.Proxy = nil
	//nolint:staticcheck // Callers may use the deprecated dialers.
	if t.Dial != nil || t.DialTLS != nil || t.DialTLSContext != nil {
		return t
	}
	dial := t.DialContext
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	config := cmp.Or(t.TLSClientConfig, &tls.Config{})
	config.ServerName = cmp.Or(config.ServerName, origin.Hostname())
	t.DialTLSContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		plain, err := dial(ctx, network, address)
		if err != nil || plain == nil {
			return nil, err
		}
		limited, cancel := context.WithTimeout(ctx, cmp.Or(t.TLSHandshakeTimeout, noLimit))
		defer cancel()
		conn := tls.Client(plain, config)
		if err := conn.HandshakeContext(limited); err != nil {
			_ = plain.Close()
			return nil, fmt.Errorf("TLS handshake: %w", err)
		}
		if conn.ConnectionState().NegotiatedProtocol == "h2" {
			return conn, nil
		}
		return inPieces(ctx, conn, t.ReadBufferSize), nil
	}
	if t.Protocols == nil || t.Protocols.HTTP1() {
		t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dial(ctx, network, address)
			if err != nil || conn == nil {
				return nil, err
			}
			return inPieces(ctx, conn, t.ReadBufferSize), nil
		}
	}
	return t
}

// pieces is an HTTP/1 connection that gives net/http nothing beyond the end of a response. It does not parse responses:
// headers and chunked bodies end with an empty line, and one Read returns nothing beyond any empty line. The length of
// another body is known from net/http, which ends the connection after a body without a length.
type pieces struct {
	net.Conn

	in    *bufio.Reader // At least as large as net/http's.
	body  int64         // The rest of a body with a Content-Length.
	idle  atomic.Bool   // No response is expected.
	clean atomic.Bool   // And nothing had arrived at the end of the last one.
	more  atomic.Bool   // More had arrived at the end of the last Read.
}

type piecesKey struct{}

// inPieces returns the connection for net/http, which is also left in the context.
func inPieces(ctx context.Context, conn net.Conn, size int) net.Conn {
	c := &pieces{Conn: conn, in: bufio.NewReaderSize(conn, max(size, 4<<10))}
	c.idle.Store(true)
	*ctx.Value(piecesKey{}).(**pieces) = c
	return c
}

func (c *pieces) Read(p []byte) (n int, err error) {
	switch {
	case c.body > 0:
		if p = p[:min(int64(len(p)), c.body)]; len(p) >= c.in.Size() {
			p = p[:len(p)-1] // The last byte passes through the buffer, with any surplus.
		}
	case len(p) <= c.in.Size(): // Otherwise net/http reads past its own buffer, which it does only within a body.
		if _, err := c.in.Peek(1); err != nil {
			return 0, err
		}
		if c.idle.Load() {
			return 0, errors.New("the service sent data that belongs to no response")
		}
		received, _ := c.in.Peek(min(len(p), c.in.Buffered()))
		end := 0
		for line := range bytes.Lines(received) {
			if end += len(line); len(line) <= len("\r\n") {
				break
			}
		}
		p = p[:end]
	}
	n, err = c.in.Read(p)
	c.body = max(0, c.body-int64(n))
	c.more.Store(c.in.Buffered() > 0)
	return n, err
}
