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

// lastSecond is the last second of the year 9999. Later times have no form in RFC 3339.
const lastSecond = 253402300799

// used is the usage of some calls.
type used struct{ Credits, Requests, Bytes int64 }

func (u *used) add(c *call) {
	u.Credits += c.Credits
	u.Requests += c.Requests
	u.Bytes += c.Bytes
}

// usage is the calls of a time range in unix seconds, both ends included, by their endpoints.
type usage struct {
	start, end int64
	calls      []endpointCall
}

type endpointCall struct {
	*call
	endpoint *endpoint
}

// usage returns the usage of a time range. Without a start the range begins with the current billing period, and
// without an end it ends now. Archived endpoints count too.
func (s *state) usage(start, end *int64) (usage, error) {
	now := s.now()
	found := usage{start: valueOr(start, billingPeriodStart(now, 0).Unix()), end: valueOr(end, now.Unix())}
	if found.start < 0 || found.end > lastSecond {
		return found, badRequest("start_time and end_time must be unix seconds")
	}
	if found.start > found.end {
		return found, badRequest("start_time must not be after end_time")
	}
	for _, e := range s.Endpoints {
		for _, c := range e.Log.between(time.Unix(found.start, 0), time.Unix(found.end+1, 0)) {
			found.calls = append(found.calls, endpointCall{c, e})
		}
	}
	return found, nil
}

// sums is the usage for each key. A key without usage is missing, and so it is in the reports.
type sums[K comparable] map[K]*used

// sumBy sums up calls by keys. A call may have several.
func sumBy[K comparable](calls []endpointCall, keys func(endpointCall) []K) sums[K] {
	found := sums[K]{}
	for _, c := range calls {
		for _, key := range keys(c) {
			if found[key] == nil {
				found[key] = new(used)
			}
			found[key].add(c.call)
		}
	}
	return found
}

// GetUsage is GET /v0/usage/rpc. Only for the current billing period does it show the plan's limit, the rest and the
// overage.
func (h adminHandlers) GetUsage(_ context.Context, params adminapi.GetUsageParams) (*adminapi.UsageTotal, error) {
	usage, err := h.state.usage(params.StartTime, params.EndTime)
	var sum used
	for _, c := range usage.calls {
		sum.add(c.call)
	}
	total := &adminapi.UsageTotal{CreditsUsed: sum.Credits, StartTime: usage.start, EndTime: usage.end}
	if params.StartTime == nil && params.EndTime == nil {
		included := h.settings.includedCredits
		total.Limit, total.CreditsRemaining = &included, new(max(included-sum.Credits, 0))
		total.Overages = new(max(sum.Credits-included, 0))
	}
	return total, err
}

// GetUsageByTag is GET /v0/usage/rpc/by-tag. The usage of an endpoint with several tags counts for each of them. Data
// costs no credits with this account's plan.
func (h adminHandlers) GetUsageByTag(_ context.Context, params adminapi.GetUsageByTagParams) (
	*adminapi.UsageByTag, error) {
	usage, err := h.state.usage(params.StartTime, params.EndTime)
	untagged := &tag{Label: "untagged"}
	byTag := sumBy(usage.calls, func(c endpointCall) []*tag {
		if len(c.endpoint.Tags) == 0 {
			return []*tag{untagged}
		}
		return c.endpoint.Tags
	})
	report := &adminapi.UsageByTag{StartTime: usage.start, EndTime: usage.end, Tags: []adminapi.TagUsage{}}
	for _, tag := range append(slices.Clone(h.state.Tags), untagged) {
		used, some := byTag[tag]
		if !some {
			continue
		}
		record := adminapi.TagUsage{
			Label: tag.Label, CreditsUsed: used.Credits, RPCCredits: &used.Credits, DataCredits: new(int64(0)),
			Bytes: &used.Bytes, Requests: used.Requests,
		}
		if tag != untagged {
			record.TagID = &tag.ID
		}
		report.Tags = append(report.Tags, record)
	}
	return report, err
}

// GetUsageByEndpoint is GET /v0/usage/rpc/by-endpoint.
func (h adminHandlers) GetUsageByEndpoint(_ context.Context, params adminapi.GetUsageByEndpointParams) (
	*adminapi.UsageByEndpoint, error) {
	usage, err := h.state.usage(params.StartTime, params.EndTime)
	calls := map[*endpoint][]endpointCall{}
	for _, c := range usage.calls {
		calls[c.endpoint] = append(calls[c.endpoint], c)
	}
	report := &adminapi.UsageByEndpoint{StartTime: usage.start, EndTime: usage.end, Endpoints: []adminapi.EndpointUsage{}}
	for _, e := range h.state.Endpoints {
		if calls[e] == nil {
			continue
		}
		var sum used
		for _, c := range calls[e] {
			sum.add(c.call)
		}
		report.Endpoints = append(report.Endpoints, adminapi.EndpointUsage{
			Name: &e.Name, Label: e.Label, Chain: &e.Chain, Network: &e.Network, Status: &e.Status,
			CreditsUsed: &sum.Credits, Requests: &sum.Requests, MethodsBreakdown: methodUsages(calls[e]),
		})
	}
	return report, err
}

// GetUsageByMethod is GET /v0/usage/rpc/by-method.
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
	byChain := sumBy(usage.calls, func(c endpointCall) []string { return []string{c.chain()} })
	report := &adminapi.UsageByChain{StartTime: usage.start, EndTime: usage.end, Chains: []adminapi.ChainUsage{}}
	for _, chain := range catalogue {
		if used, some := byChain[chain.slug]; some {
			report.Chains = append(report.Chains, adminapi.ChainUsage{Name: &chain.slug, CreditsUsed: &used.Credits})
		}
	}
	return report, err
}

// methodKey is the key of usage by method.
type methodKey struct{ method, network, chain, archive string }

// methodUsages returns the usage by method, sorted by method and by network. Archived state comes last.
func methodUsages(calls []endpointCall) []adminapi.MethodUsage {
	byMethod := sumBy(calls, func(c endpointCall) []methodKey {
		return []methodKey{{c.Method, c.Network, c.chain(), strconv.FormatBool(c.Archive)}}
	})
	records := make([]adminapi.MethodUsage, 0, len(byMethod))
	for _, key := range slices.SortedFunc(maps.Keys(byMethod), func(a, b methodKey) int {
		return cmp.Or(cmp.Compare(a.method, b.method), cmp.Compare(a.network, b.network), cmp.Compare(a.archive, b.archive))
	}) {
		records = append(records, adminapi.MethodUsage{
			MethodName: &key.method, CreditsUsed: &byMethod[key].Credits, Archive: new(key.archive == "true"),
			Network: &key.network, Chain: &key.chain,
		})
	}
	return records
}
