package acceptance

import (
	"context"
	"iter"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	seeded "github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// soakUsage is what one endpoint was used for some days ago, where no log changes it.
var soakUsage = []seeded.Usage{
	{DaysAgo: 3, Method: "eth_call", Requests: 1_000_000, Bytes: 5_000_000},
	{DaysAgo: 3, Method: "eth_getLogs", Requests: 2_000, Bytes: 70_000, Archive: true},
	{DaysAgo: 2, Method: "eth_call", Requests: 17, Bytes: 100, Status: 503, ErrorCode: new(-32000)},
}

// accountReadings read the account, its bills, the chains and what was used some days ago.
func accountReadings(now time.Time) []soakReading {
	days := admin.GetUsageParams{StartTime: new(now.AddDate(0, 0, -10).Unix()), EndTime: new(now.Add(-25 * time.Hour).Unix())}
	return []soakReading{
		{name: "getAccountInfo", read: func(ctx context.Context, c *rpcfleet.Client) (any, error) { return c.Account.Info(ctx) }},
		{name: "listInvoices", read: func(ctx context.Context, c *rpcfleet.Client) (any, error) { return c.Billing.Invoices(ctx) }},
		{name: "listPayments", read: func(ctx context.Context, c *rpcfleet.Client) (any, error) { return c.Billing.Payments(ctx) }},
		{name: "listChains", read: func(ctx context.Context, c *rpcfleet.Client) (any, error) { return c.Chains.List(ctx) }},
		{name: "listAPICredits", read: func(ctx context.Context, c *rpcfleet.Client) (any, error) {
			return c.Chains.APICredits(ctx, "ethereum")
		}},
		{name: "getUsage", read: func(ctx context.Context, c *rpcfleet.Client) (any, error) { return c.Usage.Total(ctx, days) }},
		{name: "getUsageByChain", read: func(ctx context.Context, c *rpcfleet.Client) (any, error) { return c.Usage.ByChain(ctx, days) }},
		{name: "getUsageByEndpoint", read: func(ctx context.Context, c *rpcfleet.Client) (any, error) { return c.Usage.ByEndpoint(ctx, days) }},
		{name: "getUsageByMethod", read: func(ctx context.Context, c *rpcfleet.Client) (any, error) { return c.Usage.ByMethod(ctx, days) }},
		{name: "getUsageByTag", read: func(ctx context.Context, c *rpcfleet.Client) (any, error) { return c.Usage.ByTag(ctx, days) }},
	}
}

// metricReadings measure an endpoint, and all of them. Time moves the points of the one, and others those of the other.
func metricReadings(endpoint string) []soakReading {
	return []soakReading{
		{name: "getEndpointMetrics", read: func(ctx context.Context, c *rpcfleet.Client) (any, error) {
			series, err := c.Metrics.Endpoint(ctx, endpoint, admin.GetEndpointMetricsParams{
				Period: admin.MetricsPeriodWeek, Metric: admin.EndpointMetricNameMethodCallsOverTime,
			})
			return len(series), err
		}},
		{name: "getAccountMetrics", read: func(ctx context.Context, c *rpcfleet.Client) (any, error) {
			series, err := c.Metrics.Account(ctx, admin.GetAccountMetricsParams{
				Period: admin.MetricsPeriodMonth, Metric: admin.AccountMetricNameCreditsOverTime,
			})
			return len(series) > 0, err
		}},
	}
}

// oldLogs are readings and listings of a log that does not grow any more.
func oldLogs(endpoint, requestID string, from, to time.Time) ([]soakReading, []soakListing) {
	params := admin.ListLogsParams{From: scalar.NewTime(from), To: scalar.NewTime(to)}
	details := func(ctx context.Context, c *rpcfleet.Client) (any, error) {
		return c.Logs.Details(ctx, endpoint, requestID)
	}
	list := func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) iter.Seq2[any, error] {
		return anyItems(c.Logs.All(ctx, endpoint, params, opts...))
	}
	return []soakReading{{name: "getLogDetails", read: details}}, []soakListing{{name: "listLogs", read: list}}
}
