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

// usageRange is the calls of a time range in unix seconds, both ends included.
type usageRange struct {
	start, end int64
	calls      []*callData
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
		found.calls = append(found.calls, e.log.between(time.Unix(found.start, 0), time.Unix(found.end+1, 0))...)
	}
	return found, nil
}

// groupBy groups calls by a key. A key without usage is missing, and so it is in the reports.
func groupBy[K comparable](calls []*callData, key func(*callData) K) map[K][]*callData {
	groups := map[K][]*callData{}
	for _, c := range calls {
		groups[key(c)] = append(groups[key(c)], c)
	}
	return groups
}

func byMethod(c *callData) string          { return c.Method }
func byNetwork(c *callData) string         { return c.Network }
func byChain(c *callData) string           { return chainOf(c.Network) }
func byStatus(c *callData) string          { return strconv.Itoa(c.Status) }
func byEndpoint(c *callData) *endpointData { return c.endpoint }
func inTotal(*callData) string             { return "total" }

// total returns the usage of calls.
func total(calls []*callData) *used {
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
	endpoints := groupBy(usage.calls, byEndpoint)
	report := &adminapi.UsageByTag{StartTime: usage.start, EndTime: usage.end, Tags: []adminapi.TagUsage{}}
	for _, tag := range append(slices.Clone(h.state.tags), &adminapi.Tag{Label: "untagged"}) {
		var sum used
		for e, calls := range endpoints {
			if e.hasTag(tag) || tag.ID == 0 && len(e.Tags) == 0 {
				sum.add(*total(calls))
			}
		}
		if sum.Requests > 0 {
			report.Tags = append(report.Tags, adminapi.TagUsage{
				TagID: nonZero(tag.ID), Label: tag.Label, CreditsUsed: sum.Credits, RPCCredits: &sum.Credits,
				DataCredits: new(int64(0)), Bytes: &sum.Bytes, Requests: sum.Requests,
			})
		}
	}
	return report, err
}

func (h adminHandlers) GetUsageByEndpoint(_ context.Context, params adminapi.GetUsageByEndpointParams) (
	*adminapi.UsageByEndpoint, error) {
	usage, err := h.state.usage(params.StartTime, params.EndTime)
	calls := groupBy(usage.calls, byEndpoint)
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
	calls := groupBy(usage.calls, byChain)
	report := &adminapi.UsageByChain{StartTime: usage.start, EndTime: usage.end, Chains: []adminapi.ChainUsage{}}
	for _, chain := range catalogue.Chains {
		if on := calls[*chain.Slug]; on != nil {
			report.Chains = append(report.Chains, adminapi.ChainUsage{Name: chain.Slug, CreditsUsed: &total(on).Credits})
		}
	}
	return report, err
}

// methodUsages returns the usage by method, sorted by method and by network. Archived state comes last.
func methodUsages(calls []*callData) []adminapi.MethodUsage {
	type key struct{ method, network, archive string }
	methods := groupBy(calls, func(c *callData) key { return key{c.Method, c.Network, strconv.FormatBool(c.Archive)} })
	sorted := slices.SortedFunc(maps.Keys(methods), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.method, b.method), cmp.Compare(a.network, b.network), cmp.Compare(a.archive, b.archive))
	})
	return each(sorted, func(k key) adminapi.MethodUsage {
		return adminapi.MethodUsage{
			MethodName: &k.method, CreditsUsed: &total(methods[k]).Credits, Archive: new(k.archive == "true"),
			Network: &k.network, Chain: new(chainOf(k.network)),
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

// windows are the time ranges of metrics, in steps. The last step contains the present (assumed, and so are the steps).
var windows = map[adminapi.MetricsPeriod]struct {
	step  time.Duration
	steps int
}{
	adminapi.MetricsPeriodHour:  {time.Minute, 60},
	adminapi.MetricsPeriodDay:   {time.Hour, 24},
	adminapi.MetricsPeriodWeek:  {24 * time.Hour, 7},
	adminapi.MetricsPeriodMonth: {24 * time.Hour, 30},
}

// metric makes time series from calls: one series for each tag, one point for each step.
type metric struct {
	tag func(*callData) string
	// kind is sent with the tag, as an array of both (observed). It is empty if the tag is a plain text.
	kind  string
	value func(*callData) float64
	// failed leaves out the calls that succeeded.
	failed bool
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
	adminapi.EndpointMetricNameCreditsOverTime:                {tag: byChain, value: credited},
	adminapi.EndpointMetricNameResponseStatusOverTime:         {tag: byStatus, value: counted},
	adminapi.EndpointMetricNameResponseStatusBreakdown:        {tag: byStatus, value: counted, whole: true},
	adminapi.EndpointMetricNameResponseTimeOverTime:           {tag: byMethod, value: milliseconds, point: mean},
	adminapi.EndpointMetricNameMethodResponseTimeMax: {tag: byMethod, value: milliseconds,
		point: slices.Max[[]float64]},
	adminapi.EndpointMetricNameRequestErrorsOverTime:      {tag: byMethod, value: counted, failed: true},
	adminapi.EndpointMetricNameTotalRequestErrorsOverTime: {tag: inTotal, value: counted, failed: true},
}

func counted(c *callData) float64      { return float64(c.Requests) }
func transferred(c *callData) float64  { return float64(c.Bytes) }
func credited(c *callData) float64     { return float64(c.Credits) }
func milliseconds(c *callData) float64 { return float64(c.ResponseTime) / float64(time.Millisecond) }

func sum(values []float64) (sum float64) {
	for _, value := range values {
		sum += value
	}
	return sum
}

func mean(values []float64) float64 { return sum(values) / float64(len(values)) }

// metric returns the time series of a metric for some endpoints, sorted by tag. A tag without calls has no series.
func (s *state) metric(
	name adminapi.EndpointMetricName, period adminapi.MetricsPeriod, endpoints []*endpointData,
) []adminapi.EndpointMetric {
	m, w := metrics[name], windows[period]
	start := s.now().Truncate(w.step).Add(-time.Duration(w.steps-1) * w.step)
	var calls []*callData
	for _, endpoint := range endpoints {
		calls = append(calls, endpoint.log.between(start, start.Add(time.Duration(w.steps)*w.step))...)
	}
	tags := groupBy(slices.DeleteFunc(calls, func(c *callData) bool {
		return m.failed && c.ErrorCode == nil && c.Status < 400 || m.point != nil && c.tally()
	}), m.tag)
	if m.whole {
		w.step, w.steps = time.Duration(w.steps)*w.step, 1
	}
	return each(slices.Sorted(maps.Keys(tags)), func(tag string) adminapi.EndpointMetric {
		series := adminapi.EndpointMetric{Tag: tag}
		if m.kind != "" {
			series.Tag = []string{m.kind, tag}
		}
		steps := groupBy(tags[tag], func(c *callData) int { return int(c.Timestamp.Sub(start) / w.step) })
		for i := range w.steps {
			at, values := float64(start.Add(time.Duration(i)*w.step).Unix()), each(steps[i], m.value)
			switch {
			case m.point == nil:
				series.Data = append(series.Data, adminapi.MetricPoint{at, sum(values)})
			case len(values) > 0:
				series.Data = append(series.Data, adminapi.MetricPoint{at, m.point(values)})
			}
		}
		return series
	})
}
