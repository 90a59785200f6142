package clienttest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// The tests of module acceptance go through every operation. These tests cover the work of a method beside sending a
// request and reading its response.

func TestBulk_reportsWhatTheServiceLeavesOut(t *testing.T) {
	client, _ := scripted(t, respondJSON(200, `{"data":{"total":3,"updated_count":1,"failed_count":1,"new":7,"results":[
		{"id":"c","success":true},{"id":"other","success":true},{"id":"a","success":false}]}}`))
	want := []admin.BulkItemResult{{ID: "a"}, {ID: "c", Success: true}, {ID: "other", Success: true}}
	for range 2 {
		outcome := must(client.Endpoints.BulkRemoveTag(t.Context(), []string{"a", "b", "a", "c"}, 7))(t)
		assert.Equal(t, want, outcome.Results, "in the caller's order")
		assert.Equal(t, []int64{3, 1, 1}, []int64{outcome.Total, outcome.UpdatedCount, outcome.FailedCount})
		assert.Equal(t, []string{"new"}, outcome.Extra.Names())
		assert.Equal(t, []string{"a"}, outcome.Failed())
		assert.Equal(t, []string{"b"}, outcome.Unreported)
		assert.Empty(t, outcome.Unconfirmed)
	}
}

func TestBulk_returnsWhatWasDoneBesideAnError(t *testing.T) {
	client, s := scripted(t)
	ids := numbered("ep", 0, 250)
	tag := admin.BulkTag{TagID: 7, Label: "x"}
	first := respondJSON(200,
		`{"data":{"total":100,"results":[{"id":"ep7","success":true}],"tag":{"tag_id":7,"label":"x"}}}`)
	for name, test := range map[string]struct {
		then []responder
		want rpcfleet.BulkOutcome
	}{
		"rejected":             {[]responder{respondJSON(403, ``)}, rpcfleet.BulkOutcome{Rejected: ids[100:200]}},
		"false":                {[]responder{respondJSON(200, `{"data":false}`)}, rpcfleet.BulkOutcome{Rejected: ids[100:200]}},
		"limited":              {[]responder{respondJSON(429, ``)}, rpcfleet.BulkOutcome{Rejected: ids[100:200]}},
		"failed":               {[]responder{respondJSON(500, ``)}, rpcfleet.BulkOutcome{Unconfirmed: ids[100:200]}},
		"lost":                 {[]responder{hangUp}, rpcfleet.BulkOutcome{Unconfirmed: ids[100:200]}},
		"unreadable":           {[]responder{respondJSON(200, `{`)}, rpcfleet.BulkOutcome{Unconfirmed: ids[100:200]}},
		"rejected, after lost": {[]responder{hangUp, respondJSON(403, ``)}, rpcfleet.BulkOutcome{Unconfirmed: ids[100:200]}},
	} {
		s.Play(append([]responder{first}, test.then...)...)
		var progress []int
		outcome, err := client.Endpoints.BulkAddTag(t.Context(), ids, "x",
			rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: len(test.then)}),
			rpcfleet.WithProgress(func(done, total int) { progress = append(progress, done, total) }))
		require.Error(t, err, name)
		test.want.Total, test.want.Results, test.want.Tag = 100, []admin.BulkItemResult{{ID: "ep7", Success: true}}, tag
		test.want.Unreported, test.want.Unsent = slices.Concat(ids[:7], ids[8:100]), ids[200:]
		assert.Equal(t, test.want, *outcome, name)
		assert.Equal(t, []int{100, 250}, progress, name)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	outcome, err := client.Endpoints.BulkAddTag(ended, ids, "x")
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, rpcfleet.BulkOutcome{Unsent: ids}, *outcome)
	outcome, err = client.Endpoints.BulkAddTag(t.Context(), ids, "")
	require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
	assert.Equal(t, rpcfleet.BulkOutcome{Unsent: ids}, *outcome)

	s.Play(respondJSON(200, `{"data":{"total":0,"tag":{"tag_id":7,"label":"x"}}}`))
	outcome = must(client.Endpoints.BulkAddTag(t.Context(), nil, "x", rpcfleet.WithoutValidation()))(t)
	assert.Equal(t, admin.BulkTag{TagID: 7, Label: "x"}, outcome.Tag, "that of nothing keeps its response")
}

// limit is a limit that the service states with a number.
func limit(bucket admin.RateLimitBucket, requests int, source admin.RateLimitSource, id string) rpcfleet.RateLimit {
	return rpcfleet.RateLimit{Bucket: bucket, Requests: &requests, Source: source, OverrideID: id}
}

func TestRateLimits_readRowsAndFields(t *testing.T) {
	client, server := scripted(t,
		respondJSON(200, `{"data":{"rate_limits":[
			{"bucket":"rps","rate_limit":50,"source":"plan_default"},
			{"bucket":"rps","rate_limit":20,"source":"user_override","id":"o-1"},
			{"bucket":"rpd","rate_limit":-1,"source":"plan_default","id":"p-1"},
			{"bucket":"rpm"}]},"error":null}`),
		respondJSON(200, `{"data":{"limits":{"rps":1,"rpm":0,"rpd":-1}},"error":null}`),
		respondJSON(500, ``))
	limits := must(client.RateLimits.Get(t.Context(), "ep1"))(t)
	assert.Equal(t, rpcfleet.RateLimits{
		limit("rps", 50, "plan_default", ""), limit("rps", 20, "user_override", "o-1"),
		{Bucket: "rpd", Unlimited: true, Source: "plan_default"}, {Bucket: "rpm"},
	}, limits)
	override := map[admin.RateLimitBucket]int{"rps": 7}
	limits = must(client.RateLimits.Update(t.Context(), "ep1", override))(t)
	assert.Equal(t, rpcfleet.RateLimits{
		limit("rps", 1, "", ""), limit("rpm", 0, "", ""), {Bucket: "rpd", Unlimited: true},
	}, limits)
	require.ErrorIs(t, errOf(client.RateLimits.Update(t.Context(), "ep1", override)), rpcfleet.ErrServer)
	assert.Len(t, server.Requests(), 2+4, "setting a limit again does no harm")

	limits = rpcfleet.RateLimitsOf(&admin.EndpointRateLimits{RPS: new(5), RPM: new(-1), Account: new(900)})
	assert.Equal(t, `[RateLimit{Bucket: "rps", Requests: 5, Unlimited: false, Source: "", OverrideID: ""}`+
		` RateLimit{Bucket: "rpm", Unlimited: true, Source: "", OverrideID: ""}]`, fmt.Sprint(limits))
}

func TestRateLimits_effective(t *testing.T) {
	plan, override := limit("rps", 50, "plan_default", ""), limit("rps", 20, "user_override", "o-1")
	second, newer := limit("rps", 10, "user_override", "o-2"), limit("rps", 30, "team_override", "o-3")
	unlimited := rpcfleet.RateLimit{Bucket: "rps", Unlimited: true}
	for name, test := range map[string]struct {
		limits  rpcfleet.RateLimits
		inForce rpcfleet.RateLimit
		found   bool
	}{
		"nothing":                      {nil, rpcfleet.RateLimit{}, false},
		"another bucket":               {rpcfleet.RateLimits{limit("rpm", 9, "", "")}, rpcfleet.RateLimit{}, false},
		"the plan":                     {rpcfleet.RateLimits{plan}, plan, true},
		"an override after the plan":   {rpcfleet.RateLimits{plan, override}, override, true},
		"the last of two overrides":    {rpcfleet.RateLimits{override, second, plan}, second, true},
		"a source of another kind":     {rpcfleet.RateLimits{newer, plan}, newer, true},
		"an override beats any source": {rpcfleet.RateLimits{override, newer, plan}, override, true},
		"a limit without a source":     {rpcfleet.RateLimits{limit("rps", 7, "", "")}, limit("rps", 7, "", ""), true},
		"no limit at all":              {rpcfleet.RateLimits{unlimited}, unlimited, true},
	} {
		t.Run(name, func(t *testing.T) {
			inForce, found := test.limits.Effective(admin.RateLimitBucketRPS)
			assert.Equal(t, test.found, found)
			assert.Equal(t, test.inForce, inForce)
		})
	}
}

func TestAddRequestFilter_copiesItsMethods(t *testing.T) {
	methods := []string{"eth_call"}
	client, _ := scripted(t, respondJSON(200, `{"data":{"id":"951","new":7}}`))
	filter := must(client.Security.AddRequestFilter(t.Context(), "ep1", methods))(t)
	methods[0] = "changed"
	assert.Equal(t, "eth_call", filter.Methods[0])
	assert.Equal(t, []string{"new"}, filter.Extra.Names())
}

// TestSecurityOptions_setWhatWasRead: options of one endpoint, in either format, are sent to another one.
func TestSecurityOptions_setWhatWasRead(t *testing.T) {
	read := rpcfleet.SecurityOptionsOf(&admin.EndpointSecurity{Options: admin.EndpointSecurityOptions{
		Tokens: new(true), Referrers: new(false), JWTs: new(true), IPs: new(false), DomainMasks: new(true), HSTS: new(false),
		CORS: new(true), RequestFilters: new(false), ResponseLogging: new(true),
		IPCustomHeader: admin.IPCustomHeader{Value: "x-a"},
	}})
	assert.Equal(t, map[admin.SecurityOptionName]bool{"tokens": true, "referrers": false, "jwts": true, "ips": false,
		"domainMasks": true, "hsts": false, "cors": true, "requestFilters": false}, read)

	client, server := scripted(t, respondJSON(200, `{"data":[{"option":"cors","status":"disabled"},
		{"option":"cors","status":"enabled"},{"option":"hsts","status":"enabled"},{"option":"hsts","status":"audit"},
		{"option":"ipCustomHeader","status":"disabled","value":"x-a"},{"option":"newer","status":"enabled"}]}`),
		respondJSON(200, `{"data":[]}`))
	listed := must(client.Security.Options(t.Context(), "ep1"))(t)
	assert.Equal(t, map[admin.SecurityOptionName]bool{"cors": true, "ipCustomHeader": false, "newer": true}, listed)
	for _, options := range []map[admin.SecurityOptionName]bool{listed, {"cor": true, "cors": true}} {
		err := errOf(client.Security.SetOptions(t.Context(), "ep2", options, rpcfleet.WithoutValidation()))
		require.ErrorContains(t, err, "updateSecurityOptions: options must have names among")
	}
	delete(listed, "newer")
	require.NoError(t, errOf(client.Security.SetOptions(t.Context(), "ep2", listed)))
	assert.JSONEq(t, `{"options":{"cors":"enabled","ipCustomHeader":"disabled"}}`, server.Requests()[1].Body)
}

// TestOverrides_updateWithWhatWasRead: the plan's limits and missing ones are not sent.
func TestOverrides_updateWithWhatWasRead(t *testing.T) {
	client, server := scripted(t, respondJSON(200, `{"data":{"rate_limits":[
		{"bucket":"rps","rate_limit":50,"source":"plan_default"}, {"bucket":"rps","rate_limit":20,"source":"user_override"},
		{"bucket":"rpm","rate_limit":900,"source":"plan_default"}, {"bucket":"rpd","rate_limit":-1,"source":"user_override"}
	]}}`), respondJSON(200, `{"data":{}}`))
	read := must(client.RateLimits.Get(t.Context(), "ep1"))(t)
	require.NoError(t, errOf(client.RateLimits.Update(t.Context(), "ep2", read.Overrides())))
	assert.JSONEq(t, `{"rate_limits":{"rps":20}}`, server.Requests()[1].Body)
	err := errOf(client.RateLimits.Update(t.Context(), "ep2", map[admin.RateLimitBucket]int{"rph": 7}))
	require.ErrorContains(t, err, `updateRateLimits: rate_limits must have names among ["rpd" "rpm" "rps"], not "rph"`)
	require.ErrorIs(t, errOf(client.RateLimits.Update(t.Context(), "ep2", nil)), rpcfleet.ErrInvalidRequest)
	assert.Len(t, server.Requests(), 2)
	assert.Equal(t, map[admin.RateLimitBucket]int{"rpm": 7, "rpd": 9},
		rpcfleet.RateLimitsOf(&admin.EndpointRateLimits{RPS: new(-1), RPM: new(7), RPD: new(9)}).Overrides())
}
