package transport_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

func TestRequestID(t *testing.T) {
	assert.Empty(t, transport.RequestID(http.Header{}))
	header := http.Header{}
	for i := len(transport.RequestIDHeaders) - 1; i >= 0; i-- { // An earlier name wins over those after it.
		name := transport.RequestIDHeaders[i]
		header.Set(name, "of "+name)
		assert.Equal(t, "of "+name, transport.RequestID(header))
	}
	for value, want := range map[string]string{
		" r-1 \t":                "r-1",
		"":                       "of Request-Id",
		"  ":                     "of Request-Id",
		" ~":                     "~",
		"a\x7fb\x1fcé":           "abc",
		"made-up-key-0001 is it": "[redacted] is it",
		strings.Repeat("x", 128): strings.Repeat("x", 128),
		strings.Repeat("x", 129): strings.Repeat("x", 128) + "…",
	} {
		header.Set("X-Request-Id", value)
		assert.Equal(t, want, transport.RequestID(header, key), "%q", value)
	}
}
