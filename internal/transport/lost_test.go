package transport_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/build"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/test/faultnet"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

type sample struct {
	*api.Operation
	body string
}

var samples = []sample{
	{create, `{"a":1}`}, {create, ""},
	{&api.Operation{ID: "changeThing", Method: http.MethodPatch, Path: "/thing"}, `{"a":1}`},
	{&api.Operation{ID: "dropThing", Method: http.MethodDelete, Path: "/thing"}, ""},
	{&api.Operation{ID: "visitThing", Method: http.MethodGet, Path: "/thing"}, ""},
	{read, ""}, {set, `{"a":1}`}, {set, ""},
}

func (s sample) name() string {
	kind := map[bool]string{true: "idempotent ", false: ""}[s.Idempotent]
	return kind + s.Method + map[bool]string{true: " without a body", false: ""}[s.body == ""]
}

// faulty is a transport in front of a faultnet server.
type faulty struct {
	*harness
	server *faultnet.Server
	waits  atomic.Int64 // The number of requests that were paced.
}

func inFrontOf(t *testing.T, server *faultnet.Server) *faulty {
	t.Helper()
	f := &faulty{harness: own(t, server.URL), server: server}
	f.config.HTTPClient = server.Client()
	f.config.Wait = func(context.Context) error { f.waits.Add(1); return nil }
	return f
}

func (f *faulty) send(ctx context.Context, s sample, change ...func(*transport.Call)) (
	*transport.Response, *transport.Result, error,
) {
	return f.harness.send(ctx, s.Operation, append([]func(*transport.Call){func(c *transport.Call) {
		c.Body, c.Timeout, c.MaxAttempts, c.BaseDelay = []byte(s.body), time.Minute, 3, 0
	}}, change...)...)
}

// TestSend_lostResponseRepeatsOnlyIdempotentCalls counts the requests that arrive on the server if a response gets
// lost, on a new connection and on one that has been used. If the operation is not idempotent, that is one request, and
// always as many as the client counts.
func TestSend_lostResponseRepeatsOnlyIdempotentCalls(t *testing.T) {
	for _, protocol := range faultnet.Protocols {
		for _, fault := range faultnet.Lost(protocol) {
			for _, s := range samples {
				t.Run(string(protocol)+"/"+fault.Name+"/"+s.name(), func(t *testing.T) {
					t.Parallel()
					script := []faultnet.Fault{faultnet.OK, fault}
					if fault.Name == faultnet.Silence.Name { // The time is over when nothing moves any more, and not before.
						synctest.Test(t, func(t *testing.T) { s.lose(t, faultnet.ServePiped(t, protocol, script...)) })
						return
					}
					s.lose(t, faultnet.Serve(t, protocol, script...))
				})
			}
		}
	}
}

func (s sample) lose(t *testing.T, server *faultnet.Server) {
	t.Helper()
	f := inFrontOf(t, server)
	_, result, err := f.send(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, 1, result.Attempts)
	before, attempts := f.server.Requests(), 0
	for _, change := range []func(*transport.Call){func(*transport.Call) {}, once} {
		paced := f.waits.Load()
		_, result, err = f.send(t.Context(), s, change)
		attempts += result.Attempts
		assert.Equal(t, f.server.Requests()-before, attempts)
		assert.EqualValues(t, result.Attempts, f.waits.Load()-paced)
		if !s.Idempotent {
			assert.Equal(t, 1, result.Attempts)
			assert.True(t, result.Open || err == nil, "a create without a response may have been executed")
		}
	}
}

// TestSend_unprocessedRequestIsSentAgainOnce, whatever the operation, on a new or used connection. It is sent again at
// once, and counted and paced.
func TestSend_unprocessedRequestIsSentAgainOnce(t *testing.T) {
	for _, fault := range faultnet.Unprocessed {
		for _, script := range [][]faultnet.Fault{{fault, faultnet.OK, fault}, {faultnet.OK, fault, faultnet.OK, fault}} {
			for _, s := range samples {
				t.Run(fmt.Sprint(fault.Name, "/", s.name(), len(script)), func(t *testing.T) {
					t.Parallel()
					f := inFrontOf(t, faultnet.Serve(t, faultnet.HTTP2, script...))
					for range len(script) - 3 {
						_, _, err := f.send(t.Context(), s)
						require.NoError(t, err)
					}
					before, paced := f.server.Requests(), f.waits.Load()
					response, result, err := f.send(t.Context(), s, once)
					require.NoError(t, err)
					assert.Equal(t, http.StatusOK, response.Status)
					assert.Equal(t, []int{2, 2}, []int{result.Attempts, f.server.Requests() - before})
					assert.EqualValues(t, 2, f.waits.Load()-paced)
					assert.False(t, result.MayHaveActed)

					before = f.server.Requests()
					_, result, err = f.send(t.Context(), s, once)
					require.Error(t, err)
					assert.NotContains(t, err.Error(), "GetBody", "advice to this library is not the caller's")
					assert.Equal(t, []int{2, 2}, []int{result.Attempts, f.server.Requests() - before}, "once more, not for ever")

					_, result, err = f.send(t.Context(), s)
					require.Error(t, err)
					assert.Equal(t, 4, result.Attempts, "three of the policy, and the one")
				})
			}
		}
	}
}

// brittle is a connection over pipes that can be made to fail while it is idle.
type brittle struct {
	net.Conn

	reads  error // The error of the pending reading.
	writes error // The error of the next write, after the number of bytes.
	bytes  int
}

func (b *brittle) Read(p []byte) (int, error) {
	n, err := b.Conn.Read(p)
	return n, cmp.Or(b.reads, err)
}

func (b *brittle) Write(p []byte) (int, error) {
	if b.writes == nil {
		return b.Conn.Write(p)
	}
	n, err := b.Conn.Write(p[:min(b.bytes, len(p))])
	return n, errors.Join(err, &net.OpError{Op: "write", Net: "tcp", Err: b.writes})
}

// Close leaves the connection open for reading if writes fail, as the kernel does until the peer's reset has arrived.
// Otherwise net/http would at times report the end of its own reading, and not that it wrote nothing.
func (b *brittle) Close() error {
	if b.writes != nil {
		return nil
	}
	return b.Conn.Close()
}

// onBrittle executes a test in a bubble, with a transport on brittle connections that responds to everything.
func onBrittle(t *testing.T, protocol faultnet.Protocol, test func(t *testing.T, f *faulty, made *[]*brittle)) {
	synctest.Test(t, func(t *testing.T) {
		f, made, mu := inFrontOf(t, faultnet.ServePiped(t, protocol, faultnet.OK)), []*brittle(nil), sync.Mutex{}
		base := f.server.Client().Transport.(*http.Transport)
		dial := base.DialContext
		base.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dial(ctx, network, address)
			mu.Lock()
			defer mu.Unlock()
			made = append(made, &brittle{Conn: conn})
			return made[len(made)-1], err
		}
		test(t, f, &made)
	})
}

// TestSend_replacesStaleConnection breaks a connection before a byte of the request was written. The request was never
// sent, and goes out on a new connection whatever the operation and the policy.
func TestSend_replacesStaleConnection(t *testing.T) {
	for name, broken := range map[string]brittle{
		"closed by the service": {reads: io.EOF}, "reset by the service": {reads: syscall.ECONNRESET},
		"broken for writing": {writes: syscall.EPIPE},
	} {
		for _, protocol := range faultnet.Protocols {
			if protocol == faultnet.HTTP2 && broken.writes != nil {
				continue // net/http does not report that a frame was not written: see TestSend_partlyWrittenRequestIsNotRepeated.
			}
			for _, s := range samples {
				onBrittle(t, protocol, func(t *testing.T, f *faulty, made *[]*brittle) {
					_, _, err := f.send(t.Context(), s)
					require.NoError(t, err)
					first := (*made)[0]
					synctest.Wait()
					if first.reads, first.writes = broken.reads, broken.writes; first.reads != nil {
						_ = first.Conn.Close()
						synctest.Wait() // net/http has given it up.
					}
					response, result, err := f.send(t.Context(), s, once)
					require.NoError(t, err, "%s, %s, %s", name, protocol, s.name())
					assert.Equal(t, http.StatusOK, response.Status)
					assert.Equal(t, 1, result.Attempts)
					assert.False(t, result.MayHaveActed)
					assert.Equal(t, 2, f.server.Requests())
					assert.EqualValues(t, 2, f.waits.Load(), "a request that was not sent is not paced again")
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
			onBrittle(t, protocol, func(t *testing.T, f *faulty, made *[]*brittle) {
				_, _, err := f.send(t.Context(), s)
				require.NoError(t, err)
				synctest.Wait()
				(*made)[0].writes, (*made)[0].bytes = syscall.EPIPE, 5
				_, result, err := f.send(t.Context(), s)
				assert.Equal(t, protocol == faultnet.HTTP1TLS || s.Idempotent, err == nil, "%s, %s: %v", protocol, s.name(), err)
				assert.Equal(t, protocol != faultnet.HTTP1TLS && s.Idempotent, result.Attempts == 2)
				assert.LessOrEqual(t, result.Attempts, 2)
			})
		}
	}
}

// TestStaleConnections_areReplaced breaks every idle connection of a pool.
func TestStaleConnections_areReplaced(t *testing.T) {
	const connections = 20
	onBrittle(t, faultnet.HTTP1, func(t *testing.T, f *faulty, made *[]*brittle) {
		var busy, done sync.WaitGroup
		busy.Add(connections)
		ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
			GotFirstResponseByte: func() { busy.Done(); busy.Wait() },
		})
		for range connections {
			done.Go(func() {
				_, _, err := f.send(ctx, samples[0])
				assert.NoError(t, err)
			})
		}
		done.Wait()
		synctest.Wait()
		require.Len(t, *made, connections)
		for _, conn := range *made {
			conn.writes = syscall.EPIPE
		}
		_, result, err := f.send(t.Context(), samples[0], once)
		require.NoError(t, err)
		assert.Equal(t, 1, result.Attempts, "nothing was sent before")
		assert.Equal(t, connections+1, f.server.Requests())
	})
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
