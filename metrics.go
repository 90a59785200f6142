package rpcfleet

import (
	"context"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

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
func (s *MetricsService) Endpoint(ctx context.Context, id string, params admin.GetEndpointMetricsParams, opts ...CallOption) ([]MetricSeries, error) {
	return series(ctx, s.engine.call(api.GetEndpointMetrics(id, &params), opts))
}

// Account measures all endpoints of the account over the period that ends now. The metrics are those of
// [admin.AccountMetricName], fewer than an endpoint has. The percentile is for metrics of response times; the contract
// does not state its form.
//
// GET /v0/metrics
func (s *MetricsService) Account(ctx context.Context, params admin.GetAccountMetricsParams, opts ...CallOption) ([]MetricSeries, error) {
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
