package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// FindCreatedMethodLimit looks for what CreateMethodLimit was to make: the endpoint's limits of that rate, of that
// interval and of those methods, in any order. See [Lookup].
//
// GET /v0/endpoints/{id}/method-rate-limits
func (s *RateLimitsService) FindCreatedMethodLimit(ctx context.Context, id string, limit admin.CreateMethodRateLimitRequest, opts ...CallOption) (Lookup[admin.MethodRateLimiter], error) {
	list, err := fetch[admin.MethodRateLimiterList](ctx, s.engine.call(api.ListMethodRateLimits(id), opts,
		oneOf("interval", limit.Interval),
		requiredList("methods", limit.Methods),
	))
	return lookAmong(list.RateLimiters, err,
		func(has *admin.MethodRateLimiter) string { return has.ID },
		func(has *admin.MethodRateLimiter) bool {
			return has.Rate == limit.Rate && has.Interval == limit.Interval && sameNames(has.Methods, limit.Methods)
		},
	)
}
