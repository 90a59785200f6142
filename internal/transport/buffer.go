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
	// maxPrealloc bounds the part of a stated length that is allocated before a byte has come.
	maxPrealloc = 4 << 20
	// maxPooled is the largest buffer that is used again.
	maxPooled = 4<<20 + bytes.MinRead
)

// buffer holds the body of a response. Buffers that are released are used again.
type buffer struct {
	bytes.Buffer
	limited io.LimitedReader
}

var buffers = sync.Pool{New: func() any { return &buffer{} }}

// read reads a body of at most limit bytes. It trusts a stated length only for the size of the buffer.
func (b *buffer) read(resp *http.Response, limit int64) *Failure {
	size := resp.ContentLength
	if size <= limit {
		if size > 0 {
			b.Grow(int(min(size, maxPrealloc)) + bytes.MinRead) // So much more finds the end without growing.
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

// release lets the buffer be used again. Builds of the race detector, which are tests, overwrite it, so that a record
// that still points into it shows.
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

// gunzip is a reader of compressed bodies, one after another.
type gunzip struct {
	gzip.Reader

	source *bufio.Reader
}

var gunzips = sync.Pool{New: func() any { return &gunzip{source: bufio.NewReader(nil)} }}

// unpack makes a compressed response read as it was before, and returns a function that ends its use.
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
