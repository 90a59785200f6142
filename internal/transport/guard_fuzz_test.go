package transport

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

// pieces is a connection from which bytes come in pieces of up to so many.
type pieces struct {
	net.Conn
	bytes []byte
	size  int
}

func (p *pieces) Read(into []byte) (int, error) {
	if len(p.bytes) == 0 {
		return 0, io.EOF
	}
	n := copy(into, p.bytes[:min(p.size, len(p.bytes))])
	p.bytes = p.bytes[n:]
	return n, nil
}

func (*pieces) Write(p []byte) (int, error) { return len(p), nil }

// FuzzGuard reads bytes as net/http's transport does, which may hold nothing when it has read a response to its end.
func FuzzGuard(f *testing.F) {
	for _, text := range []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}rest",
		"HTTP/1.1 200 OK\nContent-Length: 0\n\nrest",
		"HTTP/1.1 204 No Content\r\nContent-Length: 7\r\n\r\nrest",
		"HTTP/1.1 304 X\r\nTransfer-Encoding: chunked\r\n\r\nrest",
		"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}rest",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0A \r\n0123456789\r\n0\r\n\r\nrest",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n\n\n\r\n000\r\nA: b\r\n c\r\n\r\nrest",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: b\n\nrest\r\n\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nrest",
		"HTTP/1.1 200 OK\r\nA: b\r\n \r\n\t\r\nContent-Length: 1\r\n\r\nxrest",
		"HTTP/1.0 200 OK\r\n\r\nrest",
	} {
		for _, size := range []uint16{1, 7, 5000} {
			f.Add([]byte(text), size)
		}
	}
	f.Fuzz(func(t *testing.T, bytes []byte, size uint16) {
		g := newGuard(&pieces{bytes: bytes, size: int(size) + 1})
		request := g.give()
		_, err := io.WriteString(g, "a request")
		assert.NoError(t, err)
		in := bufio.NewReader(g)
		var resp *http.Response
		for resp == nil || resp.StatusCode/100 == 1 {
			var err error
			if resp, err = http.ReadResponse(in, &http.Request{Method: http.MethodGet}); err != nil {
				return
			}
			if resp.StatusCode == http.StatusSwitchingProtocols {
				return
			}
		}
		g.expect(resp, request)
		if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.Close {
			return // The connection ends.
		}
		g.end(request)
		assert.Zero(t, in.Buffered())
		_, err = in.Peek(1)
		assert.Equal(t, io.EOF, err)
		assert.Zero(t, in.Buffered())
	})
}
