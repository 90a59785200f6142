package transport

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
)

// maxResends bounds how often a request is put on another connection because the idle one that it was given turned out
// to be dead before anything was written to it.
const maxResends = 5

// sending is one handing over of a request to net/http, as its trace hooks tell of it. They run on other goroutines. It
// is the context of that request as well: the limit of the attempt, with the values of the call and the hooks.
type sending struct {
	*limit
	place // In the pool of connections.

	values    context.Context
	connected atomic.Bool // There was a connection to write to.
	reused    atomic.Bool // The latest one had been used before.
	wrote     atomic.Bool // The head of the request was written, or is about to leave net/http's buffer.
	repeated  atomic.Bool // Another connection was taken after that: something below repeats requests by itself.
	proxied   bool        // Connections for it go through a proxy.

	guard   *guard // That of the latest connection, or nil.
	request int64  // Its number there.

	trace httptrace.ClientTrace
}

// Value finds the sending itself, what the context of the call holds, and the hooks.
func (s *sending) Value(key any) any {
	if key == (sendingKey{}) {
		return s
	}
	return s.values.Value(key)
}

// send hands a request over. It is the one place that does, and the request is one that net/http cannot repeat by
// itself. A request of which no byte left, because its idle connection was dead, moves on to another connection: that
// is no attempt at the service.
func (f *state) send(m message) (*http.Response, *sending, error) {
	for resends := 0; ; resends++ {
		s := f.sending()
		resp, err := f.transport.base.RoundTrip(f.transport.unrepeatable(s, m))
		if err == nil || resends == maxResends || s.Err() != nil || !s.reused.Load() || s.fate(err) != unsent {
			return resp, s, err
		}
		s.leave()
	}
}

// sending begins another sending. Hooks of earlier ones may run late, so that each tells of itself only.
func (f *state) sending() *sending {
	s := &f.first
	if s.limit != nil {
		s = &sending{}
	}
	s.limit = f.attempt.limit
	s.trace.GetConn, s.trace.GotConn, s.trace.WroteHeaders = s.getConn, s.gotConn, s.wroteHeaders
	s.trace.PutIdleConn = s.putIdleConn
	s.values = httptrace.WithClientTrace(f.attempt.values, &s.trace)
	return s
}

type sendingKey struct{}

// sendingOf returns the sending that a context belongs to, or nil.
func sendingOf(ctx context.Context) *sending {
	s, _ := ctx.Value(sendingKey{}).(*sending)
	return s
}

func (s *sending) getConn(string) { s.want() }

func (s *sending) gotConn(info httptrace.GotConnInfo) {
	s.got(info.Conn)
	if s.guard, _ = info.Conn.(*guard); s.guard != nil {
		s.request = s.guard.give()
	}
	s.connected.Store(true)
	s.reused.Store(info.Reused)
	if s.wrote.Load() {
		s.repeated.Store(true)
	}
}

func (s *sending) wroteHeaders() { s.wrote.Store(true) }

// putIdleConn runs where net/http reads, which goes on after it.
func (s *sending) putIdleConn(err error) {
	if err == nil && s.guard != nil {
		s.guard.end(s.request)
	}
}

// expect says what is to be read of the response.
func (s *sending) expect(resp *http.Response) {
	if s.guard != nil {
		s.guard.expect(resp, s.request)
	}
}

var identity = []string{"identity"}

// unrepeatable makes a request that net/http sends once. It repeats requests by itself, uncounted and unpaced, whose
// body it can have again, and those without a body: over HTTP/2 also where the service may have acted on them. A body
// that is there, although empty, and that cannot be had again, keeps it from that.
//
// On the wire the empty body shows as little as can be. Over HTTP/1 the transfer encoding "identity" keeps net/http
// from probing the body and from sending it in chunks, and the headers have a Content-Length where one is needed. Over
// HTTP/2 an empty DATA frame ends the request, and neither header is sent.
//
// net/http's own transport only reads the headers. Any other gets a copy, which is its own.
func (t *Transport) unrepeatable(ctx context.Context, m message) *http.Request {
	req := &http.Request{
		Method: m.method, URL: m.address, Host: m.address.Host, Header: m.header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}
	if t.own == nil {
		req.Header = m.header.Clone()
	}
	if len(m.body) > 0 {
		// These two types are known to net/http, which does not send the head on its own then.
		req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(m.body)), int64(len(m.body))
	} else {
		req.Body, req.TransferEncoding = emptyBody{}, identity
	}
	return req.WithContext(ctx)
}

// emptyBody is a body of no bytes. Unlike http.NoBody, net/http does not take it for no body at all. Its WriteTo spares
// net/http a buffer of 32 KiB for copying it.
type emptyBody struct{}

func (emptyBody) Read([]byte) (int, error)         { return 0, io.EOF }
func (emptyBody) WriteTo(io.Writer) (int64, error) { return 0, nil }
func (emptyBody) Close() error                     { return nil }
