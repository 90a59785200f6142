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
