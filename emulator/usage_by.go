package emulator

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

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
