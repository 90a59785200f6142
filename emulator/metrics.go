package emulator

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// GetEndpointMetrics is GET /v0/endpoints/{id}/metrics.
func (h adminHandlers) GetEndpointMetrics(_ context.Context, r adminapi.GetEndpointMetricsRequestObject) (adminapi.GetEndpointMetricsResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	if !r.Params.Metric.Valid() {
		return nil, badMetric
	}
	window, known := h.state.windowOf(r.Params.Period)
	if !known {
		return nil, badPeriod
	}
	metric := metrics[r.Params.Metric]
	calls := h.state.traffic.of(endpoint).between(window.start, window.end())
	return adminapi.GetEndpointMetrics200JSONResponse{Data: metric.series(window, calls)}, nil
}

// GetAccountMetrics is GET /v0/metrics. It counts the calls of archived endpoints too. The percentile is for metrics of
// response times, none of which the account has.
func (h adminHandlers) GetAccountMetrics(_ context.Context, r adminapi.GetAccountMetricsRequestObject) (adminapi.GetAccountMetricsResponseObject, error) {
	if !r.Params.Metric.Valid() {
		return nil, badMetric
	}
	window, known := h.state.windowOf(r.Params.Period)
	if !known {
		return nil, badPeriod
	}
	metric := metrics[adminapi.EndpointMetricName(r.Params.Metric)]
	var calls []*call
	for _, endpoint := range h.state.order {
		calls = append(calls, h.state.traffic.of(endpoint).between(window.start, window.end())...)
	}
	return adminapi.GetAccountMetrics200JSONResponse{Data: metric.series(window, calls)}, nil
}

var (
	badMetric = badRequest("metric is not one of those on offer here")
	badPeriod = badRequest("period must be hour, day, week or month")
)
