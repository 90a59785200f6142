package clienttest

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

// withRateLimits adds limits: pairs of a header's name below "x-ratelimit-" and its value.
func withRateLimits(line responder, pairs ...string) responder {
	return func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i < len(pairs); i += 2 {
			w.Header().Add("x-ratelimit-"+pairs[i], pairs[i+1])
		}
		line(w, r)
	}
}

func TestRateLimit_readsHeaders(t *testing.T) {
	var none rpcfleet.RateLimitWindow
	minute := rpcfleet.RateLimitWindow{Limit: 900, Remaining: 3}
	epoch := rpcfleet.RateLimitWindow{Limit: 50, Remaining: 49, Reset: time.Unix(0, 0)}
	for name, test := range map[string]struct {
		limit, remaining, reset []string
		want                    rpcfleet.RateLimitWindow
	}{
		"all":                {[]string{"50"}, []string{"49"}, []string{"1794000000"}, window(50, 49, 1794000000)},
		"none left":          {[]string{"50"}, []string{"0"}, []string{"1794000000"}, window(50, 0, 1794000000)},
		"no reset":           {[]string{"50"}, []string{"49"}, nil, window(50, 49, 0)},
		"reset of words":     {[]string{"50"}, []string{"49"}, []string{"soon"}, window(50, 49, 0)},
		"reset before 1970":  {[]string{"50"}, []string{"49"}, []string{"-1"}, window(50, 49, 0)},
		"reset after 9999":   {[]string{"50"}, []string{"49"}, []string{"253402300800"}, window(50, 49, 0)},
		"reset in 9999":      {[]string{"50"}, []string{"49"}, []string{"253402300799"}, window(50, 49, 253402300799)},
		"reset in 1970":      {[]string{"50"}, []string{"49"}, []string{"0"}, epoch},
		"two resets":         {[]string{"50"}, []string{"49"}, []string{"1794000000", "1794000001"}, window(50, 49, 0)},
		"as many as allowed": {[]string{"1000000000"}, []string{"1000000000"}, nil, window(1e9, 1e9, 0)},
		"no limit":           {nil, []string{"49"}, []string{"1794000000"}, none},
		"no remainder":       {[]string{"50"}, nil, []string{"1794000000"}, none},
		"empty":              {[]string{""}, []string{""}, []string{""}, none},
		"limit of one":       {[]string{"1"}, []string{"0"}, nil, window(1, 0, 0)},
		"limit of zero":      {[]string{"0"}, []string{"0"}, nil, none},
		"negative remainder": {[]string{"50"}, []string{"-1"}, nil, none},
		"more than all":      {[]string{"50"}, []string{"51"}, nil, none},
		"a sign":             {[]string{"+50"}, []string{"49"}, nil, none},
		"a fraction":         {[]string{"50.0"}, []string{"49"}, nil, none},
		"octal in looks":     {[]string{"010"}, []string{"007"}, nil, window(10, 7, 0)},
		"one too many":       {[]string{"1000000000"}, []string{"1000000001"}, nil, none},
		"huge":               {[]string{"1000000001"}, []string{"49"}, nil, none},
		"just below zero":    {[]string{"18446744073709551615"}, []string{"18446744073709551615"}, nil, none},
		"a reset below zero": {[]string{"50"}, []string{"49"}, []string{"18446744073709551615"}, window(50, 49, 0)},
		"two limits":         {[]string{"50", "50"}, []string{"49"}, nil, none},
		"two remainders":     {[]string{"50"}, []string{"49", "48"}, nil, none},
	} {
		t.Run(name, func(t *testing.T) {
			pairs := []string{"rpmlimit", "900", "rpmremaining", "3"}
			for header, values := range map[string][]string{"rpslimit": test.limit, "rpsremaining": test.remaining,
				"rpsreset": test.reset} {
				for _, value := range values {
					pairs = append(pairs, header, value)
				}
			}
			client, _ := scripted(t, withRateLimits(respondJSON(200, record), pairs...))
			var response rpcfleet.Response
			require.NoError(t, errOf(get(client, rpcfleet.WithResponse(&response))))
			assert.Equal(t, test.want, response.RateLimit.PerSecond)
			assert.Equal(t, minute, response.RateLimit.PerMinute, "one window says nothing of the other")
		})
	}
}

// window makes a window, without a reset if reset is 0.
func window(limit, remaining int, reset int64) rpcfleet.RateLimitWindow {
	w := rpcfleet.RateLimitWindow{Limit: limit, Remaining: remaining}
	if reset != 0 {
		w.Reset = time.Unix(reset, 0)
	}
	return w
}

// TestRateLimit_isInEachResult: a program hears of the limits with every response, whatever its status, also if the body
// is cut short.
func TestRateLimit_isInEachResult(t *testing.T) {
	second := []string{"rpslimit", "50", "rpsremaining", "7", "rpsreset", "1794000000"}
	dated := withHeaders(respondJSON(200, record), "Date", "Sun, 22 Nov 2026 00:10:20 GMT")
	_, server := scripted(t, withRateLimits(redirect("/v0/endpoints/ep2"), "rpslimit", "5", "rpsremaining", "4"),
		withRateLimits(dated, second...),
		withRateLimits(later(500, "7"), "rpmlimit", "900", "rpmremaining", "2"),
		withRateLimits(later(429, "7"), "rpslimit", "50", "rpsremaining", "0"),
		withHeaders(respondJSON(200, record), "Retry-After", "3"), withRateLimits(truncate, second...), hangUp,
	)
	var calls, attempts []rpcfleet.RateLimitState
	client := server.client(t, rpcfleet.WithoutRetries(),
		onResult(func(_ rpcfleet.Operation, r rpcfleet.CallResult) { calls = append(calls, r.Response.RateLimit) }),
		rpcfleet.WithAttemptHook(
			func(ctx context.Context, _ rpcfleet.Attempt) (context.Context, func(rpcfleet.AttemptResult)) {
				return ctx, func(r rpcfleet.AttemptResult) { attempts = append(attempts, r.RateLimit) }
			}))
	for range 6 {
		_, _ = get(client)
	}
	require.Len(t, attempts, 6)
	assert.Equal(t, rpcfleet.RateLimitState{PerSecond: window(50, 7, 1794000000),
		Date: time.Date(2026, 11, 22, 0, 10, 20, 0, time.UTC)}, attempts[0])
	assert.Equal(t, window(900, 2, 0), attempts[1].PerMinute)
	assert.Zero(t, attempts[1].RetryAfter, "only a 429 is about the limit")
	assert.Equal(t, 7*time.Second, attempts[2].RetryAfter)
	assert.Zero(t, attempts[3], "the response says nothing")
	assert.Equal(t, attempts[:4], calls[:4])
	assert.Equal(t, window(50, 7, 1794000000), attempts[4].PerSecond)
	assert.Zero(t, attempts[5])
}
