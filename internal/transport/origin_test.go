package transport_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

func parsed(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	return u
}

func TestSameOrigin_comparesSchemeHostAndPort(t *testing.T) {
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"https://api.example.com", "https://api.example.com/other?path", true},
		{"HTTPS://API.example.com", "https://api.example.COM", true},
		{"https://api.example.com", "https://api.example.com:443", true},
		{"http://api.example.com:80", "HTTP://api.example.com", true},
		{"https://api.example.com:8443", "https://api.example.com:8443", true},
		{"https://api.example.com", "http://api.example.com", false},
		{"https://api.example.com:8443", "http://api.example.com:8443", false},
		{"https://api.example.com:80", "http://api.example.com", false},
		{"https://api.example.com", "https://www.example.com", false},
		{"https://api.example.com", "https://api.example.com:444", false},
		{"https://api.example.com", "https://api.example.com:80", false},
		{"http://api.example.com", "http://api.example.com:443", false},
	} {
		a, b := parsed(t, test.a), parsed(t, test.b)
		assert.Equal(t, test.same, transport.SameOrigin(a, b), "%s %s", a, b)
		assert.Equal(t, test.same, transport.SameOrigin(b, a), "%s %s", b, a)
	}
}

// TestSend_refusesOtherOrigin for each part of the origin.
func TestSend_refusesOtherOrigin(t *testing.T) {
	for _, address := range []string{"http://other.example", "https://127.0.0.1:80", "http://127.0.0.1:81"} {
		h := serve(t, status(200))
		_, result, err := h.Send(t.Context(),
			transport.Call{Operation: read, Address: parsed(t, address), MaxBody: 10})
		assert.Equal(t, transport.Unsent, failed(t, err).Kind)
		require.ErrorContains(t, err, "not sent: the request's address is not at the configured base URL")
		assert.Empty(t, h.seen)
		assert.Empty(t, result.Secrets, "nobody was asked for any")
		assert.False(t, result.Open)
	}
}

// TestNewBase_copiesDefaultTransport with room for a fleet, if it is one of net/http's own.
func TestNewBase_copiesDefaultTransport(t *testing.T) {
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
