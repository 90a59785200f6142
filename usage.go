package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// UsageService tells how many credits the account has used, in total and broken down.
//
// Every method takes the range of time to add up over, in unix seconds: without a start it begins with the current
// billing period, without an end it ends now, and a start does not come after the end. The five names of its type stand
// for one, so that one value serves them all. The records tell the range in force, in StartTime and EndTime. A range
// that the service finds invalid is [ErrInvalidRequest].
//
//	lastDay := admin.GetUsageParams{StartTime: new(time.Now().AddDate(0, 0, -1).Unix())}
//	total, err := client.Usage.Total(ctx, lastDay)
type UsageService struct{ engine *engine }

// Total returns the credits used in the range. CreditsRemaining, Limit and Overages are nil where the service gives
// null, which is not 0: what remains is told for the current billing period only, with neither end given.
//
// GET /v0/usage/rpc
func (s *UsageService) Total(ctx context.Context, params admin.GetUsageParams, opts ...CallOption) (*admin.UsageTotal, error) {
	return usage[admin.UsageTotal](ctx, s, api.GetUsage(&params), params, opts)
}

// ByTag returns the usage of each tag. The item whose TagID is nil adds up the endpoints without a tag; it is not the
// tag with the id 0.
//
// GET /v0/usage/rpc/by-tag
func (s *UsageService) ByTag(ctx context.Context, params admin.GetUsageByTagParams, opts ...CallOption) (*admin.UsageByTag, error) {
	return usage[admin.UsageByTag](ctx, s, api.GetUsageByTag(&params), params, opts)
}

// ByEndpoint returns the usage of each endpoint, broken down by method. An item has no id: [UsageByID] finds the
// endpoints of a listing that the items are about.
//
// GET /v0/usage/rpc/by-endpoint
func (s *UsageService) ByEndpoint(ctx context.Context, params admin.GetUsageByEndpointParams, opts ...CallOption) (*admin.UsageByEndpoint, error) {
	return usage[admin.UsageByEndpoint](ctx, s, api.GetUsageByEndpoint(&params), params, opts)
}

// ByMethod returns the usage of each RPC method on each network.
//
// GET /v0/usage/rpc/by-method
func (s *UsageService) ByMethod(ctx context.Context, params admin.GetUsageByMethodParams, opts ...CallOption) (*admin.UsageByMethod, error) {
	return usage[admin.UsageByMethod](ctx, s, api.GetUsageByMethod(&params), params, opts)
}

// ByChain returns the usage of each chain.
//
// GET /v0/usage/rpc/by-chain
func (s *UsageService) ByChain(ctx context.Context, params admin.GetUsageByChainParams, opts ...CallOption) (*admin.UsageByChain, error) {
	return usage[admin.UsageByChain](ctx, s, api.GetUsageByChain(&params), params, opts)
}

// usage carries out one of the usage operations.
func usage[T any](ctx context.Context, s *UsageService, request api.Request, within admin.GetUsageParams, opts []CallOption) (*T, error) {
	var check *ValidationError
	if start, end := within.StartTime, within.EndTime; start != nil && end != nil && *start > *end {
		check = &ValidationError{Field: "start_time", Rule: "must not be after end_time", Value: *start}
	}
	return fetch[*T](ctx, s.engine.call(request, opts, check))
}
