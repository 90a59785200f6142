package rpcfleet

import (
	"context"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// UsageService reports used credits, by default of the current billing period.
type UsageService engine

// MetricsService returns metrics: see [admin.EndpointMetricName].
type MetricsService engine

// MetricSeries is the course of a metric over time, for one tag.
type MetricSeries struct {
	// Tag is the subject, such as a method. Several texts (observed) are joined by colons: "network:arbitrum-mainnet".
	Tag  string
	Tags []string
	// A nil Value was not measured. Credits and calls are counts, data is in bytes, response times in ms (assumed).
	Points []admin.MetricPoint
}

// Endpoint returns an endpoint's metric.
// GET /v0/endpoints/{id}/metrics
func (s *MetricsService) Endpoint(ctx context.Context, id string, params admin.GetEndpointMetricsParams,
	opts ...CallOption) ([]MetricSeries, error) {
	return fetchSeries(ctx, (*engine)(s), api.GetEndpointMetrics(id, &params), opts)
}

// Account returns a metric of all endpoints until now.
// GET /v0/metrics
func (s *MetricsService) Account(ctx context.Context, params admin.GetAccountMetricsParams,
	opts ...CallOption) ([]MetricSeries, error) {
	return fetchSeries(ctx, (*engine)(s), api.GetAccountMetrics(&params), opts)
}

func fetchSeries(
	ctx context.Context, e *engine, request api.RequestOf[api.EndpointMetric], opts []CallOption,
) ([]MetricSeries, error) {
	metrics, err := fetchList(ctx, e, request, opts)
	if err != nil {
		return nil, err
	}
	series := make([]MetricSeries, len(metrics))
	for i, metric := range metrics {
		series[i] = MetricSeries{Tag: strings.Join(metric.Tag, ":"), Tags: metric.Tag, Points: metric.Data}
	}
	return series, nil
}
