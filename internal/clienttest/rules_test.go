package clienttest

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// ask calls a method with what the test asks it with.
type ask func(a asking) error

// asking is the context, the client and the options of a call.
type asking struct {
	context.Context
	*rpcfleet.Client
	opts []rpcfleet.CallOption
}

// second is the error of a call, whatever its result.
func second[T any](_ T, err error) error { return err }

// rule is a rule of the contract about an argument of an operation.
type rule struct {
	operation, field string
	// rule is part of what the error says.
	rule string
	// breaks breaks this rule and no other; keeps is as near to it as the rule allows.
	breaks, keeps ask
}

const (
	isRequired   = "is required"
	isDocumented = "must be one of the documented values"
)

// TestRules holds the client to the rules that are not generated, and to one of each kind of those that are: package api
// tests them all. A value that breaks one is refused with its name, and nothing is sent, unless WithoutValidation leaves
// it to the service. A value on the rule's boundary is sent.
func TestRules(t *testing.T) {
	list := func(params admin.ListEndpointsParams) ask {
		return func(a asking) error { return second(a.Endpoints.List(a, params, a.opts...)) }
	}
	addFilter := func(methods []string) ask {
		return func(a asking) error { return second(a.Security.AddRequestFilter(a, "ep1", methods, a.opts...)) }
	}
	options := func(on admin.Switch) ask {
		return func(a asking) error {
			return second(a.Security.SetOptions(a, "ep1", admin.SecurityOptionSwitches{IPs: &on}, a.opts...))
		}
	}
	limits := func(limits admin.RateLimitOverrides) ask {
		return func(a asking) error { return second(a.RateLimits.Replace(a, "ep1", limits, a.opts...)) }
	}
	override := func(id string) ask {
		return func(a asking) error { return a.RateLimits.RemoveOverride(a, "ep1", id, a.opts...) }
	}
	team := func(name string) ask {
		return func(a asking) error { return second(a.Teams.Create(a, name, a.opts...)) }
	}
	log := func(from, to time.Time) ask {
		return func(a asking) error {
			return second(a.Logs.List(a, "ep1", admin.ListLogsParams{From: scalar.NewTime(from), To: scalar.NewTime(to)}, a.opts...))
		}
	}
	destination := func(url string, layout alerts.PayloadType) ask {
		return func(a asking) error {
			return second(a.Destinations.Create(a, alerts.CreateDestinationRequest{
				Name: "n", ToURL: scalar.NewSecretURL(url), WebhookType: "POST", Service: "webhook", PayloadType: layout,
			}, a.opts...))
		}
	}
	notification := func(network alerts.AlertNetwork) ask {
		return func(a asking) error {
			return second(a.Notifications.Create(a, alerts.CreateNotificationRequest{
				Name: "n", Expression: "e", Network: network, DestinationIDs: []string{},
			}, a.opts...))
		}
	}
	update := func(network alerts.AlertNetwork) ask {
		return func(a asking) error {
			return second(a.Notifications.Update(a, "n1", alerts.UpdateNotificationRequest{Network: &network}, a.opts...))
		}
	}
	validate := func(network alerts.AlertNetwork) ask {
		return func(a asking) error {
			return a.Expressions.Validate(a, alerts.ValidateExpressionRequest{Expression: "e", Network: network}, a.opts...)
		}
	}
	backtest := func(network alerts.AlertNetwork, count int) ask {
		return func(a asking) error {
			trial := alerts.BacktestExpressionRequest{Expression: "e", Network: network, BacktestCount: count}
			return second(a.Expressions.Backtest(a, trial, a.opts...))
		}
	}
	const isAbsolute, network, other = "must be an absolute http or https URL", alerts.AlertNetwork("ethereum-mainnet"), alerts.AlertNetwork("etherium-mainnet")
	const uuid = "7d0c1f64-2b7e-4f0a-8a4e-51c9b8c0a9d3"
	rules := []rule{
		{"addRequestFilter", "method", isRequired, addFilter(nil), addFilter([]string{})},
		{"addRequestFilter", "method[1]", "must not be empty", addFilter([]string{"a", ""}), addFilter([]string{"a"})},
		{"updateSecurityOptions", "options.ips", isDocumented, options("on"), options(admin.SwitchEnabled)},
		{"replaceRateLimits", "rate_limits", "at least one of rps, rpm, rpd", limits(admin.RateLimitOverrides{}), limits(admin.RateLimitOverrides{RPD: new(1)})},
		{"replaceRateLimits", "rate_limits.rpm", "must be at least 1", limits(admin.RateLimitOverrides{RPM: new(-1)}), limits(admin.RateLimitOverrides{RPM: new(1)})},
		{"createTeam", "name", "must have at least 4 characters", team("üüü"), team("üüüü")},
		{"listEndpoints", "statuses[0]", isDocumented, list(admin.ListEndpointsParams{Statuses: []admin.EndpointStatus{""}}),
			list(admin.ListEndpointsParams{Statuses: []admin.EndpointStatus{}})},
		{"listEndpoints", "tag_ids", "and tag_labels exclude each other", list(admin.ListEndpointsParams{TagIDs: []int64{1}, TagLabels: []string{"a"}}),
			list(admin.ListEndpointsParams{TagIDs: []int64{1}, TagLabels: []string{}})},
		{"listLogs", "from", isRequired, log(time.Time{}, logStart), log(logStart, logStart.Add(1))},
		{"listLogs", "from", "must not be after to", log(logStart, logStart.Add(-1)), log(logStart, logStart)},
		{"createDestination", "to_url", isRequired, destination("", 1), destination("http://h", 1)},
		{"createDestination", "to_url", isAbsolute, destination("/a", 1), destination("http://h/a", 1)},
		{"createDestination", "to_url", isAbsolute, destination("ftp://hooks.example", 1), destination("https://hooks.example", 1)},
		{"createDestination", "to_url", isAbsolute, destination("https://:80/a", 1), destination("https://h:80/a", 1)},
		{"createDestination", "to_url", isAbsolute, destination("https://a b/%", 1), destination("https://a/%25", 1)},
		{"createDestination", "payload_type", "must be from 1 to 7", destination("https://h", 8), destination("https://h", 7)},
		{"createNotification", "network", isRequired, notification(""), notification(network)},
		{"createNotification", "network", isDocumented, notification(other), notification("doge-mainnet")},
		{"updateNotification", "network", isRequired, update(""), update(network)},
		{"updateNotification", "network", isDocumented, update(other), update(network)},
		{"validateExpression", "network", isDocumented, validate(other), validate(network)},
		{"backtestExpression", "network", isDocumented, backtest(other, 1), backtest(network, 1)},
		{"backtestExpression", "backtest_count", "must be at most 20", backtest(network, 21), backtest(network, 20)},
	}
	for _, id := range []string{"o-1", uuid[1:], uuid + "0", "{" + uuid + "}", "g" + uuid[1:], strings.ReplaceAll(uuid, "-", ""), uuid + "\n"} {
		rules = append(rules, rule{"deleteRateLimitOverride", "override_id", "must be a UUID", override(id), override(uuid)})
	}
	for path, usage := range usages {
		operation := map[string]string{
			"/v0/usage/rpc": "getUsage", "/v0/usage/rpc/by-tag": "getUsageByTag", "/v0/usage/rpc/by-endpoint": "getUsageByEndpoint",
			"/v0/usage/rpc/by-method": "getUsageByMethod", "/v0/usage/rpc/by-chain": "getUsageByChain",
		}[path]
		within := func(end int64) ask {
			return func(a asking) error {
				return usage(a, a.Client, admin.GetUsageParams{StartTime: new(int64(7)), EndTime: &end}, a.opts...)
			}
		}
		rules = append(rules, rule{operation, "start_time", "must not be after end_time", within(6), within(7)})
	}
	for _, want := range rules {
		t.Run(want.operation+" "+want.field+" "+want.rule, func(t *testing.T) {
			client, server := scripted(t, says(200, `{"data":{}}`))
			var invalid *rpcfleet.ValidationError
			require.ErrorAs(t, want.breaks(asking{t.Context(), client, nil}), &invalid)
			assert.Equal(t, want.operation, invalid.Operation)
			assert.Equal(t, want.field, invalid.Field)
			assert.Contains(t, invalid.Rule, want.rule)
			assert.Contains(t, invalid.Error(), want.field)
			require.Empty(t, server.Requests(), "nothing is sent")

			goesOut(t, client, server, want.keeps)
			goesOut(t, client, server, want.breaks, rpcfleet.WithoutValidation())
		})
	}
}

// goesOut checks that a call is sent, whatever becomes of it, and returns what was sent.
func goesOut(t *testing.T, client *rpcfleet.Client, server script, call ask, opts ...rpcfleet.CallOption) scriptnet.Request {
	t.Helper()
	before := len(server.Requests())
	var invalid *rpcfleet.ValidationError
	err := call(asking{t.Context(), client, opts})
	require.False(t, errors.As(err, &invalid), "refused: %v", err)
	require.Len(t, server.Requests(), before+1, "%v", err)
	return server.Requests()[before]
}

// TestPathParametersThatWouldBeAnotherPath gives every method texts that no escaping keeps in their place in a path.
// Nothing is sent with one of them there, whatever the options say.
func TestPathParametersThatWouldBeAnotherPath(t *testing.T) {
	_, server := scripted(t, says(404, `{"data":null,"error":"no"}`))
	client := server.client(t, rpcfleet.WithHTTPClient(&http.Client{Transport: tripper(func(r *http.Request) (*http.Response, error) {
		for part := range strings.SplitSeq(r.URL.EscapedPath()[1:], "/") {
			assert.NotContains(t, []string{"", ".", ".."}, part, r.URL)
		}
		return http.DefaultTransport.RoundTrip(r)
	})}))
	refused := 0
	for _, method := range takingText(client) {
		for _, word := range []string{"", ".", ".."} {
			var invalid *rpcfleet.ValidationError
			if errors.As(method.use(t.Context(), word), &invalid) && strings.HasPrefix(invalid.Rule, "must not be") {
				refused++
			}
		}
	}
	assert.Greater(t, refused, 120)
}

// TestWhatNoRuleForbidsIsSent is about arguments that the contract does not forbid, whatever the service may say to
// them. They are sent as they are.
func TestWhatNoRuleForbidsIsSent(t *testing.T) {
	list := func(params admin.ListEndpointsParams) ask {
		return func(a asking) error { return second(a.Endpoints.List(a, params, a.opts...)) }
	}
	invite := func(invitation admin.InviteTeamMemberRequest) ask {
		return func(a asking) error { return second(a.Teams.Invite(a, 4, invitation, a.opts...)) }
	}
	updateLimit := func(change admin.UpdateMethodRateLimitRequest) ask {
		return func(a asking) error { return second(a.RateLimits.UpdateMethodLimit(a, "ep1", "l1", change, a.opts...)) }
	}
	override := func(id string) ask {
		return func(a asking) error { return a.RateLimits.RemoveOverride(a, "ep1", id, a.opts...) }
	}
	log := func(limit int) ask {
		at := scalar.NewTime(logStart)
		return func(a asking) error {
			return second(a.Logs.List(a, "ep1", admin.ListLogsParams{From: at, To: at, Limit: &limit}, a.opts...))
		}
	}
	long, role := strings.Repeat("ü", 26), new(admin.TeamRoleAdmin)
	const at = "from=2026-03-01T10%3A00%3A00Z&to=2026-03-01T10%3A00%3A00Z"
	for name, test := range map[string]struct {
		use ask
		// sent is the query or the body.
		sent string
	}{
		"a limit below 0":       {list(admin.ListEndpointsParams{Limit: new(-1)}), "limit=-1"},
		"an offset below 0":     {list(admin.ListEndpointsParams{Offset: new(-1)}), "offset=-1"},
		"an empty text to find": {list(admin.ListEndpointsParams{Labels: []string{""}}), "labels="},
		"an update to an empty label": {func(a asking) error {
			return a.Endpoints.Update(a, "ep1", admin.UpdateEndpointRequest{Label: new("")}, a.opts...)
		}, `{"label":""}`},
		"an invitation with a role alone":  {invite(admin.InviteTeamMemberRequest{Email: "u", Role: role}), `{"email":"u","role":"admin"}`},
		"an invitation with an empty name": {invite(admin.InviteTeamMemberRequest{Email: "u", FullName: new("")}), `{"email":"u","full_name":""}`},
		"a method limit of no methods": {func(a asking) error {
			return second(a.RateLimits.CreateMethodLimit(a, "ep1", admin.CreateMethodRateLimitRequest{
				Interval: "day", Methods: []string{}, Rate: -1,
			}, a.opts...))
		}, `{"interval":"day","methods":[],"rate":-1}`},
		"an update of a method limit":       {updateLimit(admin.UpdateMethodRateLimitRequest{}), `{}`},
		"a method limit's methods set to 0": {updateLimit(admin.UpdateMethodRateLimitRequest{Methods: []string{}}), `{"methods":[]}`},
		"a UUID of zeros":                   {override("00000000-0000-0000-0000-000000000000"), ""},
		"a UUID in capitals":                {override("7D0C1F64-2B7E-4F0A-8A4E-51C9B8C0A9D3"), ""},
		"logs, more than they have":         {log(101), at + "&limit=101"},
		"logs, a limit below 0":             {log(-1), at + "&limit=-1"},
		"a long label":                      {func(a asking) error { return a.Endpoints.AddTag(a, "ep1", long, a.opts...) }, `{"label":"` + long + `"}`},
		"a change of no endpoints": {func(a asking) error {
			return second(a.Endpoints.BulkSetStatus(a, []string{}, admin.EndpointStatusActive, a.opts...))
		}, `{"ids":[],"status":"active"}`},
		"no tag in particular": {func(a asking) error {
			return second(a.Endpoints.BulkRemoveTag(a, []string{"a"}, 0, a.opts...))
		}, `{"ids":["a"],"tag_id":0}`},
		"no endpoints for a team": {func(a asking) error { return a.Teams.SetEndpoints(a, 4, nil, a.opts...) }, `{"endpoint_ids":[]}`},
		"no option in particular": {func(a asking) error {
			return second(a.Security.SetOptions(a, "ep1", admin.SecurityOptionSwitches{}, a.opts...))
		}, `{"options":{}}`},
		"a filter changed to no methods": {func(a asking) error {
			return a.Security.UpdateRequestFilter(a, "ep1", "f1", []string{}, a.opts...)
		}, `{"method":[]}`},
		"any percentile": {func(a asking) error {
			return second(a.Metrics.Account(a, admin.GetAccountMetricsParams{
				Period: "day", Metric: "credits_over_time", Percentile: new("most"),
			}, a.opts...))
		}, "period=day&metric=credits_over_time&percentile=most"},
	} {
		t.Run(name, func(t *testing.T) {
			client, server := scripted(t, says(200, `{"data":{}}`))
			got := goesOut(t, client, server, test.use)
			assert.Equal(t, test.sent, got.Query+got.Body)
		})
	}
}
