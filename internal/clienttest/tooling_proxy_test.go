package clienttest

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

// TestToolingConnectionsAreTheLibrarysOwn has a proxy in the environment, which is not for this machine, however it is
// spelled: plain http is allowed there because the token does not leave it.
func TestToolingConnectionsAreTheLibrarysOwn(t *testing.T) {
	var proxied atomic.Int64
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { proxied.Add(1) }))
	defer proxy.Close()
	address, err := url.Parse(proxy.URL)
	require.NoError(t, err)
	usual := http.DefaultTransport
	defer func() { http.DefaultTransport = usual }()
	through := usual.(*http.Transport).Clone()
	through.Proxy = http.ProxyURL(address)
	http.DefaultTransport = through

	for _, base := range []*http.Client{nil, {}} {
		p := startPlane(t, fine)
		p.mint.address = strings.Replace(p.URL, "127.0.0.1", "LocalHost", 1) + "/tooling/42/"
		if base != nil {
			p.admin, err = rpcfleet.New(rpcfleet.WithBaseURL(p.service), rpcfleet.WithAPIKey(testKey), rpcfleet.WithHTTPClient(base))
			require.NoError(t, err)
			p.rpc = p.admin.Tooling.HTTPClient()
		}
		assert.Equal(t, 200, post(t, p.rpc, p.mint.address, nil))
		assert.Equal(t, []string{"Bearer session-1"}, bearers(p.Server))
		assert.Zero(t, proxied.Load())
		assert.Equal(t, 200, post(t, p.rpc, "http://elsewhere.example.com/", nil))
		assert.EqualValues(t, 1, proxied.Swap(0), "the proxy is for everything else")
	}
}

// TestToolingClientsShareTheirConnections makes a client for each request.
func TestToolingClientsShareTheirConnections(t *testing.T) {
	var addresses sync.Map
	p := startPlane(t, func(w http.ResponseWriter, r *http.Request) {
		addresses.Store(r.RemoteAddr, true)
		fine(w, r)
	})
	for range 5 {
		assert.Equal(t, 200, post(t, p.admin.Tooling.HTTPClient(), p.mint.address, nil))
	}
	count := 0
	addresses.Range(func(any, any) bool { count++; return true })
	assert.Equal(t, 1, count)
}
