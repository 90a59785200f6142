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

// window is the time that a metric looks back on, cut into steps. The contract states neither the steps nor where a
// period begins; here the last step is the one that the present is in.
type window struct {
	start time.Time
	step  time.Duration
	steps int
}

func (w window) end() time.Time { return w.start.Add(time.Duration(w.steps) * w.step) }

// windowOf is the window of a period that ends now.
func (s *state) windowOf(period adminapi.MetricsPeriod) (window, bool) {
	var w window
	switch period {
	case adminapi.MetricsPeriodHour:
		w = window{step: time.Minute, steps: 60}
	case adminapi.MetricsPeriodDay:
		w = window{step: time.Hour, steps: 24}
	case adminapi.MetricsPeriodWeek:
		w = window{step: 24 * time.Hour, steps: 7}
	case adminapi.MetricsPeriodMonth:
		w = window{step: 24 * time.Hour, steps: 30}
	default:
		return w, false
	}
	w.start = s.now().Truncate(w.step).Add(-time.Duration(w.steps-1) * w.step)
	return w, true
}

// metric says how calls become time series: one series for each tag, one point for each step.
type metric struct {
	tag func(*call) string
	// kind is what the tags are of, where a tag names it as well: it is then an array of both, as the service was seen
	// to send beside plain texts.
	kind  string
	value func(*call) float64
	// only picks the calls that count; without it, all do.
	only func(*call) bool
	// whole makes one point of the whole window.
	whole bool
	// point makes a point of the values of a step. Without it, the point is their sum, which is 0 without values.
	// With it, a step without values has no point: a response time of 0 would be a lie. Tallies have none either.
	point func(values []float64) float64
}

// What the tags are is assumed: the contract only has that there is one.
var metrics = map[adminapi.EndpointMetricName]metric{
	adminapi.EndpointMetricNameMethodCallsOverTime:            {tag: byMethod, value: counted},
	adminapi.EndpointMetricNameMeteredEndpointDataOverTime:    {tag: byNetwork, kind: "network", value: transferred},
	adminapi.EndpointMetricNameMeteredEndpointCreditsOverTime: {tag: byNetwork, kind: "network", value: credited},
	adminapi.EndpointMetricNameCreditsOverTime:                {tag: byChain, value: credited},
	adminapi.EndpointMetricNameResponseStatusOverTime:         {tag: byStatus, value: counted},
	adminapi.EndpointMetricNameResponseStatusBreakdown:        {tag: byStatus, value: counted, whole: true},
	adminapi.EndpointMetricNameResponseTimeOverTime:           {tag: byMethod, value: milliseconds, point: mean},
	adminapi.EndpointMetricNameMethodResponseTimeMax:          {tag: byMethod, value: milliseconds, point: slices.Max[[]float64]},
	adminapi.EndpointMetricNameRequestErrorsOverTime:          {tag: byMethod, value: counted, only: (*call).failed},
	adminapi.EndpointMetricNameTotalRequestErrorsOverTime:     {tag: inTotal, value: counted, only: (*call).failed},
}

func byMethod(c *call) string  { return c.Method }
func byNetwork(c *call) string { return c.Network }
func byChain(c *call) string   { return c.chain.slug }
func byStatus(c *call) string  { return strconv.Itoa(c.Status) }
func inTotal(*call) string     { return "total" }

func counted(c *call) float64      { return float64(c.requests) }
func transferred(c *call) float64  { return float64(c.bytes) }
func credited(c *call) float64     { return float64(c.credits) }
func milliseconds(c *call) float64 { return float64(c.ResponseTime) / float64(time.Millisecond) }

func mean(values []float64) float64 { return sum(values) / float64(len(values)) }

func sum(values []float64) float64 {
	total := 0.0
	for _, value := range values {
		total += value
	}
	return total
}

// series makes the time series of calls that are all within the window, sorted by tag. A tag that no call has has no
// series.
func (m metric) series(w window, calls []*call) []adminapi.EndpointMetric {
	if m.whole {
		w = window{start: w.start, step: time.Duration(w.steps) * w.step, steps: 1}
	}
	values := make(map[string][][]float64)
	for _, call := range calls {
		if m.only != nil && !m.only(call) || m.point != nil && call.tally {
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
		series = append(series, adminapi.EndpointMetric{Tag: m.named(tag), Data: m.points(w, values[tag])})
	}
	return series
}

// named is a tag as it is sent.
func (m metric) named(tag string) adminapi.MetricTag {
	if m.kind == "" {
		return tag
	}
	return []string{m.kind, tag}
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
