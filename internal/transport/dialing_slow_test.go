package transport_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/pipenet"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// dialer decides what becomes of each connection that is begun.
type dialer struct {
	begun atomic.Int64
	each  func(ctx context.Context, number int64) error
}

// dials returns a harness whose own connections are made through a dialer, and to a server that responds with the
// handler.
func dials(t *testing.T, d *dialer, handler http.HandlerFunc) *harness {
	base := pipenet.Serve(t, handler).Transport.(*http.Transport)
	dial := base.DialContext
	base.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if err := d.each(ctx, d.begun.Add(1)); err != nil {
			return nil, err
		}
		return dial(ctx, network, address)
	}
	instead(t, base)
	return own(t, "http://127.0.0.1")
}

// took makes a call, and returns how long it took.
func (h *harness) took(t *testing.T) time.Duration {
	start := time.Now()
	_, _, err := h.send(t.Context(), read, once)
	assert.NoError(t, err)
	return time.Since(start)
}

// TestAHangingConnectionHoldsNoCallUpForLong lets the first connection hang, whose call is given up. The next call may
// wait for it, and makes one of its own when that comes to nothing.
func TestAHangingConnectionHoldsNoCallUpForLong(t *testing.T) {
	for name, how := range map[string]struct {
		hangs time.Duration
		fails error
		waits time.Duration
		made  int64
	}{
		"for good":          {time.Hour, errors.New("lost"), 250 * time.Millisecond, 2},
		"until it fails":    {time.Second + 100*time.Millisecond, errors.New("lost"), 100 * time.Millisecond, 2},
		"until it is there": {time.Second + 100*time.Millisecond, nil, 100 * time.Millisecond, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := &dialer{each: func(_ context.Context, number int64) error {
					if number > 1 {
						return nil
					}
					time.Sleep(how.hangs)
					return how.fails
				}}
				h := dials(t, d, status(200))
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				_, _, err := h.send(ctx, read, once)
				require.ErrorIs(t, err, context.DeadlineExceeded)
				synctest.Wait()
				assert.Equal(t, how.waits, h.took(t))
				assert.Equal(t, how.made, d.begun.Load())
				assert.Zero(t, h.took(t), "it has a connection by now")
				assert.Equal(t, how.made, d.begun.Load())
				time.Sleep(time.Hour)
			})
		})
	}
}

// TestConnectionsThatCannotBeMade lets all of them fail for a while, beside one another.
func TestConnectionsThatCannotBeMade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var works atomic.Bool
		d := &dialer{each: func(context.Context, int64) error {
			if time.Sleep(time.Millisecond); !works.Load() {
				return errors.New("refused")
			}
			return nil
		}}
		h := dials(t, d, status(200))
		start := time.Now()
		var calls sync.WaitGroup
		for range 20 {
			calls.Go(func() {
				_, _, err := h.send(t.Context(), read, once)
				assert.ErrorContains(t, err, "refused")
			})
		}
		calls.Wait()
		assert.Equal(t, time.Millisecond, time.Since(start), "nobody waits for the failures of others")
		assert.EqualValues(t, 20, d.begun.Load())
		works.Store(true)
		assert.Equal(t, time.Millisecond, h.took(t))
		assert.Zero(t, h.took(t))
		assert.EqualValues(t, 21, d.begun.Load())
	})
}

// TestConnectionsThatEnd lets the service close each connection after its response, and break some in the middle of it.
func TestConnectionsThatEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var served atomic.Int64
		d := &dialer{each: func(context.Context, int64) error { return nil }}
		h := dials(t, d, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Connection", "close")
			if served.Add(1)%3 == 0 {
				cutShort(w, r)
			}
		})
		start := time.Now()
		var calls sync.WaitGroup
		for range 8 {
			calls.Go(func() {
				for range 50 {
					_, _, _ = h.send(t.Context(), read, once)
				}
			})
		}
		calls.Wait()
		assert.Zero(t, time.Since(start), "each makes room for the next")
		assert.EqualValues(t, 400, d.begun.Load())
	})
}

// TestTheTransportsOfOthersStayAsTheyAre makes clients with a program's own http.Client, and with none.
func TestTheTransportsOfOthersStayAsTheyAre(t *testing.T) {
	for _, client := range []*http.Client{nil, {Transport: &http.Transport{DialContext: (&net.Dialer{}).DialContext}}} {
		base := http.DefaultTransport.(*http.Transport)
		if client != nil {
			base = client.Transport.(*http.Transport)
		}
		before, kept := reflect.ValueOf(base.DialContext).Pointer(), base.MaxIdleConnsPerHost
		server := count(t, "http")
		h := own(t, server.URL)
		h.config.HTTPClient = client
		h.Transport = transport.New(h.config)
		_, _, err := h.send(t.Context(), read)
		require.NoError(t, err)
		assert.Equal(t, before, reflect.ValueOf(base.DialContext).Pointer())
		assert.Equal(t, kept, base.MaxIdleConnsPerHost)
	}
}
