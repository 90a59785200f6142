package rpcfleet

import (
	"context"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// UsageService tells how many credits the account has used, in total and broken down.
//
// Every method takes the range of time to add up over, in unix seconds: without a start it begins with the current
// billing period, without an end it ends now, and a start does not come after the end. The five names of its type stand
// for one, so that one value serves them all. The records tell the range in force, in StartTime and EndTime. A range
// that the service finds invalid is [ErrInvalidRequest].
//
//	lastDay := admin.GetUsageParams{StartTime: new(time.Now().AddDate(0, 0, -1).Unix())}
//	total, err := client.Usage.Total(ctx, lastDay)
type UsageService struct{ engine *engine }

// Total returns the credits used in the range. CreditsRemaining, Limit and Overages are nil where the service gives
// null, which is not 0: what remains is told for the current billing period only, with neither end given.
//
// GET /v0/usage/rpc
func (s *UsageService) Total(
	ctx context.Context, params admin.GetUsageParams, opts ...CallOption,
) (*admin.UsageTotal, error) {
	return usage[admin.UsageTotal](ctx, s, api.GetUsage(&params), params, opts)
}

// ByTag returns the usage of each tag. The item whose TagID is nil adds up the endpoints without a tag; it is not the
// tag with the id 0.
//
// GET /v0/usage/rpc/by-tag
func (s *UsageService) ByTag(
	ctx context.Context, params admin.GetUsageByTagParams, opts ...CallOption,
) (*admin.UsageByTag, error) {
	return usage[admin.UsageByTag](ctx, s, api.GetUsageByTag(&params), params, opts)
}

// ByEndpoint returns the usage of each endpoint, broken down by method. An item has no id: [GroupUsageByEndpointID] finds the
// endpoints of a listing that the items are about.
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

// usage carries out one of the usage operations.
func usage[T any](
	ctx context.Context, s *UsageService, request api.Request, within admin.GetUsageParams, opts []CallOption,
) (*T, error) {
	var check *ValidationError
	if start, end := within.StartTime, within.EndTime; start != nil && end != nil && *start > *end {
		check = &ValidationError{Field: "start_time", Rule: "must not be after end_time", Value: *start}
	}
	return fetch[*T](ctx, s.engine.call(request, opts, check))
}

// GroupUsageByEndpointID joins a report of [UsageService.ByEndpoint] to endpoints of a listing: it returns the items of the report
// by the ids of the endpoints, and those that belong to none. The items have no id. What an item and an endpoint
// share is the Name, which is the subdomain of the endpoint's addresses (observed); labels can change and need not
// differ. An endpoint has several items where the service splits its usage up.
//
// Nothing is guessed: an item whose name no endpoint has, as after an endpoint was archived, is among the others, and
// so is one without a name, or whose name several endpoints have.
func GroupUsageByEndpointID(
	report *admin.UsageByEndpoint, endpoints []admin.Endpoint,
) (byID map[string][]admin.EndpointUsage, others []admin.EndpointUsage) {
	ids := make(map[string]string, len(endpoints))
	for _, endpoint := range endpoints {
		if id, taken := ids[endpoint.Name]; taken && id != endpoint.ID {
			ids[endpoint.Name] = "" // Of two endpoints.
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

// MetricsService measures what went through one endpoint or all of them.
type MetricsService struct{ engine *engine }

// MetricSeries is a metric's course over time, for one of the things that it tells apart.
type MetricSeries struct {
	// Tag is what the series is about, such as a method or a status. Where the service gives several texts, such as a
	// kind and one of that kind (observed), they are joined with colons: "network:arbitrum-mainnet". It is empty where
	// the service gives none.
	Tag string
	// Tags are the texts of the tag one by one, as the service gave them.
	Tags []string
	// Points are the measurements. A point whose Value is nil was not measured, which is not the same as 0. Credits and
	// calls are numbers, data is in bytes, response times are in milliseconds (assumed: the contract states no unit).
	Points []admin.MetricPoint
}

// Endpoint measures one endpoint over the period that ends now. The metrics are those of [admin.EndpointMetricName]. An
// endpoint that does not exist is [ErrNotFound].
//
// GET /v0/endpoints/{id}/metrics
func (s *MetricsService) Endpoint(
	ctx context.Context, id string, params admin.GetEndpointMetricsParams, opts ...CallOption,
) ([]MetricSeries, error) {
	return series(ctx, s.engine.call(api.GetEndpointMetrics(id, &params), opts))
}

// Account measures all endpoints of the account over the period that ends now. The metrics are those of
// [admin.AccountMetricName], fewer than an endpoint has. The percentile is for metrics of response times; the contract
// does not state its form.
//
// GET /v0/metrics
func (s *MetricsService) Account(
	ctx context.Context, params admin.GetAccountMetricsParams, opts ...CallOption,
) ([]MetricSeries, error) {
	return series(ctx, s.engine.call(api.GetAccountMetrics(&params), opts))
}

func series(ctx context.Context, c *call) ([]MetricSeries, error) {
	metrics, err := fetch[[]admin.EndpointMetric](ctx, c)
	if err != nil {
		return nil, err
	}
	series := make([]MetricSeries, len(metrics))
	for i, metric := range metrics {
		series[i] = MetricSeries{Tag: strings.Join(metric.Tag, ":"), Tags: metric.Tag, Points: metric.Data}
	}
	return series, nil
}
