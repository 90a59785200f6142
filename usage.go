package rpcfleet

import (
	"context"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// UsageService reports the credits that the account has used, in total and by tag, endpoint, method and chain.
//
// Every method takes a time range, which is sent in unix seconds. If the start is zero, it begins with the current
// billing period, and if the end is zero, it ends now; the start must not be after the end. The five parameter types are
// the same type, so that one value serves all methods. The records contain the effective range in StartTime and EndTime,
// in unix seconds. If the service rejects the range, the error is [ErrInvalidRequest].
//
//	lastDay := admin.GetUsageParams{StartTime: time.Now().AddDate(0, 0, -1)}
//	total, err := client.Usage.Total(ctx, lastDay)
type UsageService struct{ engine *engine }

// Total returns the credits used in the range. CreditsRemaining, Limit and Overages are nil if the service sends null,
// which is not 0: remaining credits are reported only for the current billing period, if neither end is given.
//
// GET /v0/usage/rpc
func (s *UsageService) Total(
	ctx context.Context, params admin.GetUsageParams, opts ...CallOption,
) (*admin.UsageTotal, error) {
	return usage[admin.UsageTotal](ctx, s, api.GetUsage(&params), params, opts)
}

// ByTag returns the usage of each tag. The item with a nil TagID is the sum of the endpoints without a tag; it is not
// the tag with the id 0.
//
// GET /v0/usage/rpc/by-tag
func (s *UsageService) ByTag(
	ctx context.Context, params admin.GetUsageByTagParams, opts ...CallOption,
) (*admin.UsageByTag, error) {
	return usage[admin.UsageByTag](ctx, s, api.GetUsageByTag(&params), params, opts)
}

// ByEndpoint returns the usage of each endpoint by method. An item has no id: [GroupUsageByEndpointID] matches the
// items with the endpoints of a listing.
//
// GET /v0/usage/rpc/by-endpoint
func (s *UsageService) ByEndpoint(
	ctx context.Context, params admin.GetUsageByEndpointParams, opts ...CallOption,
) (*admin.UsageByEndpoint, error) {
	return usage[admin.UsageByEndpoint](ctx, s, api.GetUsageByEndpoint(&params), params, opts)
}

// ByMethod returns the usage of each RPC method on each network.
//
// GET /v0/usage/rpc/by-method
func (s *UsageService) ByMethod(
	ctx context.Context, params admin.GetUsageByMethodParams, opts ...CallOption,
) (*admin.UsageByMethod, error) {
	return usage[admin.UsageByMethod](ctx, s, api.GetUsageByMethod(&params), params, opts)
}

// ByChain returns the usage of each chain.
//
// GET /v0/usage/rpc/by-chain
func (s *UsageService) ByChain(
	ctx context.Context, params admin.GetUsageByChainParams, opts ...CallOption,
) (*admin.UsageByChain, error) {
	return usage[admin.UsageByChain](ctx, s, api.GetUsageByChain(&params), params, opts)
}

// usage executes one of the usage operations.
func usage[T any](
	ctx context.Context, s *UsageService, request api.Request, within admin.GetUsageParams, opts []CallOption,
) (*T, error) {
	var check *ValidationError
	if !within.EndTime.IsZero() {
		check = ordered("start_time", within.StartTime, "end_time", within.EndTime)
	}
	return fetch[*T](ctx, s.engine.call(request, opts, check))
}

// GroupUsageByEndpointID matches a report of [UsageService.ByEndpoint] with endpoints of a listing: it returns the
// report's items by endpoint id, and the items that match no endpoint. The items have no id. Item and endpoint share
// the Name, the subdomain of the endpoint's addresses (observed); labels can change and need not be unique. If the
// service splits an endpoint's usage, the endpoint has several items.
//
// Nothing is guessed: an item is among the others if it has no name, or if no endpoint, as after archiving, or several
// endpoints have its name.
func GroupUsageByEndpointID(
	report *admin.UsageByEndpoint, endpoints []admin.Endpoint,
) (byID map[string][]admin.EndpointUsage, others []admin.EndpointUsage) {
	ids := make(map[string]string, len(endpoints))
	for _, endpoint := range endpoints {
		if id, taken := ids[endpoint.Name]; taken && id != endpoint.ID {
			ids[endpoint.Name] = "" // Ambiguous name.
			continue
		}
		ids[endpoint.Name] = endpoint.ID
	}
	byID = map[string][]admin.EndpointUsage{}
	if report == nil {
		return byID, nil
	}
	for _, item := range report.Endpoints {
		if id := ids[orZero(item.Name)]; id != "" && orZero(item.Name) != "" {
			byID[id] = append(byID[id], item)
		} else {
			others = append(others, item)
		}
	}
	return byID, others
}

// MetricsService returns metrics of one endpoint or all endpoints.
type MetricsService struct{ engine *engine }

// MetricSeries is the course of a metric over time, for one tag.
type MetricSeries struct {
	// Tag is the subject of the series, such as a method or a status. If the service sends several texts, such as a kind
	// and a value (observed), they are joined with colons: "network:arbitrum-mainnet". It is empty if the service sends
	// none.
	Tag string
	// Tags are the texts of the tag, as the service sent them.
	Tags []string
	// Points are the measurements. A point with a nil Value was not measured, which is not the same as 0. Credits and
	// calls are counts, data is in bytes, response times are in milliseconds (assumed: the contract states no unit).
	Points []admin.MetricPoint
}

// Endpoint returns a metric of one endpoint over the period that ends now. See [admin.EndpointMetricName] for the
// metrics. If the endpoint does not exist, the error is [ErrNotFound].
//
// GET /v0/endpoints/{id}/metrics
func (s *MetricsService) Endpoint(
	ctx context.Context, id string, params admin.GetEndpointMetricsParams, opts ...CallOption,
) ([]MetricSeries, error) {
	return series(ctx, s.engine.call(api.GetEndpointMetrics(id, &params), opts))
}

// Account returns a metric of all endpoints of the account over the period that ends now. See [admin.AccountMetricName]
// for the metrics; there are fewer than for an endpoint. The percentile applies to response times; the contract does
// not state its form.
//
// GET /v0/metrics
func (s *MetricsService) Account(
	ctx context.Context, params admin.GetAccountMetricsParams, opts ...CallOption,
) ([]MetricSeries, error) {
	return series(ctx, s.engine.call(api.GetAccountMetrics(&params), opts))
}

func series(ctx context.Context, c *call) ([]MetricSeries, error) {
	metrics, err := fetch[[]api.EndpointMetric](ctx, c)
	if err != nil {
		return nil, err
	}
	series := make([]MetricSeries, len(metrics))
	for i, metric := range metrics {
		series[i] = MetricSeries{Tag: strings.Join(metric.Tag, ":"), Tags: metric.Tag, Points: metric.Data}
	}
	return series, nil
}
