package transport_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// TestConnectionsAreKeptForAllCallers lets 128 callers have a request under way at the same time, again and again: the
// connections of the first round serve all others.
func TestConnectionsAreKeptForAllCallers(t *testing.T) {
	const callers, rounds = 128, 4
	var opened atomic.Int64
	var together sync.WaitGroup // Until all requests of a round have arrived.
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		together.Done()
		together.Wait()
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	h := serve(t)
	h.config.HTTPClient = nil
	origin, err := url.Parse(server.URL)
	require.NoError(t, err)
	h.config.Origin = origin
	h.Transport = transport.New(h.config)
	for range rounds {
		together.Add(callers)
		var calls sync.WaitGroup
		for range callers {
			calls.Go(func() {
				_, _, err := h.send(t.Context(), read)
				assert.NoError(t, err)
			})
		}
		calls.Wait()
	}
	// net/http may give up one that it could not hand back in time.
	assert.LessOrEqual(t, opened.Load(), int64(callers+callers/8))
}

// TestTheBaseIsThatOfTheProgram with room for a fleet, where it is one of net/http's own.
func TestTheBaseIsThatOfTheProgram(t *testing.T) {
	usual := http.DefaultTransport
	t.Cleanup(func() { http.DefaultTransport = usual })
	base, ok := transport.NewBase().(*http.Transport)
	require.True(t, ok)
	assert.NotSame(t, usual, base)
	assert.Equal(t, 512, base.MaxIdleConns)
	assert.Equal(t, 512, base.MaxIdleConnsPerHost)
	assert.Equal(t, usual.(*http.Transport).IdleConnTimeout, base.IdleConnTimeout)
	assert.NotNil(t, base.Proxy)

	http.DefaultTransport = &http.Transport{ResponseHeaderTimeout: 7}
	base, ok = transport.NewBase().(*http.Transport)
	require.True(t, ok)
	assert.EqualValues(t, 7, base.ResponseHeaderTimeout)
	assert.Nil(t, base.Proxy, "there was none")

	other := tripper(nil)
	http.DefaultTransport = other
	_, ok = transport.NewBase().(tripper)
	assert.True(t, ok)
}
