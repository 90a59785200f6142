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
	minute := &rpcfleet.RateLimitWindow{Limit: 900, Remaining: 3}
	epoch := &rpcfleet.RateLimitWindow{Limit: 50, Remaining: 49, Reset: time.Unix(0, 0)}
	for name, test := range map[string]struct {
		limit, remaining, reset []string
		want                    *rpcfleet.RateLimitWindow
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
		"no limit":           {nil, []string{"49"}, []string{"1794000000"}, nil},
		"no remainder":       {[]string{"50"}, nil, []string{"1794000000"}, nil},
		"empty":              {[]string{""}, []string{""}, []string{""}, nil},
		"limit of zero":      {[]string{"0"}, []string{"0"}, nil, nil},
		"negative remainder": {[]string{"50"}, []string{"-1"}, nil, nil},
		"more than all":      {[]string{"50"}, []string{"51"}, nil, nil},
		"a sign":             {[]string{"+50"}, []string{"49"}, nil, nil},
		"a fraction":         {[]string{"50.0"}, []string{"49"}, nil, nil},
		"octal in looks":     {[]string{"010"}, []string{"007"}, nil, window(10, 7, 0)},
		"one too many":       {[]string{"1000000000"}, []string{"1000000001"}, nil, nil},
		"huge":               {[]string{"1000000001"}, []string{"49"}, nil, nil},
		"just below zero":    {[]string{"18446744073709551615"}, []string{"18446744073709551615"}, nil, nil},
		"a reset below zero": {[]string{"50"}, []string{"49"}, []string{"18446744073709551615"}, window(50, 49, 0)},
		"two limits":         {[]string{"50", "50"}, []string{"49"}, nil, nil},
		"two remainders":     {[]string{"50"}, []string{"49", "48"}, nil, nil},
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
			assert.Equal(t, response.RateLimit, client.RateLimit())
		})
	}
}

// window makes a window, without a reset if reset is 0.
func window(limit, remaining int, reset int64) *rpcfleet.RateLimitWindow {
	w := &rpcfleet.RateLimitWindow{Limit: limit, Remaining: remaining}
	if reset != 0 {
		w.Reset = time.Unix(reset, 0)
	}
	return w
}

func TestRateLimit_isUpdatedByEachResponse(t *testing.T) {
	second := []string{"rpslimit", "50", "rpsremaining", "7", "rpsreset", "1794000000"}
	dated := withHeaders(respondJSON(200, record), "Date", "Sun, 22 Nov 2026 00:10:20 GMT")
	_, server := scripted(t, withRateLimits(redirect("/v0/endpoints/ep2"), "rpslimit", "5", "rpsremaining", "4"),
		withRateLimits(dated, second...),
		withRateLimits(respondJSON(500, ``), "rpmlimit", "900", "rpmremaining", "2"),
		withRateLimits(later(429, "7"), "rpslimit", "50", "rpsremaining", "0"),
		respondJSON(200, record),
	)
	var outcomes []rpcfleet.RateLimitState
	observed := &observing{}
	client := server.client(t, rpcfleet.WithoutRetries(), rpcfleet.WithPacer(observed),
		onResult(func(_ rpcfleet.Operation, o rpcfleet.CallResult) { outcomes = append(outcomes, o.Response.RateLimit) }))
	assert.Zero(t, client.RateLimit(), "nothing was sent yet")
	var captured []rpcfleet.RateLimitState
	for range 4 {
		var response rpcfleet.Response
		_, _ = get(client, rpcfleet.WithResponse(&response))
		captured = append(captured, response.RateLimit)
		if len(captured) == 2 {
			assert.Equal(t, window(50, 7, 1794000000), client.RateLimit().PerSecond, "what a response does not mention stays")
		}
	}
	date := time.Date(2026, 11, 22, 0, 10, 20, 0, time.UTC)
	require.Len(t, captured, 4)
	assert.Equal(t, rpcfleet.RateLimitState{PerSecond: window(50, 7, 1794000000), Date: date}, captured[0])
	assert.Equal(t, window(900, 2, 0), captured[1].PerMinute)
	assert.Equal(t, 7*time.Second, captured[2].RetryAfter)
	assert.Equal(t, rpcfleet.RateLimitState{}, captured[3], "the response says nothing")
	assert.Equal(t, captured, outcomes)
	require.Len(t, observed.states, 5)
	assert.Equal(t, captured, observed.states[1:], "the pacer gets every response, whatever its status")
	assert.Equal(t, window(5, 4, 0), observed.states[0].PerSecond, "also a redirect")
	assert.Equal(t, 5, observed.waits)

	latest := client.RateLimit()
	assert.Equal(t, window(50, 0, 0), latest.PerSecond)
	assert.Equal(t, window(900, 2, 0), latest.PerMinute, "that of the latest response that mentioned it")
	assert.Equal(t, captured[2].Date, latest.Date)
	latest.PerSecond.Limit = 1
	assert.Equal(t, 50, client.RateLimit().PerSecond.Limit, "it is the caller's own")
}

func TestRateLimit_ignoresRetryAfterUnless429(t *testing.T) {
	client, _ := scripted(t, later(503, "0"), withHeaders(respondJSON(200, record), "Retry-After", "3"))
	require.NoError(t, errOf(get(client)))
	assert.Zero(t, client.RateLimit())
}

// observing is a pacer that wants to know.
type observing struct {
	waits  int
	err    error
	states []rpcfleet.RateLimitState
}

func (o *observing) Wait(context.Context) error {
	o.waits++
	return o.err
}

func (o *observing) ObserveRateLimit(state rpcfleet.RateLimitState) {
	o.states = append(o.states, state)
}
