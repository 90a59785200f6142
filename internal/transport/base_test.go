package transport_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// TestTheBaseIsThatOfTheProgram with room for a fleet, if it is one of net/http's own.
func TestTheBaseIsThatOfTheProgram(t *testing.T) {
	base := transport.NewBase().(*http.Transport)
	assert.Equal(t, []int{512, 512}, []int{base.MaxIdleConns, base.MaxIdleConnsPerHost})
	assert.Equal(t, http.DefaultTransport.(*http.Transport).IdleConnTimeout, base.IdleConnTimeout)
	assert.NotNil(t, base.Proxy)

	instead(t, &http.Transport{ResponseHeaderTimeout: 7})
	base = transport.NewBase().(*http.Transport)
	assert.EqualValues(t, 7, base.ResponseHeaderTimeout)
	assert.Nil(t, base.Proxy, "there was none")
	assert.NotSame(t, http.DefaultTransport, base)

	instead(t, tripper(nil))
	assert.IsType(t, tripper(nil), transport.NewBase())
}
