package transport

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"sync"

	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
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

// read reads a body of at most limit bytes. It uses Content-Length only for the size of the buffer.
func (b *buffer) read(resp *http.Response, limit int64) *Failure {
	size := resp.ContentLength
	if size <= limit {
		if size > 0 {
			b.Grow(int(min(size, maxPrealloc)) + bytes.MinRead) // The extra space lets ReadFrom find the end without growing.
		}
		var err error
		b.limited = io.LimitedReader{R: resp.Body, N: min(limit, math.MaxInt64-1) + 1}
		if size, err = b.ReadFrom(&b.limited); err != nil {
			return &Failure{Kind: Truncated, Err: err}
		}
	}
	if size > limit {
		return &Failure{Kind: TooLarge, Err: fmt.Errorf("more than %d bytes", limit)}
	}
	return nil
}

// release returns the buffer to a pool. If the race detector is on, as in tests, it overwrites the body, to find
// records that still point into it.
func (b *buffer) release() {
	if race.Enabled {
		body := b.Bytes()
		for i := range body {
			body[i] = '!'
		}
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

// unpack decompresses the body of a response if it is compressed, and returns a function that releases the reader.
func unpack(resp *http.Response) (end func()) {
	if resp.ContentLength == 0 || !strings.EqualFold(resp.Header.Get("Content-Encoding"), "gzip") {
		return func() {}
	}
	resp.Header.Del("Content-Encoding")
	resp.Header.Del("Content-Length")
	resp.ContentLength = -1
	z, body := gunzips.Get().(*gunzip), resp.Body
	z.source.Reset(body)
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
