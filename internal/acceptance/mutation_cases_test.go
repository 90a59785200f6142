package acceptance

import (
	"context"
	"iter"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// query is a call of one method of the facade, and its result.
type query struct {
	method string
	call   func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error)
}

// got makes a result of any type.
func got[T any](result T, err error) (any, error) { return result, err }

// only makes a result of a method that has none.
func only(err error) (any, error) { return nil, err }

// delivered contains the items of an iteration.
type delivered []any

// all runs an iteration.
func all[T any](items iter.Seq2[T, error]) (any, error) {
	var list delivered
	for item, err := range items {
		if err != nil {
			return list, err
		}
		list = append(list, item)
	}
	return list, nil
}

// adminQueries call every method of the admin area. They are executed once, in this order: if one of them removes a
// thing, none after it needs that thing.
var adminQueries = []query{
	{"Account.Info", func(ctx context.Context, c *rpcfleet.Client, _ *sampleAccount) (any, error) {
		return got(c.Account.Info(ctx))
	}},
	{"Billing.Invoices", func(ctx context.Context, c *rpcfleet.Client, _ *sampleAccount) (any, error) {
		return got(c.Billing.Invoices(ctx))
	}},
	{"Billing.Payments", func(ctx context.Context, c *rpcfleet.Client, _ *sampleAccount) (any, error) {
		return got(c.Billing.Payments(ctx))
	}},
	{"Chains.List", func(ctx context.Context, c *rpcfleet.Client, _ *sampleAccount) (any, error) {
		return got(c.Chains.List(ctx))
	}},
	{"Chains.APICredits", func(ctx context.Context, c *rpcfleet.Client, _ *sampleAccount) (any, error) {
		return got(c.Chains.APICredits(ctx, "ethereum"))
	}},

	{"Endpoints.List", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Endpoints.List(ctx, f.tagged()))
	}},
	{"Endpoints.Pages", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return all(c.Endpoints.Pages(ctx, f.tagged()))
	}},
	{"Endpoints.All", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return all(c.Endpoints.All(ctx, f.tagged()))
	}},
	{"Endpoints.Get", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Endpoints.Get(ctx, f.id))
	}},
	{"Endpoints.URLs", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Endpoints.URLs(ctx, f.id))
	}},
	{"Endpoints.Create", func(ctx context.Context, c *rpcfleet.Client, _ *sampleAccount) (any, error) {
		return got(c.Endpoints.Create(ctx, admin.CreateEndpointRequest{Chain: "ethereum", Network: "ethereum-mainnet"}))
	}},
	{"Endpoints.Update", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.Endpoints.Update(ctx, f.spare, admin.UpdateEndpointRequest{Label: new("Spare")}))
	}},
	{"Endpoints.SetStatus", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.Endpoints.SetStatus(ctx, f.spare, admin.EndpointStatusPaused))
	}},
	{"Endpoints.Activate", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.Endpoints.Activate(ctx, f.spare))
	}},
	{"Endpoints.Pause", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.Endpoints.Pause(ctx, f.spare))
	}},
	{"Endpoints.EnableMultichain", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.Endpoints.EnableMultichain(ctx, f.spare))
	}},
	{"Endpoints.DisableMultichain", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.Endpoints.DisableMultichain(ctx, f.spare))
	}},
	{"Endpoints.BulkSetStatus", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Endpoints.BulkSetStatus(ctx, []string{f.spare, "no-such"}, admin.EndpointStatusActive))
	}},
	{"Endpoints.BulkAddTag", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Endpoints.BulkAddTag(ctx, []string{f.spare, "no-such"}, "bulk"))
	}},
	{"Endpoints.BulkRemoveTag", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Endpoints.BulkRemoveTag(ctx, []string{f.spare, "no-such"}, f.spareTag))
	}},
	{"Endpoints.AddTag", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.Endpoints.AddTag(ctx, f.spare, "spare"))
	}},
	{"Endpoints.RemoveTag", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.Endpoints.RemoveTag(ctx, f.spare, f.spareTag))
	}},
	{"Tags.List", func(ctx context.Context, c *rpcfleet.Client, _ *sampleAccount) (any, error) {
		return got(c.Tags.List(ctx))
	}},
	{"Tags.Rename", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Tags.Rename(ctx, f.spareTag, "idle"))
	}},
	{"Tags.Delete", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.Tags.Delete(ctx, f.spareTag))
	}},

	{"RateLimits.Get", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.RateLimits.Get(ctx, f.id))
	}},
	{"RateLimits.Update", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.RateLimits.Update(ctx, f.id, admin.RateLimitOverrides{RPS: new(6)}))
	}},
	{"RateLimits.Replace", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		//nolint:staticcheck // The deprecated alias reads a response as well.
		return got(c.RateLimits.Replace(ctx, f.id, admin.RateLimitOverrides{RPS: new(7)}))
	}},
	{"RateLimits.RemoveOverride", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.RateLimits.RemoveOverride(ctx, f.id, f.override))
	}},
	{"RateLimits.ListMethodLimits", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.RateLimits.ListMethodLimits(ctx, f.id))
	}},
	{"RateLimits.CreateMethodLimit", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.RateLimits.CreateMethodLimit(ctx, f.id, admin.CreateMethodRateLimitRequest{
			Interval: admin.RateLimitIntervalDay, Methods: []string{"eth_getLogs"}, Rate: 10,
		}))
	}},
	{"RateLimits.UpdateMethodLimit", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.RateLimits.UpdateMethodLimit(ctx, f.id, f.limit, admin.UpdateMethodRateLimitRequest{Rate: new(11)}))
	}},
	{"RateLimits.DeleteMethodLimit", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.RateLimits.DeleteMethodLimit(ctx, f.id, f.limit))
	}},

	{"Logs.List", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Logs.List(ctx, f.id, f.logRange()))
	}},
	{"Logs.Pages", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return all(c.Logs.Pages(ctx, f.id, f.logRange()))
	}},
	{"Logs.All", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return all(c.Logs.All(ctx, f.id, f.logRange()))
	}},
	{"Logs.Details", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Logs.Details(ctx, f.id, f.log[0]))
	}},
	{"Metrics.Endpoint", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		params := admin.GetEndpointMetricsParams{Period: admin.MetricsPeriodHour,
			Metric: admin.EndpointMetricNameCreditsOverTime}
		return got(c.Metrics.Endpoint(ctx, f.id, params))
	}},
	{"Metrics.Account", func(ctx context.Context, c *rpcfleet.Client, _ *sampleAccount) (any, error) {
		params := admin.GetAccountMetricsParams{Period: admin.MetricsPeriodHour,
			Metric: admin.AccountMetricNameCreditsOverTime}
		return got(c.Metrics.Account(ctx, params))
	}},
	{"Usage.Total", func(ctx context.Context, c *rpcfleet.Client, _ *sampleAccount) (any, error) {
		return got(c.Usage.Total(ctx, admin.GetUsageParams{}))
	}},
	{"Usage.ByTag", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Usage.ByTag(ctx, f.usageRange()))
	}},
	{"Usage.ByEndpoint", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Usage.ByEndpoint(ctx, f.usageRange()))
	}},
	{"Usage.ByMethod", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Usage.ByMethod(ctx, f.usageRange()))
	}},
	{"Usage.ByChain", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Usage.ByChain(ctx, f.usageRange()))
	}},

	{"Teams.List", func(ctx context.Context, c *rpcfleet.Client, _ *sampleAccount) (any, error) {
		return got(c.Teams.List(ctx))
	}},
	{"Teams.Create", func(ctx context.Context, c *rpcfleet.Client, _ *sampleAccount) (any, error) {
		return got(c.Teams.Create(ctx, "Infra"))
	}},
	{"Teams.Get", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Teams.Get(ctx, f.team))
	}},
	{"Teams.Endpoints", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Teams.Endpoints(ctx, f.team))
	}},
	{"Teams.SetEndpoints", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.Teams.SetEndpoints(ctx, f.team, nil))
	}},
	{"Teams.Invite", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		invitation := admin.InviteTeamMemberRequest{
			Email: "second@example.com", FullName: new("Second User"), Role: new(admin.TeamRoleBilling),
		}
		return got(c.Teams.Invite(ctx, f.team, invitation))
	}},
	{"Teams.ResendInvite", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.Teams.ResendInvite(ctx, f.team, f.member))
	}},
	{"Teams.RemoveMember", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.Teams.RemoveMember(ctx, f.team, f.member, admin.RemoveTeamMemberRequest{}))
	}},
	{"Teams.Delete", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.Teams.Delete(ctx, f.empty))
	}},
	{"Tooling.Status", func(ctx context.Context, c *rpcfleet.Client, _ *sampleAccount) (any, error) {
		return got(c.Tooling.Status(ctx))
	}},
	{"Tooling.CreateToken", func(ctx context.Context, c *rpcfleet.Client, _ *sampleAccount) (any, error) {
		return got(c.Tooling.CreateToken(ctx))
	}},
	{"Tooling.TokenSource", func(ctx context.Context, c *rpcfleet.Client, _ *sampleAccount) (any, error) {
		return got(c.Tooling.TokenSource().Token(ctx))
	}},
	{"Tooling.Disable", func(ctx context.Context, c *rpcfleet.Client, _ *sampleAccount) (any, error) {
		return got(c.Tooling.Disable(ctx))
	}},
	{"Tooling.Enable", func(ctx context.Context, c *rpcfleet.Client, _ *sampleAccount) (any, error) {
		return got(c.Tooling.Enable(ctx))
	}},
}

// alertsQueries call every method of the alerts area, in the same way.
var alertsQueries = []query{
	{"Destinations.List", func(ctx context.Context, c *rpcfleet.Client, _ *sampleAccount) (any, error) {
		return got(c.Destinations.List(ctx, alerts.ListDestinationsParams{}))
	}},
	{"Destinations.Pages", func(ctx context.Context, c *rpcfleet.Client, _ *sampleAccount) (any, error) {
		return all(c.Destinations.Pages(ctx, alerts.ListDestinationsParams{}, rpcfleet.WithPageSize(1)))
	}},
	{"Destinations.All", func(ctx context.Context, c *rpcfleet.Client, _ *sampleAccount) (any, error) {
		return all(c.Destinations.All(ctx, alerts.ListDestinationsParams{}))
	}},
	{"Destinations.Get", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Destinations.Get(ctx, f.destination))
	}},
	{"Destinations.Create", func(ctx context.Context, c *rpcfleet.Client, _ *sampleAccount) (any, error) {
		return got(c.Destinations.Create(ctx, alerts.CreateDestinationRequest{
			Name: "Watch", ToURL: scalar.NewSecretURL("https://hooks.example/another-webhook-secret"),
			WebhookType: alerts.WebhookTypePOST,
			Service:     alerts.DestinationServiceWebhook, PayloadType: alerts.PayloadTypeLayout1,
		}))
	}},
	{"Notifications.List", func(ctx context.Context, c *rpcfleet.Client, _ *sampleAccount) (any, error) {
		return got(c.Notifications.List(ctx, alerts.ListNotificationsParams{}))
	}},
	{"Notifications.Pages", func(ctx context.Context, c *rpcfleet.Client, _ *sampleAccount) (any, error) {
		return all(c.Notifications.Pages(ctx, alerts.ListNotificationsParams{}, rpcfleet.WithPageSize(1)))
	}},
	{"Notifications.All", func(ctx context.Context, c *rpcfleet.Client, _ *sampleAccount) (any, error) {
		return all(c.Notifications.All(ctx, alerts.ListNotificationsParams{}))
	}},
	{"Notifications.Get", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Notifications.Get(ctx, f.notification))
	}},
	{"Notifications.Events", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Notifications.Events(ctx, f.notification, alerts.ListNotificationEventsParams{}))
	}},
	{"Notifications.EventPages", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return all(c.Notifications.EventPages(ctx, f.notification, alerts.ListNotificationEventsParams{},
			rpcfleet.WithPageSize(1)))
	}},
	{"Notifications.AllEvents", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return all(c.Notifications.AllEvents(ctx, f.notification, alerts.ListNotificationEventsParams{}))
	}},
	{"Notifications.Create", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Notifications.Create(ctx, alerts.CreateNotificationRequest{
			Name: "Transfers", Expression: everyBlock, Network: alerts.AlertNetworkDogeMainnet,
			DestinationIDs: []string{f.destination},
		}))
	}},
	{"Notifications.Update", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Notifications.Update(ctx, f.notification, alerts.UpdateNotificationRequest{Name: new("Renamed")}))
	}},
	{"Notifications.Disable", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.Notifications.Disable(ctx, f.notification))
	}},
	{"Notifications.Enable", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.Notifications.Enable(ctx, f.notification))
	}},
	{"Notifications.Delete", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.Notifications.Delete(ctx, f.notification))
	}},
	{"Destinations.Delete", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.Destinations.Delete(ctx, f.destination))
	}},
	{"Expressions.Validate", func(ctx context.Context, c *rpcfleet.Client, _ *sampleAccount) (any, error) {
		return only(c.Expressions.Validate(ctx, alerts.ValidateExpressionRequest{
			Expression: everyBlock, Network: alerts.AlertNetworkEthereumMainnet,
		}))
	}},
	{"Expressions.Backtest", func(ctx context.Context, c *rpcfleet.Client, _ *sampleAccount) (any, error) {
		return got(c.Expressions.Backtest(ctx, alerts.BacktestExpressionRequest{
			Expression: everyBlock, Network: alerts.AlertNetworkEthereumMainnet, BlockNumber: 14, BacktestCount: 2,
		}))
	}},
}
