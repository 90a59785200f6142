package emulator

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// GetEndpointMetrics is GET /v0/endpoints/{id}/metrics.
func (h adminHandlers) GetEndpointMetrics(ctx context.Context, params adminapi.GetEndpointMetricsParams) (
	[]adminapi.EndpointMetric, error) {
	return h.state.metric(params.Metric, params.Period, []*endpoint{info(ctx).endpoint}), nil
}

// GetAccountMetrics is GET /v0/metrics. It counts the calls of archived endpoints too. The percentile is for metrics of
// response times, and the account has none.
func (h adminHandlers) GetAccountMetrics(_ context.Context, params adminapi.GetAccountMetricsParams) (
	[]adminapi.EndpointMetric, error) {
	return h.state.metric(adminapi.EndpointMetricName(params.Metric), params.Period, h.state.Endpoints), nil
}

// metric returns the time series of a metric for some endpoints.
func (s *state) metric(
	name adminapi.EndpointMetricName, period adminapi.MetricsPeriod, endpoints []*endpoint,
) []adminapi.EndpointMetric {
	window := windows[period]
	window.start = s.now().Truncate(window.step).Add(-time.Duration(window.steps-1) * window.step)
	var calls []*call
	for _, endpoint := range endpoints {
		calls = append(calls,
			endpoint.Log.between(window.start, window.start.Add(time.Duration(window.steps)*window.step))...)
	}
	return metrics[name].series(window, calls)
}

// window is the time range of a metric, in steps. The last step contains the present (assumed, and so are the steps).
type window struct {
	start time.Time
	step  time.Duration
	steps int
}

var windows = map[adminapi.MetricsPeriod]window{
	adminapi.MetricsPeriodHour:  {step: time.Minute, steps: 60},
	adminapi.MetricsPeriodDay:   {step: time.Hour, steps: 24},
	adminapi.MetricsPeriodWeek:  {step: 24 * time.Hour, steps: 7},
	adminapi.MetricsPeriodMonth: {step: 24 * time.Hour, steps: 30},
}

// metric makes time series from calls: one series for each tag, one point for each step.
type metric struct {
	tag func(*call) string
	// kind is sent with the tag, as an array of both (observed). It is empty if the tag is a plain text.
	kind  string
	value func(*call) float64
	// only picks the calls that count. Without it, all do.
	only func(*call) bool
	// whole makes one point of the whole window.
	whole bool
	// point makes a point from the values of a step. Without it, the point is their sum, and 0 without values. With it,
	// a step without values has no point, because a response time of 0 would be wrong. Tallies are left out.
	point func(values []float64) float64
}

// The contract says that a series has a tag. The tags here are assumed.
var metrics = map[adminapi.EndpointMetricName]metric{
	adminapi.EndpointMetricNameMethodCallsOverTime:            {tag: byMethod, value: counted},
	adminapi.EndpointMetricNameMeteredEndpointDataOverTime:    {tag: byNetwork, kind: "network", value: transferred},
	adminapi.EndpointMetricNameMeteredEndpointCreditsOverTime: {tag: byNetwork, kind: "network", value: credited},
	adminapi.EndpointMetricNameCreditsOverTime:                {tag: (*call).chain, value: credited},
	adminapi.EndpointMetricNameResponseStatusOverTime:         {tag: byStatus, value: counted},
	adminapi.EndpointMetricNameResponseStatusBreakdown:        {tag: byStatus, value: counted, whole: true},
	adminapi.EndpointMetricNameResponseTimeOverTime:           {tag: byMethod, value: milliseconds, point: mean},
	adminapi.EndpointMetricNameMethodResponseTimeMax: {tag: byMethod, value: milliseconds,
		point: slices.Max[[]float64]},
	adminapi.EndpointMetricNameRequestErrorsOverTime:      {tag: byMethod, value: counted, only: (*call).failed},
	adminapi.EndpointMetricNameTotalRequestErrorsOverTime: {tag: inTotal, value: counted, only: (*call).failed},
}

func byMethod(c *call) string  { return c.Method }
func byNetwork(c *call) string { return c.Network }
func byStatus(c *call) string  { return strconv.Itoa(c.Status) }
func inTotal(*call) string     { return "total" }

func counted(c *call) float64      { return float64(c.Requests) }
func transferred(c *call) float64  { return float64(c.Bytes) }
func credited(c *call) float64     { return float64(c.Credits) }
func milliseconds(c *call) float64 { return float64(c.ResponseTime) / float64(time.Millisecond) }

func mean(values []float64) float64 { return sum(values) / float64(len(values)) }

func sum(values []float64) float64 {
	total := 0.0
	for _, value := range values {
		total += value
	}
	return total
}

// series makes the time series of calls within the window, sorted by tag. A tag without calls has no series.
func (m metric) series(w window, calls []*call) []adminapi.EndpointMetric {
	if m.whole {
		w = window{start: w.start, step: time.Duration(w.steps) * w.step, steps: 1}
	}
	values := make(map[string][][]float64)
	for _, call := range calls {
		if m.only != nil && !m.only(call) || m.point != nil && call.tally() {
			continue
		}
		tag := m.tag(call)
		if values[tag] == nil {
			values[tag] = make([][]float64, w.steps)
		}
		step := int(call.Timestamp.Sub(w.start) / w.step)
		values[tag][step] = append(values[tag][step], m.value(call))
	}
	series := make([]adminapi.EndpointMetric, 0, len(values))
	for _, tag := range slices.Sorted(maps.Keys(values)) {
		shown := adminapi.MetricTag(tag)
		if m.kind != "" {
			shown = []string{m.kind, tag}
		}
		series = append(series, adminapi.EndpointMetric{Tag: shown, Data: m.points(w, values[tag])})
	}
	return series
}

// points makes the points of one series.
func (m metric) points(w window, values [][]float64) []adminapi.MetricPoint {
	var points []adminapi.MetricPoint
	for i, inStep := range values {
		at := float64(w.start.Add(time.Duration(i) * w.step).Unix())
		switch {
		case m.point == nil:
			points = append(points, adminapi.MetricPoint{at, sum(inStep)})
		case len(inStep) > 0:
			points = append(points, adminapi.MetricPoint{at, m.point(inStep)})
		}
	}
	return points
}
