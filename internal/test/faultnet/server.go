// Package faultnet serves HTTP/1.1 and HTTP/2 at the level of bytes and frames, because net/http's server can neither
// reset a connection nor choose the code of a RST_STREAM.
package faultnet

import (
	"bufio"
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/rpcfleet/rpcfleet-go/internal/test/pipe"
)

// Protocol is the protocol of a server.
type Protocol string

// The protocols.
const (
	HTTP1    Protocol = "HTTP/1.1"
	HTTP1TLS Protocol = "HTTP/1.1 over TLS"
	HTTP2    Protocol = "HTTP/2"
)

// Protocols lists all protocols.
var Protocols = []Protocol{HTTP1, HTTP1TLS, HTTP2}

// Server plays a script with one line for each request. If the script ends, it plays the last line again.
type Server struct {
	// URL is the base URL.
	URL string

	protocol Protocol
	client   *http.Client
	listener net.Listener
	serving  sync.WaitGroup

	mu       sync.Mutex
	script   []Fault
	begin    int // The number of the request for the first line of the script.
	requests int
	whole    int // The number of complete requests.
	conns    map[net.Conn]bool
	accepted int
}

// Serve starts a server on a loopback port that is closed when the test ends.
func Serve(t testing.TB, protocol Protocol, script ...Fault) *Server {
	t.Helper()
	s, err := Start(protocol, script...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// Start is like Serve, for programs: the caller closes the server.
func Start(protocol Protocol, script ...Fault) (*Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	return serve(protocol, listener, listener.Addr().String(), script), nil
}

// ServePiped is like Serve over pipes, for tests in a testing/synctest bubble. A reset becomes a close, and data
// written right before the end may be lost: use it for faults that keep the connection.
func ServePiped(t testing.TB, protocol Protocol, script ...Fault) *Server {
	t.Helper()
	listener := pipe.Listen()
	s := serve(protocol, listener, "127.0.0.1", script)
	t.Cleanup(s.Close)
	s.client.Transport.(*http.Transport).DialContext = listener.Dial
	return s
}

func serve(protocol Protocol, listener net.Listener, host string, script []Fault) *Server {
	// httptest supplies the certificate and a client that trusts it.
	pattern := httptest.NewUnstartedServer(nil)
	pattern.EnableHTTP2 = protocol == HTTP2
	pattern.StartTLS()
	pattern.Close() // A bubble must not wait for its socket.
	s := &Server{
		protocol: protocol, listener: listener, script: script, client: pattern.Client(), conns: map[net.Conn]bool{},
	}
	s.URL = "https://" + host
	if protocol == HTTP1 {
		s.URL = "http://" + host
	}
	s.serving.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			if _, socket := conn.(*net.TCPConn); !socket {
				conn = newRoomy(conn)
			}
			s.mu.Lock()
			s.conns[conn] = true
			s.accepted++
			s.mu.Unlock()
			s.serving.Go(func() { s.serve(conn, pattern.TLS) })
		}
	})
	return s
}

// Close stops the server and waits for it.
func (s *Server) Close() {
	_ = s.listener.Close()
	s.mu.Lock()
	for conn := range s.conns {
		_ = conn.Close()
	}
	s.mu.Unlock()
	s.serving.Wait()
	s.client.CloseIdleConnections()
}

// Play starts a new script with the next request.
func (s *Server) Play(script ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script, s.begin = script, s.requests
}

// Client returns a client that trusts the server and keeps connections alive.
func (s *Server) Client() *http.Client { return s.client }

// Requests returns the number of requests so far, complete or not.
func (s *Server) Requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

// Whole returns the number of complete requests, which a service would execute.
func (s *Server) Whole() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.whole
}

// Accepted returns the number of connections so far.
func (s *Server) Accepted() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.accepted
}

// arrived counts a request and returns its line of the script.
func (s *Server) arrived() Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	return s.script[min(s.requests-1-s.begin, len(s.script)-1)]
}

// ended counts a complete request.
func (s *Server) ended() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.whole++
}

func (s *Server) serve(plain net.Conn, config *tls.Config) {
	c := &conn{server: s, plain: plain, Conn: plain}
	defer func() {
		_ = plain.Close() // Without a close notify alert.
		s.mu.Lock()
		delete(s.conns, plain)
		s.mu.Unlock()
	}()
	if s.protocol != HTTP1 {
		encrypted := tls.Server(plain, config)
		if encrypted.Handshake() != nil {
			return
		}
		c.Conn = encrypted
	}
	c.in = bufio.NewReader(c.Conn)
	if s.protocol == HTTP2 {
		c.serve2()
	} else {
		c.serve1()
	}
}

// conn is one connection.
type conn struct {
	net.Conn

	server *Server
	plain  net.Conn // The connection below TLS.
	in     *bufio.Reader
}

// reset closes the connection so that the peer gets "connection reset".
func (c *conn) reset() {
	if tcp, is := c.plain.(*net.TCPConn); is {
		_ = tcp.SetLinger(0)
	}
	_ = c.plain.Close()
}

// write sends bytes. An error shows on the next read.
func (c *conn) write(bytes string) { _, _ = c.Write([]byte(bytes)) }
