package transport

import (
	"bytes"
	"io"
	"math"
	"net/http"
	"sync"
)

const (
	// trusted is how much of a stated length is allocated before a byte has come. What is larger than that is met as it
	// comes, by doubling.
	trusted = 4 << 20
	// reusable is the largest buffer that is used again.
	reusable = 4<<20 + bytes.MinRead
)

// buffer holds the body of a response. Buffers that are released are used again.
type buffer struct {
	bytes.Buffer

	limited io.LimitedReader // Here, so that it is no allocation of its own.
}

var buffers = sync.Pool{New: func() any { return &buffer{} }}

// newBuffer returns an empty buffer. One that is kept was nobody's before, and is no larger than it has to be.
func newBuffer(kept bool) *buffer {
	if kept {
		return &buffer{}
	}
	return buffers.Get().(*buffer)
}

// read reads a body of at most limit bytes. It trusts a stated length only for the size of the buffer.
func (b *buffer) read(resp *http.Response, limit int64) error {
	if resp.ContentLength > limit {
		return &tooLargeError{limit}
	}
	if resp.ContentLength > 0 {
		b.Grow(int(min(resp.ContentLength, trusted)) + bytes.MinRead) // So much more finds the end without growing.
	}
	b.limited = io.LimitedReader{R: resp.Body, N: min(limit, math.MaxInt64-1) + 1}
	read, err := b.ReadFrom(&b.limited)
	b.limited.R = nil
	if err == nil && read > limit {
		err = &tooLargeError{limit}
	}
	return err
}

// release lets the buffer be used again.
func (b *buffer) release() {
	if overwritten {
		body := b.Bytes()
		for i := range body {
			body[i] = '!'
		}
	}
	if b.Cap() <= reusable {
		b.Reset()
		buffers.Put(b)
	}
}
