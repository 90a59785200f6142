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

// defaultIncludedCredits are what the plan of the account includes in a billing period. The number is made up.
const defaultIncludedCredits = 450_000_000

// WithIncludedCredits sets the credits that the account's plan includes in a billing period. What is used beyond them
// is overage.
func WithIncludedCredits(credits int64) Option {
	return func(s *settings) { s.includedCredits = max(credits, 0) }
}

// usageRange is a time range in unix seconds. Both seconds are part of it.
type usageRange struct {
	start, end int64
	// current is true for the current billing period as a whole, up to now.
	current bool
}

// lastSecond is the last second of the year 9999, beyond which times have no spelling.
const lastSecond = 253402300799

// usageRange works out the time range of a usage report: a start that is missing is that of the current billing period,
// an end that is missing is now.
func (s *state) usageRange(start, end *int64) (usageRange, error) {
	now := s.now()
	asked := usageRange{start: billingPeriodStart(now, 0).Unix(), end: now.Unix(), current: start == nil && end == nil}
	if start != nil {
		asked.start = *start
	}
	if end != nil {
		asked.end = *end
	}
	if asked.start < 0 || asked.end > lastSecond {
		return usageRange{}, badRequest("start_time and end_time must be unix seconds")
	}
	if asked.start > asked.end {
		return usageRange{}, badRequest("start_time must not be after end_time")
	}
	return asked, nil
}

// used is what calls have used.
type used struct{ credits, requests, bytes int64 }

func (u *used) add(c *call) {
	u.credits += c.credits
	u.requests += c.requests
	u.bytes += c.bytes
}

// callsWithin yields the calls of a time range with their endpoints, endpoint by endpoint. Archived endpoints are among
// them: what they used is not given back.
func (s *state) callsWithin(within usageRange) iter.Seq2[*endpoint, *call] {
	start, end := time.Unix(within.start, 0), time.Unix(within.end+1, 0)
	return func(yield func(*endpoint, *call) bool) {
		for _, endpoint := range s.order {
			for _, call := range s.traffic.of(endpoint).between(start, end) {
				if !yield(endpoint, call) {
					return
				}
			}
		}
	}
}

// GetUsage is GET /v0/usage/rpc. What remains of the plan is told for the current billing period alone, and so are the
// plan's limit and what was used beyond it.
func (h adminHandlers) GetUsage(_ context.Context, r adminapi.GetUsageRequestObject) (adminapi.GetUsageResponseObject, error) {
	within, err := h.state.usageRange(r.Params.StartTime, r.Params.EndTime)
	if err != nil {
		return nil, err
	}
	var sum used
	for _, call := range h.state.callsWithin(within) {
		sum.add(call)
	}
	total := adminapi.UsageTotal{CreditsUsed: sum.credits, StartTime: within.start, EndTime: within.end}
	if within.current {
		included := h.settings.includedCredits
		total.Limit = &included
		total.CreditsRemaining = new(max(included-sum.credits, 0))
		total.Overages = new(max(sum.credits-included, 0))
	}
	return adminapi.GetUsage200JSONResponse{Data: total}, nil
}

// The reports that split the usage up. What was not used within the time range is not in them.

// sums holds what was used for each key.
type sums[K comparable] map[K]*used

func (s sums[K]) add(key K, c *call) {
	if s[key] == nil {
		s[key] = new(used)
	}
	s[key].add(c)
}

// GetUsageByTag is GET /v0/usage/rpc/by-tag. The usage of an endpoint with several tags counts for each of them. Data
// costs no credits with this account's plan.
func (h adminHandlers) GetUsageByTag(_ context.Context, r adminapi.GetUsageByTagRequestObject) (adminapi.GetUsageByTagResponseObject, error) {
	within, err := h.state.usageRange(r.Params.StartTime, r.Params.EndTime)
	if err != nil {
		return nil, err
	}
	byTag := make(sums[*tag])
	for endpoint, call := range h.state.callsWithin(within) {
		tagged := false
		for _, tag := range endpoint.tags {
			// An archived endpoint may still have a tag that the account has deleted since.
			if slices.Contains(h.state.tags.all, tag) {
				byTag.add(tag, call)
				tagged = true
			}
		}
		if !tagged {
			byTag.add(nil, call)
		}
	}
	report := adminapi.UsageByTag{StartTime: within.start, EndTime: within.end, Tags: []adminapi.TagUsage{}}
	for _, tag := range slices.Concat(h.state.tags.all, []*tag{nil}) {
		if used, some := byTag[tag]; some {
			report.Tags = append(report.Tags, tagUsage(tag, used))
		}
	}
	return adminapi.GetUsageByTag200JSONResponse{Data: report}, nil
}

// tagUsage shows the usage of a tag, or of the endpoints without one.
func tagUsage(tag *tag, used *used) adminapi.TagUsage {
	record := adminapi.TagUsage{
		Label:       "untagged",
		CreditsUsed: used.credits,
		RPCCredits:  &used.credits,
		DataCredits: new(int64(0)),
		Bytes:       &used.bytes,
		Requests:    used.requests,
	}
	if tag != nil {
		record.TagID, record.Label = &tag.id, tag.label
	}
	return record
}

// GetUsageByEndpoint is GET /v0/usage/rpc/by-endpoint.
func (h adminHandlers) GetUsageByEndpoint(_ context.Context, r adminapi.GetUsageByEndpointRequestObject) (adminapi.GetUsageByEndpointResponseObject, error) {
	within, err := h.state.usageRange(r.Params.StartTime, r.Params.EndTime)
	if err != nil {
		return nil, err
	}
	byEndpoint, methods := make(sums[*endpoint]), make(map[*endpoint]sums[methodKey])
	for endpoint, call := range h.state.callsWithin(within) {
		byEndpoint.add(endpoint, call)
		if methods[endpoint] == nil {
			methods[endpoint] = make(sums[methodKey])
		}
		methods[endpoint].add(call.methodKey(), call)
	}
	report := adminapi.UsageByEndpoint{StartTime: within.start, EndTime: within.end, Endpoints: []adminapi.EndpointUsage{}}
	for _, endpoint := range h.state.order {
		if used, some := byEndpoint[endpoint]; some {
			report.Endpoints = append(report.Endpoints, adminapi.EndpointUsage{
				Name:             &endpoint.name,
				Label:            endpoint.label,
				Chain:            &endpoint.chain.slug,
				Network:          &endpoint.network.slug,
				Status:           &endpoint.status,
				CreditsUsed:      &used.credits,
				Requests:         &used.requests,
				MethodsBreakdown: methodUsages(methods[endpoint]),
			})
		}
	}
	return adminapi.GetUsageByEndpoint200JSONResponse{Data: report}, nil
}

// methodKey is what usage by method keeps apart.
type methodKey struct {
	method, network, chain string
	archive                bool
}

func (c *call) methodKey() methodKey {
	return methodKey{method: c.Method, network: c.Network, chain: c.chain.slug, archive: c.Archive}
}

// compare sorts by method, then by network, with archived state behind.
func (k methodKey) compare(other methodKey) int {
	archive := func(k methodKey) int {
		if k.archive {
			return 1
		}
		return 0
	}
	return cmp.Or(
		cmp.Compare(k.method, other.method),
		cmp.Compare(k.network, other.network),
		cmp.Compare(archive(k), archive(other)),
	)
}

// methodUsages shows the usage of methods.
func methodUsages(byMethod sums[methodKey]) []adminapi.MethodUsage {
	records := make([]adminapi.MethodUsage, 0, len(byMethod))
	for _, key := range slices.SortedFunc(maps.Keys(byMethod), methodKey.compare) {
		records = append(records, adminapi.MethodUsage{
			MethodName:  &key.method,
			CreditsUsed: &byMethod[key].credits,
			Archive:     &key.archive,
			Network:     &key.network,
			Chain:       &key.chain,
		})
	}
	return records
}

// GetUsageByMethod is GET /v0/usage/rpc/by-method.
func (h adminHandlers) GetUsageByMethod(_ context.Context, r adminapi.GetUsageByMethodRequestObject) (adminapi.GetUsageByMethodResponseObject, error) {
	within, err := h.state.usageRange(r.Params.StartTime, r.Params.EndTime)
	if err != nil {
		return nil, err
	}
	byMethod := make(sums[methodKey])
	for _, call := range h.state.callsWithin(within) {
		byMethod.add(call.methodKey(), call)
	}
	return adminapi.GetUsageByMethod200JSONResponse{Data: adminapi.UsageByMethod{
		StartTime: within.start,
		EndTime:   within.end,
		Methods:   methodUsages(byMethod),
	}}, nil
}

// GetUsageByChain is GET /v0/usage/rpc/by-chain. The chain is that of the network called, which with multichain need
// not be the endpoint's own.
func (h adminHandlers) GetUsageByChain(_ context.Context, r adminapi.GetUsageByChainRequestObject) (adminapi.GetUsageByChainResponseObject, error) {
	within, err := h.state.usageRange(r.Params.StartTime, r.Params.EndTime)
	if err != nil {
		return nil, err
	}
	byChain := make(sums[*chain])
	for _, call := range h.state.callsWithin(within) {
		byChain.add(call.chain, call)
	}
	report := adminapi.UsageByChain{StartTime: within.start, EndTime: within.end, Chains: []adminapi.ChainUsage{}}
	for _, chain := range catalogue {
		if used, some := byChain[chain]; some {
			report.Chains = append(report.Chains, adminapi.ChainUsage{Name: &chain.slug, CreditsUsed: &used.credits})
		}
	}
	return adminapi.GetUsageByChain200JSONResponse{Data: report}, nil
}
