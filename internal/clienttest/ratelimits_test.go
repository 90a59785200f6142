package clienttest

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// limit is a limit that the service states with a number.
func limit(bucket admin.RateLimitBucket, requests int, source admin.RateLimitSource, id string) rpcfleet.RateLimit {
	return rpcfleet.RateLimit{Bucket: bucket, Requests: &requests, Source: source, OverrideID: id}
}

func TestRateLimitsGet(t *testing.T) {
	client, server := scripted(t, says(200, `{"data":{"rate_limits":[
		{"bucket":"rps","rate_limit":50,"source":"plan_default"},
		{"bucket":"rps","rate_limit":20,"source":"user_override","id":"o-1"},
		{"bucket":"rpd","rate_limit":-1,"source":"plan_default","id":"p-1"},
		{"bucket":"rpm"}]},"error":null}`))
	limits, err := client.RateLimits.Get(t.Context(), "ep1")
	require.NoError(t, err)
	assert.Equal(t, "/v0/endpoints/ep1/rate-limits", server.Requests()[0].Path)
	assert.Equal(t, rpcfleet.RateLimits{
		limit("rps", 50, "plan_default", ""),
		limit("rps", 20, "user_override", "o-1"),
		{Bucket: "rpd", Unlimited: true, Source: "plan_default"},
		{Bucket: "rpm"},
	}, limits)

	for name, body := range map[string]string{"null": `null`, "empty": `[]`} {
		client, _ = scripted(t, says(200, `{"data":{"rate_limits":`+body+`}}`))
		limits, err = client.RateLimits.Get(t.Context(), "ep1")
		require.NoError(t, err, name)
		assert.Empty(t, limits, name)
	}
	client, _ = scripted(t, says(404, `{"data":null,"error":"endpoint not found"}`))
	_, err = client.RateLimits.Get(t.Context(), "ep1")
	require.ErrorIs(t, err, rpcfleet.ErrNotFound)
}

func TestRateLimitsInForce(t *testing.T) {
	plan, override := limit("rps", 50, "plan_default", ""), limit("rps", 20, "user_override", "o-1")
	second := limit("rps", 10, "user_override", "o-2")
	newer := limit("rps", 30, "team_override", "o-3")
	for name, test := range map[string]struct {
		limits   rpcfleet.RateLimits
		inForce  rpcfleet.RateLimit
		found    bool
		override string
	}{
		"nothing":                      {nil, rpcfleet.RateLimit{}, false, ""},
		"another bucket":               {rpcfleet.RateLimits{limit("rpm", 9, "user_override", "o-9")}, rpcfleet.RateLimit{}, false, ""},
		"the plan":                     {rpcfleet.RateLimits{plan}, plan, true, ""},
		"an override after the plan":   {rpcfleet.RateLimits{plan, override}, override, true, "o-1"},
		"an override before the plan":  {rpcfleet.RateLimits{override, plan}, override, true, "o-1"},
		"the last of two overrides":    {rpcfleet.RateLimits{override, second, plan}, second, true, "o-2"},
		"a source of another kind":     {rpcfleet.RateLimits{newer, plan}, newer, true, "o-3"},
		"an override beats any source": {rpcfleet.RateLimits{override, newer, plan}, override, true, "o-1"},
		"a limit without a source":     {rpcfleet.RateLimits{limit("rps", 7, "", "")}, limit("rps", 7, "", ""), true, ""},
		"no limit at all": {
			rpcfleet.RateLimits{{Bucket: "rps", Unlimited: true}}, rpcfleet.RateLimit{Bucket: "rps", Unlimited: true}, true, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			inForce, found := test.limits.InForce(admin.RateLimitBucketRPS)
			assert.Equal(t, test.found, found)
			assert.Equal(t, test.inForce, inForce)
			id, set := test.limits.Override(admin.RateLimitBucketRPS)
			assert.Equal(t, test.override, id)
			assert.Equal(t, test.override != "", set)
		})
	}
}

func TestRateLimitsOfAnEndpoint(t *testing.T) {
	limits := rpcfleet.RateLimitsOf(&admin.EndpointRateLimits{RPS: new(50), RPM: new(-1), Account: new(900)})
	assert.Equal(t, rpcfleet.RateLimits{limit("rps", 50, "", ""), {Bucket: "rpm", Unlimited: true}}, limits)
	_, found := limits.InForce(admin.RateLimitBucketRPD)
	assert.False(t, found, "the record does not tell")
	assert.Empty(t, rpcfleet.RateLimitsOf(nil))
}

// setters are the two ways to set limits.
var setters = map[string]func(ctx context.Context, c *rpcfleet.Client, limits admin.RateLimitOverrides) (rpcfleet.RateLimits, error){
	"PATCH": func(ctx context.Context, c *rpcfleet.Client, limits admin.RateLimitOverrides) (rpcfleet.RateLimits, error) {
		return c.RateLimits.Update(ctx, "ep1", limits)
	},
	"PUT": func(ctx context.Context, c *rpcfleet.Client, limits admin.RateLimitOverrides) (rpcfleet.RateLimits, error) {
		return c.RateLimits.Replace(ctx, "ep1", limits)
	},
}

func TestRateLimitsAreSet(t *testing.T) {
	for method, set := range setters {
		t.Run(method, func(t *testing.T) {
			for body, limits := range map[string]admin.RateLimitOverrides{
				`{"rate_limits":{"rps":1}}`:                     {RPS: new(1)},
				`{"rate_limits":{"rpm":600}}`:                   {RPM: new(600)},
				`{"rate_limits":{"rpd":9}}`:                     {RPD: new(9)},
				`{"rate_limits":{"rps":1,"rpm":600,"rpd":900}}`: {RPS: new(1), RPM: new(600), RPD: new(900)},
			} {
				client, server := scripted(t, says(200, `{"data":{"limits":{"rps":1,"rpm":600,"rpd":-1}},"error":null}`))
				inForce, err := set(t.Context(), client, limits)
				require.NoError(t, err)
				assert.Equal(t, rpcfleet.RateLimits{
					limit("rps", 1, "", ""), limit("rpm", 600, "", ""), {Bucket: "rpd", Unlimited: true},
				}, inForce)
				request := server.Requests()[0]
				assert.Equal(t, method, request.Method)
				assert.Equal(t, "/v0/endpoints/ep1/rate-limits", request.Path)
				assert.JSONEq(t, body, request.Body)
			}
			for _, nothing := range []string{``, `{}`, `{"data":null}`, `{"data":{}}`, `{"data":{"limits":null}}`, `{"data":{"limits":{}}}`} {
				client, _ := scripted(t, says(200, nothing))
				inForce, err := set(t.Context(), client, admin.RateLimitOverrides{RPS: new(1)})
				require.NoError(t, err, nothing)
				assert.Equal(t, rpcfleet.RateLimits{limit("rps", 1, "", "")}, inForce, "what was sent: %s", nothing)
			}
		})
	}
}

func TestRateLimitsPrintTheirNumbers(t *testing.T) {
	limits := rpcfleet.RateLimitsOf(&admin.EndpointRateLimits{RPS: new(5), RPM: new(-1)})
	assert.Equal(t, `[RateLimit{Bucket: "rps", Requests: 5, Unlimited: false, Source: "", OverrideID: ""}`+
		` RateLimit{Bucket: "rpm", Unlimited: true, Source: "", OverrideID: ""}]`, fmt.Sprint(limits))
	state := rpcfleet.RateLimitState{PerSecond: &rpcfleet.RateLimitWindow{Limit: 5, Remaining: 4}}
	assert.Equal(t, "RateLimitState{PerSecond: {Limit: 5, Remaining: 4}, RetryAfter: 0s}", fmt.Sprint(state))
	assert.Contains(t, fmt.Sprintf("%+v", rpcfleet.Outcome{RateLimit: state}), "RateLimit:"+fmt.Sprint(state))
}

// The service has no cause to respond with 500 that a test could bring about; a script does.
func TestRateLimitsThatCannotBeSet(t *testing.T) {
	for method, set := range setters {
		client, server := scripted(t, says(500, `{"data":null,"error":"internal error"}`))
		_, err := set(t.Context(), client, admin.RateLimitOverrides{RPS: new(1)})
		require.ErrorIs(t, err, rpcfleet.ErrServer, method)
		assert.Len(t, server.Requests(), 4, "setting a limit again does no harm")
	}
}

func TestRateLimitOverrideRemoval(t *testing.T) {
	remove := func(ctx context.Context, c *rpcfleet.Client) error {
		return c.RateLimits.RemoveOverride(ctx, "ep1", "7d0c1f64-2b7e-4f0a-8a4e-51c9b8c0a9d3")
	}
	testSends(t, says(200, `{"data":{"success":true}}`), map[string]sent{
		"RemoveOverride": {remove, "DELETE", "/v0/endpoints/ep1/rate-limits/7d0c1f64-2b7e-4f0a-8a4e-51c9b8c0a9d3", ""},
	})
	testVerdicts(t, map[string]use{"RemoveOverride": remove})
}
