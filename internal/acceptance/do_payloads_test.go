package acceptance

import (
	"context"
	"strings"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// doing executes a request with Do and returns the result that the method of its operation returns.
type doing func(context.Context, *rpcfleet.Client, rpcfleet.Request, ...rpcfleet.CallOption) (any, error)

// as makes the result of the method from the response, unchanged.
func as[T any](ctx context.Context, c *rpcfleet.Client, r rpcfleet.Request, opts ...rpcfleet.CallOption) (any, error) {
	return got(rpcfleet.Do[T](ctx, c, r, opts...))
}

// of makes the result of the method from the record in the response.
func of[T any](turn func(T) any) doing {
	return func(ctx context.Context, c *rpcfleet.Client, r rpcfleet.Request, opts ...rpcfleet.CallOption) (any, error) {
		made, err := rpcfleet.Do[T](ctx, c, r, opts...)
		if err != nil {
			return nil, err
		}
		return turn(made), nil
	}
}

// happened is for the operations that only report success, which are all that payloads does not contain.
func happened(ctx context.Context, c *rpcfleet.Client, r rpcfleet.Request, opts ...rpcfleet.CallOption) (any, error) {
	return only(second(rpcfleet.Do[struct{}](ctx, c, r, opts...)))
}

// payloads are the operations with methods that return a value.
var payloads = map[string]doing{
	"getAccountInfo": as[*admin.AccountInfo],
	"listInvoices":   of(func(l api.InvoiceList) any { return l.Invoices }),
	"listPayments":   of(func(l api.PaymentList) any { return l.Payments }),
	"listChains":     as[[]admin.ListedChain],
	"listAPICredits": as[[]admin.APICredit],

	"listEndpoints":         as[*rpcfleet.Page[admin.Endpoint]],
	"getEndpoint":           as[*admin.SingleEndpoint],
	"getEndpointURLs":       as[*admin.EndpointURLs],
	"createEndpoint":        as[*admin.SingleEndpoint],
	"bulkSetEndpointStatus": of(bulkOutcome),
	"bulkRemoveEndpointTag": of(bulkOutcome),
	"bulkAddEndpointTag": of(func(r api.BulkTagResult) any {
		return &rpcfleet.BulkOutcome{Results: r.Results, Total: r.Total, UpdatedCount: r.UpdatedCount,
			FailedCount: r.FailedCount, Tag: r.Tag}
	}),
	"listTags":  of(func(l api.TagList) any { return l.Tags }),
	"renameTag": as[*admin.Tag],

	"getRateLimits":         of(rateLimits),
	"updateRateLimits":      of(updatedRateLimits),
	"replaceRateLimits":     of(updatedRateLimits),
	"listMethodRateLimits":  of(func(l api.MethodRateLimiterList) any { return l.RateLimiters }),
	"createMethodRateLimit": as[*admin.MethodRateLimiter],
	"updateMethodRateLimit": as[*admin.MethodRateLimiter],

	"listLogs":           as[*rpcfleet.LogPage],
	"getLogDetails":      as[*admin.LogDetails],
	"getEndpointMetrics": of(metricSeries),
	"getAccountMetrics":  of(metricSeries),
	"getUsage":           as[*admin.UsageTotal],
	"getUsageByTag":      as[*admin.UsageByTag],
	"getUsageByEndpoint": as[*admin.UsageByEndpoint],
	"getUsageByMethod":   as[*admin.UsageByMethod],
	"getUsageByChain":    as[*admin.UsageByChain],

	"listTeams":           as[[]admin.Team],
	"createTeam":          as[*admin.CreatedTeam],
	"getTeam":             as[*admin.TeamDetail],
	"listTeamEndpoints":   as[[]admin.TeamEndpoint],
	"inviteTeamMember":    as[*admin.TeamMember],
	"getToolingAccess":    as[*admin.ToolingAccess],
	"updateToolingAccess": as[*admin.ToolingAccessUpdate],
	"createToolingToken":  as[*admin.ToolingToken],

	"getEndpointSecurity":   as[*admin.EndpointSecurity],
	"getSecurityOptions":    as[rpcfleet.SecurityOptions],
	"updateSecurityOptions": as[rpcfleet.SecurityOptions],
	"addReferrer":           as[*admin.EndpointReferrer],
	"addIP":                 as[*admin.EndpointIP],
	"addDomainMask":         as[*admin.EndpointDomainMask],
	"addJWT":                as[*admin.EndpointJWT],
	"createToken":           as[*admin.EndpointToken],
	"addRequestFilter": of(func(f api.CreatedRequestFilter) any {
		return &admin.RequestFilter{ID: f.ID, Method: []string{"eth_getLogs"}} // The methods are the sent ones.
	}),
	"setIPCustomHeader": as[*admin.IPCustomHeaderSetting],

	"listDestinations":       as[*rpcfleet.Page[alerts.Destination]],
	"getDestination":         as[*alerts.Destination],
	"createDestination":      as[*alerts.Destination],
	"listNotifications":      as[*rpcfleet.Page[alerts.Notification]],
	"getNotification":        as[*alerts.Notification],
	"createNotification":     as[*alerts.Notification],
	"updateNotification":     as[*alerts.Notification],
	"listNotificationEvents": as[*rpcfleet.Page[alerts.NotificationEvent]],
	"backtestExpression":     of(func(r api.BacktestResult) any { return r.ExpressionResult }),
}

func bulkOutcome(r api.BulkResult) any {
	return &rpcfleet.BulkOutcome{Results: r.Results, Total: r.Total, UpdatedCount: r.UpdatedCount,
		FailedCount: r.FailedCount}
}

func rateLimits(rows api.RateLimitRows) any {
	var limits rpcfleet.RateLimits
	for _, row := range rows.RateLimits {
		limit := rpcfleet.RateLimit{Bucket: *row.Bucket, Requests: row.RateLimit, Source: *row.Source}
		if *row.RateLimit == -1 {
			limit.Requests, limit.Unlimited = nil, true
		}
		if limit.Source == admin.RateLimitSourceUserOverride {
			limit.OverrideID = *row.ID
		}
		limits = append(limits, limit)
	}
	return limits
}

func updatedRateLimits(updated api.UpdatedRateLimits) any {
	return rpcfleet.RateLimitsOf(&admin.EndpointRateLimits{
		RPS: updated.Limits.RPS, RPM: updated.Limits.RPM, RPD: updated.Limits.RPD,
	})
}

func metricSeries(metrics []api.EndpointMetric) any {
	series := []rpcfleet.MetricSeries{}
	for _, metric := range metrics {
		series = append(series,
			rpcfleet.MetricSeries{Tag: strings.Join(metric.Tag, ":"), Tags: metric.Tag, Points: metric.Data})
	}
	return series
}
