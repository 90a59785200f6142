package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/test/pipenet"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

type counted struct {
	*httptest.Server
	opened    atomic.Int64
	protocols sync.Map
}

// count starts one: of plain HTTP, of HTTP/1.1 over TLS, or of HTTP/2 with a number of streams for each connection.
func count(t *testing.T, protocol string, streams int) *counted {
	c := &counted{}
	c.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.protocols.Store(r.Proto, true)
		_, _ = io.WriteString(w, `{}`)
	}))
	c.EnableHTTP2, c.Config.HTTP2 = protocol == "h2", &http.HTTP2Config{MaxConcurrentStreams: streams}
	c.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			c.opened.Add(1)
		}
	}
	if protocol == "http" {
		c.Start()
	} else {
		c.StartTLS()
	}
	t.Cleanup(c.Close)
	return c
}

// instead puts a transport in the place of net/http's own for a test.
func instead(t *testing.T, base http.RoundTripper) {
	usual := http.DefaultTransport
	t.Cleanup(func() { http.DefaultTransport = usual })
	http.DefaultTransport = base
}

func own(t *testing.T, address string) *harness {
	h := serve(t)
	h.config.Origin, h.config.HTTPClient, h.config.Logger = parsed(t, address), nil, nil
	return h
}

func TestPool_keepsConnections(t *testing.T) {
	for _, fleet := range []struct {
		protocol                string
		callers, calls, streams int // The streams are the server's limit for each HTTP/2 connection.
	}{{"http", 1, 20, 0}, {"http", 128, 100, 0}, {"https", 64, 50, 0}, {"h2", 64, 50, 0}, {"h2", 60, 20, 10}} {
		t.Run(fmt.Sprint(fleet.protocol, " ", fleet.callers), func(t *testing.T) {
			server := count(t, fleet.protocol, fleet.streams)
			base := &http.Transport{}
			_ = base.Clone() // It adds the protocols.
			if fleet.protocol != "http" {
				base.TLSClientConfig.RootCAs = server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
			}
			instead(t, base)
			h := own(t, server.URL)
			var running sync.WaitGroup
			for range fleet.callers {
				running.Go(func() {
					for range fleet.calls {
						_, result, err := h.send(t.Context(), create)
						assert.NoError(t, err)
						assert.False(t, result.Open, "a stream that the server refuses is not processed")
					}
				})
			}
			running.Wait()
			// Over HTTP/1.1, a caller can begin its next call before its connection is known to be idle.
			most := map[bool]int{true: fleet.callers, false: 2 * fleet.callers}[fleet.protocol == "h2"]
			assert.LessOrEqual(t, server.opened.Load(), int64(most))
			_, shared := server.protocols.Load("HTTP/2.0")
			assert.Equal(t, fleet.protocol == "h2", shared)
		})
	}
}

// only returns the protocols of a transport that speaks one, without TLS.
func only(http2 bool) *http.Protocols {
	p := &http.Protocols{}
	p.SetHTTP1(!http2)
	p.SetUnencryptedHTTP2(http2)
	return p
}

// fake is a server over pipes that counts its connections. Over HTTP/2 it allows two requests on each.
func fake(t *testing.T, http2 bool, handler http.HandlerFunc) (
	h *harness, base *http.Transport, opened, closed *atomic.Int64,
) {
	opened, closed = &atomic.Int64{}, &atomic.Int64{}
	server := &http.Server{Handler: handler, Protocols: only(http2), HTTP2: &http.HTTP2Config{MaxConcurrentStreams: 2}}
	server.ConnState = func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			opened.Add(1)
		case http.StateClosed:
			closed.Add(1)
		}
	}
	h = serve(t)
	h.config.HTTPClient = pipenet.Start(t, server)
	base = h.config.HTTPClient.Transport.(*http.Transport)
	base.Protocols = only(http2)
	return h, base, opened, closed
}

// TestPool_closesConnectionsThatAreIdleForTooLong while others are younger or in use. A read takes a second, which
// counts, and a set ten minutes.
func TestPool_closesConnectionsThatAreIdleForTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, base, opened, closed := fake(t, false, func(_ http.ResponseWriter, r *http.Request) {
			time.Sleep(time.Second)
			if r.Method == http.MethodPut {
				time.Sleep(10 * time.Minute)
			}
		})
		base.IdleConnTimeout = time.Minute
		for i, step := range []struct {
			op             *api.Operation
			calls          int
			wait           time.Duration
			opened, closed int64
		}{
			{read, 1, 0, 1, 0}, {read, 1, 58 * time.Second, 1, 0}, {read, 1, 60 * time.Second, 2, 1}, {set, 1, 0, 2, 1},
			{read, 1, 0, 2, 1}, {read, 2, 0, 3, 1}, {read, 1, 40 * time.Second, 3, 1}, {read, 2, 40 * time.Second, 4, 2},
			{read, 2, 58 * time.Second, 4, 2}, {read, 2, time.Hour, 6, 4},
		} {
			time.Sleep(step.wait)
			synctest.Wait()
			assert.Equal(t, step.closed, closed.Load(), i)
			var calls sync.WaitGroup
			for range step.calls {
				calls.Go(func() {
					_, result, err := h.send(t.Context(), step.op)
					assert.NoError(t, err)
					assert.Equal(t, 1, result.Attempts)
				})
			}
			calls.Wait()
			assert.Equal(t, step.opened, opened.Load(), i)
		}
	})
}

// TestPool_forgetsClosedConnections when the next one is made, or at their idle timeout.
func TestPool_forgetsClosedConnections(t *testing.T) {
	for name, test := range map[string]struct {
		responds      responder
		http2, breaks bool
	}{
		"unused": {nothing, false, false}, "unused over HTTP/2": {nothing, true, false}, "new": {hangUp, false, false},
		"broken": {nothing, false, true}, "broken over HTTP/2": {nothing, true, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			h, base, _, _ := fake(t, test.http2, test.responds)
			base.IdleConnTimeout = map[bool]time.Duration{false: time.Minute}[test.breaks]
			dial, made := base.DialContext, []net.Conn(nil)
			base.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
				conn, err := dial(ctx, network, address)
				made = append(made, conn)
				return conn, err
			}
			_, _, _ = h.send(t.Context(), read, once)
			if test.breaks {
				_ = made[0].Close()
				_, _, _ = h.send(t.Context(), read)
				assert.Len(t, made, 2)
			}
			time.Sleep(2 * time.Minute)
			assert.Equal(t, map[bool]int{true: 1}[test.breaks], transport.Connections(h.Transport), name)
		})
	}
}

// TestPool_hangingDialHoldsUpNobody but its own call, which ends with its context. Nothing was sent.
func TestPool_hangingDialHoldsUpNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, base, _, _ := fake(t, false, nothing)
		dial, dials := base.DialContext, atomic.Int64{}
		base.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
			if dials.Add(1) < 3 {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return dial(ctx, network, address)
		}
		canceled, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began := time.Now()
		for ctx, limit := range map[context.Context]time.Duration{canceled: 0, t.Context(): time.Minute} {
			go func() {
				_, result, err := h.send(ctx, create, once, func(c *transport.Call) { c.Timeout = limit })
				assert.ErrorIs(t, err, context.DeadlineExceeded)
				assert.False(t, result.Open)
				assert.Equal(t, time.Minute, time.Since(began))
			}()
		}
		synctest.Wait()
		_, _, err := h.send(t.Context(), read)
		require.NoError(t, err)
		assert.Zero(t, time.Since(began))
		time.Sleep(time.Hour)
	})
}

type deaf struct {
	net.Conn
	now atomic.Bool
}

func (c *deaf) Read(p []byte) (int, error) {
	for {
		if n, err := c.Conn.Read(p); err != nil || !c.now.Load() {
			return n, err
		}
	}
}

// TestPool_leavesASilentConnection of HTTP/2: pings find out that it is silent, also without a caller's transport.
func TestPool_leavesASilentConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, base, opened, _ := fake(t, true, nothing)
		dial, first := base.DialContext, &deaf{}
		base.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dial(ctx, network, address)
			if first.Conn != nil {
				return conn, err
			}
			first.Conn = conn
			return first, err
		}
		instead(t, base)
		h.config.HTTPClient = nil
		_, _, err := h.send(t.Context(), read)
		require.NoError(t, err)
		first.now.Store(true)
		_, result, err := h.send(t.Context(), read, func(c *transport.Call) { c.Timeout = time.Minute })
		require.NoError(t, err)
		assert.Equal(t, 2, result.Attempts)
		assert.EqualValues(t, 2, opened.Load())
	})
}

// TestPool_sharesHTTP2Connections that have a free slot, and closes none in use.
func TestPool_sharesHTTP2Connections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, base, opened, closed := fake(t, true, func(_ http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPut {
				time.Sleep(time.Hour)
			}
		})
		base.IdleConnTimeout = time.Minute
		call := func(op *api.Operation) {
			_, result, err := h.send(t.Context(), op)
			assert.NoError(t, err)
			assert.Equal(t, 1, result.Attempts)
		}
		call(read)
		var calls sync.WaitGroup
		for range 2 {
			calls.Go(func() { call(set) })
		}
		synctest.Wait()
		assert.EqualValues(t, 1, opened.Load())
		call(read)
		assert.EqualValues(t, 2, opened.Load(), "there was no free slot")
		h.CloseIdleConnections()
		synctest.Wait()
		assert.EqualValues(t, 1, closed.Load(), "the other one is in use")
		calls.Wait()
	})
}

func TestPool_usesTheCallersTLSDialer(t *testing.T) {
	refused := errors.New("no way out")
	base := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("not the dialer of TLS")
	}}
	base.DialTLSContext = func(context.Context, string, string) (net.Conn, error) { return nil, refused }
	instead(t, base)
	_, _, err := own(t, "https://192.0.2.1").send(t.Context(), read, once)
	require.ErrorIs(t, err, refused)
}
