package transport

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// attempt is one attempt to send the request, including redirects.
type attempt struct {
	start    time.Time
	deadline time.Time           // The end of its time limit, set when the first request is sent, or zero.
	paced    time.Duration       // The time spent waiting for the pacer.
	response *Response           // The response, or its beginning if reading it failed.
	values   context.Context     // The values of the observer's context.
	end      func(AttemptResult) // Nil without an observer.
}

// sender sends the requests of attempts. http.Client calls it for each attempt, and again for each redirect. It has no
// CloseIdleConnections, which go-retryablehttp would call after each failed call.
type sender struct{ transport *Transport }

// RoundTrip begins an attempt, unless the request is a redirect, and waits for the pacer. It leaves the response's body
// with the attempt.
func (c sender) RoundTrip(req *http.Request) (*http.Response, error) {
	t := c.transport
	s := req.Context().Value(stateKey{}).(*callState)
	if req.Response == nil { // Not a redirect.
		s.result.Attempts++
		s.result.Partial = nil
		s.attempt = attempt{start: time.Now(), values: req.Context()}
		if t.config.Attempted != nil {
			s.attempt.values, s.attempt.end = t.config.Attempted(req.Context(), s.call.Operation, s.result.Attempts)
		}
	}
	s.attempt.response.Release() // The response of a redirect.
	s.attempt.response = nil
	if t.config.Attempted != nil {
		req = req.WithContext(withValues{req.Context(), s.attempt.values})
	}
	if t.config.Wait != nil {
		begun := time.Now()
		err := t.config.Wait(req.Context())
		s.attempt.paced += time.Since(begun)
		if err != nil {
			return nil, unsentFailure(err)
		}
	}
	if err := t.authenticate(s, req); err != nil {
		return nil, err
	}
	resp, err := t.send(s, req)
	if t.config.Dump != nil {
		s.dump(req, err)
	}
	return resp, err
}

// withValues is a context with the values of another one, so that an observer cannot end a call.
type withValues struct {
	context.Context
	values context.Context
}

func (c withValues) Value(key any) any { return c.values.Value(key) }

var typeJSON, acceptGzip = []string{"application/json"}, []string{"gzip"}

// Fixed returns credentials that do not rotate. A dumper that follows pointers cannot reach them in a function.
func Fixed(apiKey, bearerToken scalar.Secret) func(context.Context) (scalar.Secret, scalar.Secret, error) {
	return func(context.Context) (scalar.Secret, scalar.Secret, error) { return apiKey, bearerToken, nil }
}

// authenticate adds the credentials and all other headers to a request, in place: http.Client would copy headers that
// are set earlier. The request's address is at the configured origin: Send and checkRedirect have compared them.
func (t *Transport) authenticate(s *callState, req *http.Request) error {
	apiKey, bearerToken, err := t.config.Credentials(req.Context())
	key, token := apiKey.Reveal(), bearerToken.Reveal()
	s.hide(req, key, token)
	if err != nil {
		return unsentFailure(err)
	}
	if err := req.Context().Err(); err != nil {
		return &Failure{Kind: Canceled, Err: err, reach: unsent}
	}
	req.Host = req.URL.Host // If it were set earlier, http.Client would copy the URL.
	req.Header["Accept"] = typeJSON
	req.Header["User-Agent"] = t.userAgent
	req.Header["Content-Type"] = typeJSON
	if t.gzip {
		req.Header["Accept-Encoding"] = acceptGzip
	}
	maps.Copy(req.Header, s.call.Header)
	if len(s.call.Body) == 0 {
		delete(req.Header, "Content-Type") // The caller's too.
	}
	if key != "" {
		req.Header["X-Api-Key"] = []string{key}
	}
	if token != "" && (s.call.Operation.Bearer || key == "") {
		req.Header["Authorization"] = []string{"Bearer " + token}
	}
	return nil
}

// send sends a request and reads the whole response within the limits of time and size. A connection that is lost in
// the middle of the body is therefore a failed attempt, unless the status is a refusal.
func (t *Transport) send(s *callState, req *http.Request) (*http.Response, error) {
	caller := req.Context()
	if s.attempt.deadline.IsZero() {
		s.attempt.deadline = time.Now().Add(s.call.Timeout) // Redirects are included.
	}
	ctx, cancel := context.WithDeadline(caller, s.attempt.deadline)
	defer cancel()
	req = req.WithContext(ctx)
	if t.pool == nil {
		req.GetBody = nil // The caller's transport must not send the request again.
	}
	resp, err := t.connections.RoundTrip(req)
	switch {
	case err != nil:
		s.hide(req, t.proxyPassword())
		failure, ok := errors.AsType[*Failure](err)
		if !ok {
			failure = &Failure{Kind: Connection, Err: withoutAddress(err), reach: reachOfOther(err)}
		}
		return nil, asInterrupted(caller, ctx, failure)
	case resp == nil || resp.Body == nil:
		return nil, &Failure{Kind: Faulty, Err: errors.New("it returned neither an error nor a response with a body")}
	}
	if resp.StatusCode == http.StatusSwitchingProtocols { // The body is the connection, which the context does not close.
		_ = resp.Body.Close()
		resp.Body, resp.ContentLength = http.NoBody, 0
	}
	if t.gzip && resp.ContentLength != 0 && strings.EqualFold(resp.Header.Get("Content-Encoding"), "gzip") {
		unpack(resp, s.call.MaxBody)
	}
	if failure := s.read(resp); failure != nil {
		failure = asInterrupted(caller, ctx, failure)
		if !isRefusal(resp.StatusCode) {
			s.result.Partial = s.attempt.response
			return nil, failure
		}
		s.attempt.response.Cut = failure
	}
	if _, err := resp.Location(); err != nil && !errors.Is(err, http.ErrNoLocation) {
		resp.Header = resp.Header.Clone() // If Location is invalid, http.Client fails with an error that quotes it.
		resp.Header.Del("Location")
	}
	resp.Body = http.NoBody
	return resp, nil
}

const (
	// maxPrealloc is the maximum size that is allocated for Content-Length before a byte has arrived.
	maxPrealloc = 4 << 20
	// maxPooled is the maximum size of a buffer that is reused.
	maxPooled = 4<<20 + bytes.MinRead
)

// buffers are the released buffers of bodies, for reuse.
var buffers = sync.Pool{New: func() any { return &bytes.Buffer{} }}

// read reads the body of a response and closes it. It uses Content-Length only for the size of the buffer.
func (s *callState) read(resp *http.Response) *Failure {
	response := &Response{Status: resp.StatusCode, Protocol: resp.Proto, Header: resp.Header}
	s.attempt.response = response
	body := &bytes.Buffer{} // If the body is kept, the buffer is not pooled, and no larger than necessary.
	if !s.call.KeepBody {
		body = buffers.Get().(*bytes.Buffer)
		response.buffer = body
	}
	size, limit := resp.ContentLength, s.call.MaxBody
	if s.call.Operation.Method == http.MethodHead {
		size = 0 // Content-Length is of the body that GET would return.
	}
	var err error
	if size <= limit {
		if size > 0 {
			body.Grow(int(min(size, maxPrealloc)) + bytes.MinRead) // The extra space lets ReadFrom find the end without growing.
		}
		size, err = body.ReadFrom(io.LimitReader(resp.Body, min(limit, math.MaxInt64-1)+1))
	}
	_ = resp.Body.Close() // The body was read, or the attempt has failed.
	if err == nil && size <= limit {
		response.Body = body.Bytes()
		return nil
	}
	failure := &Failure{Kind: Truncated, Err: err}
	if size > limit || errors.As(err, new(*http.MaxBytesError)) {
		failure = &Failure{Kind: TooLarge, Err: fmt.Errorf("more than %d bytes", limit)}
	}
	beginning := bytes.Clone(body.Next(2 << 10))
	response.Release()
	response.Body = beginning
	return failure
}

// Released, if it is set, gets each body whose memory is about to be reused. Tests overwrite it, to find records that
// still point into the body.
var Released func(body []byte)

// Release returns the memory of the body to a pool, unless KeepBody was set. The body must not be used afterwards.
func (r *Response) Release() {
	if r == nil || r.buffer == nil {
		return
	}
	b := r.buffer
	r.Body, r.buffer = nil, nil
	if Released != nil {
		Released(b.Bytes())
	}
	if b.Cap() <= maxPooled {
		b.Reset()
		buffers.Put(b)
	}
}

// gunzip is a body that is decompressed. Closing it releases it for reuse.
type gunzip struct {
	gzip.Reader

	source *bufio.Reader
	body   io.Closer
}

var gunzips = sync.Pool{New: func() any { return &gunzip{source: bufio.NewReader(nil)} }}

// unpack replaces the body of a response by a decompressed one. The limit applies to the compressed body: it may
// decompress to nothing, however large it is.
func unpack(resp *http.Response, limit int64) {
	resp.Header.Del("Content-Encoding")
	resp.Header.Del("Content-Length")
	resp.ContentLength = -1
	z := gunzips.Get().(*gunzip)
	z.source.Reset(http.MaxBytesReader(nil, resp.Body, limit))
	_ = z.Reset(z.source) // Reading returns the error.
	z.body, resp.Body = resp.Body, z
}

func (z *gunzip) Close() error {
	err := z.body.Close()
	z.source.Reset(nil)
	gunzips.Put(z)
	return err
}

// asInterrupted returns the failure, or the end of the caller's or the attempt's context if it caused the failure.
func asInterrupted(caller, attempt context.Context, failure *Failure) *Failure {
	switch {
	case failure.Kind == TooLarge:
		return failure
	case caller.Err() != nil:
		return &Failure{Kind: Canceled, Err: caller.Err(), reach: failure.reach}
	case attempt.Err() != nil:
		return &Failure{Kind: Timeout, Err: errTimeout, reach: failure.reach}
	}
	return failure
}

// errTimeout is the error of an expired attempt. It wraps a net.Error.
var errTimeout = fmt.Errorf("no complete response within the time limit of an attempt: %w", context.DeadlineExceeded)
