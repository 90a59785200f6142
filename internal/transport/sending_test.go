package transport_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/operation"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// TestARequestIsWhatNetHTTPMakes to an http.RoundTripper of a program, which may look at any of it, and may keep it.
func TestARequestIsWhatNetHTTPMakes(t *testing.T) {
	h := serve(t, status(http.StatusOK))
	for op, body := range map[*operation.Operation]string{read: "", create: `{"a":1}`} {
		var headers []http.Header
		h.config.HTTPClient = &http.Client{Transport: tripper(func(req *http.Request) (*http.Response, error) {
			like, err := http.NewRequest(op.Method, "http://127.0.0.1/thing?id=secret-id", strings.NewReader(body))
			if !assert.NoError(t, err) {
				return nil, err
			}
			assert.Equal(t, like.Host, req.Host)
			assert.Equal(t, like.URL, req.URL)
			assert.Equal(t, like.Method, req.Method)
			assert.Equal(t, like.ContentLength, req.ContentLength)
			assert.Equal(t, []any{like.Proto, like.ProtoMajor, like.ProtoMinor}, []any{req.Proto, req.ProtoMajor, req.ProtoMinor})
			var sent strings.Builder
			n, err := io.Copy(&sent, req.Body)
			assert.NoError(t, err)
			assert.EqualValues(t, len(body), n)
			assert.Equal(t, body, sent.String())
			n2, err := req.Body.Read(make([]byte, 1))
			assert.Zero(t, n2)
			assert.Equal(t, io.EOF, err)
			headers = append(headers, req.Header.Clone())
			clear(req.Header)
			return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: http.NoBody, ContentLength: -1}, nil
		})}
		h.Transport = transport.New(h.config)
		for range 2 {
			_, _, err := h.send(t.Context(), op)
			require.NoError(t, err)
		}
		require.Len(t, headers, 2)
		assert.Equal(t, key, headers[0].Get("X-Api-Key"))
		assert.Equal(t, headers[0], headers[1], "they are the request's own")
	}
}
