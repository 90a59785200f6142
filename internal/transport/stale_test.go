package transport_test

import (
	"context"
	"errors"
	"go/build"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/faultnet"
)

// brittle is a connection that can be made to fail while it is idle.
type brittle struct {
	net.Conn

	mu     sync.Mutex
	writes error // What the next write fails with, after the number of bytes.
	bytes  int
	reads  chan error // What the pending reading fails with.
	closed chan struct{}
	once   sync.Once
}

func (b *brittle) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.writes == nil {
		return b.Conn.Write(p)
	}
	n, err := b.Conn.Write(p[:min(b.bytes, len(p))])
	return n, errors.Join(err, &net.OpError{Op: "write", Net: "tcp", Err: b.writes})
}

func (b *brittle) Read(p []byte) (int, error) {
	n, err := b.Conn.Read(p)
	select {
	case failure := <-b.reads:
		return 0, failure
	default:
		return n, err
	}
}

// Close leaves a connection whose writes fail open for reading, as the kernel does until the peer's reset has arrived.
// Otherwise net/http would at times report the end of its own reading, and not that it wrote nothing.
func (b *brittle) Close() error {
	b.once.Do(func() { close(b.closed) })
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.writes != nil {
		return nil
	}
	return b.Conn.Close()
}

// failRead ends the pending reading, and waits until net/http has given the connection up for it.
func (b *brittle) failRead(with error) {
	b.reads <- with
	_ = b.Conn.Close()
	<-b.closed
}

// failWrites lets the next write end after some bytes.
func (b *brittle) failWrites(with error, after int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.writes, b.bytes = with, after
}

// wear makes the client's connections brittle and returns those that it has made.
func wear(f *faulty) func() []*brittle {
	var mu sync.Mutex
	var made []*brittle
	base := f.server.Client().Transport.(*http.Transport)
	base.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		mu.Lock()
		defer mu.Unlock()
		made = append(made, &brittle{Conn: conn, reads: make(chan error, 1), closed: make(chan struct{})})
		return made[len(made)-1], nil
	}
	return func() []*brittle {
		mu.Lock()
		defer mu.Unlock()
		return append([]*brittle(nil), made...)
	}
}

// TestAStaleConnection breaks an idle connection after the request was given it and before a byte was written. The
// request was never sent, and goes out on a new connection whatever the operation and the policy.
func TestAStaleConnection(t *testing.T) {
	for name, breaks := range map[string]func(*brittle){
		"closed by the service": func(b *brittle) { b.failRead(io.EOF) },
		"reset by the service":  func(b *brittle) { b.failRead(syscall.ECONNRESET) },
		"broken for writing":    func(b *brittle) { b.failWrites(syscall.EPIPE, 0) },
	} {
		for _, protocol := range faultnet.Protocols {
			if protocol == faultnet.HTTP2 && name == "broken for writing" {
				continue // That a frame was not written cannot be told: see TestARequestThatLeftInPart.
			}
			for _, s := range samples {
				t.Run(name+"/"+string(protocol)+"/"+s.name(), func(t *testing.T) {
					f := newFaulty(t, protocol, faultnet.OK)
					made := wear(f)
					_, _, err := f.send(t.Context(), s)
					require.NoError(t, err)
					broken := false
					ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
						if !broken {
							assert.True(t, info.Reused)
							broken = true
							breaks(made()[0])
						}
					}})
					response, result, err := f.send(ctx, s, once)
					require.NoError(t, err)
					assert.True(t, broken)
					assert.Equal(t, http.StatusOK, response.Status)
					assert.Equal(t, 1, result.Attempts)
					assert.False(t, result.MayHaveActed)
					assert.Equal(t, 2, f.server.Requests())
					assert.Equal(t, 2, f.pacer.waits, "what was not sent is not paced")
				})
			}
		}
	}
}

// TestARequestThatLeftInPart is not sent again, unless that does no harm. A piece of a TLS record, which nobody can
// decrypt, is none of a request.
func TestARequestThatLeftInPart(t *testing.T) {
	for _, protocol := range faultnet.Protocols {
		for _, s := range samples {
			t.Run(string(protocol)+"/"+s.name(), func(t *testing.T) {
				f := newFaulty(t, protocol, faultnet.OK)
				made := wear(f)
				_, _, err := f.send(t.Context(), s)
				require.NoError(t, err)
				made()[0].failWrites(syscall.EPIPE, 5)
				_, result, err := f.send(t.Context(), s)
				switch {
				case protocol == faultnet.HTTP1TLS:
					require.NoError(t, err)
					assert.Equal(t, 1, result.Attempts)
				case s.Idempotent:
					require.NoError(t, err)
					assert.Equal(t, 2, result.Attempts)
				default:
					require.Error(t, err)
					assert.Equal(t, 1, result.Attempts)
				}
			})
		}
	}
}

// TestStaleConnectionsWithoutEnd takes a pool in which every connection is dead: that ends as well.
func TestStaleConnectionsWithoutEnd(t *testing.T) {
	for name, head := range map[string]bool{"before the head": false, "with the head in the buffer": true} {
		for _, stale := range staleTexts {
			t.Run(name+"/"+stale, func(t *testing.T) {
				f, sent := newFaulty(t, faultnet.HTTP1, faultnet.OK), 0
				f.over(t, tripper(func(req *http.Request) (*http.Response, error) {
					sent++
					trace := httptrace.ContextClientTrace(req.Context())
					trace.GotConn(httptrace.GotConnInfo{Reused: true})
					if head {
						trace.WroteHeaders()
					}
					return nil, errors.New(stale)
				}))
				_, result, err := f.send(t.Context(), samples[0], once)
				require.ErrorContains(t, err, stale)
				assert.Equal(t, 1, result.Attempts)
				assert.Equal(t, 6, sent)

				_, result, err = f.send(t.Context(), samples[0])
				require.Error(t, err)
				assert.Equal(t, 3, result.Attempts, "what was not sent may be tried again, a create too")
				assert.False(t, result.MayHaveActed)
			})
		}
	}
}

// staleTexts are what net/http says of an idle connection whose end it read before it wrote.
var staleTexts = []string{"http: server closed idle connection", "readLoopPeekFailLocked: "}

// TestTheTextsOfNetHTTP looks the texts up. Which of them comes to light depends on a race inside of net/http that no
// test can decide: TestAStaleConnection meets them now and then.
func TestTheTextsOfNetHTTP(t *testing.T) {
	source, err := os.ReadFile(filepath.Join(build.Default.GOROOT, "src", "net", "http", "transport.go"))
	if err != nil {
		t.Skip("there is no source of net/http here")
	}
	for _, text := range staleTexts {
		assert.Contains(t, string(source), `"`+text)
	}
}

// TestATransportThatRepeatsByItself hides how an earlier sending has ended: the last failure proves nothing.
func TestATransportThatRepeatsByItself(t *testing.T) {
	f := newFaulty(t, faultnet.HTTP1, faultnet.OK)
	sent := 0
	f.over(t, tripper(func(req *http.Request) (*http.Response, error) {
		trace := httptrace.ContextClientTrace(req.Context())
		for range 2 {
			sent++
			trace.GotConn(httptrace.GotConnInfo{Reused: true})
			trace.WroteHeaders()
		}
		return nil, errors.New("stream error: stream ID 1; REFUSED_STREAM; received from peer")
	}))
	_, result, err := f.send(t.Context(), samples[0])
	require.Error(t, err)
	assert.Equal(t, 1, result.Attempts)
	assert.Equal(t, 2, sent)
}
