package transport_test

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

const (
	good   = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood"
	secret = `{"url":"https://node.example/made-up-endpoint-token/"}`
)

// talker is a server that says what it is told, byte for byte.
type talker struct {
	url    string
	roots  *tls.Config
	opened atomic.Int64
	later  chan struct{} // When the first connection goes on.
	ended  chan struct{} // When the client has ended the first connection.
}

// talk starts one. The first request gets first, and once it is told to go on, second. Any other gets rest.
func talk(t *testing.T, encrypted bool, first, second, rest string) *talker {
	pattern := httptest.NewUnstartedServer(nil)
	pattern.StartTLS() // For its certificate.
	t.Cleanup(pattern.Close)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &talker{url: "http://" + listener.Addr().String(), later: make(chan struct{}), ended: make(chan struct{})}
	s.roots = &tls.Config{RootCAs: pattern.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
	if encrypted {
		s.url = "https://" + listener.Addr().String()
	}
	var accepting, serving sync.WaitGroup
	var conns []net.Conn
	serve := func(conn net.Conn, number int64) {
		defer conn.Close()
		if encrypted {
			conn = tls.Server(conn, &tls.Config{Certificates: pattern.TLS.Certificates, NextProtos: []string{"http/1.1"}})
		}
		in := bufio.NewReader(conn)
		for request := 0; ; request++ {
			req, err := http.ReadRequest(in)
			if err != nil {
				break
			}
			_, _ = io.Copy(io.Discard, req.Body)
			if number > 1 || request > 0 {
				_, _ = io.WriteString(conn, rest)
				continue
			}
			_, _ = io.WriteString(conn, first)
			if second != "" {
				<-s.later
				_, _ = io.WriteString(conn, second)
			}
		}
		if number == 1 {
			close(s.ended)
		}
	}
	accepting.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			number := s.opened.Add(1)
			conns = append(conns, conn)
			serving.Go(func() { serve(conn, number) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		accepting.Wait()
		for _, conn := range conns {
			_ = conn.Close()
		}
		serving.Wait()
	})
	return s
}

// client returns a transport with connections of its own to the server.
func (s *talker) client(t *testing.T) *harness {
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.TLSClientConfig = s.roots
	instead(t, base)
	return own(t, s.url)
}

// logged gathers what the test's program logs.
func logged(t *testing.T) func() string {
	var mu sync.Mutex
	var text bytes.Buffer
	usual := log.Writer()
	t.Cleanup(func() { log.SetOutput(usual) })
	log.SetOutput(writer(func(p []byte) (int, error) {
		mu.Lock()
		defer mu.Unlock()
		return text.Write(p)
	}))
	return func() string {
		mu.Lock()
		defer mu.Unlock()
		return text.String()
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

// unsolicited are responses, as they are followed by more.
var unsolicited = map[string]string{
	"a Content-Length that is too small":      "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n{\"data\":",
	"a large one that is too small":           "HTTP/1.1 200 OK\r\nContent-Length: 70000\r\n\r\n" + strings.Repeat("x", 70000),
	"a Content-Length of none":                "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
	"lines that end without carriage returns": "HTTP/1.1 200 OK\nContent-Length: 2\n\n{}",
	"chunks":                  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{\"data\":\r\n2;x=y\r\n{}\r\n0\r\n\r\n",
	"chunks with a trailer":   "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nA: b\r\nC: d\r\n\r\n",
	"204":                     "HTTP/1.1 204 No Content\r\n\r\n",
	"204 that says otherwise": "HTTP/1.1 204 No Content\r\nContent-Length: 100\r\n\r\n",
	"304":                     "HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n",
	"one after another":       "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
}

// TestWhatNobodyAskedForIsNotLogged lets a service say more than its response, at once and when the connection is idle:
// the rest of a body, and a whole other response. The next call, a create, gets its own.
func TestWhatNobodyAskedForIsNotLogged(t *testing.T) {
	transport.HoldForLong(t)
	more := map[string]string{
		"more": secret + "\r\n\r\n", "a response": "HTTP/1.1 200 OK\r\nContent-Length: 54\r\n\r\n" + secret,
		"one that looks like a timeout": "HTTP/1.0 408 " + secret,
	}
	for scheme, encrypted := range map[string]bool{"http": false, "https": true} {
		for name, response := range unsolicited {
			for what, extra := range more {
				for when, later := range map[string]bool{"at once": false, "later": true} {
					t.Run(scheme+"/"+name+"/"+what+" "+when, func(t *testing.T) {
						said := logged(t)
						first, second := response+extra, ""
						if later {
							first, second = response, extra
						}
						server := talk(t, encrypted, first, second, good)
						h := server.client(t)
						got, result, err := h.send(t.Context(), read)
						require.NoError(t, err)
						assert.Equal(t, 1, result.Attempts)
						assert.NotContains(t, string(got.Body), "made-up")
						close(server.later)
						if later {
							<-server.ended
						}
						got, result, err = h.send(t.Context(), create)
						require.NoError(t, err)
						assert.Equal(t, "good", string(got.Body))
						assert.Equal(t, 1, result.Attempts)
						<-server.ended
						assert.Equal(t, int64(2), server.opened.Load())
						assert.Empty(t, said())
					})
				}
			}
		}
	}
}

// TestATrailerThatNetHTTPReadsOtherwise has an empty line that is none to net/http, which looks for the next one.
func TestATrailerThatNetHTTPReadsOtherwise(t *testing.T) {
	said := logged(t)
	server := talk(t, false, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nA: b\n\n"+secret+"\r\n\r\n", "", good)
	h := server.client(t)
	got, _, err := h.send(t.Context(), read)
	require.NoError(t, err, "after another attempt")
	assert.Equal(t, "good", string(got.Body))
	<-server.ended
	assert.Empty(t, said())
}

// TestAServiceThatSpeaksFirst: a response that comes before its request, from a service that is too busy to read any.
func TestAServiceThatSpeaksFirst(t *testing.T) {
	said := logged(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(conn, "HTTP/1.1 503 Busy\r\nConnection: close\r\nContent-Length: 54\r\n\r\n"+secret)
			_, _ = conn.Read(make([]byte, 1<<10))
			_ = conn.Close()
		}
	}()
	h := own(t, "http://"+listener.Addr().String())
	for range 20 {
		got, _, err := h.send(t.Context(), create)
		if err == nil {
			assert.Equal(t, http.StatusServiceUnavailable, got.Status)
		}
	}
	assert.Empty(t, said())
}

// TestGuardedConnectionsAreUsedAgain takes every form of response.
func TestGuardedConnectionsAreUsedAgain(t *testing.T) {
	transport.HoldForLong(t)
	for scheme, encrypted := range map[string]bool{"http": false, "https": true} {
		for name, response := range unsolicited {
			t.Run(scheme+"/"+name, func(t *testing.T) {
				server := talk(t, encrypted, response, "", response)
				h := server.client(t)
				var first string
				for i := range 10 {
					got, _, err := h.send(t.Context(), create)
					require.NoError(t, err)
					if i == 0 {
						first = string(got.Body)
					}
					assert.Equal(t, first, string(got.Body))
				}
				assert.Equal(t, int64(1), server.opened.Load())
			})
		}
	}
}
