package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// RateLimitsService limits how often an endpoint may be called: as a whole, with overrides of what the account's plan
// sets, and method by method.
//
// Methods take the endpoint's id first and return [ErrNotFound] where there is no such endpoint.
type RateLimitsService struct{ engine *engine }

// Get returns the limits of the endpoint as a whole: those of the plan and those that override them.
// [RateLimits.InForce] and [RateLimits.Override] pick out what applies and what can be removed.
//
// GET /v0/endpoints/{id}/rate-limits
func (s *RateLimitsService) Get(ctx context.Context, id string, opts ...CallOption) (RateLimits, error) {
	rows, err := fetch[admin.RateLimitRows](ctx, s.engine.call(api.GetRateLimits(id), opts))
	return rateLimitRows(rows.RateLimits), err
}

// Update overrides the limits that are not nil, at least one, each at least 1 and at most what the plan allows; a
// higher one is [ErrInvalidRequest]. The others stay as they are: RemoveOverride is the way to take an override back.
// The result is what the response tells of the limits in force, without their sources; where it tells nothing
// (observed), those that were sent. A service that could not set them returns [ErrServer].
//
//	client.RateLimits.Update(ctx, id, admin.RateLimitOverrides{RPS: new(50)})
//
// PATCH /v0/endpoints/{id}/rate-limits
func (s *RateLimitsService) Update(ctx context.Context, id string, limits admin.RateLimitOverrides, opts ...CallOption) (RateLimits, error) {
	return s.set(ctx, api.UpdateRateLimits(id, admin.UpdateRateLimitsRequest{RateLimits: limits}), limits, opts)
}

// Replace does what Update does, by the older method. It replaces nothing: limits that are nil stay as they are.
//
// Deprecated: The service keeps PUT as an alias of PATCH. Use Update.
//
// PUT /v0/endpoints/{id}/rate-limits
func (s *RateLimitsService) Replace(ctx context.Context, id string, limits admin.RateLimitOverrides, opts ...CallOption) (RateLimits, error) {
	return s.set(ctx, api.ReplaceRateLimits(id, admin.UpdateRateLimitsRequest{RateLimits: limits}), limits, opts)
}

func (s *RateLimitsService) set(ctx context.Context, request api.Request, limits admin.RateLimitOverrides, opts []CallOption) (RateLimits, error) {
	updated, err := fetch[admin.UpdatedRateLimits](ctx, s.engine.call(request, opts))
	if err != nil {
		return nil, err
	}
	if told := orZero(updated.Limits); told != (admin.RateLimitValues{}) {
		return rateLimitValues(told.RPS, told.RPM, told.RPD), nil
	}
	return rateLimitValues(limits.RPS, limits.RPM, limits.RPD), nil
}

// RemoveOverride takes an override back, so that the plan's limit applies again. The id is [RateLimit.OverrideID] as
// Get returns it, a UUID; one that is not an override of the endpoint is [ErrNotFound], for limits of the plan cannot
// be removed.
//
// DELETE /v0/endpoints/{id}/rate-limits/{override_id}
func (s *RateLimitsService) RemoveOverride(ctx context.Context, id, overrideID string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.DeleteRateLimitOverride(id, overrideID), opts))
}
