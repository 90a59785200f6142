package rpcfleet

import (
	"context"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// ListMethodLimits returns the limits of single methods. Of an endpoint that does not exist the service shows an empty
// list with the status 404, which is [ErrNotFound] here: it cannot be mistaken for an endpoint without such limits.
//
// GET /v0/endpoints/{id}/method-rate-limits
func (s *RateLimitsService) ListMethodLimits(ctx context.Context, id string, opts ...CallOption) ([]admin.MethodRateLimiter, error) {
	list, err := fetch[admin.MethodRateLimiterList](ctx, s.engine.call(api.ListMethodRateLimits(id), opts))
	return list.RateLimiters, err
}

// CreateMethodLimit limits how often the methods may be called within the interval. All three fields are required, and
// the rate is sent as it is, a 0 included. It is not repeated after a failure that leaves open whether the service
// acted, which is [ErrMaybeCarriedOut]: FindCreatedMethodLimit tells then whether the limit exists. What the service does
// not accept is [ErrInvalidRequest]. A success without the limit's id is [ErrCarriedOut].
//
// POST /v0/endpoints/{id}/method-rate-limits
func (s *RateLimitsService) CreateMethodLimit(ctx context.Context, id string, limit admin.CreateMethodRateLimitRequest, opts ...CallOption) (*admin.MethodRateLimiter, error) {
	return fetch[*admin.MethodRateLimiter](ctx, s.engine.call(api.CreateMethodRateLimit(id, limit), opts))
}

// UpdateMethodLimit changes the fields that are not nil: the methods, which replace the former ones, the rate, or
// whether the limit is on. A list of methods that is empty and not nil is sent as such. The interval cannot be changed.
// An id that is not one of the endpoint's limits is [ErrNotFound], a value that the service does not accept
// [ErrInvalidRequest]. Where the service sent no limit, the result has the id and what was sent, and nothing else is
// known: its interval is empty.
//
// PATCH /v0/endpoints/{id}/method-rate-limits/{method_rate_limit_id}
func (s *RateLimitsService) UpdateMethodLimit(ctx context.Context, id, limitID string, limit admin.UpdateMethodRateLimitRequest, opts ...CallOption) (*admin.MethodRateLimiter, error) {
	return change(ctx, s.engine.call(api.UpdateMethodRateLimit(id, limitID, limit), opts), admin.MethodRateLimiter{
		ID: limitID, Methods: slices.Clone(limit.Methods), Rate: orZero(limit.Rate), Status: orZero(limit.Status),
	})
}

// DeleteMethodLimit deletes a limit of single methods. An id that is not one of the endpoint's limits is [ErrNotFound].
//
// DELETE /v0/endpoints/{id}/method-rate-limits/{method_rate_limit_id}
func (s *RateLimitsService) DeleteMethodLimit(ctx context.Context, id, limitID string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.DeleteMethodRateLimit(id, limitID), opts))
}
