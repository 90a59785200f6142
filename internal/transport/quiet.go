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
	"net/url"
	"slices"
	"sync/atomic"
	"time"
)

// quiet returns a transport whose HTTP/1 connections do not fill the program's log: net/http writes all that it has read
// beyond the end of a response to the standard logger. Only a connection between net/http and TLS can keep such data
// from it. Through a proxy, or with the caller's implementation of TLS, there is none.
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
	t.ForceAttemptHTTP2 = slices.Contains(config.NextProtos, "h2") // Clone has set it.
	t.DialTLSContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		plain, err := dial(ctx, network, address)
		if err != nil || plain == nil {
			return nil, err
		}
		conn := tls.Client(plain, config)
		if err := handshake(ctx, conn, t.TLSHandshakeTimeout); err != nil {
			_ = plain.Close()
			return nil, err
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

func handshake(ctx context.Context, conn *tls.Conn, timeout time.Duration) error {
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, timeout, handshakeTimeout{errors.New("TLS handshake timeout")})
		defer cancel()
	}
	err := conn.HandshakeContext(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return context.Cause(ctx)
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

	in    *bufio.Reader // At least as large as net/http's.
	body  int64         // The rest of a body with a Content-Length.
	idle  atomic.Bool   // Nothing was written since the last response.
	clean atomic.Bool   // And nothing had arrived at its end, so that the next request can be written.
}

type piecesKey struct{}

// inPieces returns the connection for net/http, which is also left in the context.
func inPieces(ctx context.Context, conn net.Conn, size int) net.Conn {
	c := &pieces{Conn: conn, in: bufio.NewReaderSize(conn, max(size, 4<<10))}
	c.idle.Store(true)
	*ctx.Value(piecesKey{}).(**pieces) = c
	return c
}

var errSurplus = errors.New("the service sent data that belongs to no response")

func (c *pieces) Write(p []byte) (int, error) {
	c.idle.Store(false)
	c.clean.Store(false)
	return c.Conn.Write(p)
}

func (c *pieces) Read(p []byte) (n int, err error) {
	if c.body > 0 {
		if p = p[:min(int64(len(p)), c.body)]; len(p) >= c.in.Size() {
			p = p[:len(p)-1] // The last byte passes through the buffer, with any surplus.
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
	for end := 0; ; {
		length := bytes.IndexByte(data[end:], '\n')
		if length < 0 {
			return c.in.Read(p[:len(data)])
		}
		end += length + 1
		if length <= 1 { // At most a carriage return.
			return c.in.Read(p[:end])
		}
	}
}
