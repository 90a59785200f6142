package emulator

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// usageRange is a time range in unix seconds, both ends included.
type usageRange struct {
	start, end int64
	// current is set for the current billing period up to now.
	current bool
}

// lastSecond is the last second of the year 9999. Later times have no form in RFC 3339.
const lastSecond = 253402300799

// used is the usage of some calls.
type used struct{ Credits, Requests, Bytes int64 }

func (u *used) add(c *call) {
	u.Credits += c.Credits
	u.Requests += c.Requests
	u.Bytes += c.Bytes
}

// usage returns the time range of a report, and its calls with their endpoints, endpoint by endpoint. Without a start
// the range begins with the current billing period, and without an end it ends now. Archived endpoints count too.
func (h adminHandlers) usage(start, end *int64) (usageRange, iter.Seq2[*endpoint, *call], error) {
	now := h.state.now()
	within := usageRange{
		start: valueOr(start, billingPeriodStart(now, 0).Unix()), end: valueOr(end, now.Unix()),
		current: start == nil && end == nil,
	}
	if within.start < 0 || within.end > lastSecond {
		return within, nil, badRequest("start_time and end_time must be unix seconds")
	}
	if within.start > within.end {
		return within, nil, badRequest("start_time must not be after end_time")
	}
	return within, func(yield func(*endpoint, *call) bool) {
		for _, endpoint := range h.state.Endpoints {
			for _, call := range endpoint.Log.between(time.Unix(within.start, 0), time.Unix(within.end+1, 0)) {
				if !yield(endpoint, call) {
					return
				}
			}
		}
	}, nil
}

// GetUsage is GET /v0/usage/rpc. Only for the current billing period does it show the plan's limit, the rest and the
// overage.
func (h adminHandlers) GetUsage(_ context.Context, params adminapi.GetUsageParams) (
	*adminapi.UsageTotalEnvelope, error) {
	within, calls, err := h.usage(params.StartTime, params.EndTime)
	if err != nil {
		return nil, err
	}
	var sum used
	for _, call := range calls {
		sum.add(call)
	}
	total := adminapi.UsageTotal{CreditsUsed: sum.Credits, StartTime: within.start, EndTime: within.end}
	if within.current {
		included := h.settings.includedCredits
		total.Limit, total.CreditsRemaining = &included, new(max(included-sum.Credits, 0))
		total.Overages = new(max(sum.Credits-included, 0))
	}
	return &adminapi.UsageTotalEnvelope{Data: total}, nil
}

// sums is the usage for each key. A key without usage is missing, and so it is in the reports.
type sums[K comparable] map[K]*used

func (s sums[K]) add(key K, c *call) {
	if s[key] == nil {
		s[key] = new(used)
	}
	s[key].add(c)
}

// GetUsageByTag is GET /v0/usage/rpc/by-tag. The usage of an endpoint with several tags counts for each of them. Data
// costs no credits with this account's plan.
func (h adminHandlers) GetUsageByTag(_ context.Context, params adminapi.GetUsageByTagParams) (
	*adminapi.UsageByTagEnvelope, error) {
	within, calls, err := h.usage(params.StartTime, params.EndTime)
	if err != nil {
		return nil, err
	}
	byTag := make(sums[*tag])
	for endpoint, call := range calls {
		for _, tag := range endpoint.Tags {
			byTag.add(tag, call)
		}
		if len(endpoint.Tags) == 0 {
			byTag.add(nil, call)
		}
	}
	report := adminapi.UsageByTag{StartTime: within.start, EndTime: within.end, Tags: []adminapi.TagUsage{}}
	for _, tag := range slices.Concat(h.state.Tags, []*tag{nil}) {
		used, some := byTag[tag]
		if !some {
			continue
		}
		record := adminapi.TagUsage{
			Label: "untagged", CreditsUsed: used.Credits, RPCCredits: &used.Credits, DataCredits: new(int64(0)),
			Bytes: &used.Bytes, Requests: used.Requests,
		}
		if tag != nil {
			record.TagID, record.Label = &tag.ID, tag.Label
		}
		report.Tags = append(report.Tags, record)
	}
	return &adminapi.UsageByTagEnvelope{Data: report}, nil
}

// GetUsageByEndpoint is GET /v0/usage/rpc/by-endpoint.
func (h adminHandlers) GetUsageByEndpoint(_ context.Context, params adminapi.GetUsageByEndpointParams) (
	*adminapi.UsageByEndpointEnvelope, error) {
	within, calls, err := h.usage(params.StartTime, params.EndTime)
	if err != nil {
		return nil, err
	}
	byEndpoint, methods := make(sums[*endpoint]), make(map[*endpoint]sums[methodKey])
	for endpoint, call := range calls {
		byEndpoint.add(endpoint, call)
		if methods[endpoint] == nil {
			methods[endpoint] = make(sums[methodKey])
		}
		methods[endpoint].add(call.methodKey(), call)
	}
	report := adminapi.UsageByEndpoint{StartTime: within.start, EndTime: within.end, Endpoints: []adminapi.EndpointUsage{}}
	for _, e := range h.state.Endpoints {
		if used, some := byEndpoint[e]; some {
			report.Endpoints = append(report.Endpoints, adminapi.EndpointUsage{
				Name: &e.Name, Label: e.Label, Chain: &e.Chain, Network: &e.Network, Status: &e.Status,
				CreditsUsed: &used.Credits, Requests: &used.Requests, MethodsBreakdown: methodUsages(methods[e]),
			})
		}
	}
	return &adminapi.UsageByEndpointEnvelope{Data: report}, nil
}

// methodKey is the key of usage by method.
type methodKey struct {
	method, network, chain string
	archive                bool
}

func (c *call) methodKey() methodKey {
	return methodKey{method: c.Method, network: c.Network, chain: c.chain(), archive: c.Archive}
}

// compare sorts by method, then by network, and puts archived state last.
func (k methodKey) compare(other methodKey) int {
	archive := 0
	if k.archive != other.archive {
		if archive = -1; k.archive {
			archive = 1
		}
	}
	return cmp.Or(cmp.Compare(k.method, other.method), cmp.Compare(k.network, other.network), archive)
}

// methodUsages returns the records of usage by method.
func methodUsages(byMethod sums[methodKey]) []adminapi.MethodUsage {
	records := make([]adminapi.MethodUsage, 0, len(byMethod))
	for _, key := range slices.SortedFunc(maps.Keys(byMethod), methodKey.compare) {
		records = append(records, adminapi.MethodUsage{
			MethodName: &key.method, CreditsUsed: &byMethod[key].Credits, Archive: &key.archive, Network: &key.network,
			Chain: &key.chain,
		})
	}
	return records
}

// GetUsageByMethod is GET /v0/usage/rpc/by-method.
func (h adminHandlers) GetUsageByMethod(_ context.Context, params adminapi.GetUsageByMethodParams) (
	*adminapi.UsageByMethodEnvelope, error) {
	within, calls, err := h.usage(params.StartTime, params.EndTime)
	if err != nil {
		return nil, err
	}
	byMethod := make(sums[methodKey])
	for _, call := range calls {
		byMethod.add(call.methodKey(), call)
	}
	report := adminapi.UsageByMethod{StartTime: within.start, EndTime: within.end, Methods: methodUsages(byMethod)}
	return &adminapi.UsageByMethodEnvelope{Data: report}, nil
}

// GetUsageByChain is GET /v0/usage/rpc/by-chain. The chain is the one of the network called. With multichain it can
// differ from the endpoint's own.
func (h adminHandlers) GetUsageByChain(_ context.Context, params adminapi.GetUsageByChainParams) (
	*adminapi.UsageByChainEnvelope, error) {
	within, calls, err := h.usage(params.StartTime, params.EndTime)
	if err != nil {
		return nil, err
	}
	byChain := make(sums[string])
	for _, call := range calls {
		byChain.add(call.chain(), call)
	}
	report := adminapi.UsageByChain{StartTime: within.start, EndTime: within.end, Chains: []adminapi.ChainUsage{}}
	for _, chain := range catalogue {
		if used, some := byChain[chain.slug]; some {
			report.Chains = append(report.Chains, adminapi.ChainUsage{Name: &chain.slug, CreditsUsed: &used.Credits})
		}
	}
	return &adminapi.UsageByChainEnvelope{Data: report}, nil
}
