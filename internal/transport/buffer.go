package transport

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"sync"
)

const (
	// maxPrealloc is the maximum size that is allocated for Content-Length before a byte has arrived.
	maxPrealloc = 4 << 20
	// maxPooled is the maximum size of a buffer that is reused.
	maxPooled = 4<<20 + bytes.MinRead
)

// buffer contains the body of a response. Released buffers are reused.
type buffer struct {
	bytes.Buffer
	limited io.LimitedReader
}

var buffers = sync.Pool{New: func() any { return &buffer{} }}

// read reads the body of a response and closes it. It uses Content-Length only for the size of the buffer.
func (s *callState) read(resp *http.Response) (failure *Failure) {
	body := &buffer{} // If the body is kept, the buffer is not pooled, and no larger than necessary.
	if !s.call.KeepBody {
		body = buffers.Get().(*buffer)
	}
	size, limit := resp.ContentLength, s.call.MaxBody
	if s.call.Operation.Method == http.MethodHead {
		size = 0 // Content-Length is of the body that GET would return.
	}
	if size <= limit {
		if size > 0 {
			body.Grow(int(min(size, maxPrealloc)) + bytes.MinRead) // The extra space lets ReadFrom find the end without growing.
		}
		var err error
		body.limited = io.LimitedReader{R: resp.Body, N: min(limit, math.MaxInt64-1) + 1}
		if size, err = body.ReadFrom(&body.limited); err != nil {
			failure = &Failure{Kind: Truncated, Err: err}
		}
	}
	if size > limit || failure != nil && errors.As(failure, new(*http.MaxBytesError)) {
		failure = &Failure{Kind: TooLarge, Err: fmt.Errorf("more than %d bytes", limit)}
	}
	_ = resp.Body.Close() // The body was read, or the attempt has failed.
	response := &Response{
		Status: resp.StatusCode, Protocol: resp.Proto, Header: resp.Header, Deadline: s.attempt.deadline, buffer: body,
	}
	s.attempt.response = response
	if failure != nil {
		beginning := bytes.Clone(body.Next(2 << 10))
		response.Release()
		response.Body = beginning
		return failure
	}
	response.Body = body.Bytes()
	if s.call.KeepBody {
		response.buffer = nil
	}
	return nil
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
	b.limited.R = nil
	if b.Cap() <= maxPooled {
		b.Reset()
		buffers.Put(b)
	}
}

// gunzip is a reusable reader of compressed bodies.
type gunzip struct {
	gzip.Reader

	source *bufio.Reader
}

var gunzips = sync.Pool{New: func() any { return &gunzip{source: bufio.NewReader(nil)} }}

// unpack decompresses the body of a response, and returns a function that releases the reader. The limit applies to the
// compressed body: it may decompress to nothing, however large it is.
func unpack(resp *http.Response, limit int64) (end func()) {
	resp.Header.Del("Content-Encoding")
	resp.Header.Del("Content-Length")
	resp.ContentLength = -1
	z, body := gunzips.Get().(*gunzip), resp.Body
	z.source.Reset(http.MaxBytesReader(nil, body, limit))
	_ = z.Reset(z.source) // Reading returns the error.
	resp.Body = struct {
		io.Reader
		io.Closer
	}{z, body}
	return func() {
		z.source.Reset(nil)
		gunzips.Put(z)
	}
}
