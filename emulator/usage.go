package emulator

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// includedCredits are the credits that the plan includes in a billing period. Any use beyond them is overage.
const includedCredits = int64(450_000_000)

// lastSecond is the last second of the year 9999. Later times have no form in RFC 3339.
const lastSecond = 253402300799

// used is the usage of some calls.
type used struct{ Credits, Requests, Bytes int64 }

func (u *used) add(other used) {
	u.Credits += other.Credits
	u.Requests += other.Requests
	u.Bytes += other.Bytes
}

// usageRange is the calls of a time range in unix seconds, both ends included, by their endpoints.
type usageRange struct {
	start, end int64
	calls      []endpointCall
}

type endpointCall struct {
	*callData
	endpoint *endpointData
}

// usage returns the usage of a time range. Without a start the range begins with the current billing period, and
// without an end it ends now. Archived endpoints count too.
func (s *state) usage(start, end *int64) (usageRange, error) {
	now := s.now()
	found := usageRange{start: valueOr(start, billingPeriodStart(now, 0).Unix()), end: valueOr(end, now.Unix())}
	if found.start < 0 || found.end > lastSecond {
		return found, badRequest("start_time and end_time must be unix seconds")
	}
	if found.start > found.end {
		return found, badRequest("start_time must not be after end_time")
	}
	for _, e := range s.endpoints {
		for _, c := range e.log.between(time.Unix(found.start, 0), time.Unix(found.end+1, 0)) {
			found.calls = append(found.calls, endpointCall{c, e})
		}
	}
	return found, nil
}

// grouped groups calls by keys. A call may have several. A key without usage is missing, and so it is in the reports.
func grouped[K comparable](calls []endpointCall, keys func(endpointCall) []K) map[K][]endpointCall {
	groups := map[K][]endpointCall{}
	for _, c := range calls {
		for _, key := range keys(c) {
			groups[key] = append(groups[key], c)
		}
	}
	return groups
}

// total returns the usage of calls.
func total(calls []endpointCall) *used {
	var sum used
	for _, c := range calls {
		sum.add(c.used)
	}
	return &sum
}

// GetUsage is GET /v0/usage/rpc. Only for the current billing period does it show the plan's limit, the rest and the
// overage.
func (h adminHandlers) GetUsage(_ context.Context, params adminapi.GetUsageParams) (*adminapi.UsageTotal, error) {
	usage, err := h.state.usage(params.StartTime, params.EndTime)
	sum := total(usage.calls)
	report := &adminapi.UsageTotal{CreditsUsed: sum.Credits, StartTime: usage.start, EndTime: usage.end}
	if params.StartTime == nil && params.EndTime == nil {
		report.Limit, report.CreditsRemaining = new(includedCredits), new(max(includedCredits-sum.Credits, 0))
		report.Overages = new(max(sum.Credits-includedCredits, 0))
	}
	return report, err
}

// GetUsageByTag is GET /v0/usage/rpc/by-tag. The usage of an endpoint with several tags counts for each of them. Data
// costs no credits with this account's plan.
func (h adminHandlers) GetUsageByTag(_ context.Context, params adminapi.GetUsageByTagParams) (
	*adminapi.UsageByTag, error) {
	usage, err := h.state.usage(params.StartTime, params.EndTime)
	untagged := &adminapi.Tag{Label: "untagged"} // Without an id.
	byTag := grouped(usage.calls, func(c endpointCall) []int64 {
		if len(c.endpoint.Tags) == 0 {
			return []int64{untagged.ID}
		}
		return each(c.endpoint.Tags, func(t adminapi.EndpointTag) int64 { return *t.TagID })
	})
	report := &adminapi.UsageByTag{StartTime: usage.start, EndTime: usage.end, Tags: []adminapi.TagUsage{}}
	for _, tag := range append(slices.Clone(h.state.tags), untagged) {
		if byTag[tag.ID] == nil {
			continue
		}
		used := total(byTag[tag.ID])
		report.Tags = append(report.Tags, adminapi.TagUsage{
			TagID: nonZero(tag.ID), Label: tag.Label, CreditsUsed: used.Credits, RPCCredits: &used.Credits,
			DataCredits: new(int64(0)), Bytes: &used.Bytes, Requests: used.Requests,
		})
	}
	return report, err
}

func (h adminHandlers) GetUsageByEndpoint(_ context.Context, params adminapi.GetUsageByEndpointParams) (
	*adminapi.UsageByEndpoint, error) {
	usage, err := h.state.usage(params.StartTime, params.EndTime)
	calls := grouped(usage.calls, func(c endpointCall) []*endpointData { return []*endpointData{c.endpoint} })
	report := &adminapi.UsageByEndpoint{StartTime: usage.start, EndTime: usage.end, Endpoints: []adminapi.EndpointUsage{}}
	for _, e := range h.state.endpoints {
		if calls[e] == nil {
			continue
		}
		sum := total(calls[e])
		report.Endpoints = append(report.Endpoints, adminapi.EndpointUsage{
			Name: &e.Name, Label: e.Label, Chain: &e.Chain, Network: &e.Network, Status: &e.Status,
			CreditsUsed: &sum.Credits, Requests: &sum.Requests, MethodsBreakdown: methodUsages(calls[e]),
		})
	}
	return report, err
}

func (h adminHandlers) GetUsageByMethod(_ context.Context, params adminapi.GetUsageByMethodParams) (
	*adminapi.UsageByMethod, error) {
	usage, err := h.state.usage(params.StartTime, params.EndTime)
	return &adminapi.UsageByMethod{
		StartTime: usage.start, EndTime: usage.end, Methods: methodUsages(usage.calls)}, err
}

// GetUsageByChain is GET /v0/usage/rpc/by-chain. The chain is the one of the network called. With multichain it can
// differ from the endpoint's own.
func (h adminHandlers) GetUsageByChain(_ context.Context, params adminapi.GetUsageByChainParams) (
	*adminapi.UsageByChain, error) {
	usage, err := h.state.usage(params.StartTime, params.EndTime)
	byChain := grouped(usage.calls, func(c endpointCall) []string { return []string{c.chain()} })
	report := &adminapi.UsageByChain{StartTime: usage.start, EndTime: usage.end, Chains: []adminapi.ChainUsage{}}
	for _, chain := range catalogue.Chains {
		if calls := byChain[*chain.Slug]; calls != nil {
			report.Chains = append(report.Chains,
				adminapi.ChainUsage{Name: chain.Slug, CreditsUsed: &total(calls).Credits})
		}
	}
	return report, err
}

// methodKey is the key of usage by method.
type methodKey struct{ method, network, chain, archive string }

// methodUsages returns the usage by method, sorted by method and by network. Archived state comes last.
func methodUsages(calls []endpointCall) []adminapi.MethodUsage {
	byMethod := grouped(calls, func(c endpointCall) []methodKey {
		return []methodKey{{c.Method, c.Network, c.chain(), strconv.FormatBool(c.Archive)}}
	})
	keys := slices.SortedFunc(maps.Keys(byMethod), func(a, b methodKey) int {
		return cmp.Or(cmp.Compare(a.method, b.method), cmp.Compare(a.network, b.network), cmp.Compare(a.archive, b.archive))
	})
	return each(keys, func(key methodKey) adminapi.MethodUsage {
		return adminapi.MethodUsage{
			MethodName: &key.method, CreditsUsed: &total(byMethod[key]).Credits, Archive: new(key.archive == "true"),
			Network: &key.network, Chain: &key.chain,
		}
	})
}

func (h adminHandlers) GetEndpointMetrics(ctx context.Context, params adminapi.GetEndpointMetricsParams) (
	[]adminapi.EndpointMetric, error) {
	return h.state.metric(params.Metric, params.Period, []*endpointData{infoOf(ctx).endpoint}), nil
}

// GetAccountMetrics is GET /v0/metrics. It counts the calls of archived endpoints too. The percentile is for metrics of
// response times, and the account has none.
func (h adminHandlers) GetAccountMetrics(_ context.Context, params adminapi.GetAccountMetricsParams) (
	[]adminapi.EndpointMetric, error) {
	return h.state.metric(adminapi.EndpointMetricName(params.Metric), params.Period, h.state.endpoints), nil
}

// metric returns the time series of a metric for some endpoints.
func (s *state) metric(
	name adminapi.EndpointMetricName, period adminapi.MetricsPeriod, endpoints []*endpointData,
) []adminapi.EndpointMetric {
	window := windows[period]
	window.start = s.now().Truncate(window.step).Add(-time.Duration(window.steps-1) * window.step)
	var calls []*callData
	for _, endpoint := range endpoints {
		calls = append(calls,
			endpoint.log.between(window.start, window.start.Add(time.Duration(window.steps)*window.step))...)
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
	tag func(*callData) string
	// kind is sent with the tag, as an array of both (observed). It is empty if the tag is a plain text.
	kind  string
	value func(*callData) float64
	// only picks the calls that count. Without it, all do.
	only func(*callData) bool
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
	adminapi.EndpointMetricNameCreditsOverTime:                {tag: (*callData).chain, value: credited},
	adminapi.EndpointMetricNameResponseStatusOverTime:         {tag: byStatus, value: counted},
	adminapi.EndpointMetricNameResponseStatusBreakdown:        {tag: byStatus, value: counted, whole: true},
	adminapi.EndpointMetricNameResponseTimeOverTime:           {tag: byMethod, value: milliseconds, point: mean},
	adminapi.EndpointMetricNameMethodResponseTimeMax: {tag: byMethod, value: milliseconds,
		point: slices.Max[[]float64]},
	adminapi.EndpointMetricNameRequestErrorsOverTime:      {tag: byMethod, value: counted, only: (*callData).failed},
	adminapi.EndpointMetricNameTotalRequestErrorsOverTime: {tag: inTotal, value: counted, only: (*callData).failed},
}

func byMethod(c *callData) string  { return c.Method }
func byNetwork(c *callData) string { return c.Network }
func byStatus(c *callData) string  { return strconv.Itoa(c.Status) }
func inTotal(*callData) string     { return "total" }

func counted(c *callData) float64      { return float64(c.Requests) }
func transferred(c *callData) float64  { return float64(c.Bytes) }
func credited(c *callData) float64     { return float64(c.Credits) }
func milliseconds(c *callData) float64 { return float64(c.ResponseTime) / float64(time.Millisecond) }

func mean(values []float64) float64 { return sumOfValues(values) / float64(len(values)) }

func sumOfValues(values []float64) float64 {
	total := 0.0
	for _, value := range values {
		total += value
	}
	return total
}

// series makes the time series of calls within the window, sorted by tag. A tag without calls has no series.
func (m metric) series(w window, calls []*callData) []adminapi.EndpointMetric {
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
	return each(slices.Sorted(maps.Keys(values)), func(tag string) adminapi.EndpointMetric {
		if m.kind != "" {
			return adminapi.EndpointMetric{Tag: []string{m.kind, tag}, Data: m.points(w, values[tag])}
		}
		return adminapi.EndpointMetric{Tag: tag, Data: m.points(w, values[tag])}
	})
}

// points makes the points of one series.
func (m metric) points(w window, values [][]float64) []adminapi.MetricPoint {
	var points []adminapi.MetricPoint
	for i, inStep := range values {
		at := float64(w.start.Add(time.Duration(i) * w.step).Unix())
		switch {
		case m.point == nil:
			points = append(points, adminapi.MetricPoint{at, sumOfValues(inStep)})
		case len(inStep) > 0:
			points = append(points, adminapi.MetricPoint{at, m.point(inStep)})
		}
	}
	return points
}
