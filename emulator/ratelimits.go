package emulator

import (
	"fmt"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// noLimit is the rate of a bucket without a limit.
const noLimit = -1

// planLimits are the limits of the plan, which overrides cannot exceed. They are made up. One is unlimited, so that a
// program can meet the -1.
var planLimits = []adminapi.RateLimitRow{
	limitRow("rps", 500, adminapi.RateLimitSourcePlanDefault),
	limitRow("rpm", 25_000, adminapi.RateLimitSourcePlanDefault),
	limitRow("rpd", noLimit, adminapi.RateLimitSourcePlanDefault),
}

func limitRow(bucket adminapi.RateLimitBucket, rate int, source adminapi.RateLimitSource) adminapi.RateLimitRow {
	return adminapi.RateLimitRow{Bucket: &bucket, RateLimit: &rate, Source: &source}
}

// rates returns the limits that are in force.
func (e *endpointData) rates() adminapi.RateLimitValues {
	rate := map[adminapi.RateLimitBucket]*int{}
	for _, row := range slices.Concat(planLimits, e.overrides) {
		rate[*row.Bucket] = row.RateLimit
	}
	return adminapi.RateLimitValues{RPS: rate["rps"], RPM: rate["rpm"], RPD: rate["rpd"]}
}

// GetRateLimits is GET /v0/endpoints/{id}/rate-limits. The overrides come after the limits of the plan.
func (r *request) GetRateLimits() (*adminapi.RateLimitRows, error) {
	return &adminapi.RateLimitRows{RateLimits: slices.Concat(planLimits, r.endpoint.overrides)}, nil
}

// UpdateRateLimits is PATCH /v0/endpoints/{id}/rate-limits. It overrides the limits that are given, or none of them if
// one is not acceptable. An existing override keeps its id.
func (r *request) UpdateRateLimits(body *adminapi.UpdateRateLimitsRequest) (*adminapi.UpdatedRateLimits, error) {
	if body.RateLimits == (adminapi.RateLimitOverrides{}) {
		return nil, serve.BadRequest("rate_limits must have at least one of rps, rpm, rpd")
	}
	changed := slices.Clone(r.endpoint.overrides)
	for i, given := range []*int{body.RateLimits.RPS, body.RateLimits.RPM, body.RateLimits.RPD} {
		if given == nil {
			continue
		}
		bucket, most := *planLimits[i].Bucket, *planLimits[i].RateLimit
		if most != noLimit && *given > most {
			return nil, serve.BadRequest(fmt.Sprintf("rate_limits.%s must be at most %d with this plan", bucket, most))
		}
		row := limitRow(bucket, *given, adminapi.RateLimitSourceUserOverride)
		at := slices.IndexFunc(changed, func(other adminapi.RateLimitRow) bool { return *other.Bucket == bucket })
		if at < 0 {
			row.ID = new(r.state.ids.uuid())
			changed = append(changed, row)
		} else {
			row.ID = changed[at].ID
			changed[at] = row
		}
	}
	r.endpoint.overrides = changed
	return &adminapi.UpdatedRateLimits{Limits: new(r.endpoint.rates())}, nil
}

// ReplaceRateLimits is PUT /v0/endpoints/{id}/rate-limits, the deprecated alias of PATCH.
func (r *request) ReplaceRateLimits(body *adminapi.UpdateRateLimitsRequest) (*adminapi.UpdatedRateLimits, error) {
	return r.UpdateRateLimits(body)
}

func (r *request) DeleteRateLimitOverride(id string) (*adminapi.Success, error) {
	if !remove(&r.endpoint.overrides, id) {
		return nil, notFound("override not found")
	}
	return &adminapi.Success{Success: true}, nil
}

func (r *request) ListMethodRateLimits() (*adminapi.MethodRateLimitList, error) {
	return &adminapi.MethodRateLimitList{RateLimiters: append([]adminapi.MethodRateLimit{}, r.endpoint.methods...)}, nil
}

// noMethodRateLimits is the response to ListMethodRateLimits for an unknown endpoint: an empty list, with the status
// 404 and without an error, as in the contract.
var noMethodRateLimits, _ = serve.Envelope(
	adminapi.MethodRateLimitList{RateLimiters: []adminapi.MethodRateLimit{}}, nil)

var unknownLimiter = notFound("method rate limit not found")

// checkMethodRateLimit rejects a limit of no methods, and one below 1 (assumed).
func checkMethodRateLimit(limit adminapi.MethodRateLimit) error {
	if limit.Rate < 1 {
		return serve.BadRequest("rate must be at least 1")
	}
	return checkMethods("methods", limit.Methods)
}

func (r *request) CreateMethodRateLimit(body *adminapi.CreateMethodRateLimitRequest) (*adminapi.MethodRateLimit, error) {
	created := adminapi.MethodRateLimit{
		Interval: body.Interval, Methods: body.Methods, Rate: body.Rate, Status: adminapi.SwitchEnabled, Created: r.state.now(),
	}
	if err := checkMethodRateLimit(created); err != nil {
		return nil, err
	}
	created.ID = r.state.ids.uuid()
	return addTo(&r.endpoint.methods, created), nil
}

// UpdateMethodRateLimit is PATCH /v0/endpoints/{id}/method-rate-limits/{method_rate_limit_id}. It changes all fields in
// the body, or none if one of them is not acceptable. An empty body changes nothing.
func (r *request) UpdateMethodRateLimit(id string, body *adminapi.UpdateMethodRateLimitRequest) (
	*adminapi.MethodRateLimit, error) {
	limits := r.endpoint.methods
	at := slices.IndexFunc(limits, func(m adminapi.MethodRateLimit) bool { return m.ID == id })
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

func (r *request) DeleteMethodRateLimit(id string) (string, error) {
	if !remove(&r.endpoint.methods, id) {
		return "", unknownLimiter
	}
	return "method rate limit deleted", nil
}
