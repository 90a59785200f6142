package clienttest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// These tests cover the work of methods beside requests and responses: module acceptance goes through all operations.

func TestBulk_reportsWhatTheServiceLeavesOut(t *testing.T) {
	client, _ := scripted(t, ok(`{"data":{"total":3,"updated_count":1,"failed_count":1,"new":7,"results":[
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
	first := ok(`{"data":{"total":100,"results":[{"id":"ep7","success":true}],"tag":{"tag_id":7,"label":"x"}}}`)
	for name, test := range map[string]struct {
		then []responder
		want rpcfleet.BulkOutcome
	}{
		"rejected":             {[]responder{respondJSON(403, ``)}, rpcfleet.BulkOutcome{Rejected: ids[100:200]}},
		"false":                {[]responder{ok(`{"data":false}`)}, rpcfleet.BulkOutcome{Rejected: ids[100:200]}},
		"limited":              {[]responder{respondJSON(429, ``)}, rpcfleet.BulkOutcome{Rejected: ids[100:200]}},
		"failed":               {[]responder{respondJSON(500, ``)}, rpcfleet.BulkOutcome{Unconfirmed: ids[100:200]}},
		"lost":                 {[]responder{hangUp}, rpcfleet.BulkOutcome{Unconfirmed: ids[100:200]}},
		"unreadable":           {[]responder{ok(`{`)}, rpcfleet.BulkOutcome{Unconfirmed: ids[100:200]}},
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
	outcome, err := client.Endpoints.BulkAddTag(canceled(t), ids, "x")
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, rpcfleet.BulkOutcome{Unsent: ids}, *outcome)
	outcome, err = client.Endpoints.BulkAddTag(t.Context(), ids, "")
	require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
	assert.Equal(t, rpcfleet.BulkOutcome{Unsent: ids}, *outcome)

	s.Play(ok(`{"data":{"total":0,"tag":{"tag_id":7,"label":"x"}}}`))
	outcome = must(client.Endpoints.BulkAddTag(t.Context(), nil, "x", rpcfleet.WithoutValidation()))(t)
	assert.Equal(t, admin.BulkTag{TagID: 7, Label: "x"}, outcome.Tag, "that of nothing keeps its response")
}

// limit is a limit that the service states with a number.
func limit(bucket admin.RateLimitBucket, requests int, source admin.RateLimitSource, id string) rpcfleet.RateLimit {
	return rpcfleet.RateLimit{Bucket: bucket, Requests: &requests, Source: source, OverrideID: id}
}

func TestRateLimits_readRowsAndFields(t *testing.T) {
	client, server := scripted(t,
		ok(`{"data":{"rate_limits":[
			{"bucket":"rps","rate_limit":50,"source":"plan_default"},
			{"bucket":"rps","rate_limit":20,"source":"user_override","id":"o-1"},
			{"bucket":"rpd","rate_limit":-1,"source":"plan_default","id":"p-1"},
			{"bucket":"rpm"}]},"error":null}`),
		ok(`{"data":{"limits":{"rps":1,"rpm":0,"rpd":-1}},"error":null}`),
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
	type limits = rpcfleet.RateLimits
	for name, test := range map[string]struct {
		limits  limits
		inForce rpcfleet.RateLimit
		found   bool
	}{
		"nothing":                      {nil, rpcfleet.RateLimit{}, false},
		"another bucket":               {limits{limit("rpm", 9, "", "")}, rpcfleet.RateLimit{}, false},
		"the plan":                     {limits{plan}, plan, true},
		"an override after the plan":   {limits{plan, override}, override, true},
		"the last of two overrides":    {limits{override, second, plan}, second, true},
		"a source of another kind":     {limits{newer, plan}, newer, true},
		"an override beats any source": {limits{override, newer, plan}, override, true},
		"a limit without a source":     {limits{limit("rps", 7, "", "")}, limit("rps", 7, "", ""), true},
		"no limit at all":              {limits{unlimited}, unlimited, true},
	} {
		inForce, found := test.limits.Effective(admin.RateLimitBucketRPS)
		assert.Equal(t, []any{test.inForce, test.found}, []any{inForce, found}, name)
	}
}

func TestAddRequestFilter_copiesItsMethods(t *testing.T) {
	methods := []string{"eth_call"}
	client, _ := scripted(t, ok(`{"data":{"id":"951","new":7}}`))
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

	client, server := scripted(t, ok(`{"data":[{"option":"cors","status":"disabled"},
		{"option":"cors","status":"enabled"},{"option":"hsts","status":"enabled"},{"option":"hsts","status":"audit"},
		{"option":"ipCustomHeader","status":"disabled","value":"x-a"},{"option":"newer","status":"enabled"}]}`),
		ok(`{"data":[]}`))
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
	client, server := scripted(t, ok(`{"data":{"rate_limits":[
		{"bucket":"rps","rate_limit":50,"source":"plan_default"}, {"bucket":"rps","rate_limit":20,"source":"user_override"},
		{"bucket":"rpm","rate_limit":900,"source":"plan_default"}, {"bucket":"rpd","rate_limit":-1,"source":"user_override"}
	]}}`), ok(`{"data":{}}`))
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

var noContent responder = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }

// emptyBodies are responses to a write without a record of the written values. internal/reply has more of them.
var emptyBodies = map[string]responder{
	"204":                 noContent,
	"no body":             ok(``),
	"an empty object":     ok(`{}`),
	"data true":           ok(`{"data":true,"error":null}`),
	"data and error null": ok(`{"data":null,"error":null}`),
	"another record":      ok(`{"data":{"message":"updated","success":true,"limits":{}}}`),
}

type opts = []rpcfleet.CallOption

var background = context.Background()

// everyOption has every option that can be set.
var everyOption = map[admin.SecurityOptionName]bool{"tokens": true, "referrers": false, "jwts": true, "ips": false,
	"domainMasks": true, "hsts": false, "cors": true, "requestFilters": false, "ipCustomHeader": true}

// change is a call that changes a thing that the caller has named, or adds an entry to it, with its result if the
// service sends no record.
type change struct {
	call method
	sent any
}

func changesOf(c *rpcfleet.Client) map[string]change {
	f, s := methodOf, c.Security
	rate := admin.UpdateMethodRateLimitRequest{Rate: new(5)}
	more := admin.UpdateMethodRateLimitRequest{
		Methods: []string{"eth_call"}, Rate: new(5), Status: new(admin.SwitchDisabled)}
	notification := alerts.UpdateNotificationRequest{Name: new("Other"), Expression: new(alerts.Expression("true")),
		Network: new(alerts.AlertNetworkDogeMainnet), DestinationIDs: []string{"d1"}}
	return map[string]change{
		"Tags.Rename": {f(c.Tags.Rename, int64(7), "idle"), &admin.Tag{ID: 7, Label: "idle"}},
		"RateLimits.UpdateMethodLimit": {f(c.RateLimits.UpdateMethodLimit, "ep1", "l-1", more),
			&admin.MethodRateLimit{ID: "l-1", Methods: []string{"eth_call"}, Rate: 5, Status: admin.SwitchDisabled}},
		"RateLimits.UpdateMethodLimit, of one field": {f(c.RateLimits.UpdateMethodLimit, "ep1", "l-1", rate),
			&admin.MethodRateLimit{ID: "l-1", Rate: 5}},
		"RateLimits.Update": {f(c.RateLimits.Update, "ep1", map[admin.RateLimitBucket]int{"rps": 5, "rpd": 9}),
			rpcfleet.RateLimits{limit("rps", 5, "", ""), limit("rpd", 9, "", "")}},
		"RateLimits.Replace": {
			f(c.RateLimits.Replace, "ep1", map[admin.RateLimitBucket]int{"rpm": 5}), //nolint:staticcheck // Deprecated, and there.
			rpcfleet.RateLimits{limit("rpm", 5, "", "")}},
		"Notifications.Update": {f(c.Notifications.Update, "n1", notification), &alerts.Notification{ID: "n1", Name: "Other",
			Expression: "true", Network: alerts.AlertNetworkDogeMainnet, DestinationIDs: []string{"d1"}}},
		"Security.SetIPCustomHeader": {f(s.SetIPCustomHeader, "ep1", "x-ip"),
			&admin.IPCustomHeaderSetting{HeaderName: "x-ip"}},
		"Security.AddReferrer":      {f(s.AddReferrer, "ep1", "a"), &admin.EndpointReferrer{Referrer: "a"}},
		"Security.AddIP":            {f(s.AddIP, "ep1", "i"), &admin.EndpointIP{IP: "i"}},
		"Security.AddDomainMask":    {f(s.AddDomainMask, "ep1", "d"), &admin.EndpointDomainMask{Domain: "d"}},
		"Security.AddRequestFilter": {f(s.AddRequestFilter, "ep1", someMethods), &admin.RequestFilter{Methods: someMethods}},
		"Security.AddJWT": {f(s.AddJWT, "ep1", aJWT),
			&admin.EndpointJWT{PublicKey: aJWT.PublicKey, Kid: aJWT.Kid, Name: aJWT.Name}},
		"Security.CreateToken": {f(s.CreateToken, "ep1"), &admin.EndpointToken{}},
		"Security.SetOptions":  {f(s.SetOptions, "ep1", everyOption), everyOption},
		"Tooling.Enable":       {f(c.Tooling.Enable), &admin.ToolingAccess{Enabled: true}},
		"Tooling.Disable":      {f(c.Tooling.Disable), &admin.ToolingAccess{}},
		"Endpoints.BulkSetStatus": {f(c.Endpoints.BulkSetStatus, []string{"a", "b"}, admin.EndpointStatusPaused),
			&rpcfleet.BulkOutcome{Unreported: []string{"a", "b"}}},
		"Endpoints.BulkAddTag": {f(c.Endpoints.BulkAddTag, []string{"a"}, "x"),
			&rpcfleet.BulkOutcome{Unreported: []string{"a"}}},
		"Endpoints.BulkRemoveTag": {f(c.Endpoints.BulkRemoveTag, []string{"a"}, int64(7)),
			&rpcfleet.BulkOutcome{Unreported: []string{"a"}}},
	}
}

func TestChanges_succeedWithoutRecord(t *testing.T) {
	client, server := scripted(t)
	var response rpcfleet.Response
	for name, test := range changesOf(client) {
		for body, line := range emptyBodies {
			server.Play(line)
			before := len(server.Requests())
			got, err := test.call(t.Context(), rpcfleet.WithResponse(&response))
			require.NoError(t, err, "%s: %s", name, body)
			assert.Equal(t, test.sent, got.Interface(), "%s: %s", name, body)
			assert.True(t, response.NoRecord, "%s: %s", name, body)
			assert.Len(t, server.Requests(), before+1, "%s: %s", name, body)
		}
	}
	server.Play(ok(`{"data":{"option":"cors","status":"audit"}}`))
	options := map[admin.SecurityOptionName]bool{"cors": true, "hsts": false}
	got := must(client.Security.SetOptions(t.Context(), "ep1", options, rpcfleet.WithResponse(&response)))(t)
	assert.Equal(t, map[admin.SecurityOptionName]bool{"hsts": false}, got, "one option stands for itself")
	assert.False(t, response.NoRecord, "the record is the service's own")
}

// TestCreates_failWithoutRecord has a create of each area. internal/reply has the reasons.
func TestCreates_failWithoutRecord(t *testing.T) {
	client, server := scripted(t)
	var response rpcfleet.Response
	for name, create := range map[string]method{
		"admin": methodOf(client.Endpoints.Create, onEthereum), "alerts": methodOf(client.Destinations.Create, aDestination),
	} {
		for body, line := range emptyBodies {
			server.Play(line)
			before := len(server.Requests())
			got, err := create(t.Context(), rpcfleet.WithResponse(&response))
			require.ErrorIs(t, err, rpcfleet.ErrNoRecord, "%s: %s", name, body)
			assert.NotErrorIs(t, err, rpcfleet.ErrNotFound, body)
			assert.True(t, got.IsNil(), body)
			assert.True(t, response.NoRecord, body)
			assert.Len(t, server.Requests(), before+1, body)
		}
		for _, body := range []string{`{"data":null,"error":"no"}`, `<html>`, `{"data":{"id":`, `{"data":no}`, `{} x`} {
			server.Play(ok(body))
			_, err := create(t.Context(), rpcfleet.WithResponse(&response))
			require.Error(t, err, body)
			require.NotErrorIs(t, err, rpcfleet.ErrNoRecord, body)
			assert.False(t, response.NoRecord, body)
		}
	}
	for _, body := range []string{`{"data":{"id":"ep1","label":["x"]}}`, `{"data":{"chain":"a"}}`} {
		server.Play(ok(body))
		require.ErrorIs(t, createEndpoint(t.Context(), client), rpcfleet.ErrNoRecord)
		require.NotErrorIs(t, errOf(get(client)), rpcfleet.ErrNoRecord, "a read executes nothing")
	}
	server.Play(respondJSON(502, ``))
	require.NotErrorIs(t, createEndpoint(t.Context(), client), rpcfleet.ErrNoRecord)
}

func TestReads_nullBesideANullErrorIsNotFound(t *testing.T) {
	client, server := scripted(t, ok(`{"data":null,"error":null}`))
	for _, err := range []error{errOf(get(client)), errOf(client.Destinations.Get(background, "d1"))} {
		require.ErrorIs(t, err, rpcfleet.ErrNotFound)
		assert.Equal(t, 200, errorAs[*rpcfleet.Error](t, err).StatusCode)
		assert.Equal(t, rpcfleet.ReasonNoData, errorAs[*rpcfleet.DecodeError](t, err, "the reason is kept").Reason)
		for _, other := range []error{rpcfleet.ErrRejected, rpcfleet.ErrConnection, rpcfleet.ErrNoRecord} {
			assert.NotErrorIs(t, err, other)
		}
		assert.Contains(t, err.Error(), "not found: no data in the response")
	}
	server.Play(ok(`{"data":null}`))
	_, err := get(client)
	require.NotErrorIs(t, err, rpcfleet.ErrNotFound, "without an error the response is not complete")
	assert.Equal(t, rpcfleet.ReasonNoData, errorAs[*rpcfleet.DecodeError](t, err).Reason)
}

// TestError_maybeExecutedByFailure: internal/transport tests more statuses.
func TestError_maybeExecutedByFailure(t *testing.T) {
	for name, test := range map[string]struct {
		line  responder
		maybe bool
	}{
		"400":                 {respondJSON(400, `{"error":"no"}`), false},
		"408":                 {respondJSON(408, ``), true},
		"600":                 {respondRaw("HTTP/1.1 600 Odd\r\nContent-Length: 0\r\n\r\n"), true},
		"099":                 {respondRaw("HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n"), true},
		"refusal":             {ok(`{"data":null,"error":"no"}`), false},
		"no record":           {ok(`{}`), true},
		"HTML":                {respond("text/html", 200, `<html>`), true},
		"half":                {truncate, true},
		"no response":         {hangUp, true},
		"another HTTP client": {respondRaw("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"), true},
	} {
		client, _ := scripted(t, test.line)
		err := createEndpoint(t.Context(), client)
		require.Error(t, err, name)
		assert.Equal(t, test.maybe, errors.Is(err, rpcfleet.ErrOutcomeUnknown), "%s: %v", name, err)
		err = client.Endpoints.Pause(t.Context(), "ep1")
		assert.NotErrorIs(t, err, rpcfleet.ErrOutcomeUnknown, "%s: an idempotent call can be repeated", name)
	}
}

func TestErrOutcomeUnknown_notIfNothingWasSent(t *testing.T) {
	spent := errors.New("the budget is spent")
	client, server := scriptedWith(t, with{rpcfleet.WithPacer(pacing(func() error { return spent }))}, ok(record))
	failures := map[error]error{context.Canceled: createEndpoint(canceled(t), server.client(t)),
		spent: createEndpoint(t.Context(), client)}
	assert.Empty(t, server.Requests())
	server.Close() // No connection is made.
	failures[rpcfleet.ErrConnection] = createEndpoint(t.Context(), server.client(t))
	for want, err := range failures {
		require.ErrorIs(t, err, want)
		require.NotErrorIs(t, err, rpcfleet.ErrOutcomeUnknown)
	}
	synctest.Test(t, func(t *testing.T) {
		client, asked := clocked(t, later(429, "30"))
		waiting, stop := context.WithCancel(t.Context())
		time.AfterFunc(10*time.Second, stop)
		err := createEndpoint(waiting, client, rpcfleet.WithRetryPolicy(rpcfleet.DefaultRetryPolicy()))
		require.ErrorIs(t, err, context.Canceled)
		require.NotErrorIs(t, err, rpcfleet.ErrOutcomeUnknown, "the only attempt was refused")
		assert.Len(t, asked.Requests(), 1)
	})
}
