package rpcfleettest_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/rpcfleettest"
)

func TestNewResponse_keepsItsParts(t *testing.T) {
	made := rpcfleettest.NewResponse(429, http.Header{
		"X-Request-Id": {"r1"}, "Retry-After": {"3"}, "X-Ratelimit-Rpslimit": {"9"}, "X-Ratelimit-Rpsremaining": {"0"},
	}, []byte("body"))
	assert.Equal(t, []any{429, 1, "r1", "body", 3 * time.Second, 9}, []any{made.StatusCode, made.Attempts, made.RequestID,
		string(made.Body()), made.RateLimit.RetryAfter, made.RateLimit.PerSecond.Limit})
	assert.Equal(t, "3", made.Header().Get("Retry-After"))
	assert.Equal(t, `{"data":{}}`, string(rpcfleettest.NewResponse(200, nil, []byte(`{"data":{}}`)).Body()))
}
