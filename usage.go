package rpcfleet

import (
	"context"
	"time"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/wire"
)

// UsageService tells how many credits the account has used, in total and broken down.
//
// Every method takes a range of time. The records tell the range in force, as unix seconds in StartTime and EndTime. A
// range that the service finds invalid is [ErrInvalidRequest].
type UsageService struct{ engine *engine }

// UsageRange is the range of time that usage is added up over. The zero UsageRange is the current billing period. Times
// are sent as unix seconds, with fractions of a second cut off; where both are given, Start does not come after End.
type UsageRange struct {
	// Start is the beginning. The zero time leaves it out: the current billing period's start is taken.
	Start time.Time
	// End is the end. The zero time leaves it out: the present is taken.
	End time.Time
}

// Total returns the credits used in the range. CreditsRemaining, Limit and Overages are nil where the service gives
// null, which is not 0: what remains is told for the current billing period only, with neither end given.
//
// GET /v0/usage/rpc
func (s *UsageService) Total(ctx context.Context, within UsageRange, opts ...CallOption) (*admin.UsageTotal, error) {
	return usage[admin.UsageTotal](ctx, s, wire.GetUsage, within, opts)
}

// ByTag returns the usage of each tag. The item whose TagID is nil adds up the endpoints without a tag; it is not the
// tag with the id 0.
//
// GET /v0/usage/rpc/by-tag
func (s *UsageService) ByTag(ctx context.Context, within UsageRange, opts ...CallOption) (*admin.UsageByTag, error) {
	return usage[admin.UsageByTag](ctx, s, wire.GetUsageByTag, within, opts)
}

// ByEndpoint returns the usage of each endpoint, broken down by method.
//
// GET /v0/usage/rpc/by-endpoint
func (s *UsageService) ByEndpoint(ctx context.Context, within UsageRange, opts ...CallOption) (*admin.UsageByEndpoint, error) {
	return usage[admin.UsageByEndpoint](ctx, s, wire.GetUsageByEndpoint, within, opts)
}

// ByMethod returns the usage of each RPC method on each network.
//
// GET /v0/usage/rpc/by-method
func (s *UsageService) ByMethod(ctx context.Context, within UsageRange, opts ...CallOption) (*admin.UsageByMethod, error) {
	return usage[admin.UsageByMethod](ctx, s, wire.GetUsageByMethod, within, opts)
}

// ByChain returns the usage of each chain.
//
// GET /v0/usage/rpc/by-chain
func (s *UsageService) ByChain(ctx context.Context, within UsageRange, opts ...CallOption) (*admin.UsageByChain, error) {
	return usage[admin.UsageByChain](ctx, s, wire.GetUsageByChain, within, opts)
}

// usageParams are the generated parameters of the usage operations, which differ in nothing but their names.
type usageParams interface {
	admin.GetUsageParams | admin.GetUsageByTagParams | admin.GetUsageByEndpointParams |
		admin.GetUsageByMethodParams | admin.GetUsageByChainParams
}

// usage carries out one of the usage operations.
func usage[T any, P usageParams](
	ctx context.Context, s *UsageService, build func(*P) wire.Request, within UsageRange, opts []CallOption,
) (*T, error) {
	params := P(within.params())
	return fetch[*T](ctx, s.engine.call(build(&params), opts, within.check()))
}

func (r UsageRange) params() (params admin.GetUsageParams) {
	if !r.Start.IsZero() {
		params.StartTime = new(r.Start.Unix())
	}
	if !r.End.IsZero() {
		params.EndTime = new(r.End.Unix())
	}
	return params
}

func (r UsageRange) check() *ValidationError {
	if r.Start.IsZero() || r.End.IsZero() {
		return nil
	}
	return ordered("start_time", r.Start, "end_time", r.End)
}
