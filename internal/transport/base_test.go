package transport_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

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
