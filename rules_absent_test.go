package rpcfleet_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// TestWhatNoRuleForbidsIsSent is about arguments that the contract does not forbid, whatever the service may say to
// them. They are sent as they are.
func TestWhatNoRuleForbidsIsSent(t *testing.T) {
	list := func(params admin.ListEndpointsParams) ask {
		return func(a asking) error { return second(a.Endpoints.List(a, params, a.opts...)) }
	}
	update := func(change admin.UpdateEndpointRequest) ask {
		return func(a asking) error { return a.Endpoints.Update(a, "ep1", change, a.opts...) }
	}
	invite := func(invitation admin.InviteTeamMemberRequest) ask {
		invitation.Email = "u@example.com"
		return func(a asking) error { return second(a.Teams.Invite(a, 4, invitation, a.opts...)) }
	}
	createLimit := func(rate int, methods ...string) ask {
		return func(a asking) error {
			return second(a.RateLimits.CreateMethodLimit(a, "ep1", admin.CreateMethodRateLimitRequest{
				Interval: "day", Methods: methods, Rate: rate,
			}, a.opts...))
		}
	}
	updateLimit := func(change admin.UpdateMethodRateLimitRequest) ask {
		return func(a asking) error { return second(a.RateLimits.UpdateMethodLimit(a, "ep1", "l1", change, a.opts...)) }
	}
	override := func(id string) ask {
		return func(a asking) error { return a.RateLimits.RemoveOverride(a, "ep1", id, a.opts...) }
	}
	log := func(query admin.ListLogsParams) ask {
		query.From, query.To = scalar.NewTime(logStart), scalar.NewTime(logStart)
		return func(a asking) error { return second(a.Logs.List(a, "ep1", query, a.opts...)) }
	}
	long, role := strings.Repeat("ü", 26), new(admin.TeamRoleAdmin)
	const noTime, someTime = "00000000-0000-0000-0000-000000000000", "7D0C1F64-2B7E-4F0A-8A4E-51C9B8C0A9D3"
	for name, test := range map[string]struct {
		use ask
		// sent is the query or the body.
		sent string
	}{
		"a limit of 0":                      {list(admin.ListEndpointsParams{Limit: new(0)}), "limit=0"},
		"a limit below 0":                   {list(admin.ListEndpointsParams{Limit: new(-1)}), "limit=-1"},
		"an offset below 0":                 {list(admin.ListEndpointsParams{Offset: new(-1)}), "offset=-1"},
		"an update of an endpoint, empty":   {update(admin.UpdateEndpointRequest{}), `{}`},
		"an update to an empty label":       {update(admin.UpdateEndpointRequest{Label: new("")}), `{"label":""}`},
		"an invitation with a role alone":   {invite(admin.InviteTeamMemberRequest{Role: role}), `{"email":"u@example.com","role":"admin"}`},
		"an invitation with a name alone":   {invite(admin.InviteTeamMemberRequest{FullName: new("U")}), `{"email":"u@example.com","full_name":"U"}`},
		"an invitation with an empty name":  {invite(admin.InviteTeamMemberRequest{FullName: new(""), Role: role}), `{"email":"u@example.com","full_name":"","role":"admin"}`},
		"a method rate of 0":                {createLimit(0, "m"), `{"interval":"day","methods":["m"],"rate":0}`},
		"a method rate below 0":             {createLimit(-1, "m"), `{"interval":"day","methods":["m"],"rate":-1}`},
		"a method limit of no methods":      {createLimit(1, []string{}...), `{"interval":"day","methods":[],"rate":1}`},
		"an update of a method limit":       {updateLimit(admin.UpdateMethodRateLimitRequest{}), `{}`},
		"a method limit's rate set to 0":    {updateLimit(admin.UpdateMethodRateLimitRequest{Rate: new(0)}), `{"rate":0}`},
		"a method limit's methods set to 0": {updateLimit(admin.UpdateMethodRateLimitRequest{Methods: []string{}}), `{"methods":[]}`},
		"a UUID of zeros":                   {override(noTime), ""},
		"a UUID in capitals":                {override(someTime), ""},
		"logs of one instant":               {log(admin.ListLogsParams{}), "from=2026-03-01T10%3A00%3A00Z&to=2026-03-01T10%3A00%3A00Z"},
		"logs, more than they have":         {log(admin.ListLogsParams{Limit: new(101)}), "from=2026-03-01T10%3A00%3A00Z&to=2026-03-01T10%3A00%3A00Z&limit=101"},
		"logs, a limit below 0":             {log(admin.ListLogsParams{Limit: new(-1)}), "from=2026-03-01T10%3A00%3A00Z&to=2026-03-01T10%3A00%3A00Z&limit=-1"},
		"a long label":                      {func(a asking) error { return a.Endpoints.AddTag(a, "ep1", long, a.opts...) }, `{"label":"` + long + `"}`},
		"a long label for many": {func(a asking) error {
			return second(a.Endpoints.BulkAddTag(a, []string{"a"}, long, a.opts...))
		}, `{"ids":["a"],"label":"` + long + `"}`},
		"a long label for a tag": {func(a asking) error { return second(a.Tags.Rename(a, 7, long, a.opts...)) }, `{"label":"` + long + `"}`},
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
		"a filter of no methods": {func(a asking) error {
			return second(a.Security.AddRequestFilter(a, "ep1", []string{}, a.opts...))
		}, `{"method":[]}`},
		"a filter changed to no methods": {func(a asking) error {
			return a.Security.UpdateRequestFilter(a, "ep1", "f1", []string{}, a.opts...)
		}, `{"method":[]}`},
		"usage of one instant": {func(a asking) error {
			return second(a.Usage.Total(a, admin.GetUsageParams{StartTime: new(int64(5)), EndTime: new(int64(5))}, a.opts...))
		}, "start_time=5&end_time=5"},
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
