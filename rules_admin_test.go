package rpcfleet_test

import (
	"testing"
	"time"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// TestContractRules goes through what the contract states about the arguments of the admin area.
func TestContractRules(t *testing.T) {
	create := func(chain, network string) ask {
		return func(a asking) error {
			return second(a.Endpoints.Create(a, admin.CreateEndpointRequest{Chain: chain, Network: network}, a.opts...))
		}
	}
	list := func(params admin.ListEndpointsParams) ask {
		return func(a asking) error { return second(a.Endpoints.List(a, params, a.opts...)) }
	}
	status := func(status admin.EndpointStatus) ask {
		return func(a asking) error { return a.Endpoints.SetStatus(a, "ep1", status, a.opts...) }
	}
	bulkStatus := func(ids []string, status admin.EndpointStatus) ask {
		return func(a asking) error {
			return second(a.Endpoints.BulkSetStatus(a, ids, status, a.opts...))
		}
	}
	bulkTag := func(ids []string, label string) ask {
		return func(a asking) error { return second(a.Endpoints.BulkAddTag(a, ids, label, a.opts...)) }
	}
	bulkUntag := func(ids []string) ask {
		return func(a asking) error { return second(a.Endpoints.BulkRemoveTag(a, ids, 7, a.opts...)) }
	}
	addTag := func(label string) ask {
		return func(a asking) error { return a.Endpoints.AddTag(a, "ep1", label, a.opts...) }
	}
	rename := func(label string) ask {
		return func(a asking) error { return second(a.Tags.Rename(a, 7, label, a.opts...)) }
	}
	endpointMetric := func(period admin.MetricsPeriod, metric admin.EndpointMetricName) ask {
		return func(a asking) error {
			return second(a.Metrics.Endpoint(a, "ep1", admin.GetEndpointMetricsParams{Period: period, Metric: metric}, a.opts...))
		}
	}
	accountMetric := func(period admin.MetricsPeriod, metric admin.AccountMetricName) ask {
		return func(a asking) error {
			return second(a.Metrics.Account(a, admin.GetAccountMetricsParams{Period: period, Metric: metric}, a.opts...))
		}
	}
	log := func(from, to time.Time) ask {
		return func(a asking) error {
			return second(a.Logs.List(a, "ep1", admin.ListLogsParams{From: scalar.NewTime(from), To: scalar.NewTime(to)}, a.opts...))
		}
	}
	details := func(requestID string) ask {
		return func(a asking) error { return second(a.Logs.Details(a, "ep1", requestID, a.opts...)) }
	}
	team := func(name string) ask {
		return func(a asking) error { return second(a.Teams.Create(a, name, a.opts...)) }
	}
	invite := func(email string, role *admin.TeamRole) ask {
		return func(a asking) error {
			return second(a.Teams.Invite(a, 4, admin.InviteTeamMemberRequest{Email: email, Role: role}, a.opts...))
		}
	}
	teamEndpoints := func(ids ...string) ask {
		return func(a asking) error { return a.Teams.SetEndpoints(a, 4, ids, a.opts...) }
	}
	ids, noTime := []string{"ep1"}, time.Time{}
	const active, day, calls = admin.EndpointStatusActive, admin.MetricsPeriodDay, "method_calls_over_time"
	rules := []rule{
		{"createEndpoint", "chain", isRequired, create("", "mainnet"), create("c", "m")},
		{"createEndpoint", "network", isRequired, create("ethereum", ""), create("c", "m")},

		{"listEndpoints", "sort_by", isDocumented, list(admin.ListEndpointsParams{SortBy: new(admin.SortBy("beauty"))}),
			list(admin.ListEndpointsParams{SortBy: new(admin.SortByUsage)})},
		{"listEndpoints", "sort_by", isDocumented, list(admin.ListEndpointsParams{SortBy: new(admin.SortBy(""))}), list(admin.ListEndpointsParams{})},
		{"listEndpoints", "sort_direction", isDocumented, list(admin.ListEndpointsParams{SortDirection: new(admin.SortDirection("up"))}),
			list(admin.ListEndpointsParams{SortDirection: new(admin.SortDirectionDesc)})},
		{"listEndpoints", "statuses[1]", isDocumented, list(admin.ListEndpointsParams{Statuses: []admin.EndpointStatus{active, "asleep"}}),
			list(admin.ListEndpointsParams{Statuses: []admin.EndpointStatus{active, "paused"}})},
		{"listEndpoints", "statuses[0]", isDocumented, list(admin.ListEndpointsParams{Statuses: []admin.EndpointStatus{""}}),
			list(admin.ListEndpointsParams{Statuses: []admin.EndpointStatus{}})},
		{"listEndpoints", "tag_ids", "and tag_labels exclude each other", list(admin.ListEndpointsParams{TagIDs: []int64{1}, TagLabels: []string{"a"}}),
			list(admin.ListEndpointsParams{TagIDs: []int64{1}, TagLabels: []string{}})},

		{"setEndpointStatus", "status", isRequired, status(""), status(active)},
		{"setEndpointStatus", "status", isDocumented, status("asleep"), status("paused")},

		{"bulkSetEndpointStatus", "ids", isRequired, bulkStatus(nil, active), bulkStatus([]string{}, active)},
		{"bulkSetEndpointStatus", "ids[1]", "must not be empty", bulkStatus([]string{"a", ""}, active), bulkStatus([]string{"a", "b"}, active)},
		{"bulkSetEndpointStatus", "status", isRequired, bulkStatus(ids, ""), bulkStatus(ids, active)},
		{"bulkSetEndpointStatus", "status", isDocumented, bulkStatus(ids, "asleep"), bulkStatus(ids, "paused")},
		{"bulkAddEndpointTag", "ids", isRequired, bulkTag(nil, "a"), bulkTag([]string{}, "a")},
		{"bulkAddEndpointTag", "label", isRequired, bulkTag(ids, ""), bulkTag(ids, "a")},
		{"bulkRemoveEndpointTag", "ids", isRequired, bulkUntag(nil), bulkUntag([]string{})},
		{"bulkRemoveEndpointTag", "ids[0]", "must not be empty", bulkUntag([]string{""}), bulkUntag(ids)},
		{"addEndpointTag", "label", isRequired, addTag(""), addTag("a")},
		{"renameTag", "label", isRequired, rename(""), rename("a")},

		{"getEndpointMetrics", "period", isRequired, endpointMetric("", calls), endpointMetric("hour", calls)},
		{"getEndpointMetrics", "period", isDocumented, endpointMetric("year", calls), endpointMetric("month", calls)},
		{"getEndpointMetrics", "metric", isRequired, endpointMetric(day, ""), endpointMetric(day, calls)},
		{"getEndpointMetrics", "metric", isDocumented, endpointMetric(day, "beauty"), endpointMetric(day, "response_time_over_time")},
		{"getAccountMetrics", "period", isRequired, accountMetric("", calls), accountMetric("week", calls)},
		{"getAccountMetrics", "period", isDocumented, accountMetric("year", calls), accountMetric("hour", calls)},
		{"getAccountMetrics", "metric", isRequired, accountMetric(day, ""), accountMetric(day, calls)},
		{"getAccountMetrics", "metric", isDocumented, accountMetric(day, "response_time_over_time"), accountMetric(day, "credits_over_time")},

		{"listLogs", "from", isRequired, log(noTime, logStart), log(logStart, logStart.Add(1))},
		{"listLogs", "to", isRequired, log(logStart, noTime), log(logStart, logStart.Add(1))},
		{"listLogs", "from", "must not be after to", log(logStart, logStart.Add(-1)), log(logStart, logStart)},
		{"getLogDetails", "request_id", "must be a time-based UUID", details("5f1c0a00-1b2c-41f0-8000-010000000001"), details(loggedID)},

		{"createTeam", "name", isRequired, team(""), team("Core")},
		{"createTeam", "name", "must have at least 4 characters", team("üüü"), team("üüüü")},
		{"setTeamEndpoints", "endpoint_ids[1]", "must not be empty", teamEndpoints("12", ""), teamEndpoints("12", "13")},
		{"inviteTeamMember", "email", isRequired, invite("", nil), invite("user@example.com", nil)},
		{"inviteTeamMember", "role", isDocumented, invite("user@example.com", new(admin.TeamRole("owner"))),
			invite("user@example.com", new(admin.TeamRoleBilling))},
	}
	for path, usage := range usages {
		operation := map[string]string{
			"/v0/usage/rpc": "getUsage", "/v0/usage/rpc/by-tag": "getUsageByTag", "/v0/usage/rpc/by-endpoint": "getUsageByEndpoint",
			"/v0/usage/rpc/by-method": "getUsageByMethod", "/v0/usage/rpc/by-chain": "getUsageByChain",
		}[path]
		within := func(end time.Time) ask {
			return func(a asking) error {
				return usage(a, a.Client, admin.GetUsageParams{StartTime: new(logStart.Unix()), EndTime: new(end.Unix())}, a.opts...)
			}
		}
		rules = append(rules, rule{operation, "start_time", "must not be after end_time", within(logStart.Add(-time.Second)), within(logStart)})
	}
	testRules(t, rules)
}
