package pacer_test

import (
	"context"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/contrib/pacer"
	"github.com/rpcfleet/rpcfleet-go/internal/test/pipenet"
)

const record = `{"data":{"id":"ep1","chain":"eth","network":"mainnet"},"error":null}`

// piped is a client of a handler, over pipes and without retries.
func piped(t *testing.T, handler http.Handler, options ...rpcfleet.ClientOption) *rpcfleet.Client {
	t.Helper()
	client, err := rpcfleet.New(append([]rpcfleet.ClientOption{
		rpcfleet.WithBaseURL("http://localhost"), rpcfleet.WithAPIKey("made-up-key"), rpcfleet.WithoutRetries(),
		rpcfleet.WithHTTPClient(pipenet.Serve(t, handler)),
	}, options...)...)
	require.NoError(t, err)
	return client
}

func get(t *testing.T, client *rpcfleet.Client) (*admin.Endpoint, error) {
	t.Helper()
	return client.Endpoints.Get(t.Context(), "ep1")
}

// says responds with JSON and headers of limits: pairs of a header's name below "x-ratelimit-" and its value.
func says(w http.ResponseWriter, status int, body string, pairs ...string) {
	for i := 0; i < len(pairs); i += 2 {
		w.Header().Add("x-ratelimit-"+pairs[i], pairs[i+1])
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// window makes a window; a reset of 0 is none.
func window(limit, remaining int, reset int64) rpcfleet.RateLimitWindow {
	w := rpcfleet.RateLimitWindow{Limit: limit, Remaining: remaining}
	if reset != 0 {
		w.Reset = time.Unix(reset, 0)
	}
	return w
}

// observe has a pacer learn from a response.
func observe(limit *pacer.Adaptive, state rpcfleet.RateLimitState) {
	_, learn := limit.ObserveAttempt(context.Background(), rpcfleet.Attempt{})
	learn(rpcfleet.AttemptResult{StatusCode: http.StatusOK, RateLimit: state})
}
