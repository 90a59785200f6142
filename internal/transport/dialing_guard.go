package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
)

// handshakeError is why a connection has no encryption, so that no request was written to it.
type handshakeError struct{ error }

func (e *handshakeError) Unwrap() error { return e.error }

var errHandshakeTimeout = errors.New("no TLS handshake within its time limit")

// guardConnections has those connections guarded that speak HTTP/1.1 and go straight to the service. HTTP/2 has no use
// for it. Over TLS the guard has to be above the encryption, which is made here then; net/http lets nobody come above
// that of a connection through a proxy.
func (p *pool) guardConnections(encrypted bool) {
	proxy := p.Proxy
	if proxy != nil {
		p.Proxy = func(req *http.Request) (*url.URL, error) {
			address, err := proxy(req)
			if s := sendingOf(req.Context()); s != nil {
				s.proxied = address != nil
			}
			return address, err
		}
	}
	clear2 := p.Protocols != nil && p.Protocols.UnencryptedHTTP2()
	switch {
	case clear2 || p.DialTLSContext != nil || p.DialTLS != nil: //nolint:staticcheck // A program's own transport may have it.
	case encrypted:
		p.DialTLSContext = p.connectTLS
	default:
		p.DialContext = p.connectClear
	}
}

// straight reports whether a connection goes to the service itself.
func (p *pool) straight(ctx context.Context) bool {
	s := sendingOf(ctx)
	return s != nil && s.pool == p && !s.proxied
}

// connectClear makes a connection without encryption.
func (p *pool) connectClear(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := p.connect(ctx, network, address)
	if err != nil || !p.straight(ctx) {
		return conn, err
	}
	return newGuard(conn), nil
}

// connectTLS makes a connection with encryption, as net/http would. What speaks HTTP/2 stays as it is, which net/http
// goes by.
func (p *pool) connectTLS(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := p.connect(ctx, network, address)
	if err != nil {
		return nil, err
	}
	config := &tls.Config{}
	if p.TLSClientConfig != nil {
		config = p.TLSClientConfig.Clone()
	}
	if config.ServerName == "" {
		if config.ServerName, _, err = net.SplitHostPort(address); err != nil {
			_ = conn.Close()
			return nil, err
		}
	}
	encrypted := tls.Client(conn, config)
	if err := p.shakeHands(ctx, encrypted); err != nil {
		_ = conn.Close()
		return nil, &handshakeError{err}
	}
	if encrypted.ConnectionState().NegotiatedProtocol == "h2" || !p.straight(ctx) {
		return encrypted, nil
	}
	return newGuard(encrypted), nil
}

// shakeHands makes the handshake, and tells of it whoever traces the call.
func (p *pool) shakeHands(ctx context.Context, conn *tls.Conn) error {
	trace := httptrace.ContextClientTrace(ctx)
	if trace != nil && trace.TLSHandshakeStart != nil {
		trace.TLSHandshakeStart()
	}
	if p.TLSHandshakeTimeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, p.TLSHandshakeTimeout, errHandshakeTimeout)
		defer cancel()
	}
	err := conn.HandshakeContext(ctx)
	if err != nil && errors.Is(context.Cause(ctx), errHandshakeTimeout) {
		err = &timeoutError{errHandshakeTimeout}
	}
	if trace != nil && trace.TLSHandshakeDone != nil {
		trace.TLSHandshakeDone(conn.ConnectionState(), err)
	}
	return err
}
