package emulator

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// override replaces a limit of the plan for one endpoint.
type override struct {
	ID   string
	Rate int
}

// noLimit is the rate of a bucket without a limit.
const noLimit = -1

// planLimits are the limits of the plan, which overrides cannot exceed. They are made up. One is unlimited, so that a
// program can meet the -1.
var planLimits = []struct {
	bucket adminapi.RateLimitBucket
	rate   int
}{
	{adminapi.RateLimitBucketRPS, 500}, {adminapi.RateLimitBucketRPM, 25_000}, {adminapi.RateLimitBucketRPD, noLimit},
}

// limit returns the limit of a bucket that is in force.
func (e *endpoint) limit(bucket adminapi.RateLimitBucket) *int {
	if override, set := e.Limits[bucket]; set {
		return &override.Rate
	}
	for _, plan := range planLimits {
		if plan.bucket == bucket {
			return &plan.rate
		}
	}
	return new(noLimit)
}

// setLimits overrides the limits that are given, or none of them if one is not acceptable. An existing override keeps
// its id.
func (e *endpoint) setLimits(ids *ids, limits adminapi.RateLimitOverrides) error {
	given := map[adminapi.RateLimitBucket]*int{
		adminapi.RateLimitBucketRPS: limits.RPS, adminapi.RateLimitBucketRPM: limits.RPM,
		adminapi.RateLimitBucketRPD: limits.RPD,
	}
	if limits == (adminapi.RateLimitOverrides{}) {
		return badRequest("rate_limits must have at least one of rps, rpm, rpd")
	}
	for _, plan := range planLimits {
		switch rate := given[plan.bucket]; {
		case rate == nil:
		case *rate < 1:
			return badRequest(fmt.Sprintf("rate_limits.%s must be at least 1", plan.bucket))
		case plan.rate != noLimit && *rate > plan.rate:
			return badRequest(fmt.Sprintf("rate_limits.%s must be at most %d with this plan", plan.bucket, plan.rate))
		}
	}
	for _, plan := range planLimits {
		if rate := given[plan.bucket]; rate != nil {
			changed, set := e.Limits[plan.bucket]
			if !set {
				changed.ID = ids.uuid()
			}
			changed.Rate = *rate
			e.Limits[plan.bucket] = changed
		}
	}
	return nil
}

// GetRateLimits is GET /v0/endpoints/{id}/rate-limits. Each limit of the plan is followed by its override, if there is
// one.
func (h adminHandlers) GetRateLimits(ctx context.Context, _ adminapi.GetRateLimitsRequestObject) (
	adminapi.GetRateLimitsResponseObject, error) {
	var rows []adminapi.RateLimitRow
	for _, plan := range planLimits {
		rows = append(rows, adminapi.RateLimitRow{
			Bucket: &plan.bucket, RateLimit: &plan.rate, Source: new(adminapi.RateLimitSourcePlanDefault),
		})
		if override, set := info(ctx).endpoint.Limits[plan.bucket]; set {
			rows = append(rows, adminapi.RateLimitRow{
				Bucket: &plan.bucket, RateLimit: &override.Rate, Source: new(adminapi.RateLimitSourceUserOverride),
				ID: &override.ID,
			})
		}
	}
	return adminapi.GetRateLimits200JSONResponse{Data: adminapi.RateLimitRows{RateLimits: rows}}, nil
}

// UpdateRateLimits is PATCH /v0/endpoints/{id}/rate-limits.
func (h adminHandlers) UpdateRateLimits(ctx context.Context, r adminapi.UpdateRateLimitsRequestObject) (
	adminapi.UpdateRateLimitsResponseObject, error) {
	limits, err := h.changeLimits(ctx, r.Body.RateLimits)
	return adminapi.UpdateRateLimits200JSONResponse{Data: limits}, err
}

// ReplaceRateLimits is PUT /v0/endpoints/{id}/rate-limits, the deprecated alias of PATCH.
func (h adminHandlers) ReplaceRateLimits(ctx context.Context, r adminapi.ReplaceRateLimitsRequestObject) (
	adminapi.ReplaceRateLimitsResponseObject, error) {
	limits, err := h.changeLimits(ctx, r.Body.RateLimits)
	return adminapi.ReplaceRateLimits200JSONResponse{Data: limits}, err
}

// changeLimits overrides limits of an endpoint and returns the limits in force.
func (h adminHandlers) changeLimits(ctx context.Context, limits adminapi.RateLimitOverrides) (
	*adminapi.UpdatedRateLimits, error) {
	endpoint := info(ctx).endpoint
	if err := endpoint.setLimits(&h.state.IDs, limits); err != nil {
		return nil, err
	}
	return &adminapi.UpdatedRateLimits{Limits: &adminapi.RateLimitValues{
		RPS: endpoint.limit(adminapi.RateLimitBucketRPS), RPM: endpoint.limit(adminapi.RateLimitBucketRPM),
		RPD: endpoint.limit(adminapi.RateLimitBucketRPD),
	}}, nil
}

// DeleteRateLimitOverride is DELETE /v0/endpoints/{id}/rate-limits/{override_id}.
func (h adminHandlers) DeleteRateLimitOverride(ctx context.Context, r adminapi.DeleteRateLimitOverrideRequestObject) (
	adminapi.DeleteRateLimitOverrideResponseObject, error) {
	limits := info(ctx).endpoint.Limits
	for bucket, override := range limits {
		if override.ID == r.OverrideID {
			delete(limits, bucket)
			return adminapi.DeleteRateLimitOverride200JSONResponse{Data: adminapi.Success{Success: true}}, nil
		}
	}
	return nil, notFound("override not found")
}

// ListMethodRateLimits is GET /v0/endpoints/{id}/method-rate-limits. The response for an unknown endpoint is an empty
// list, with the status 404 and without an error, as in the contract.
func (h adminHandlers) ListMethodRateLimits(ctx context.Context, _ adminapi.ListMethodRateLimitsRequestObject) (
	adminapi.ListMethodRateLimitsResponseObject, error) {
	list := adminapi.MethodRateLimiterList{RateLimiters: []adminapi.MethodRateLimiter{}}
	endpoint := info(ctx).endpoint
	if endpoint == nil {
		return adminapi.ListMethodRateLimits404JSONResponse{Data: list}, nil
	}
	list.RateLimiters = append(list.RateLimiters, endpoint.Methods...)
	return adminapi.ListMethodRateLimits200JSONResponse{Data: list}, nil
}

// CreateMethodRateLimit is POST /v0/endpoints/{id}/method-rate-limits.
func (h adminHandlers) CreateMethodRateLimit(ctx context.Context, r adminapi.CreateMethodRateLimitRequestObject) (
	adminapi.CreateMethodRateLimitResponseObject, error) {
	limiter, err := h.state.addMethodLimit(info(ctx).endpoint, r.Body.Interval, r.Body.Methods, r.Body.Rate)
	if err != nil {
		return nil, err
	}
	return adminapi.CreateMethodRateLimit200JSONResponse{Data: *limiter}, nil
}

// addMethodLimit adds a limit to an endpoint. Its rate is at least 1 (assumed).
func (s *state) addMethodLimit(
	to *endpoint, interval adminapi.RateLimitInterval, methods []string, rate int,
) (*adminapi.MethodRateLimiter, error) {
	if !interval.Valid() {
		return nil, badRequest("interval must be second, minute or day")
	}
	if err := checkMethods("methods", methods); err != nil {
		return nil, err
	}
	if rate < 1 {
		return nil, badRate
	}
	to.Methods = append(to.Methods, adminapi.MethodRateLimiter{
		ID: s.IDs.uuid(), Interval: interval, Methods: methods, Rate: rate, Status: adminapi.SwitchEnabled,
		Created: s.now().Truncate(time.Microsecond),
	})
	return &to.Methods[len(to.Methods)-1], nil
}

var (
	badRate        = badRequest("rate must be at least 1")
	unknownLimiter = notFound("method rate limit not found")
)

// UpdateMethodRateLimit is PATCH /v0/endpoints/{id}/method-rate-limits/{method_rate_limit_id}. It changes all fields in
// the body, or none if one of them is not acceptable. An empty body changes nothing.
func (h adminHandlers) UpdateMethodRateLimit(ctx context.Context, r adminapi.UpdateMethodRateLimitRequestObject) (
	adminapi.UpdateMethodRateLimitResponseObject, error) {
	at := info(ctx).endpoint.methodLimit(r.MethodRateLimitID)
	if at < 0 {
		return nil, unknownLimiter
	}
	limiter := &info(ctx).endpoint.Methods[at]
	changed := *limiter
	if body := r.Body; body != nil {
		if body.Methods != nil {
			if err := checkMethods("methods", body.Methods); err != nil {
				return nil, err
			}
			changed.Methods = body.Methods
		}
		if changed.Rate = valueOr(body.Rate, changed.Rate); changed.Rate < 1 {
			return nil, badRate
		}
		if changed.Status = valueOr(body.Status, changed.Status); !changed.Status.Valid() {
			return nil, badRequest("status must be enabled or disabled")
		}
	}
	*limiter = changed
	return adminapi.UpdateMethodRateLimit200JSONResponse{Data: changed}, nil
}

// DeleteMethodRateLimit is DELETE /v0/endpoints/{id}/method-rate-limits/{method_rate_limit_id}.
func (h adminHandlers) DeleteMethodRateLimit(ctx context.Context, r adminapi.DeleteMethodRateLimitRequestObject) (
	adminapi.DeleteMethodRateLimitResponseObject, error) {
	endpoint := info(ctx).endpoint
	at := endpoint.methodLimit(r.MethodRateLimitID)
	if at < 0 {
		return nil, unknownLimiter
	}
	endpoint.Methods = slices.Delete(endpoint.Methods, at, at+1)
	return adminapi.DeleteMethodRateLimit200JSONResponse{Data: "method rate limit deleted"}, nil
}

// methodLimit returns the index of a method rate limit, or -1.
func (e *endpoint) methodLimit(id string) int {
	return slices.IndexFunc(e.Methods, func(m adminapi.MethodRateLimiter) bool { return m.ID == id })
}
