package transport

import (
	"context"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
)

// maxResends bounds how often a request is put on another connection because the idle one that it was given turned out
// to be dead before anything was written to it.
const maxResends = 5

// sending is one handing over of a request to net/http, as its trace hooks tell of it. They run on other goroutines.
type sending struct {
	connected atomic.Bool // There was a connection to write to.
	reused    atomic.Bool // The latest one had been used before.
	wrote     atomic.Bool // The head of the request was written, or is about to leave net/http's buffer.
	repeated  atomic.Bool // Another connection was taken after that: something below repeats requests by itself.

	trace httptrace.ClientTrace
}

// send hands the request over with the headers, and with a context that only adds to the request's. It is the one place
// that does, and the request is one that net/http cannot repeat by itself. A request of which no byte left, because its
// idle connection was dead, moves on to another connection: that is no attempt at the service.
func send(ctx context.Context, next http.RoundTripper, req *http.Request, header http.Header) (*http.Response, *sending, error) {
	for resends := 0; ; resends++ {
		s := stateOf(ctx).sending()
		resp, err := next.RoundTrip(unrepeatable(s.traced(ctx), req, header))
		if err == nil || resends == maxResends || ctx.Err() != nil || !s.reused.Load() || s.fate(err) != unsent {
			return resp, s, err
		}
		fresh, ok := withFreshBody(req)
		if !ok {
			return resp, s, err
		}
		req, header = fresh, header.Clone() // What has read the headers may not have ended.
	}
}

// sending begins another sending. Hooks of earlier ones may run late, so that each tells of itself only.
func (f *state) sending() *sending {
	if f.first.trace.GotConn == nil {
		return &f.first
	}
	return &sending{}
}

// traced returns a context in which net/http reports to the sending.
func (s *sending) traced(ctx context.Context) context.Context {
	s.trace.GotConn, s.trace.WroteHeaders = s.gotConn, s.wroteHeaders
	return httptrace.WithClientTrace(ctx, &s.trace)
}

func (s *sending) gotConn(info httptrace.GotConnInfo) {
	s.connected.Store(true)
	s.reused.Store(info.Reused)
	if s.wrote.Load() {
		s.repeated.Store(true)
	}
}

func (s *sending) wroteHeaders() { s.wrote.Store(true) }

var (
	identity   = []string{"identity"}
	zeroLength = []string{"0"}
)

// unrepeatable returns a copy of the request, with the headers, that net/http sends once. It repeats requests by
// itself, uncounted and unpaced, whose body it can have again, and those without a body: over HTTP/2 also where the
// service may have acted on them. A body that is there, although empty, and that cannot be had again, keeps it from
// that.
//
// On the wire the empty body shows as little as can be. Over HTTP/1 the transfer encoding "identity" keeps net/http
// from probing the body and from sending it in chunks. Methods that usually have a body are sent with "Content-Length:
// 0", without which some servers respond with 411; net/http would leave the header out where it is spelled canonically.
// Over HTTP/2 an empty DATA frame ends the request, and neither header is sent.
func unrepeatable(ctx context.Context, req *http.Request, header http.Header) *http.Request {
	once := req.WithContext(ctx)
	once.GetBody, once.Header = nil, header
	if once.Host == "" {
		once.Host = once.URL.Host
	}
	if req.Body != nil && req.Body != http.NoBody {
		return once
	}
	once.Body, once.TransferEncoding = emptyBody{}, identity
	switch req.Method {
	case http.MethodPost, http.MethodPut, http.MethodPatch:
		once.Header["content-length"] = zeroLength
	}
	return once
}

// emptyBody is a body of no bytes. Unlike http.NoBody, net/http does not take it for no body at all. Its WriteTo spares
// net/http a buffer of 32 KiB for copying it.
type emptyBody struct{}

func (emptyBody) Read([]byte) (int, error)         { return 0, io.EOF }
func (emptyBody) WriteTo(io.Writer) (int64, error) { return 0, nil }
func (emptyBody) Close() error                     { return nil }

// withFreshBody returns the request with its body from the start, if it can be had.
func withFreshBody(req *http.Request) (*http.Request, bool) {
	if req.Body == nil || req.Body == http.NoBody {
		return req, true
	}
	if req.GetBody == nil {
		return nil, false
	}
	body, err := req.GetBody()
	if err != nil {
		return nil, false
	}
	fresh := *req
	fresh.Body = body
	return &fresh, true
}
