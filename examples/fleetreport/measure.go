package main

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/rpcfleet/rpcfleet-go/admin"
)

// timeline is the traffic of an endpoint by unix seconds: the service's steps of time.
type timeline map[int64]traffic

// measure measures the traffic of an endpoint.
func (r *reader) measure(ctx context.Context, id string) (timeline, error) {
	line := timeline{}
	for _, metric := range []struct {
		name admin.EndpointMetricName
		add  func(t *traffic, value float64)
	}{
		{admin.EndpointMetricNameMethodCallsOverTime, func(t *traffic, value float64) { t.Calls += value }},
		{admin.EndpointMetricNameTotalRequestErrorsOverTime, func(t *traffic, value float64) { t.Failed += value }},
	} {
		all, err := r.client.Metrics.Endpoint(ctx, id, admin.GetEndpointMetricsParams{Period: r.period, Metric: metric.name})
		if err != nil {
			return nil, err
		}
		for _, series := range all {
			for _, point := range series.Points {
				if point.Value == nil || point.Time.IsZero() {
					continue
				}
				at := line[point.Time.Unix()]
				metric.add(&at, *point.Value)
				line[point.Time.Unix()] = at
			}
		}
	}
	return line, nil
}

// total adds up a timeline.
func (t timeline) total() (total traffic) {
	for _, at := range t {
		total.Calls += at.Calls
		total.Failed += at.Failed
	}
	return total
}

// moments adds up the timelines of all endpoints.
func moments(of []timeline) []moment {
	all := timeline{}
	for _, line := range of {
		for at, more := range line {
			all[at] = traffic{all[at].Calls + more.Calls, all[at].Failed + more.Failed}
		}
	}
	made := []moment{}
	for _, at := range slices.Sorted(maps.Keys(all)) {
		made = append(made, moment{time.Unix(at, 0).UTC(), all[at]})
	}
	return made
}
