package rpcfleet

import (
	"context"
	"fmt"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// RateLimitsService manages the rate limits of an endpoint: for the endpoint as a whole, with overrides of the plan's
// limits, and for single methods.
//
// Methods take the endpoint's id first. If the endpoint does not exist, the error is [ErrNotFound].
type RateLimitsService struct{ engine *engine }

// Get returns the limits of the endpoint as a whole: the plan's limits and their overrides. [RateLimits.Effective]
// returns the limit that applies, [RateLimits.Override] the override that can be removed.
//
// GET /v0/endpoints/{id}/rate-limits
func (s *RateLimitsService) Get(ctx context.Context, id string, opts ...CallOption) (RateLimits, error) {
	rows, err := fetch[api.RateLimitRows](ctx, s.engine.call(api.GetRateLimits(id), opts))
	return rateLimitRows(rows.RateLimits), err
}

// Update overrides the limits that are not nil; at least one is required. Each must be at least 1 and at most the
// plan's maximum; a higher one is [ErrInvalidRequest]. The other limits stay unchanged: use RemoveOverride to remove an
// override. The result contains the response's effective limits, without their sources. If the response contains no
// limits (observed), it contains the limits that were sent. If the service could not set them, the error is
// [ErrServer].
//
//	client.RateLimits.Update(ctx, id, admin.RateLimitOverrides{RPS: new(50)})
//
// PATCH /v0/endpoints/{id}/rate-limits
func (s *RateLimitsService) Update(
	ctx context.Context, id string, limits admin.RateLimitOverrides, opts ...CallOption,
) (RateLimits, error) {
	return s.set(ctx, api.UpdateRateLimits(id, api.UpdateRateLimitsRequest{RateLimits: limits}), limits, opts)
}

// Replace does the same as Update, with the older HTTP method. It replaces nothing: limits that are nil stay unchanged.
//
// Deprecated: The service keeps PUT as an alias of PATCH. Use Update.
//
// PUT /v0/endpoints/{id}/rate-limits
func (s *RateLimitsService) Replace(
	ctx context.Context, id string, limits admin.RateLimitOverrides, opts ...CallOption,
) (RateLimits, error) {
	return s.set(ctx, api.ReplaceRateLimits(id, api.UpdateRateLimitsRequest{RateLimits: limits}), limits, opts)
}

func (s *RateLimitsService) set(
	ctx context.Context, request api.Request, limits admin.RateLimitOverrides, opts []CallOption,
) (RateLimits, error) {
	updated, err := fetch[api.UpdatedRateLimits](ctx, s.engine.call(request, opts))
	if err != nil {
		return nil, err
	}
	if told := orZero(updated.Limits); told != (api.RateLimitValues{}) {
		return rateLimitValues(told.RPS, told.RPM, told.RPD), nil
	}
	return rateLimitValues(limits.RPS, limits.RPM, limits.RPD), nil
}

// RemoveOverride removes an override, so that the plan's limit applies again. The id is a UUID, [RateLimit.OverrideID]
// in the result of Get. If it is not an override of the endpoint, the error is [ErrNotFound]; limits of the plan cannot
// be removed.
//
// DELETE /v0/endpoints/{id}/rate-limits/{override_id}
func (s *RateLimitsService) RemoveOverride(ctx context.Context, id, overrideID string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.DeleteRateLimitOverride(id, overrideID), opts))
}

// ListMethodLimits returns the limits of single methods. If the endpoint does not exist, the service returns an empty
// list with status 404, and the error is [ErrNotFound]: it cannot be mistaken for an endpoint without such limits.
//
// GET /v0/endpoints/{id}/method-rate-limits
func (s *RateLimitsService) ListMethodLimits(
	ctx context.Context, id string, opts ...CallOption,
) ([]admin.MethodRateLimiter, error) {
	list, err := fetch[api.MethodRateLimiterList](ctx, s.engine.call(api.ListMethodRateLimits(id), opts))
	return list.RateLimiters, err
}

// CreateMethodLimit limits the number of calls of the methods within the interval. All three fields are required, and
// the rate is sent unchanged, even if it is 0. A limit that the service rejects is [ErrInvalidRequest]. If the outcome
// is open, the error matches [ErrOutcomeUnknown]; see FindCreatedMethodLimit.
//
// POST /v0/endpoints/{id}/method-rate-limits
func (s *RateLimitsService) CreateMethodLimit(
	ctx context.Context, id string, limit admin.CreateMethodRateLimitRequest, opts ...CallOption,
) (*admin.MethodRateLimiter, error) {
	return fetch[*admin.MethodRateLimiter](ctx, s.engine.call(api.CreateMethodRateLimit(id, limit), opts))
}

// UpdateMethodLimit changes the fields that are not nil: the methods, which replace the former ones, the rate, or the
// status. A list of methods that is empty but not nil is sent. The interval cannot be changed. If the id is not a limit
// of the endpoint, the error is [ErrNotFound]; if the service rejects a value, [ErrInvalidRequest]. If the service
// sends no limit, the result contains only the id and the values that were sent: its interval is empty.
//
// PATCH /v0/endpoints/{id}/method-rate-limits/{method_rate_limit_id}
func (s *RateLimitsService) UpdateMethodLimit(
	ctx context.Context, id, limitID string, limit admin.UpdateMethodRateLimitRequest, opts ...CallOption,
) (*admin.MethodRateLimiter, error) {
	return change(ctx, s.engine.call(api.UpdateMethodRateLimit(id, limitID, limit), opts), admin.MethodRateLimiter{
		ID: limitID, Methods: slices.Clone(limit.Methods), Rate: orZero(limit.Rate), Status: orZero(limit.Status),
	})
}

// DeleteMethodLimit deletes a limit of single methods. If the id is not a limit of the endpoint, the error is
// [ErrNotFound].
//
// DELETE /v0/endpoints/{id}/method-rate-limits/{method_rate_limit_id}
func (s *RateLimitsService) DeleteMethodLimit(ctx context.Context, id, limitID string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.DeleteMethodRateLimit(id, limitID), opts))
}

// RateLimit is one limit of an endpoint as a whole.
type RateLimit struct {
	// Bucket is the unit of the limit: requests per second, minute or day.
	Bucket admin.RateLimitBucket
	// Requests is the maximum number of requests. It is nil if there is no limit or if the service sent no number;
	// Unlimited distinguishes the two.
	Requests *int
	// Unlimited is set if the service reports that there is no limit, as -1.
	Unlimited bool
	// Source is the origin of the limit. It is empty if the response does not contain it.
	Source admin.RateLimitSource
	// OverrideID is the id for [RateLimitsService.RemoveOverride]. It is empty if the limit cannot be removed.
	OverrideID string
}

// Format prints the record.
func (l RateLimit) Format(state fmt.State, _ rune) { redact.Record(state, l) }

// RateLimits are the limits of an endpoint as a whole. A bucket can appear twice, once for each source.
type RateLimits []RateLimit

// RateLimitsOf returns the limits in an endpoint's record from [EndpointsService.Get]. They are the effective limits,
// without their sources. If the record is nil, there are none.
func RateLimitsOf(record *admin.EndpointRateLimits) RateLimits {
	if record == nil {
		return nil
	}
	return rateLimitValues(record.RPS, record.RPM, record.RPD)
}

// Effective returns the limit that applies to a bucket: an override takes precedence over the plan's limit. It returns
// false if the service reported no limit.
func (l RateLimits) Effective(bucket admin.RateLimitBucket) (RateLimit, bool) {
	var inForce RateLimit
	found := false
	for _, limit := range l {
		if limit.Bucket == bucket && (!found || limit.precedence() >= inForce.precedence()) {
			inForce, found = limit, true
		}
	}
	return inForce, found
}

// precedence orders limits of one bucket. A source that is newer than this version is assumed to override the plan,
// like every source except the plan.
func (l RateLimit) precedence() int {
	switch l.Source {
	case admin.RateLimitSourceUserOverride:
		return 2
	case admin.RateLimitSourcePlanDefault:
		return 0
	}
	return 1
}

// Override returns the id of a bucket's override, for [RateLimitsService.RemoveOverride], or false if there is no
// override to remove. If there are several, it is the effective one: the others have no effect.
func (l RateLimits) Override(bucket admin.RateLimitBucket) (overrideID string, set bool) {
	removable := slices.DeleteFunc(slices.Clone(l), func(limit RateLimit) bool { return limit.OverrideID == "" })
	override, set := removable.Effective(bucket)
	return override.OverrideID, set
}

// rateLimitRows converts the rows of a listing.
func rateLimitRows(rows []api.RateLimitRow) RateLimits {
	var limits RateLimits
	for _, row := range rows {
		limit := RateLimit{Bucket: orZero(row.Bucket), Source: orZero(row.Source)}
		if limit.Source != admin.RateLimitSourcePlanDefault {
			limit.OverrideID = orZero(row.ID) // The id of a plan's limit cannot be used to remove it.
		}
		limit.Requests, limit.Unlimited = rateLimitNumber(row.RateLimit)
		limits = append(limits, limit)
	}
	return limits
}

// rateLimitValues converts a record with a field for each bucket. Fields that are nil are ignored.
func rateLimitValues(rps, rpm, rpd *int) RateLimits {
	var limits RateLimits
	for _, value := range []struct {
		bucket   admin.RateLimitBucket
		requests *int
	}{
		{admin.RateLimitBucketRPS, rps}, {admin.RateLimitBucketRPM, rpm}, {admin.RateLimitBucketRPD, rpd},
	} {
		if value.requests != nil {
			limit := RateLimit{Bucket: value.bucket}
			limit.Requests, limit.Unlimited = rateLimitNumber(value.requests)
			limits = append(limits, limit)
		}
	}
	return limits
}

// rateLimitNumber converts -1, which stands for no limit, so that callers do not compute with it. The contract has no
// other negative number.
func rateLimitNumber(number *int) (requests *int, unlimited bool) {
	if number != nil && *number < 0 {
		return nil, true
	}
	return number, false
}

// orZero returns the value of a pointer, or the zero value if the pointer is nil.
func orZero[T any](pointer *T) T {
	if pointer == nil {
		var zero T
		return zero
	}
	return *pointer
}

// FindCreatedMethodLimit searches for the result of CreateMethodLimit: the endpoint's limits with that rate, interval
// and methods, in any order. See [Lookup].
//
// GET /v0/endpoints/{id}/method-rate-limits
func (s *RateLimitsService) FindCreatedMethodLimit(ctx context.Context, id string,
	limit admin.CreateMethodRateLimitRequest, opts ...CallOption) (Lookup[admin.MethodRateLimiter], error) {
	list, err := fetch[api.MethodRateLimiterList](ctx, s.engine.call(api.ListMethodRateLimits(id), opts,
		oneOf("interval", limit.Interval),
		requiredList("methods", limit.Methods),
	))
	return lookUp(list.RateLimiters, err,
		func(has *admin.MethodRateLimiter) string { return has.ID },
		func(has *admin.MethodRateLimiter) bool {
			return has.Rate == limit.Rate && has.Interval == limit.Interval && sameNames(has.Methods, limit.Methods)
		},
	)
}
