package transport_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

func TestATransportThatBreaksItsContract(t *testing.T) {
	for name, response := range map[string]*http.Response{
		"no response": nil,
		"no body":     {StatusCode: http.StatusOK, Header: http.Header{}},
		"no header":   {StatusCode: http.StatusOK, Body: http.NoBody},
	} {
		t.Run(name, func(t *testing.T) {
			h := serve(t, status(200))
			sent := 0
			h.config.HTTPClient = &http.Client{Transport: tripper(func(req *http.Request) (*http.Response, error) {
				sent++
				assert.Equal(t, []any{"HTTP/1.1", 1, 1, "127.0.0.1"}, []any{req.Proto, req.ProtoMajor, req.ProtoMinor, req.Host})
				assert.Nil(t, req.Body)
				return response, nil
			})}
			h.Transport = transport.New(h.config)
			response, result, err := h.send(t.Context(), read)
			assert.Equal(t, 1, sent)
			assert.Equal(t, 1, result.Attempts)
			if name == "no header" {
				require.NoError(t, err)
				assert.Empty(t, response.Header.Get("Content-Type"))
				return
			}
			assert.Equal(t, transport.Faulty, failed(t, err).Kind)
			assert.EqualError(t, err, "HTTP transport at fault: it returned neither an error nor a response with a body")
			assert.Nil(t, response)
		})
	}
}
