package emulator

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// limitOverride replaces a limit of the plan for one endpoint.
type limitOverride struct {
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
func (e *endpointData) limit(bucket adminapi.RateLimitBucket) *int {
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
func (h adminHandlers) GetRateLimits(ctx context.Context) (*adminapi.RateLimitRows, error) {
	var rows []adminapi.RateLimitRow
	for _, plan := range planLimits {
		rows = append(rows, adminapi.RateLimitRow{
			Bucket: &plan.bucket, RateLimit: &plan.rate, Source: new(adminapi.RateLimitSourcePlanDefault),
		})
		if override, set := infoOf(ctx).endpoint.Limits[plan.bucket]; set {
			rows = append(rows, adminapi.RateLimitRow{
				Bucket: &plan.bucket, RateLimit: &override.Rate, Source: new(adminapi.RateLimitSourceUserOverride),
				ID: &override.ID,
			})
		}
	}
	return &adminapi.RateLimitRows{RateLimits: rows}, nil
}

// UpdateRateLimits is PATCH /v0/endpoints/{id}/rate-limits. It overrides the limits that are given, or none of them if
// one is not acceptable. An existing override keeps its id.
func (h adminHandlers) UpdateRateLimits(ctx context.Context, body *adminapi.UpdateRateLimitsRequest) (
	*adminapi.UpdatedRateLimits, error) {
	if body.RateLimits == (adminapi.RateLimitOverrides{}) {
		return nil, badRequest("rate_limits must have at least one of rps, rpm, rpd")
	}
	given := []*int{body.RateLimits.RPS, body.RateLimits.RPM, body.RateLimits.RPD}
	endpoint := infoOf(ctx).endpoint
	changed := maps.Clone(endpoint.Limits)
	for i, plan := range planLimits {
		if given[i] == nil {
			continue
		}
		if plan.rate != noLimit && *given[i] > plan.rate {
			return nil, badRequest(fmt.Sprintf("rate_limits.%s must be at most %d with this plan", plan.bucket, plan.rate))
		}
		id := changed[plan.bucket].ID
		if id == "" {
			id = h.state.IDs.uuid()
		}
		changed[plan.bucket] = limitOverride{ID: id, Rate: *given[i]}
	}
	endpoint.Limits = changed
	return &adminapi.UpdatedRateLimits{Limits: &adminapi.RateLimitValues{
		RPS: endpoint.limit(adminapi.RateLimitBucketRPS), RPM: endpoint.limit(adminapi.RateLimitBucketRPM),
		RPD: endpoint.limit(adminapi.RateLimitBucketRPD),
	}}, nil
}

// ReplaceRateLimits is PUT /v0/endpoints/{id}/rate-limits, the deprecated alias of PATCH.
func (h adminHandlers) ReplaceRateLimits(ctx context.Context, body *adminapi.UpdateRateLimitsRequest) (
	*adminapi.UpdatedRateLimits, error) {
	return h.UpdateRateLimits(ctx, body)
}

func (h adminHandlers) DeleteRateLimitOverride(ctx context.Context, overrideID string) (*adminapi.Success, error) {
	limits := infoOf(ctx).endpoint.Limits
	for bucket, override := range limits {
		if override.ID == overrideID {
			delete(limits, bucket)
			return &adminapi.Success{Success: true}, nil
		}
	}
	return nil, notFound("override not found")
}

func (h adminHandlers) ListMethodRateLimits(ctx context.Context) (*adminapi.MethodRateLimiterList, error) {
	return &adminapi.MethodRateLimiterList{
		RateLimiters: append([]adminapi.MethodRateLimiter{}, infoOf(ctx).endpoint.Methods...)}, nil
}

// noMethodRateLimits is the response to ListMethodRateLimits for an unknown endpoint: an empty list, with the status
// 404 and without an error, as in the contract.
var noMethodRateLimits, _ = serve.Envelope(
	adminapi.MethodRateLimiterList{RateLimiters: []adminapi.MethodRateLimiter{}}, nil)

var unknownLimiter = notFound("method rate limit not found")

// checkMethodRateLimit rejects a limit of no methods, and one below 1 (assumed).
func checkMethodRateLimit(limit adminapi.MethodRateLimiter) error {
	if limit.Rate < 1 {
		return badRequest("rate must be at least 1")
	}
	return checkMethods("methods", limit.Methods)
}

func (h adminHandlers) CreateMethodRateLimit(ctx context.Context, body *adminapi.CreateMethodRateLimitRequest) (
	*adminapi.MethodRateLimiter, error) {
	created := adminapi.MethodRateLimiter{
		Interval: body.Interval, Methods: body.Methods, Rate: body.Rate, Status: adminapi.SwitchEnabled,
		Created: h.state.now().Truncate(time.Microsecond),
	}
	if err := checkMethodRateLimit(created); err != nil {
		return nil, err
	}
	created.ID = h.state.IDs.uuid()
	return addTo(&infoOf(ctx).endpoint.Methods, created), nil
}

// UpdateMethodRateLimit is PATCH /v0/endpoints/{id}/method-rate-limits/{method_rate_limit_id}. It changes all fields in
// the body, or none if one of them is not acceptable. An empty body changes nothing.
func (h adminHandlers) UpdateMethodRateLimit(
	ctx context.Context, id string, body *adminapi.UpdateMethodRateLimitRequest) (*adminapi.MethodRateLimiter, error) {
	limits := infoOf(ctx).endpoint.Methods
	at := slices.IndexFunc(limits, func(m adminapi.MethodRateLimiter) bool { return m.ID == id })
	if at < 0 {
		return nil, unknownLimiter
	}
	changed := limits[at]
	if body != nil {
		changed.Rate, changed.Status = valueOr(body.Rate, changed.Rate), valueOr(body.Status, changed.Status)
		if body.Methods != nil {
			changed.Methods = body.Methods
		}
	}
	if err := checkMethodRateLimit(changed); err != nil {
		return nil, err
	}
	limits[at] = changed
	return &changed, nil
}

func (h adminHandlers) DeleteMethodRateLimit(ctx context.Context, id string) (string, error) {
	if !remove(&infoOf(ctx).endpoint.Methods, id, func(m adminapi.MethodRateLimiter) *string { return &m.ID }) {
		return "", unknownLimiter
	}
	return "method rate limit deleted", nil
}
