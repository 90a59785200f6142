package emulator

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// limitState holds the rate limits of one endpoint.
type limitState struct {
	// overrides are the limits of the endpoint as a whole that the account has set, by bucket.
	overrides map[adminapi.RateLimitBucket]*override
	// methods are the limits of single methods, in the order of their creation.
	methods []*adminapi.MethodRateLimiter
}

// override takes the place of a limit of the plan.
type override struct {
	id   string
	rate int
}

// planLimit is what the plan of the account sets for a bucket, and the most that an override may set.
type planLimit struct {
	bucket adminapi.RateLimitBucket
	rate   int
}

// noLimit stands for the absence of a limit.
const noLimit = -1

// The limits of the plan are made up. The one without a limit lets a program meet the -1.
var planLimits = []planLimit{
	{adminapi.RateLimitBucketRPS, 500},
	{adminapi.RateLimitBucketRPM, 25_000},
	{adminapi.RateLimitBucketRPD, noLimit},
}

// newLimits are the limits of a fresh endpoint: those of the plan.
func newLimits(*state) limitState {
	return limitState{overrides: make(map[adminapi.RateLimitBucket]*override)}
}

// inForce is the limit of a bucket as it applies.
func (l *limitState) inForce(bucket adminapi.RateLimitBucket) int {
	if override, set := l.overrides[bucket]; set {
		return override.rate
	}
	for _, plan := range planLimits {
		if plan.bucket == bucket {
			return plan.rate
		}
	}
	return noLimit
}

// record is what an endpoint's record tells about its limits.
func (l *limitState) record() *adminapi.EndpointRateLimits {
	return &adminapi.EndpointRateLimits{
		RateLimitByIP: new(false),
		Account:       new(noLimit),
		RPS:           new(l.inForce(adminapi.RateLimitBucketRPS)),
		RPM:           new(l.inForce(adminapi.RateLimitBucketRPM)),
		RPD:           new(l.inForce(adminapi.RateLimitBucketRPD)),
	}
}

// rows lists the limits of the plan and the overrides. A bucket comes once for each that is set.
func (l *limitState) rows() []adminapi.RateLimitRow {
	var rows []adminapi.RateLimitRow
	for _, plan := range planLimits {
		rows = append(rows, adminapi.RateLimitRow{
			Bucket:    new(plan.bucket),
			RateLimit: new(plan.rate),
			Source:    new(adminapi.RateLimitSourcePlanDefault),
		})
		if override, set := l.overrides[plan.bucket]; set {
			rows = append(rows, adminapi.RateLimitRow{
				Bucket:    new(plan.bucket),
				RateLimit: new(override.rate),
				Source:    new(adminapi.RateLimitSourceUserOverride),
				ID:        new(override.id),
			})
		}
	}
	return rows
}

// set overrides the limits that are given, or none of them when one is not acceptable. An override that is there
// already keeps its id.
func (l *limitState) set(ids *ids, limits adminapi.RateLimitOverrides) error {
	given := map[adminapi.RateLimitBucket]*int{
		adminapi.RateLimitBucketRPS: limits.RPS,
		adminapi.RateLimitBucketRPM: limits.RPM,
		adminapi.RateLimitBucketRPD: limits.RPD,
	}
	if limits.RPS == nil && limits.RPM == nil && limits.RPD == nil {
		return badRequest("rate_limits must have at least one of rps, rpm, rpd")
	}
	for _, plan := range planLimits {
		if rate := given[plan.bucket]; rate != nil {
			if *rate < 1 {
				return badRequest(fmt.Sprintf("rate_limits.%s must be at least 1", plan.bucket))
			}
			if plan.rate != noLimit && *rate > plan.rate {
				return badRequest(fmt.Sprintf("rate_limits.%s must be at most %d with this plan", plan.bucket, plan.rate))
			}
		}
	}
	for _, plan := range planLimits {
		rate := given[plan.bucket]
		if rate == nil {
			continue
		}
		if l.overrides[plan.bucket] == nil {
			l.overrides[plan.bucket] = &override{id: ids.uuid()}
		}
		l.overrides[plan.bucket].rate = *rate
	}
	return nil
}

// GetRateLimits is GET /v0/endpoints/{id}/rate-limits.
func (h adminHandlers) GetRateLimits(_ context.Context, r adminapi.GetRateLimitsRequestObject) (adminapi.GetRateLimitsResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	return adminapi.GetRateLimits200JSONResponse{Data: adminapi.RateLimitRows{RateLimits: endpoint.limits.rows()}}, nil
}

// UpdateRateLimits is PATCH /v0/endpoints/{id}/rate-limits.
func (h adminHandlers) UpdateRateLimits(_ context.Context, r adminapi.UpdateRateLimitsRequestObject) (adminapi.UpdateRateLimitsResponseObject, error) {
	limits, err := h.state.setLimits(r.ID, r.Body.RateLimits)
	if err != nil {
		return nil, err
	}
	return adminapi.UpdateRateLimits200JSONResponse{Data: limits}, nil
}

// ReplaceRateLimits is PUT /v0/endpoints/{id}/rate-limits, the deprecated alias of PATCH.
func (h adminHandlers) ReplaceRateLimits(_ context.Context, r adminapi.ReplaceRateLimitsRequestObject) (adminapi.ReplaceRateLimitsResponseObject, error) {
	limits, err := h.state.setLimits(r.ID, r.Body.RateLimits)
	if err != nil {
		return nil, err
	}
	return adminapi.ReplaceRateLimits200JSONResponse{Data: limits}, nil
}

// setLimits overrides limits of an endpoint and shows what is in force then.
func (s *state) setLimits(id string, limits adminapi.RateLimitOverrides) (*adminapi.UpdatedRateLimits, error) {
	endpoint, err := s.endpoint(id)
	if err != nil {
		return nil, err
	}
	if err := endpoint.limits.set(s.ids, limits); err != nil {
		return nil, err
	}
	return &adminapi.UpdatedRateLimits{Limits: &adminapi.RateLimitValues{
		RPS: new(endpoint.limits.inForce(adminapi.RateLimitBucketRPS)),
		RPM: new(endpoint.limits.inForce(adminapi.RateLimitBucketRPM)),
		RPD: new(endpoint.limits.inForce(adminapi.RateLimitBucketRPD)),
	}}, nil
}

// DeleteRateLimitOverride is DELETE /v0/endpoints/{id}/rate-limits/{override_id}.
func (h adminHandlers) DeleteRateLimitOverride(_ context.Context, r adminapi.DeleteRateLimitOverrideRequestObject) (adminapi.DeleteRateLimitOverrideResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	for bucket, override := range endpoint.limits.overrides {
		if override.id == r.OverrideID {
			delete(endpoint.limits.overrides, bucket)
			return adminapi.DeleteRateLimitOverride200JSONResponse{Data: adminapi.Success{Success: true}}, nil
		}
	}
	return nil, notFound("override not found")
}

// ListMethodRateLimits is GET /v0/endpoints/{id}/method-rate-limits. Of an endpoint that does not exist it shows an
// empty list, with the status 404 and without an error, as the contract has it.
func (h adminHandlers) ListMethodRateLimits(_ context.Context, r adminapi.ListMethodRateLimitsRequestObject) (adminapi.ListMethodRateLimitsResponseObject, error) {
	list := adminapi.MethodRateLimiterList{RateLimiters: []adminapi.MethodRateLimiter{}}
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return adminapi.ListMethodRateLimits404JSONResponse{Data: list}, nil
	}
	for _, limiter := range endpoint.limits.methods {
		list.RateLimiters = append(list.RateLimiters, *limiter)
	}
	return adminapi.ListMethodRateLimits200JSONResponse{Data: list}, nil
}

// CreateMethodRateLimit is POST /v0/endpoints/{id}/method-rate-limits. A rate is at least 1, which is assumed.
func (h adminHandlers) CreateMethodRateLimit(_ context.Context, r adminapi.CreateMethodRateLimitRequestObject) (adminapi.CreateMethodRateLimitResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	limiter, err := h.state.newMethodLimit(r.Body.Interval, r.Body.Methods, r.Body.Rate)
	if err != nil {
		return nil, err
	}
	endpoint.limits.methods = append(endpoint.limits.methods, limiter)
	return adminapi.CreateMethodRateLimit200JSONResponse{Data: *limiter}, nil
}

func (s *state) newMethodLimit(
	interval adminapi.RateLimitInterval, methods []string, rate int,
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
	return &adminapi.MethodRateLimiter{
		ID:       s.ids.uuid(),
		Interval: interval,
		Methods:  methods,
		Rate:     rate,
		Status:   adminapi.SwitchEnabled,
		Created:  s.now().Truncate(time.Microsecond),
	}, nil
}

var (
	badRate        = badRequest("rate must be at least 1")
	unknownLimiter = notFound("method rate limit not found")
)

// UpdateMethodRateLimit is PATCH /v0/endpoints/{id}/method-rate-limits/{method_rate_limit_id}. It changes all that was
// sent, or nothing when a part is not acceptable. A body without any of it, or no body, changes nothing.
func (h adminHandlers) UpdateMethodRateLimit(_ context.Context, r adminapi.UpdateMethodRateLimitRequestObject) (adminapi.UpdateMethodRateLimitResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	at := endpoint.limits.method(r.MethodRateLimitID)
	if at < 0 {
		return nil, unknownLimiter
	}
	limiter := endpoint.limits.methods[at]
	if r.Body != nil {
		if err := change(limiter, r.Body); err != nil {
			return nil, err
		}
	}
	return adminapi.UpdateMethodRateLimit200JSONResponse{Data: *limiter}, nil
}

// change carries a change out on a method rate limit.
func change(limiter *adminapi.MethodRateLimiter, to *adminapi.UpdateMethodRateLimitRequest) error {
	changed := *limiter
	if to.Methods != nil {
		if err := checkMethods("methods", to.Methods); err != nil {
			return err
		}
		changed.Methods = to.Methods
	}
	if to.Rate != nil {
		if *to.Rate < 1 {
			return badRate
		}
		changed.Rate = *to.Rate
	}
	if to.Status != nil {
		if !to.Status.Valid() {
			return badRequest("status must be enabled or disabled")
		}
		changed.Status = *to.Status
	}
	*limiter = changed
	return nil
}

// DeleteMethodRateLimit is DELETE /v0/endpoints/{id}/method-rate-limits/{method_rate_limit_id}.
func (h adminHandlers) DeleteMethodRateLimit(_ context.Context, r adminapi.DeleteMethodRateLimitRequestObject) (adminapi.DeleteMethodRateLimitResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	at := endpoint.limits.method(r.MethodRateLimitID)
	if at < 0 {
		return nil, unknownLimiter
	}
	endpoint.limits.methods = slices.Delete(endpoint.limits.methods, at, at+1)
	return adminapi.DeleteMethodRateLimit200JSONResponse{Data: "method rate limit deleted"}, nil
}

// method returns the place of a method rate limit, or -1.
func (l *limitState) method(id string) int {
	return slices.IndexFunc(l.methods, func(m *adminapi.MethodRateLimiter) bool { return m.ID == id })
}
