package transport

import (
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
)

// errUnsolicited is why a connection is given up on which came what no request has asked for. A request that was about
// to be written to it goes out on another one.
var errUnsolicited = errors.New("more than the response has come")

// guard stands between net/http and a connection that speaks HTTP/1.1 to the service, and hands over the responses to
// requests, and nothing else.
//
// What comes after the end of a response, net/http takes for an unsolicited one. It writes it to the log of the program,
// or where the next request is quick, takes it for the response to that. A Content-Length that is too small is enough
// for the one, and the rest of the body, with whatever secrets are in it, is in the log. net/http reads ahead, and
// looks at what it has by itself, so that the one place to stop it is the reading: a guard ends each Read where a
// response ends, and where more has come by then, the connection ends as well.
//
// Of a response's form a guard knows what net/http has found of it: see expect. By itself it knows that heads end with
// an empty line.
type guard struct {
	net.Conn

	mu sync.Mutex // Guards what follows, up to begun. The requests of the connection are numbered from 1.

	given  int64 // How many were given the connection.
	left   int64 // The latest one of which bytes may have left.
	over   int64 // The latest one whose response is over.
	broken bool  // More than the responses has come.

	begun chan struct{} // Closed when the first request begins to be written, or the connection ends before.
	begin sync.Once

	// What follows is net/http's reading's, which one goroutine does at a time.
	turn   int64 // The request whose response is read.
	form   form
	ahead  []byte // What was read and not handed over.
	err    error  // How the reading has ended, for after that.
	buffer [readAhead]byte
}

func newGuard(conn net.Conn) *guard { return &guard{Conn: conn, begun: make(chan struct{})} }

// readAhead is how much a guard reads at a time where it does not know that all of it belongs to a response. net/http
// reads as much.
const readAhead = 4 << 10

// give numbers a request that was given the connection.
func (g *guard) give() int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.given++
	return g.given
}

// kept reports whether no byte of a request has left.
func (g *guard) kept(request int64) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.left < request
}

// expect says what net/http has found in the head of a response, before its body is read. A response without a body is
// over by then, and the connection may be another request's.
func (g *guard) expect(resp *http.Response, request int64) {
	if resp.Body == http.NoBody {
		return
	}
	g.turn = request
	switch {
	case resp.ContentLength > 0:
		g.form.count(resp.ContentLength)
	case slices.Contains(resp.TransferEncoding, "chunked"):
		g.form.chunks()
	default:
		g.form.rest()
	}
}

// end notes that the response to a request is over.
func (g *guard) end(request int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.over = request
	g.broken = g.broken || len(g.ahead) > 0
}

// Read reads no further than to the end of a response.
func (g *guard) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if n := g.form.sure(); n > readAhead && len(g.ahead) == 0 {
		// Without its last byte, which comes with what is behind it.
		read, err := g.Conn.Read(p[:min(int64(len(p)), n-1)])
		g.form.counted -= int64(read)
		return read, err
	}
	if len(g.ahead) == 0 && g.err == nil {
		var n int
		n, g.err = g.Conn.Read(g.buffer[:])
		g.ahead = g.buffer[:n]
		if n > 0 && g.due() {
			<-g.begun // Until net/http writes, it takes a response for an unsolicited one.
		}
	}
	if g.ended() {
		return 0, io.EOF
	}
	n, ends := g.form.next(g.ahead[:min(len(p), len(g.ahead))])
	copy(p, g.ahead[:n])
	g.ahead = g.ahead[n:]
	if ends {
		g.end(g.turn)
	}
	if len(g.ahead) > 0 {
		return n, nil
	}
	return n, g.err
}

// due reports whether a response is due, now that something has come. Where none is, no request goes out any more. The
// first response may come before its request, from a service that is too busy to read any.
func (g *guard) due() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	due := g.over < g.left || g.over == 0 && g.given > 0
	g.broken = g.broken || !due
	return due
}

// ended reports whether the connection is given up.
func (g *guard) ended() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.broken
}

// Write begins a request, or goes on with it.
func (g *guard) Write(p []byte) (int, error) {
	before, err := g.leave()
	if err != nil {
		return 0, err
	}
	g.begin.Do(func() { close(g.begun) })
	n, err := g.Conn.Write(p)
	if n == 0 && err != nil {
		g.stay(before)
	}
	return n, err
}

// leave notes that bytes of the latest request are about to leave, and returns which one they have left of before. It
// fails where the connection is given up.
func (g *guard) leave() (before int64, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.broken {
		return 0, errUnsolicited
	}
	before, g.left = g.left, g.given
	return before, nil
}

// stay notes that the bytes have not left after all.
func (g *guard) stay(before int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.left = before
}

// Close ends the connection, and a Read that waits for the first request.
func (g *guard) Close() error {
	g.begin.Do(func() { close(g.begun) })
	return g.Conn.Close()
}

// NetConn returns the connection below.
func (g *guard) NetConn() net.Conn { return g.Conn }
