package transport_test

import (
	"net/http/cookiejar"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// TestCookies come from the jar of the caller's client and go there, redirects and retries included.
func TestCookies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serve(t, status(302, "Location", "/moved", "Set-Cookie", "a=1"), status(503), status(503),
			status(200, "Set-Cookie", "b=2"), status(200))
		var err error
		h.config.HTTPClient.Jar, err = cookiejar.New(nil)
		require.NoError(t, err)
		h.Transport = transport.New(h.config)
		for range 2 {
			_, _, err := h.send(t.Context(), read)
			require.NoError(t, err)
		}
		var sent []string
		for _, seen := range h.seen {
			sent = append(sent, seen.header.Get("Cookie"))
		}
		assert.Equal(t, []string{"", "a=1", "a=1", "a=1", "a=1; b=2"}, sent)
	})
}
