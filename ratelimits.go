package rpcfleet

import (
	"context"
	"fmt"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// RateLimitsService limits how often an endpoint may be called: as a whole, with overrides of what the account's plan
// sets, and method by method.
//
// Methods take the endpoint's id first and return [ErrNotFound] where there is no such endpoint.
type RateLimitsService struct{ engine *engine }

// Get returns the limits of the endpoint as a whole: those of the plan and those that override them.
// [RateLimits.Effective] and [RateLimits.Override] pick out what applies and what can be removed.
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
func (s *RateLimitsService) Update(
	ctx context.Context, id string, limits admin.RateLimitOverrides, opts ...CallOption,
) (RateLimits, error) {
	return s.set(ctx, api.UpdateRateLimits(id, admin.UpdateRateLimitsRequest{RateLimits: limits}), limits, opts)
}

// Replace does what Update does, by the older method. It replaces nothing: limits that are nil stay as they are.
//
// Deprecated: The service keeps PUT as an alias of PATCH. Use Update.
//
// PUT /v0/endpoints/{id}/rate-limits
func (s *RateLimitsService) Replace(
	ctx context.Context, id string, limits admin.RateLimitOverrides, opts ...CallOption,
) (RateLimits, error) {
	return s.set(ctx, api.ReplaceRateLimits(id, admin.UpdateRateLimitsRequest{RateLimits: limits}), limits, opts)
}

func (s *RateLimitsService) set(
	ctx context.Context, request api.Request, limits admin.RateLimitOverrides, opts []CallOption,
) (RateLimits, error) {
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

// ListMethodLimits returns the limits of single methods. Of an endpoint that does not exist the service shows an empty
// list with the status 404, which is [ErrNotFound] here: it cannot be mistaken for an endpoint without such limits.
//
// GET /v0/endpoints/{id}/method-rate-limits
func (s *RateLimitsService) ListMethodLimits(
	ctx context.Context, id string, opts ...CallOption,
) ([]admin.MethodRateLimiter, error) {
	list, err := fetch[admin.MethodRateLimiterList](ctx, s.engine.call(api.ListMethodRateLimits(id), opts))
	return list.RateLimiters, err
}

// CreateMethodLimit limits how often the methods may be called within the interval. All three fields are required,
// and the rate is sent as it is, a 0 included. It is not repeated after a failure that leaves open whether the
// service acted, which is [ErrOutcomeUnknown]: FindCreatedMethodLimit tells then whether the limit exists. What the
// service does not accept is [ErrInvalidRequest]. A success without the limit's id is [ErrNoRecord].
//
// POST /v0/endpoints/{id}/method-rate-limits
func (s *RateLimitsService) CreateMethodLimit(
	ctx context.Context, id string, limit admin.CreateMethodRateLimitRequest, opts ...CallOption,
) (*admin.MethodRateLimiter, error) {
	return fetch[*admin.MethodRateLimiter](ctx, s.engine.call(api.CreateMethodRateLimit(id, limit), opts))
}

// UpdateMethodLimit changes the fields that are not nil: the methods, which replace the former ones, the rate, or
// whether the limit is on. A list of methods that is empty and not nil is sent as such. The interval cannot be changed.
// An id that is not one of the endpoint's limits is [ErrNotFound], a value that the service does not accept
// [ErrInvalidRequest]. Where the service sent no limit, the result has the id and what was sent, and nothing else is
// known: its interval is empty.
//
// PATCH /v0/endpoints/{id}/method-rate-limits/{method_rate_limit_id}
func (s *RateLimitsService) UpdateMethodLimit(
	ctx context.Context, id, limitID string, limit admin.UpdateMethodRateLimitRequest, opts ...CallOption,
) (*admin.MethodRateLimiter, error) {
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

// RateLimit is one limit of an endpoint as a whole.
type RateLimit struct {
	// Bucket tells what is limited: requests a second, a minute or a day.
	Bucket admin.RateLimitBucket
	// Requests is the largest number of requests. It is nil where there is no limit, and where the service sent no
	// number; Unlimited tells the two apart.
	Requests *int
	// Unlimited is set where the service says that there is no limit, which it spells -1.
	Unlimited bool
	// Source is what set the limit. It is empty where the response does not tell.
	Source admin.RateLimitSource
	// OverrideID is what [RateLimitsService.RemoveOverride] takes, and empty for a limit that cannot be removed.
	OverrideID string
}

// Format prints the record.
func (l RateLimit) Format(state fmt.State, _ rune) { redact.Record(state, l) }

// RateLimits are limits of an endpoint as a whole. A bucket can come twice, once for each source.
type RateLimits []RateLimit

// RateLimitsOf reads the limits inside the record of an endpoint, as [EndpointsService.Get] returns it. Those are the
// limits in force, without their sources; of nil come no limits.
func RateLimitsOf(record *admin.EndpointRateLimits) RateLimits {
	if record == nil {
		return nil
	}
	return rateLimitValues(record.RPS, record.RPM, record.RPD)
}

// Effective returns the limit that applies to a bucket: an override rather than the plan's limit. It is false where the
// service did not tell of any.
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

// precedence orders limits of one bucket. A source that is newer than this version is taken to override the plan,
// which is what every source but the plan is for.
func (l RateLimit) precedence() int {
	switch l.Source {
	case admin.RateLimitSourceUserOverride:
		return 2
	case admin.RateLimitSourcePlanDefault:
		return 0
	}
	return 1
}

// Override returns the id of the override of a bucket, for [RateLimitsService.RemoveOverride], and false where there is
// none to remove. Where there are several, it is that of the one in force: the others make no difference.
func (l RateLimits) Override(bucket admin.RateLimitBucket) (overrideID string, set bool) {
	removable := slices.DeleteFunc(slices.Clone(l), func(limit RateLimit) bool { return limit.OverrideID == "" })
	override, set := removable.Effective(bucket)
	return override.OverrideID, set
}

// rateLimitRows reads the rows of a listing.
func rateLimitRows(rows []admin.RateLimitRow) RateLimits {
	var limits RateLimits
	for _, row := range rows {
		limit := RateLimit{Bucket: orZero(row.Bucket), Source: orZero(row.Source)}
		if limit.Source != admin.RateLimitSourcePlanDefault {
			limit.OverrideID = orZero(row.ID) // An id that a limit of the plan may have is not one to remove it by.
		}
		limit.Requests, limit.Unlimited = rateLimitNumber(row.RateLimit)
		limits = append(limits, limit)
	}
	return limits
}

// rateLimitValues reads a record with a field for each bucket. Fields without a number tell nothing.
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

// rateLimitNumber keeps the -1 that stands for no limit away from callers who would compute with it. The contract has
// no other number below zero.
func rateLimitNumber(number *int) (requests *int, unlimited bool) {
	if number != nil && *number < 0 {
		return nil, true
	}
	return number, false
}

// orZero is what a pointer points to, or the zero value.
func orZero[T any](pointer *T) T {
	if pointer == nil {
		var zero T
		return zero
	}
	return *pointer
}

// FindCreatedMethodLimit looks for what CreateMethodLimit was to make: the endpoint's limits of that rate, of that
// interval and of those methods, in any order. See [Lookup].
//
// GET /v0/endpoints/{id}/method-rate-limits
func (s *RateLimitsService) FindCreatedMethodLimit(ctx context.Context, id string, limit admin.CreateMethodRateLimitRequest, opts ...CallOption) (Lookup[admin.MethodRateLimiter], error) {
	list, err := fetch[admin.MethodRateLimiterList](ctx, s.engine.call(api.ListMethodRateLimits(id), opts,
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
