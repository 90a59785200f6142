package transport

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// quiet makes connections that do not fill the program's log. net/http writes to the standard logger all that it has
// read beyond the end of an HTTP/1 response, and a line for each HTTP/2 frame of a type that it does not handle. Only a
// connection below net/http and above TLS can remove such data, so quiet dials and does the TLS handshake.
type quiet struct {
	tls          *tls.Config
	http1, http2 *http.Transport // Each speaks one protocol over the connection of the context.
}

type connKey struct{}

// newQuiet returns nil if the caller has another implementation of TLS or HTTP/2.
func newQuiet(caller *http.Transport, host string) *quiet {
	q := &quiet{http1: caller.Clone(), http2: caller.Clone()}
	//nolint:staticcheck // Callers may use the deprecated dialers.
	if q.http1.TLSNextProto["h2"] != nil || caller.DialTLSContext != nil || caller.DialTLS != nil || caller.Dial != nil {
		return nil
	}
	q.tls = cmp.Or(q.http1.TLSClientConfig, &tls.Config{}) // Clone has added the protocols.
	q.tls.ServerName = cmp.Or(q.tls.ServerName, host)
	for _, via := range []*http.Transport{q.http1, q.http2} {
		via.Proxy, via.TLSNextProto, via.Protocols = nil, nil, &http.Protocols{}
		via.DisableCompression = true // net/http would hide the length of a body that it decompresses.
		via.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return ctx.Value(connKey{}).(net.Conn), nil
		}
	}
	q.http1.Protocols.SetHTTP1(true)
	q.http2.Protocols.SetUnencryptedHTTP2(true)
	return q
}

// connect makes a connection, through a proxy or with the caller's implementation of TLS or HTTP/2 by net/http alone.
// The *pieces is nil then, and over HTTP/2.
func (p *pool) connect(ctx context.Context) (*http.ClientConn, *pieces, error) {
	t, q := p.transport, p.quiet()
	if q != nil && t.Proxy != nil {
		if proxy, err := t.Proxy(&http.Request{URL: p.origin}); proxy != nil || err != nil {
			q = nil
		}
	}
	if q == nil {
		made, err := t.NewClientConn(ctx, p.origin.Scheme, p.address)
		return made, nil, err
	}
	dial := t.DialContext
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	conn, err := dial(ctx, "tcp", p.address)
	if err != nil || conn == nil {
		return nil, nil, cmp.Or(err, errors.New("DialContext returned neither a connection nor an error"))
	}
	http2 := t.Protocols != nil && t.Protocols.UnencryptedHTTP2() && !t.Protocols.HTTP1()
	if p.origin.Scheme == "https" {
		secure := tls.Client(conn, q.tls)
		if err := handshake(ctx, secure, t.TLSHandshakeTimeout); err != nil {
			_ = conn.Close()
			return nil, nil, err
		}
		conn, http2 = secure, secure.ConnectionState().NegotiatedProtocol == "h2"
	}
	if http2 {
		conn = &frames{Conn: conn, in: bufio.NewReader(conn)}
		made, err := q.http2.NewClientConn(context.WithValue(ctx, connKey{}, conn), "http", p.address)
		return made, nil, err
	}
	http1 := &pieces{Conn: conn, in: bufio.NewReaderSize(conn, max(q.http1.ReadBufferSize, 4<<10))}
	http1.idle.Store(true)
	made, err := q.http1.NewClientConn(context.WithValue(ctx, connKey{}, net.Conn(http1)), "http", p.address)
	return made, http1, err
}

func handshake(ctx context.Context, conn *tls.Conn, timeout time.Duration) error {
	trace := cmp.Or(httptrace.ContextClientTrace(ctx), &httptrace.ClientTrace{})
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, timeout, handshakeTimeout{errors.New("TLS handshake timeout")})
		defer cancel()
	}
	if trace.TLSHandshakeStart != nil {
		trace.TLSHandshakeStart()
	}
	err := conn.HandshakeContext(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = context.Cause(ctx)
	}
	if trace.TLSHandshakeDone != nil {
		trace.TLSHandshakeDone(conn.ConnectionState(), err)
	}
	return err
}

// handshakeTimeout is a net.Error, like net/http's.
type handshakeTimeout struct{ error }

func (handshakeTimeout) Timeout() bool   { return true }
func (handshakeTimeout) Temporary() bool { return true }

// pieces is an HTTP/1 connection that gives net/http nothing beyond the end of a response. It does not parse responses:
// headers and chunked bodies end with an empty line, and one Read returns nothing beyond any empty line. The length of
// another body is known from net/http, which ends the connection after a body without a length.
type pieces struct {
	net.Conn

	in   *bufio.Reader // At least as large as net/http's.
	line int           // The length of the current line so far.
	body int64         // The rest of a body with a Content-Length.
	idle atomic.Bool   // Nothing was written since the last response.
}

var errSurplus = errors.New("the service sent data that belongs to no response")

// end is called after a response. It reports whether the service has sent nothing more so far.
func (c *pieces) end() bool {
	c.idle.Store(true)
	return c.in.Buffered() == 0
}

func (c *pieces) Write(p []byte) (int, error) {
	c.idle.Store(false)
	return c.Conn.Write(p)
}

func (c *pieces) Read(p []byte) (n int, err error) {
	if c.body > 0 {
		p = p[:min(int64(len(p)), c.body)]
		if len(p) >= c.in.Size() { // The last byte passes through the buffer, with any surplus.
			p = p[:len(p)-1]
		}
		n, err = c.in.Read(p)
		c.body -= int64(n)
		return n, err
	}
	if len(p) > c.in.Size() { // net/http reads past its own buffer, and only within a body.
		return c.in.Read(p)
	}
	if _, err := c.in.Peek(1); err != nil {
		return 0, err
	}
	if c.idle.Load() {
		return 0, errSurplus
	}
	data, _ := c.in.Peek(min(len(p), c.in.Buffered()))
	return c.in.Read(p[:c.piece(data)])
}

// piece returns the length of the data up to the end of the first empty line.
func (c *pieces) piece(data []byte) (n int) {
	for {
		i := bytes.IndexByte(data[n:], '\n')
		if i < 0 {
			c.line += len(data) - n
			return len(data)
		}
		length := c.line + i
		n, c.line = n+i+1, 0
		if length <= 1 { // At most a carriage return.
			return n
		}
	}
}

// frames is an HTTP/2 connection without the frames that net/http does not handle.
type frames struct {
	net.Conn

	in   *bufio.Reader
	rest int // The rest of the current frame.
}

func (c *frames) Read(p []byte) (int, error) {
	for c.rest == 0 {
		header, err := c.in.Peek(4)
		if err != nil {
			return 0, err
		}
		length, kind := 9+int(header[0])<<16+int(header[1])<<8+int(header[2]), header[3]
		if kind != 2 && kind < 10 { // Not PRIORITY, and defined by RFC 9113.
			c.rest = length
		} else if _, err := c.in.Discard(length); err != nil {
			return 0, err
		}
	}
	n, err := c.in.Read(p[:min(len(p), c.rest)])
	c.rest -= n
	return n, err
}
