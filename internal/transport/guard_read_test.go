package transport

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// half is a connection from which bytes come, and that fails where it is written to.
type half struct {
	net.Conn
	io.Reader
}

var errHalf = errors.New("only half a connection")

func (h half) Read(p []byte) (int, error) { return h.Reader.Read(p) }

func (half) Write([]byte) (int, error) { return 0, errHalf }

// guarded returns a guard whose first request is written.
func guarded(t *testing.T, in io.Reader) (*guard, int64) {
	g := newGuard(half{Reader: in})
	request := g.give()
	_, err := g.Write(nil)
	require.ErrorIs(t, err, errHalf, "the connection's own error")
	return g, request
}

// TestAGuardHandsOverWhatCame, whole, and with the connection's error behind it, whatever the two come in.
func TestAGuardHandsOverWhatCame(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n"
	cut, whole := strings.Repeat("x", 8000), strings.Repeat("x", 9000)
	lost := errors.New("lost")
	for name, test := range map[string]struct {
		in   io.Reader
		body string
		err  error
	}{
		"in one piece":                 {strings.NewReader(head + whole), whole, nil},
		"byte by byte":                 {iotest.OneByteReader(strings.NewReader(head + whole)), whole, nil},
		"with the end":                 {iotest.DataErrReader(strings.NewReader(head + whole)), whole, nil},
		"cut short":                    {strings.NewReader(head + cut), cut, io.ErrUnexpectedEOF},
		"cut short, with the end":      {iotest.DataErrReader(strings.NewReader(head + cut)), cut, io.ErrUnexpectedEOF},
		"lost":                         {io.MultiReader(strings.NewReader(head+cut), iotest.ErrReader(lost)), cut, lost},
		"lost, in pieces of one byte":  {iotest.OneByteReader(io.MultiReader(strings.NewReader(head+cut), iotest.ErrReader(lost))), cut, lost},
		"with what nobody asked for":   {strings.NewReader(head + whole + "HTTP/1.1 200 OK\r\n\r\n"), whole, nil},
		"with a byte nobody asked for": {iotest.HalfReader(strings.NewReader(head + whole + "x")), whole, nil},
	} {
		t.Run(name, func(t *testing.T) {
			g, request := guarded(t, test.in)
			in := bufio.NewReader(g)
			resp, err := http.ReadResponse(in, nil)
			require.NoError(t, err)
			g.expect(resp, request)
			body, err := io.ReadAll(resp.Body)
			assert.Equal(t, test.body, string(body))
			assert.Equal(t, test.err, err)
			n, err := g.Read(nil)
			assert.Zero(t, n)
			require.NoError(t, err, "nothing was wanted")
			g.end(request)
			n, err = g.Read(make([]byte, 1))
			assert.Zero(t, n)
			assert.Error(t, err)
		})
	}
}

// TestAGuardHasItsConnection for who looks below.
func TestAGuardHasItsConnection(t *testing.T) {
	below := half{Reader: strings.NewReader("")}
	assert.Equal(t, below, newGuard(below).NetConn())
	assert.EqualError(t, errUnsolicited, "more than the response has come")
}
