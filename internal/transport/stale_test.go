package transport_test

import (
	"context"
	"errors"
	"go/build"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/test/faultnet"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// brittle is a connection that can be made to fail while it is idle.
type brittle struct {
	net.Conn

	mu     sync.Mutex
	writes error // The error of the next write, after the number of bytes.
	bytes  int
	reads  chan error // The error of the pending reading.
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

// Close leaves the connection open for reading if writes fail, as the kernel does until the peer's reset has arrived.
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

// TestAStaleConnection_isReplaced breaks a connection before a byte of the request was written. The request was never
// sent, and goes out on a new connection whatever the operation and the policy.
func TestAStaleConnection_isReplaced(t *testing.T) {
	for name, breaks := range map[string]func(*brittle){
		"closed by the service": func(b *brittle) { b.failRead(io.EOF) },
		"reset by the service":  func(b *brittle) { b.failRead(syscall.ECONNRESET) },
		"broken for writing":    func(b *brittle) { b.failWrites(syscall.EPIPE, 0) },
	} {
		for _, protocol := range faultnet.Protocols {
			if protocol == faultnet.HTTP2 && name == "broken for writing" {
				continue // net/http does not report that a frame was not written: see TestSend_partlyWrittenRequestIsNotRepeated.
			}
			for _, s := range samples {
				t.Run(name+"/"+string(protocol)+"/"+s.name(), func(t *testing.T) {
					f := newFaulty(t, protocol, faultnet.OK)
					made := wear(f)
					_, _, err := f.send(t.Context(), s)
					require.NoError(t, err)
					breaks(made()[0])
					response, result, err := f.send(t.Context(), s, once)
					require.NoError(t, err)
					assert.Equal(t, http.StatusOK, response.Status)
					assert.Equal(t, 1, result.Attempts)
					assert.False(t, result.MayHaveActed)
					assert.Equal(t, 2, f.server.Requests())
					assert.Equal(t, 2, f.pacer.waits, "a request that was not sent is not paced again")
				})
			}
		}
	}
}

// TestSend_partlyWrittenRequestIsNotRepeated is not sent again, unless that does no harm. A piece of a TLS record,
// which cannot be decrypted, is not a part of a request.
func TestSend_partlyWrittenRequestIsNotRepeated(t *testing.T) {
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

// TestStaleConnections_areTriedWithinBounds breaks every idle connection of a pool.
func TestStaleConnections_areTriedWithinBounds(t *testing.T) {
	const connections = 20
	f := newFaulty(t, faultnet.HTTP1, faultnet.OK)
	made := wear(f)
	var busy, done sync.WaitGroup
	busy.Add(connections)
	f.received = func() { busy.Done(); busy.Wait() }
	for range connections {
		done.Go(func() {
			_, _, err := f.send(t.Context(), samples[0])
			assert.NoError(t, err)
		})
	}
	done.Wait()
	f.received = nil
	require.Len(t, made(), connections)
	for _, conn := range made() {
		conn.failWrites(syscall.EPIPE, 0)
	}
	_, result, err := f.send(t.Context(), samples[0], once)
	require.ErrorIs(t, err, syscall.EPIPE)
	assert.Equal(t, 1, result.Attempts)
	assert.False(t, result.Open, "nothing was sent")

	_, result, err = f.send(t.Context(), samples[0])
	require.NoError(t, err)
	assert.Equal(t, 3, result.Attempts, "also a create is retried if it was not sent")
	assert.Equal(t, connections+1, f.server.Requests())
}

// TestTheTextsOfNetHTTP_areThoseOfItsSource: some come to light by a race inside of net/http that no test can decide.
func TestTheTextsOfNetHTTP_areThoseOfItsSource(t *testing.T) {
	var source []byte
	for _, pattern := range []string{"*.go", "internal/http2/*.go"} {
		files, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", "net", "http", filepath.FromSlash(pattern)))
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			source = append(source, text...)
		}
	}
	if source == nil {
		t.Skip("there is no source of net/http here")
	}
	for _, text := range transport.NetHTTPTexts() {
		assert.Contains(t, string(source), `"`+text)
		notSent, notProcessed := transport.ReachOf(errors.New(text + " and more"))
		assert.Equal(t, strings.Contains(text, "GOAWAY"), notProcessed, text)
		assert.NotEqual(t, notProcessed, notSent, text)
	}
	assert.Contains(t, string(source), "type nothingWrittenError struct")
}
