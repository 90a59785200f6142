package clienttest

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/test/pipenet"
)

// TestTheTimeoutReachesACall has a service that never responds, and one attempt.
func TestTheTimeoutReachesACall(t *testing.T) {
	for name, test := range map[string]struct {
		options []rpcfleet.Option
		call    []rpcfleet.CallOption
		want    time.Duration
	}{
		"the default":          {nil, nil, 30 * time.Second},
		"of the client":        {[]rpcfleet.Option{rpcfleet.WithTimeout(5 * time.Second)}, nil, 5 * time.Second},
		"of the call":          {nil, []rpcfleet.CallOption{rpcfleet.WithTimeout(6 * time.Second)}, 6 * time.Second},
		"the call's wins":      {[]rpcfleet.Option{rpcfleet.WithTimeout(5 * time.Second)}, []rpcfleet.CallOption{rpcfleet.WithTimeout(7 * time.Second)}, 7 * time.Second},
		"none, of the client":  {[]rpcfleet.Option{rpcfleet.WithTimeout(0)}, nil, time.Hour},
		"none, of the call":    {nil, []rpcfleet.CallOption{rpcfleet.WithTimeout(0)}, time.Hour},
		"longer than a client": {[]rpcfleet.Option{rpcfleet.WithTimeout(time.Minute)}, nil, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := piped(t, silent, test.options...)
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				start := time.Now()
				_, err := client.Endpoints.Get(ctx, "ep1", test.call...)
				require.ErrorIs(t, err, context.DeadlineExceeded)
				assert.Equal(t, test.want, time.Since(start))
			})
		})
	}
}

// silent never responds.
var silent http.HandlerFunc = func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

func TestTheTimeoutOfTheEnvironmentReachesACall(t *testing.T) {
	t.Setenv("RPCFLEET_BASE_URL", "http://localhost")
	t.Setenv("RPCFLEET_API_KEY", testKey)
	t.Setenv("RPCFLEET_TIMEOUT", "9s")
	synctest.Test(t, func(t *testing.T) {
		client, err := rpcfleet.NewFromEnv(rpcfleet.WithHTTPClient(pipenet.Serve(t, silent)), rpcfleet.WithoutRetries())
		require.NoError(t, err)
		start := time.Now()
		_, err = get(client)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, 9*time.Second, time.Since(start))
	})
}

// TestTheMaxBodySizeReachesACall has responses that announce a length and have no body.
func TestTheMaxBodySizeReachesACall(t *testing.T) {
	for name, test := range map[string]struct {
		options []rpcfleet.Option
		call    []rpcfleet.CallOption
		most    int64
	}{
		"the default":   {nil, nil, 64 << 20},
		"of the client": {[]rpcfleet.Option{rpcfleet.WithMaxBodySize(7)}, nil, 7},
		"of the call":   {nil, []rpcfleet.CallOption{rpcfleet.WithMaxBodySize(8)}, 8},
	} {
		t.Run(name, func(t *testing.T) {
			for length, want := range map[int64]rpcfleet.DecodeReason{test.most: rpcfleet.ReasonEmpty, test.most + 1: rpcfleet.ReasonTooLarge} {
				announced := tripper(func(r *http.Request) (*http.Response, error) {
					return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, ContentLength: length, Body: http.NoBody, Request: r}, nil
				})
				_, server := scripted(t)
				client := server.client(t, append(test.options, rpcfleet.WithHTTPClient(&http.Client{Transport: announced}))...)
				_, err := client.Endpoints.Get(t.Context(), "ep1", test.call...)
				var unread *rpcfleet.DecodeError
				require.ErrorAs(t, err, &unread)
				assert.Equal(t, want, unread.Reason)
			}
		})
	}
}

func TestTheDefaultRetryPolicy(t *testing.T) {
	assert.Equal(t, rpcfleet.RetryPolicy{
		MaxAttempts: 4, BaseDelay: 500 * time.Millisecond, MaxDelay: 8 * time.Second, MaxRetryAfter: time.Minute, Quota: 500,
	}, rpcfleet.DefaultRetryPolicy())
}

// TestTheRetryPolicyReachesACall has a service that is always overloaded, and asks for some seconds of patience.
func TestTheRetryPolicyReachesACall(t *testing.T) {
	patient := rpcfleet.RetryPolicy{MaxAttempts: 3, MaxRetryAfter: 2 * time.Minute}
	for name, test := range map[string]struct {
		options    []rpcfleet.Option
		call       []rpcfleet.CallOption
		retryAfter string
		attempts   int
		want       time.Duration
	}{
		"the default":              {nil, nil, "60", 4, 3 * time.Minute},
		"too long for the default": {nil, nil, "61", 1, 0},
		"of the client":            {[]rpcfleet.Option{rpcfleet.WithRetryPolicy(patient)}, nil, "120", 3, 4 * time.Minute},
		"of the call":              {nil, []rpcfleet.CallOption{rpcfleet.WithRetryPolicy(patient)}, "120", 3, 4 * time.Minute},
		"too long for the call's":  {nil, []rpcfleet.CallOption{rpcfleet.WithRetryPolicy(patient)}, "121", 1, 0},
		"none, of the client":      {[]rpcfleet.Option{rpcfleet.WithoutRetries()}, nil, "1", 1, 0},
		"none, of the call":        {nil, []rpcfleet.CallOption{rpcfleet.WithoutRetries()}, "1", 1, 0},
		"the call's wins": {
			[]rpcfleet.Option{rpcfleet.WithoutRetries()}, []rpcfleet.CallOption{rpcfleet.WithRetryPolicy(patient)}, "1", 3, 2 * time.Second,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				overloaded := func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Retry-After", test.retryAfter)
					w.WriteHeader(http.StatusServiceUnavailable)
				}
				client, err := rpcfleet.New(append([]rpcfleet.Option{
					rpcfleet.WithBaseURL("http://localhost"), rpcfleet.WithAPIKey(testKey),
					rpcfleet.WithHTTPClient(pipenet.Serve(t, http.HandlerFunc(overloaded))),
				}, test.options...)...)
				require.NoError(t, err)
				start := time.Now()
				_, err = client.Endpoints.Get(t.Context(), "ep1", test.call...)
				var failure *rpcfleet.Error
				require.ErrorAs(t, err, &failure)
				assert.Equal(t, test.attempts, failure.Attempts)
				assert.Equal(t, test.want, time.Since(start))
			})
		})
	}
}
