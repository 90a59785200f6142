package clienttest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// The tests of module acceptance go through every operation. These tests cover the work of a method beside sending a
// request and reading its response.

// use is one call of a method.
type use func(ctx context.Context, c *rpcfleet.Client) error

// reports responds to a bulk call in reverse order, with every id that ends in 3 failed.
func reports(w http.ResponseWriter, r *http.Request) {
	var body struct{ IDs []string }
	if json.NewDecoder(r.Body).Decode(&body) != nil {
		return
	}
	var results []string
	failed := 0
	for _, id := range slices.Backward(body.IDs) {
		success := !strings.HasSuffix(id, "3")
		if !success {
			failed++
		}
		results = append(results, fmt.Sprintf(`{"id":%q,"success":%t}`, id, success))
	}
	respondJSON(200, fmt.Sprintf(
		`{"data":{"total":%d,"updated_count":%d,"failed_count":%d,"results":[%s],"tag":{"tag_id":7,"label":"x"},"new":%d}}`,
		len(body.IDs), len(body.IDs)-failed, failed, strings.Join(results, ","), len(body.IDs)))(w, r)
}

func TestBulkCutsAndJoins(t *testing.T) {
	client, s := scripted(t, reports)
	ids := expected(0, 250)
	outcome, err := client.Endpoints.BulkAddTag(t.Context(), ids, "x")
	require.NoError(t, err, "that some failed is no error")
	require.Len(t, s.Requests(), 3)
	assert.Equal(t, []int64{250, 225, 25}, []int64{outcome.Total, outcome.UpdatedCount, outcome.FailedCount})
	assert.Equal(t, &admin.BulkTag{TagID: 7, Label: "x"}, outcome.Tag)
	assert.Len(t, outcome.Failed(), 25)
	assert.Equal(t, "ep3", outcome.Failed()[0])
	assert.Equal(t, []string{"new"}, outcome.Extra.Names())
	require.Len(t, outcome.Results, 250)
	for i, result := range outcome.Results {
		assert.Equal(t, ids[i], result.ID, "in the caller's order")
	}
	assert.Empty(t, outcome.Unreported)
	assert.Empty(t, outcome.Unconfirmed)

	outcome, err = client.Endpoints.BulkAddTag(t.Context(), nil, "x", rpcfleet.WithoutValidation())
	require.NoError(t, err)
	assert.Equal(t, &admin.BulkTag{TagID: 7, Label: "x"}, outcome.Tag, "that of nothing keeps its response")
}

func TestBulkTellsWhatTheServiceLeavesOut(t *testing.T) {
	client, _ := scripted(t, respondJSON(200, `{"data":{"total":3,"updated_count":1,"failed_count":1,"results":[
		{"id":"c","success":true},{"id":"other","success":true},{"id":"a","success":false}]}}`))
	want := []admin.BulkItemResult{{ID: "a"}, {ID: "c", Success: true}, {ID: "other", Success: true}}
	for range 2 {
		outcome, err := client.Endpoints.BulkRemoveTag(t.Context(), []string{"a", "b", "a", "c"}, 7)
		require.NoError(t, err)
		assert.Equal(t, want, outcome.Results)
		assert.Equal(t, []string{"a"}, outcome.Failed())
		assert.Equal(t, []string{"b"}, outcome.Unreported)
		assert.Empty(t, outcome.Unconfirmed)
	}
}

func TestBulkReturnsWhatWasDone(t *testing.T) {
	client, s := scripted(t, reports, respondJSON(403, `{"data":null,"error":"admin only"}`))
	ids := expected(0, 250)
	outcome, err := client.Endpoints.BulkSetStatus(t.Context(), ids, admin.EndpointStatusPaused)
	require.ErrorIs(t, err, rpcfleet.ErrForbidden)
	require.NotNil(t, outcome)
	assert.Len(t, outcome.Results, 100)
	assert.Equal(t, ids[100:], outcome.Unconfirmed)
	assert.Nil(t, outcome.Tag)
	assert.Len(t, s.Requests(), 2)
}

// limit is a limit that the service states with a number.
func limit(bucket admin.RateLimitBucket, requests int, source admin.RateLimitSource, id string) rpcfleet.RateLimit {
	return rpcfleet.RateLimit{Bucket: bucket, Requests: &requests, Source: source, OverrideID: id}
}

func TestRateLimitsAreReadFromRowsAndFields(t *testing.T) {
	client, server := scripted(t,
		respondJSON(200, `{"data":{"rate_limits":[
			{"bucket":"rps","rate_limit":50,"source":"plan_default"},
			{"bucket":"rps","rate_limit":20,"source":"user_override","id":"o-1"},
			{"bucket":"rpd","rate_limit":-1,"source":"plan_default","id":"p-1"},
			{"bucket":"rpm"}]},"error":null}`),
		respondJSON(200, `{"data":{"limits":{"rps":1,"rpm":0,"rpd":-1}},"error":null}`),
		respondJSON(200, `{"data":{"limits":{}}}`), respondJSON(500, ``))
	limits, err := client.RateLimits.Get(t.Context(), "ep1")
	require.NoError(t, err)
	assert.Equal(t, rpcfleet.RateLimits{
		limit("rps", 50, "plan_default", ""), limit("rps", 20, "user_override", "o-1"),
		{Bucket: "rpd", Unlimited: true, Source: "plan_default"}, {Bucket: "rpm"},
	}, limits)
	override := admin.RateLimitOverrides{RPS: new(7)}
	limits, err = client.RateLimits.Update(t.Context(), "ep1", override)
	require.NoError(t, err)
	assert.Equal(t, rpcfleet.RateLimits{
		limit("rps", 1, "", ""), limit("rpm", 0, "", ""), {Bucket: "rpd", Unlimited: true},
	}, limits)
	//nolint:staticcheck // Deprecated, and there.
	limits, err = client.RateLimits.Replace(t.Context(), "ep1", override)
	require.NoError(t, err)
	assert.Equal(t, rpcfleet.RateLimits{limit("rps", 7, "", "")}, limits, "what was sent, if the service says nothing")
	_, err = client.RateLimits.Update(t.Context(), "ep1", override)
	require.ErrorIs(t, err, rpcfleet.ErrServer)
	assert.Len(t, server.Requests(), 3+4, "setting a limit again does no harm")

	limits = rpcfleet.RateLimitsOf(&admin.EndpointRateLimits{RPS: new(5), RPM: new(-1), Account: new(900)})
	assert.Equal(t, `[RateLimit{Bucket: "rps", Requests: 5, Unlimited: false, Source: "", OverrideID: ""}`+
		` RateLimit{Bucket: "rpm", Unlimited: true, Source: "", OverrideID: ""}]`, fmt.Sprint(limits))
	assert.Empty(t, rpcfleet.RateLimitsOf(nil))
	state := rpcfleet.RateLimitState{PerSecond: &rpcfleet.RateLimitWindow{Limit: 5, Remaining: 4}}
	assert.Equal(t, "RateLimitState{PerSecond: {Limit: 5, Remaining: 4}, RetryAfter: 0s}", fmt.Sprint(state))
	assert.Contains(t, fmt.Sprintf("%+v", rpcfleet.CallResult{RateLimit: state}), "RateLimit:"+fmt.Sprint(state))
}

func TestRateLimitsInForce(t *testing.T) {
	plan, override := limit("rps", 50, "plan_default", ""), limit("rps", 20, "user_override", "o-1")
	second, newer := limit("rps", 10, "user_override", "o-2"), limit("rps", 30, "team_override", "o-3")
	unlimited := rpcfleet.RateLimit{Bucket: "rps", Unlimited: true}
	for name, test := range map[string]struct {
		limits   rpcfleet.RateLimits
		inForce  rpcfleet.RateLimit
		found    bool
		override string
	}{
		"nothing": {nil, rpcfleet.RateLimit{}, false, ""},
		"another bucket": {rpcfleet.RateLimits{limit("rpm", 9, "user_override", "o-9")}, rpcfleet.RateLimit{},
			false, ""},
		"the plan":                     {rpcfleet.RateLimits{plan}, plan, true, ""},
		"an override after the plan":   {rpcfleet.RateLimits{plan, override}, override, true, "o-1"},
		"the last of two overrides":    {rpcfleet.RateLimits{override, second, plan}, second, true, "o-2"},
		"a source of another kind":     {rpcfleet.RateLimits{newer, plan}, newer, true, "o-3"},
		"an override beats any source": {rpcfleet.RateLimits{override, newer, plan}, override, true, "o-1"},
		"a limit without a source":     {rpcfleet.RateLimits{limit("rps", 7, "", "")}, limit("rps", 7, "", ""), true, ""},
		"no limit at all":              {rpcfleet.RateLimits{unlimited}, unlimited, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			inForce, found := test.limits.Effective(admin.RateLimitBucketRPS)
			assert.Equal(t, test.found, found)
			assert.Equal(t, test.inForce, inForce)
			id, set := test.limits.OverrideID(admin.RateLimitBucketRPS)
			assert.Equal(t, test.override, id)
			assert.Equal(t, test.override != "", set)
		})
	}
}

// TestSecurityAdditions returns the entry as the service sends it, or as the caller sent it if the response has no
// entry.
func TestSecurityAdditions(t *testing.T) {
	jwt := admin.AddJWTRequest{PublicKey: "made-up-key", Kid: "key-1", Name: "Backend"}
	client, server := scripted(t)
	methods := []string{"eth_call"}
	for plain, test := range map[string]struct {
		add func() (any, error)
		// told is the record if the service sends it, unbounded if it does not.
		told, unbounded any
	}{
		`{"id":"701","referrer":"A"}`: {func() (any, error) { return client.Security.AddReferrer(t.Context(), "ep1", "a") },
			&admin.EndpointReferrer{ID: new("701"), Referrer: new("A")},
			&admin.EndpointReferrer{ID: new(""), Referrer: new("a")}},
		`{"id":"901","ip":"I"}`: {func() (any, error) { return client.Security.AddIP(t.Context(), "ep1", "i") },
			&admin.EndpointIP{ID: new("901"), IP: new("I")}, &admin.EndpointIP{ID: new(""), IP: new("i")}},
		`{"id":"801","domain_mask":"D"}`: {
			func() (any, error) { return client.Security.AddDomainMask(t.Context(), "ep1", "d") },
			&admin.EndpointDomainMask{ID: new("801"), Domain: new("D"), DomainMask: new("D")},
			&admin.EndpointDomainMask{ID: new(""), Domain: new("d")}},
		`{"id":"951"}`: {func() (any, error) { return client.Security.AddRequestFilter(t.Context(), "ep1", methods) },
			&admin.RequestFilter{ID: "951", Method: []string{"eth_call"}}, &admin.RequestFilter{Method: []string{"eth_call"}}},
		`{"id":"601","public_key":"k","kid":"K","name":"N"}`: {
			func() (any, error) { return client.Security.AddJWT(t.Context(), "ep1", jwt) },
			&admin.EndpointJWT{ID: new("601"), PublicKey: new("k"), Kid: new("K"), Name: new("N")},
			&admin.EndpointJWT{ID: new(""), PublicKey: new("made-up-key"), Kid: new("key-1"), Name: new("Backend")}},
		`{"id":"501","token":"made-up-t0k3n"}`: {
			func() (any, error) { return client.Security.CreateToken(t.Context(), "ep1") },
			&admin.EndpointToken{ID: new("501"), Token: new(scalar.NewSecret("made-up-t0k3n"))},
			&admin.EndpointToken{ID: new(""), Token: new(scalar.Secret{})}},
	} {
		t.Run(plain, func(t *testing.T) {
			server.Play(respondJSON(200, `{"data":`+plain+`,"error":null}`), respondJSON(200, `{"data":{}}`),
				respondJSON(200, ``),
				respondJSON(200, `{"data":null,"error":"no"}`))
			added, err := test.add()
			require.NoError(t, err)
			assert.Equal(t, test.told, added)
			for range 2 {
				added, err := test.add()
				require.NoError(t, err)
				assert.Equal(t, test.unbounded, added)
			}
			added, err = test.add()
			require.ErrorIs(t, err, rpcfleet.ErrRejected)
			assert.Nil(t, added)
		})
	}
	server.Play(respondJSON(200, `{"data":{"id":"951"}}`))
	filter, err := client.Security.AddRequestFilter(t.Context(), "ep1", methods)
	require.NoError(t, err)
	methods[0] = "changed"
	assert.Equal(t, "eth_call", filter.Method[0], "the record is the caller's own")
}

func TestPartsOfRecordsUnderTwoNames(t *testing.T) {
	client, _ := scripted(t,
		respondJSON(200, `{"data":{"domain_masks":[{"id":"801","domain":"a"},{"id":"802","domain_mask":"b"},{"id":"803"}]}}`),
		respondJSON(200,
			`[{"id":"n1","destinations":[{"id":"d1"}]},{"id":"n2","destinationIds":["d7"],"destinations":[{"id":"d8"}]}]`),
		respondJSON(200, `{"id":"n1","destinations":[{"id":"d1"}]}`))
	security, err := client.Security.Get(t.Context(), "ep1")
	require.NoError(t, err)
	require.Len(t, security.DomainMasks, 3)
	assert.Equal(t, "a", *security.DomainMasks[0].Domain)
	assert.Equal(t, "b", *security.DomainMasks[1].Domain, "under its other name")
	assert.Nil(t, security.DomainMasks[2].Domain)

	page, err := client.Notifications.List(t.Context(), alerts.ListNotificationsParams{})
	require.NoError(t, err)
	assert.Equal(t, []string{"d1"}, page.Items[0].DestinationIDs)
	assert.Equal(t, []string{"d7"}, page.Items[1].DestinationIDs)
	notification, err := client.Notifications.Get(t.Context(), "n1")
	require.NoError(t, err)
	assert.Equal(t, []string{"d1"}, notification.DestinationIDs)
	notification, err = client.Notifications.Update(t.Context(), "n1", alerts.UpdateNotificationRequest{Name: new("n")})
	require.NoError(t, err)
	assert.Equal(t, []string{"d1"}, notification.DestinationIDs)
}

func TestSecurityOptionsAreOneViewOfBothSpellings(t *testing.T) {
	const list, record = `{"data":[{"option":"tokens","status":"enabled"},{"option":"cors","status":"disabled"},
		{"option":"ipCustomHeader","status":"enabled","value":"x-sample-ip"}]}`,
		`{"data":{"id":"ep1","security":{"options":{"tokens":true,"cors":false,"ipCustomHeader":{"value":"x-sample-ip"}}}}}`
	client, _ := scripted(t, respondJSON(200, list), respondJSON(200, record))
	options, err := client.Security.Options(t.Context(), "ep1")
	require.NoError(t, err)
	on, known := options.Enabled(admin.SecurityOptionNameIPCustomHeader)
	assert.True(t, on && known)
	endpoint, err := client.Endpoints.Get(t.Context(), "ep1")
	require.NoError(t, err)
	of := rpcfleet.SecurityOptionsOf(endpoint.Security.Options)
	_, known = of.Enabled(admin.SecurityOptionNameIPCustomHeader)
	assert.False(t, known, "a header without a switch")
	for _, options := range []rpcfleet.SecurityOptions{options, of} {
		for name, want := range map[admin.SecurityOptionName][2]bool{
			admin.SecurityOptionNameTokens: {true, true}, admin.SecurityOptionNameCORS: {false, true},
			admin.SecurityOptionNameHSTS: {false, false},
		} {
			on, known := options.Enabled(name)
			assert.Equal(t, want, [2]bool{on, known}, name)
		}
		header, set := options.IPCustomHeader()
		assert.True(t, set)
		assert.Equal(t, "x-sample-ip", header)
	}

	assert.Empty(t, rpcfleet.SecurityOptionsOf(nil))
	yes, no := new(true), new(false)
	all := rpcfleet.SecurityOptionsOf(&admin.EndpointSecurityOptions{
		Tokens: yes, Referrers: no, JWTs: yes, IPs: no, DomainMasks: yes, HSTS: no, CORS: yes, RequestFilters: no,
		ResponseLogging: yes,
	})
	assert.Equal(t, "tokens:enabled referrers:disabled jwts:enabled ips:disabled domainMasks:enabled hsts:disabled "+
		"cors:enabled requestFilters:disabled responseLogging:enabled ", spelledOut(all))
	for _, test := range []struct {
		options    rpcfleet.SecurityOptions
		on, known  bool
		header     string
		headerIsOn bool
	}{
		{rpcfleet.SecurityOptions{{Option: "cors", Status: "disabled"}, {Option: "cors", Status: "enabled"}}, true, true, "",
			false},
		{rpcfleet.SecurityOptions{{Option: "cors", Status: "audit"}}, false, false, "", false},
		{rpcfleet.SecurityOptions{{Option: "ipCustomHeader", Status: "enabled", Value: new("")}}, false, false, "", false},
		{rpcfleet.SecurityOptions{{Option: "ipCustomHeader", Status: "disabled", Value: new("x-a")}}, false, false, "x-a",
			true},
	} {
		on, known := test.options.Enabled(admin.SecurityOptionNameCORS)
		assert.Equal(t, []bool{test.on, test.known}, []bool{on, known})
		header, set := test.options.IPCustomHeader()
		assert.Equal(t, test.header, header)
		assert.Equal(t, test.headerIsOn, set)
	}
}

// TestSetOptionsReturnsWhatIsSwitched if the service sends all options, if it sends the record of one, and if it sends
// no record.
func TestSetOptionsReturnsWhatIsSwitched(t *testing.T) {
	on, off := new(admin.SwitchEnabled), new(admin.SwitchDisabled)
	switches := admin.SecurityOptionSwitches{
		Tokens: on, Referrers: off, JWTs: on, IPs: on, DomainMasks: on, HSTS: on, CORS: off, RequestFilters: on,
		IPCustomHeader: on,
	}
	const one, sent = `{"option":"hsts","status":"disabled"}`,
		"tokens:enabled referrers:disabled jwts:enabled ips:enabled domainMasks:enabled hsts:enabled cors:disabled " +
			"requestFilters:enabled ipCustomHeader:enabled "
	for body, want := range map[string]string{
		`{"data":[` + one + `]}`: "hsts:disabled ",
		`{"data":` + one + `}`:   "hsts:disabled " + strings.Replace(sent, "hsts:enabled ", "", 1),
		`{}`:                     sent,
	} {
		client, _ := scripted(t, respondJSON(200, body))
		options, err := client.Security.SetOptions(t.Context(), "ep1", switches)
		require.NoError(t, err)
		assert.Equal(t, want, spelledOut(options))
	}
}

// spelledOut are the names and the statuses of options.
func spelledOut(options rpcfleet.SecurityOptions) (text string) {
	for _, option := range options {
		text += fmt.Sprintf("%s:%s ", option.Option, option.Status)
	}
	return text
}

func TestUnlistedNetworks(t *testing.T) {
	allowed := rpcfleet.WithExtraNetworks("youngest-mainnet", "newer-mainnet")
	client, server := scripted(t, respondJSON(200, `{"id":"n1","expression_result":[]}`))
	for operation, naming := range naming {
		with := callArgs{t.Context(), client, []rpcfleet.CallOption{rpcfleet.WithExtraNetworks("older"), allowed}}
		require.NoError(t, naming("newer-mainnet")(with), operation)
		require.NoError(t, naming("older")(with), "options add up")
		require.NoError(t, naming("ethereum-mainnet")(with), "a documented one still")
		require.NoError(t, naming("newer-mainnet")(callArgs{t.Context(), server.client(t, allowed), nil}),
			"of the client too")
		seen := len(server.Requests())
		require.ErrorAs(t, naming("")(with), new(*rpcfleet.ValidationError))
		require.ErrorAs(t, naming("newer-mainnett")(with), new(*rpcfleet.ValidationError))
		assert.Len(t, server.Requests(), seen)
	}
}

// TestMetricTags has tags as the service was seen to send them: plain texts and arrays in one response.
func TestMetricTags(t *testing.T) {
	client, _ := scripted(t, respondJSON(200, `{"data":[
		{"tag":"total","data":[[1772359200,3],[1772359260,null]]},{"tag":["network","base-mainnet"],"data":null},
		{"tag":[]},{"tag":200},{"tag":["status",200,null]},{"tag":null},{}]}`), respondJSON(200, `{"data":null}`))
	series, err := client.Metrics.Endpoint(t.Context(), "ep1", admin.GetEndpointMetricsParams{
		Period: admin.MetricsPeriodHour, Metric: admin.EndpointMetricNameMeteredEndpointCreditsOverTime,
	})
	require.NoError(t, err)
	var got [][]string
	for _, one := range series {
		got = append(got, append([]string{one.Tag}, one.Tags...))
	}
	assert.Equal(t, [][]string{
		{"total", "total"}, {"network:base-mainnet", "network", "base-mainnet"}, {""}, {"200", "200"},
		{"status:200:", "status", "200", ""}, {""}, {""},
	}, got)
	require.Len(t, series[0].Points, 2)
	assert.Equal(t, new(3.0), series[0].Points[0].Value)
	assert.Nil(t, series[0].Points[1].Value, "not measured is not 0")
	params := admin.GetAccountMetricsParams{Period: admin.MetricsPeriodDay, Metric: admin.AccountMetricNameCreditsOverTime}
	series, err = client.Metrics.Account(t.Context(), params)
	require.NoError(t, err)
	assert.Empty(t, series)
}

func TestUsageByIDGuessesNothing(t *testing.T) {
	item := func(name string, credits int64) admin.EndpointUsage {
		return admin.EndpointUsage{Name: &name, CreditsUsed: &credits}
	}
	report := &admin.UsageByEndpoint{Endpoints: []admin.EndpointUsage{
		item("calm-sun", 1), item("twice", 2), item("gone", 3), item("", 4), {}, item("calm-sun", 5),
	}}
	byID, others := rpcfleet.GroupUsageByEndpointID(report, []admin.Endpoint{
		{ID: "1", Name: "calm-sun"}, {ID: "2", Name: "twice"}, {ID: "3", Name: "twice"}, {ID: "4", Name: "twice"}, {ID: "5"},
		{ID: "1", Name: "calm-sun"}, {ID: "6", Name: "idle"},
	})
	assert.Equal(t, map[string][]admin.EndpointUsage{"1": {report.Endpoints[0], report.Endpoints[5]}}, byID)
	assert.Equal(t, report.Endpoints[1:5], others)
	for _, none := range []*admin.UsageByEndpoint{nil, {}} {
		byID, others = rpcfleet.GroupUsageByEndpointID(none, nil)
		assert.Empty(t, byID)
		assert.Empty(t, others)
	}
}

// TestCallsThatOnlySend makes the calls that no other test of this package makes.
func TestCallsThatOnlySend(t *testing.T) {
	client, server := scripted(t, respondJSON(200, `{"data":{}}`))
	ctx := t.Context()
	for want, err := range map[string]error{
		"GET /v0/billing/invoices":                  errOf(client.Billing.Invoices(ctx)),
		"GET /v0/billing/payments":                  errOf(client.Billing.Payments(ctx)),
		"DELETE /v0/teams/4":                        client.Teams.Delete(ctx, 4),
		"DELETE /v0/teams/4/members/31":             client.Teams.RemoveMember(ctx, 4, 31, admin.RemoveTeamMemberRequest{}),
		"POST /v0/teams/4/members/31/resend_invite": client.Teams.ResendInvite(ctx, 4, 31),
		"GET /v0/tooling-access":                    errOf(client.Tooling.Status(ctx)),
	} {
		require.NoError(t, err, want)
		var sent []string
		for _, r := range server.Requests() {
			sent = append(sent, r.Method+" "+r.Path)
		}
		assert.Contains(t, sent, want)
	}
	server.Play(respondJSON(200, `{"data":[]}`))
	require.NoError(t, errOf(client.Teams.Endpoints(ctx, 4)))
}
