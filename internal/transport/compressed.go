package transport

import (
	"bufio"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"sync"
)

// asksForGzip reports whether a transport of net/http's own, or nil, asks for compressed responses by itself, which takes
// it a map of headers for each request. Then the headers that are made once ask for them, and the response is unpacked
// as net/http would have done it. Any other transport is left to its own devices.
func asksForGzip(own *http.Transport) bool { return own != nil && !own.DisableCompression }

// unpack lets a response be read as it was before it was compressed.
func unpack(resp *http.Response) {
	if resp.ContentLength == 0 || !strings.EqualFold(resp.Header.Get("Content-Encoding"), "gzip") {
		return
	}
	resp.Header.Del("Content-Encoding")
	resp.Header.Del("Content-Length")
	resp.ContentLength = -1
	u := unpackers.Get().(*unpacker)
	u.source.Reset(resp.Body)
	_ = u.Reset(u.source) // What is wrong with the beginning is what every reading says.
	resp.Body = &packed{u, resp.Body}
}

// unpacker unpacks one body after another.
type unpacker struct {
	source *bufio.Reader
	gzip.Reader
}

var unpackers = sync.Pool{New: func() any { return &unpacker{source: bufio.NewReader(nil)} }}

// packed is a compressed body. Reading it unpacks it.
type packed struct {
	*unpacker

	body io.ReadCloser
}

// Close lets the memory of the unpacker be used again.
func (p *packed) Close() error {
	p.source.Reset(nil)
	unpackers.Put(p.unpacker)
	return p.body.Close()
}
