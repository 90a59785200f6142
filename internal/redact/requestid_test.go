package redact_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

func TestRequestID(t *testing.T) {
	assert.Empty(t, redact.RequestID(http.Header{}))
	header := http.Header{}
	for i := len(redact.RequestIDHeaders) - 1; i >= 0; i-- { // An earlier name wins over those after it.
		name := redact.RequestIDHeaders[i]
		header.Set(name, "of "+name)
		assert.Equal(t, "of "+name, redact.RequestID(header))
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
		assert.Equal(t, want, redact.RequestID(header, "made-up-key-0001"), "%q", value)
	}
}
