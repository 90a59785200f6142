package transport_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// packed responds with a text in a compressed form, less some bytes at its end.
func packed(t *testing.T, text string, less int) responder {
	var body bytes.Buffer
	w := gzip.NewWriter(&body)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return raw(body.Bytes()[:body.Len()-less])
}

// raw responds with bytes that its header declares as compressed.
func raw(body []byte) responder {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "GZIP")
		_, _ = w.Write(body)
	}
}

func TestSend_decompressesWithinBounds(t *testing.T) {
	long := strings.Repeat("long ", 1000)
	for name, test := range map[string]struct {
		response responder
		body     string
		kind     transport.Kind
	}{
		"whole":         {packed(t, "a text", 0), "a text", ""},
		"empty":         {raw(nil), "", ""},
		"at the limit":  {packed(t, long, 0), long, ""},
		"too large":     {packed(t, long+"!", 0), "", transport.TooLarge},
		"cut short":     {packed(t, "a text", 4), "", transport.Truncated},
		"no such thing": {raw([]byte("a text")), "", transport.Truncated},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := serve(t, test.response)
			for range 3 { // A decompressor that was used before is as good as new.
				response, _, err := h.send(t.Context(), read, func(c *transport.Call) {
					c.MaxBody, c.MaxAttempts = int64(len(long)), 1
				})
				assert.Equal(t, []string{"gzip"}, h.seen[len(h.seen)-1].header["Accept-Encoding"])
				if test.kind != "" {
					assert.Equal(t, test.kind, failed(t, err).Kind, name)
					continue
				}
				require.NoError(t, err)
				assert.Equal(t, test.body, string(response.Body), name)
				if test.body != "" {
					assert.NotContains(t, response.Header, "Content-Encoding")
					assert.NotContains(t, response.Header, "Content-Length")
				}
			}
		})
	}
}

// TestSend_asksForGzipOnlyWithOwnTransport asks for it only if net/http's own transport would.
func TestSend_asksForGzipOnlyWithOwnTransport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serve(t, packed(t, "a text", 0))
		own := h.config.HTTPClient.Transport.(*http.Transport)
		own.DisableCompression = true
		var given http.Header
		for _, base := range []http.RoundTripper{own, tripper(func(req *http.Request) (*http.Response, error) {
			given = req.Header.Clone()
			return own.RoundTrip(req)
		})} {
			h.config.HTTPClient = &http.Client{Transport: base}
			h.Transport = transport.New(h.config)
			response, _, err := h.send(t.Context(), read)
			require.NoError(t, err)
			assert.NotEqual(t, "a text", string(response.Body), "the response is as the service sent it")
		}
		assert.NotContains(t, given, "Accept-Encoding")
		for _, seen := range h.seen {
			assert.NotContains(t, seen.header, "Accept-Encoding")
		}
	})
}
