package emulator

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// includedCredits are the credits that the plan includes in a billing period. Any use beyond them is overage.
const includedCredits = int64(450_000_000)

// lastSecond is the last second of the year 9999. Later times have no form in RFC 3339.
const lastSecond = 253402300799

// usage is the calls of a time range in unix seconds, both ends included, or some of them, with their sums.
type usage struct {
	start, end               int64
	calls                    []*callData
	credits, requests, bytes int64
}

func (u *usage) add(c *callData) {
	u.calls = append(u.calls, c)
	u.credits += c.credits
	u.requests += c.Requests
	u.bytes += c.Bytes
}

// usage returns the usage of a time range. Without a start the range begins with the current billing period, and
// without an end it ends now. Archived endpoints count too.
func (s *state) usage(start, end *int64) (*usage, error) {
	now := s.now()
	found := &usage{start: valueOr(start, billingPeriodStart(now, 0).Unix()), end: valueOr(end, now.Unix())}
	if found.start < 0 || found.start > found.end || found.end > lastSecond {
		return found, serve.BadRequest("start_time and end_time must be unix seconds, and start_time not after end_time")
	}
	for _, e := range s.endpoints {
		for _, c := range e.log.between(time.Unix(found.start, 0), time.Unix(found.end+1, 0)) {
			found.add(c)
		}
	}
	return found, nil
}

// groupBy groups calls by a key, in the order of the keys. A key without usage is missing, and so it is in the reports.
func groupBy(calls []*callData, key func(*callData) string) []*usage {
	groups := map[string]*usage{}
	for _, c := range calls {
		if groups[key(c)] == nil {
			groups[key(c)] = &usage{}
		}
		groups[key(c)].add(c)
	}
	return each(slices.Sorted(maps.Keys(groups)), func(key string) *usage { return groups[key] })
}

func byMethod(c *callData) string   { return c.Method }
func byNetwork(c *callData) string  { return c.Network }
func byChain(c *callData) string    { return chainOf(c.Network) }
func byStatus(c *callData) string   { return strconv.Itoa(c.Status) }
func byEndpoint(c *callData) string { return c.endpoint.ID }
func inTotal(*callData) string      { return "total" }

// GetUsage is GET /v0/usage/rpc. Only for the current billing period does it show the plan's limit, the rest and the
// overage.
func (r *request) GetUsage(params adminapi.GetUsageParams) (*adminapi.UsageTotal, error) {
	all, err := r.state.usage(params.StartTime, params.EndTime)
	report := &adminapi.UsageTotal{CreditsUsed: all.credits, StartTime: all.start, EndTime: all.end}
	if params.StartTime == nil && params.EndTime == nil {
		report.Limit, report.CreditsRemaining = new(includedCredits), new(max(includedCredits-all.credits, 0))
		report.Overages = new(max(all.credits-includedCredits, 0))
	}
	return report, err
}

// GetUsageByTag is GET /v0/usage/rpc/by-tag. The usage of an endpoint with several tags counts for each of them. Data
// costs no credits with this account's plan.
func (r *request) GetUsageByTag(params adminapi.GetUsageByTagParams) (*adminapi.UsageByTag, error) {
	all, err := r.state.usage(params.StartTime, params.EndTime)
	report := &adminapi.UsageByTag{StartTime: all.start, EndTime: all.end, Tags: []adminapi.TagUsage{}}
	for _, tag := range append(slices.Clone(r.state.tags), &adminapi.Tag{Label: "untagged"}) {
		var u usage
		for _, c := range all.calls {
			if c.endpoint.hasTag(tag) || tag.ID == 0 && len(c.endpoint.Tags) == 0 {
				u.add(c)
			}
		}
		if u.requests > 0 {
			report.Tags = append(report.Tags, adminapi.TagUsage{
				TagID: nonZero(tag.ID), Label: tag.Label, CreditsUsed: u.credits, RPCCredits: &u.credits,
				DataCredits: new(int64(0)), Bytes: &u.bytes, Requests: u.requests,
			})
		}
	}
	return report, err
}

func (r *request) GetUsageByEndpoint(params adminapi.GetUsageByEndpointParams) (*adminapi.UsageByEndpoint, error) {
	all, err := r.state.usage(params.StartTime, params.EndTime)
	return &adminapi.UsageByEndpoint{
		StartTime: all.start, EndTime: all.end,
		Endpoints: each(groupBy(all.calls, byEndpoint), func(u *usage) adminapi.EndpointUsage {
			e := u.calls[0].endpoint
			return adminapi.EndpointUsage{
				Name: &e.Name, Label: e.Label, Chain: &e.Chain, Network: &e.Network, Status: &e.Status,
				CreditsUsed: &u.credits, Requests: &u.requests, MethodsBreakdown: methodUsages(u.calls),
			}
		}),
	}, err
}

func (r *request) GetUsageByMethod(params adminapi.GetUsageByMethodParams) (*adminapi.UsageByMethod, error) {
	all, err := r.state.usage(params.StartTime, params.EndTime)
	return &adminapi.UsageByMethod{StartTime: all.start, EndTime: all.end, Methods: methodUsages(all.calls)}, err
}

// GetUsageByChain is GET /v0/usage/rpc/by-chain. The chain is the one of the network called. With multichain it can
// differ from the endpoint's own.
func (r *request) GetUsageByChain(params adminapi.GetUsageByChainParams) (*adminapi.UsageByChain, error) {
	all, err := r.state.usage(params.StartTime, params.EndTime)
	return &adminapi.UsageByChain{
		StartTime: all.start, EndTime: all.end,
		Chains: each(groupBy(all.calls, byChain), func(u *usage) adminapi.ChainUsage {
			return adminapi.ChainUsage{Name: new(byChain(u.calls[0])), CreditsUsed: &u.credits}
		}),
	}, err
}

// methodUsages returns the usage by method, sorted by method and by network. Archived state comes last.
func methodUsages(calls []*callData) []adminapi.MethodUsage {
	key := func(c *callData) string { return c.Method + " " + c.Network + " " + strconv.FormatBool(c.Archive) }
	return each(groupBy(calls, key), func(u *usage) adminapi.MethodUsage {
		of := u.calls[0]
		return adminapi.MethodUsage{
			MethodName: &of.Method, CreditsUsed: &u.credits, Archive: &of.Archive, Network: &of.Network,
			Chain: new(byChain(of)),
		}
	})
}

func (r *request) GetEndpointMetrics(params adminapi.GetEndpointMetricsParams) ([]adminapi.EndpointMetric, error) {
	return r.state.metric(params.Metric, params.Period, []*endpointData{r.endpoint}), nil
}

// GetAccountMetrics is GET /v0/metrics. It counts the calls of archived endpoints too. The percentile is for metrics of
// response times, and the account has none.
func (r *request) GetAccountMetrics(params adminapi.GetAccountMetricsParams) ([]adminapi.EndpointMetric, error) {
	return r.state.metric(adminapi.EndpointMetricName(params.Metric), params.Period, r.state.endpoints), nil
}

// ExportPrometheus is GET /exporter/prometheus: the last values of the account's metrics. Their names are made up.
func (r *request) ExportPrometheus() (string, error) {
	if plan := r.settings.bucket.Name; plan != "" && plan != PlanEnterprise.Name {
		return "", &serve.Error{Status: http.StatusForbidden, Reason: "the plan excludes the exporter"}
	}
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(metrics)) {
		fmt.Fprintf(&text, "# TYPE %s gauge\n", name)
		for _, series := range r.state.metric(name, adminapi.MetricsPeriodHour, r.state.endpoints) {
			fmt.Fprintf(&text, "%s{tag=%q} %v\n", name, fmt.Sprint(series.Tag), series.Data[len(series.Data)-1][1])
		}
	}
	return text.String(), nil
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
	tag   func(*callData) string
	kind  string // It is sent with the tag, as an array of both (observed). Without it the tag is a plain text.
	value func(*callData) float64
	// failed leaves out the calls that succeeded, and whole makes one point of the whole window.
	failed, whole bool
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
func credited(c *callData) float64     { return float64(c.credits) }
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
	calls = slices.DeleteFunc(calls, func(c *callData) bool {
		return m.failed && c.ErrorCode == nil && c.Status < 400 || m.point != nil && c.tally()
	})
	if m.whole {
		w.step, w.steps = time.Duration(w.steps)*w.step, 1
	}
	return each(groupBy(calls, m.tag), func(u *usage) adminapi.EndpointMetric {
		series, steps := adminapi.EndpointMetric{Tag: m.tag(u.calls[0])}, make([][]float64, w.steps)
		if m.kind != "" {
			series.Tag = []string{m.kind, m.tag(u.calls[0])}
		}
		for _, c := range u.calls {
			i := int(c.Timestamp.Sub(start) / w.step)
			steps[i] = append(steps[i], m.value(c))
		}
		for i, values := range steps {
			at := float64(start.Add(time.Duration(i) * w.step).Unix())
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
