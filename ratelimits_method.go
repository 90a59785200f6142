package rpcfleet

import (
	"context"
	"net/http"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/admin"
)

// ListMethodLimits returns the limits of single methods. Of an endpoint that does not exist the service shows an empty
// list with the status 404, which is ErrNotFound here: it cannot be mistaken for an endpoint without such limits.
//
// GET /v0/endpoints/{id}/method-rate-limits
func (s *RateLimitsService) ListMethodLimits(ctx context.Context, id string, opts ...CallOption) ([]admin.MethodRateLimiter, error) {
	list, err := fetch[admin.MethodRateLimiterList](ctx, s.client, call{
		op: admin.ListMethodRateLimitsOperation,
		build: func(base string) (*http.Request, error) {
			return admin.NewListMethodRateLimitsRequest(base, id)
		},
		checks: []*ValidationError{segment("id", id)},
		opts:   opts,
	})
	return list.RateLimiters, err
}

// CreateMethodLimit limits how often the methods may be called within the interval. All three fields are required; a
// rate of 0 counts as missing. It is not repeated after a failure that leaves open whether the service acted. What the
// service does not accept is ErrInvalidRequest. A success without the limit's id is ErrCarriedOut.
//
// POST /v0/endpoints/{id}/method-rate-limits
func (s *RateLimitsService) CreateMethodLimit(ctx context.Context, id string, limit admin.CreateMethodRateLimitRequest, opts ...CallOption) (*admin.MethodRateLimiter, error) {
	return fetch[*admin.MethodRateLimiter](ctx, s.client, call{
		op: admin.CreateMethodRateLimitOperation,
		build: func(base string) (*http.Request, error) {
			return admin.NewCreateMethodRateLimitRequest(base, id, limit)
		},
		checks: []*ValidationError{
			segment("id", id), oneOf("interval", limit.Interval), requiredList("methods", limit.Methods), requiredRate(limit.Rate),
		},
		opts: opts,
	})
}

// requiredRate checks that a rate is there. The contract states no minimum.
func requiredRate(rate int) *ValidationError {
	if rate == 0 {
		return &ValidationError{Field: "rate", Rule: "is required"}
	}
	return nil
}

// UpdateMethodLimit changes the fields that are not nil, at least one: the methods, which replace the former ones, the
// rate, or whether the limit is on. The interval cannot be changed. An id that is not one of the endpoint's limits is
// ErrNotFound, a value that the service does not accept ErrInvalidRequest. Where the service sent no limit, the result has
// the id and what was sent, and nothing else is known: its interval is empty.
//
// PATCH /v0/endpoints/{id}/method-rate-limits/{method_rate_limit_id}
func (s *RateLimitsService) UpdateMethodLimit(ctx context.Context, id, limitID string, limit admin.UpdateMethodRateLimitRequest, opts ...CallOption) (*admin.MethodRateLimiter, error) {
	return change(ctx, s.client, call{
		op: admin.UpdateMethodRateLimitOperation,
		build: func(base string) (*http.Request, error) {
			return admin.NewUpdateMethodRateLimitRequest(base, id, limitID, limit)
		},
		checks: []*ValidationError{
			segment("id", id),
			segment("method_rate_limit_id", limitID),
			anyOf("change", []string{"methods", "rate", "status"},
				limit.Methods != nil || limit.Rate != nil || limit.Status != nil),
			optionalList("methods", limit.Methods),
			optionalOneOf("status", limit.Status),
		},
		opts: opts,
	}, admin.MethodRateLimiter{
		ID: limitID, Methods: slices.Clone(limit.Methods), Rate: orZero(limit.Rate), Status: orZero(limit.Status),
	})
}

// optionalList checks a list that may be left out. An empty one is refused: it would be left out unnoticed.
func optionalList(field string, values []string) *ValidationError {
	if values == nil {
		return nil
	}
	return requiredList(field, values)
}

// DeleteMethodLimit deletes a limit of single methods. An id that is not one of the endpoint's limits is ErrNotFound.
//
// DELETE /v0/endpoints/{id}/method-rate-limits/{method_rate_limit_id}
func (s *RateLimitsService) DeleteMethodLimit(ctx context.Context, id, limitID string, opts ...CallOption) error {
	return confirm(ctx, s.client, call{
		op: admin.DeleteMethodRateLimitOperation,
		build: func(base string) (*http.Request, error) {
			return admin.NewDeleteMethodRateLimitRequest(base, id, limitID)
		},
		checks: []*ValidationError{segment("id", id), segment("method_rate_limit_id", limitID)},
		opts:   opts,
	})
}
