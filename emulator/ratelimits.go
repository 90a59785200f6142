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

// GetRateLimits is GET /v0/endpoints/{id}/rate-limits. Each limit of the plan is followed by its override, if there is
// one.
func (h adminHandlers) GetRateLimits(ctx context.Context) (*adminapi.RateLimitRowsEnvelope, error) {
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
	return &adminapi.RateLimitRowsEnvelope{Data: adminapi.RateLimitRows{RateLimits: rows}}, nil
}

// UpdateRateLimits is PATCH /v0/endpoints/{id}/rate-limits. It overrides the limits that are given, or none of them if
// one is not acceptable. An existing override keeps its id.
func (h adminHandlers) UpdateRateLimits(ctx context.Context, body *adminapi.UpdateRateLimitsRequest) (
	*adminapi.UpdatedRateLimitsEnvelope, error) {
	if body.RateLimits == (adminapi.RateLimitOverrides{}) {
		return nil, badRequest("rate_limits must have at least one of rps, rpm, rpd")
	}
	given := map[adminapi.RateLimitBucket]*int{
		adminapi.RateLimitBucketRPS: body.RateLimits.RPS, adminapi.RateLimitBucketRPM: body.RateLimits.RPM,
		adminapi.RateLimitBucketRPD: body.RateLimits.RPD,
	}
	for _, plan := range planLimits {
		if rate := given[plan.bucket]; rate != nil && plan.rate != noLimit && *rate > plan.rate {
			return nil, badRequest(fmt.Sprintf("rate_limits.%s must be at most %d with this plan", plan.bucket, plan.rate))
		}
	}
	endpoint := info(ctx).endpoint
	for _, plan := range planLimits {
		if rate := given[plan.bucket]; rate != nil {
			changed, set := endpoint.Limits[plan.bucket]
			if !set {
				changed.ID = h.state.IDs.uuid()
			}
			changed.Rate = *rate
			endpoint.Limits[plan.bucket] = changed
		}
	}
	return &adminapi.UpdatedRateLimitsEnvelope{Data: &adminapi.UpdatedRateLimits{Limits: &adminapi.RateLimitValues{
		RPS: endpoint.limit(adminapi.RateLimitBucketRPS), RPM: endpoint.limit(adminapi.RateLimitBucketRPM),
		RPD: endpoint.limit(adminapi.RateLimitBucketRPD),
	}}}, nil
}

// ReplaceRateLimits is PUT /v0/endpoints/{id}/rate-limits, the deprecated alias of PATCH.
func (h adminHandlers) ReplaceRateLimits(ctx context.Context, body *adminapi.UpdateRateLimitsRequest) (
	*adminapi.UpdatedRateLimitsEnvelope, error) {
	return h.UpdateRateLimits(ctx, body)
}

// DeleteRateLimitOverride is DELETE /v0/endpoints/{id}/rate-limits/{override_id}.
func (h adminHandlers) DeleteRateLimitOverride(ctx context.Context, overrideID string) (
	*adminapi.SuccessEnvelope, error) {
	limits := info(ctx).endpoint.Limits
	for bucket, override := range limits {
		if override.ID == overrideID {
			delete(limits, bucket)
			return &adminapi.SuccessEnvelope{Data: adminapi.Success{Success: true}}, nil
		}
	}
	return nil, notFound("override not found")
}

// ListMethodRateLimits is GET /v0/endpoints/{id}/method-rate-limits.
func (h adminHandlers) ListMethodRateLimits(ctx context.Context) (*adminapi.MethodRateLimiterListEnvelope, error) {
	list := append([]adminapi.MethodRateLimiter{}, info(ctx).endpoint.Methods...)
	return &adminapi.MethodRateLimiterListEnvelope{Data: adminapi.MethodRateLimiterList{RateLimiters: list}}, nil
}

// noMethodRateLimits is the response to ListMethodRateLimits for an unknown endpoint: an empty list, with the status
// 404 and without an error, as in the contract.
var noMethodRateLimits = adminapi.MethodRateLimiterListEnvelope{
	Data: adminapi.MethodRateLimiterList{RateLimiters: []adminapi.MethodRateLimiter{}},
}

var (
	badRate        = badRequest("rate must be at least 1")
	unknownLimiter = notFound("method rate limit not found")
)

// CreateMethodRateLimit is POST /v0/endpoints/{id}/method-rate-limits. A rate is at least 1 (assumed).
func (h adminHandlers) CreateMethodRateLimit(ctx context.Context, body *adminapi.CreateMethodRateLimitRequest) (
	*adminapi.MethodRateLimiterEnvelope, error) {
	if err := checkMethods("methods", body.Methods); err != nil {
		return nil, err
	}
	if body.Rate < 1 {
		return nil, badRate
	}
	created := add(&info(ctx).endpoint.Methods, adminapi.MethodRateLimiter{
		ID: h.state.IDs.uuid(), Interval: body.Interval, Methods: body.Methods, Rate: body.Rate,
		Status: adminapi.SwitchEnabled, Created: h.state.now().Truncate(time.Microsecond),
	})
	return &adminapi.MethodRateLimiterEnvelope{Data: *created}, nil
}

// UpdateMethodRateLimit is PATCH /v0/endpoints/{id}/method-rate-limits/{method_rate_limit_id}. It changes all fields in
// the body, or none if one of them is not acceptable. An empty body changes nothing.
func (h adminHandlers) UpdateMethodRateLimit(
	ctx context.Context, id string, body *adminapi.UpdateMethodRateLimitRequest,
) (*adminapi.MethodRateLimiterEnvelope, error) {
	endpoint := info(ctx).endpoint
	at := endpoint.methodLimit(id)
	if at < 0 {
		return nil, unknownLimiter
	}
	limiter := &endpoint.Methods[at]
	if body != nil {
		if body.Methods != nil {
			if err := checkMethods("methods", body.Methods); err != nil {
				return nil, err
			}
		}
		rate := valueOr(body.Rate, limiter.Rate)
		if rate < 1 {
			return nil, badRate
		}
		if body.Methods != nil {
			limiter.Methods = body.Methods
		}
		limiter.Rate, limiter.Status = rate, valueOr(body.Status, limiter.Status)
	}
	return &adminapi.MethodRateLimiterEnvelope{Data: *limiter}, nil
}

// DeleteMethodRateLimit is DELETE /v0/endpoints/{id}/method-rate-limits/{method_rate_limit_id}.
func (h adminHandlers) DeleteMethodRateLimit(ctx context.Context, id string) (*adminapi.TextEnvelope, error) {
	if !remove(&info(ctx).endpoint.Methods, id, func(m adminapi.MethodRateLimiter) *string { return &m.ID }) {
		return nil, unknownLimiter
	}
	return &adminapi.TextEnvelope{Data: "method rate limit deleted"}, nil
}

// methodLimit returns the index of a method rate limit, or -1.
func (e *endpoint) methodLimit(id string) int {
	return slices.IndexFunc(e.Methods, func(m adminapi.MethodRateLimiter) bool { return m.ID == id })
}
