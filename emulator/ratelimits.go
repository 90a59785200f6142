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

// noLimit is the rate of a bucket without a limit.
const noLimit = -1

// planLimits are the limits of the plan, which overrides cannot exceed. They are made up. One is unlimited, so that a
// program can meet the -1.
var planLimits = []adminapi.RateLimitRow{
	limitRow(adminapi.RateLimitBucketRPS, 500, adminapi.RateLimitSourcePlanDefault),
	limitRow(adminapi.RateLimitBucketRPM, 25_000, adminapi.RateLimitSourcePlanDefault),
	limitRow(adminapi.RateLimitBucketRPD, noLimit, adminapi.RateLimitSourcePlanDefault),
}

func limitRow(bucket adminapi.RateLimitBucket, rate int, source adminapi.RateLimitSource) adminapi.RateLimitRow {
	return adminapi.RateLimitRow{Bucket: &bucket, RateLimit: &rate, Source: &source}
}

// limit returns the limit of a bucket that is in force.
func (e *endpointData) limit(bucket adminapi.RateLimitBucket) *int {
	if override, set := e.limits[bucket]; set {
		return override.RateLimit
	}
	plan, _ := byID(planLimits, "limit", bucket, func(r adminapi.RateLimitRow) adminapi.RateLimitBucket { return *r.Bucket })
	return plan.RateLimit
}

// GetRateLimits is GET /v0/endpoints/{id}/rate-limits. Each limit of the plan is followed by its override, if there is
// one.
func (h adminHandlers) GetRateLimits(ctx context.Context) (*adminapi.RateLimitRows, error) {
	var rows []adminapi.RateLimitRow
	for _, plan := range planLimits {
		rows = append(rows, plan)
		if override, set := infoOf(ctx).endpoint.limits[*plan.Bucket]; set {
			rows = append(rows, override)
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
	changed := maps.Clone(endpoint.limits)
	for i, plan := range planLimits {
		if given[i] == nil {
			continue
		}
		bucket, most := *plan.Bucket, *plan.RateLimit
		if most != noLimit && *given[i] > most {
			return nil, badRequest(fmt.Sprintf("rate_limits.%s must be at most %d with this plan", bucket, most))
		}
		row := limitRow(bucket, *given[i], adminapi.RateLimitSourceUserOverride)
		if row.ID = changed[bucket].ID; row.ID == nil {
			row.ID = new(h.state.ids.uuid())
		}
		changed[bucket] = row
	}
	endpoint.limits = changed
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
	limits := infoOf(ctx).endpoint.limits
	for bucket, override := range limits {
		if *override.ID == overrideID {
			delete(limits, bucket)
			return &adminapi.Success{Success: true}, nil
		}
	}
	return nil, notFound("override not found")
}

func (h adminHandlers) ListMethodRateLimits(ctx context.Context) (*adminapi.MethodRateLimiterList, error) {
	return &adminapi.MethodRateLimiterList{
		RateLimiters: append([]adminapi.MethodRateLimiter{}, infoOf(ctx).endpoint.methods...)}, nil
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
	created.ID = h.state.ids.uuid()
	return addTo(&infoOf(ctx).endpoint.methods, created), nil
}

// UpdateMethodRateLimit is PATCH /v0/endpoints/{id}/method-rate-limits/{method_rate_limit_id}. It changes all fields in
// the body, or none if one of them is not acceptable. An empty body changes nothing.
func (h adminHandlers) UpdateMethodRateLimit(
	ctx context.Context, id string, body *adminapi.UpdateMethodRateLimitRequest) (*adminapi.MethodRateLimiter, error) {
	limits := infoOf(ctx).endpoint.methods
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
	if !remove(&infoOf(ctx).endpoint.methods, id, func(m adminapi.MethodRateLimiter) *string { return &m.ID }) {
		return "", unknownLimiter
	}
	return "method rate limit deleted", nil
}
