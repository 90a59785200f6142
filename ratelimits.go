package rpcfleet

import (
	"context"
	"fmt"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// RateLimitsService manages the rate limits of an endpoint, by second, minute and day, and of its methods. They are at
// most the plan's.
type RateLimitsService engine

// Get returns the plan's limits for the endpoint as a whole, and their overrides: see [RateLimits.Effective].
// GET /v0/endpoints/{id}/rate-limits
func (s *RateLimitsService) Get(ctx context.Context, id string, opts ...CallOption) (RateLimits, error) {
	rows, err := fetch(ctx, (*engine)(s), api.GetRateLimits(id), opts)
	return rateLimitRows(orNew(rows).RateLimits), err
}

// Update overrides the limits of these buckets, in requests, each from 1 to the plan's maximum; the others stay. The
// result has the effective limits, without their sources, or the limits that were sent if the response has none
// (observed). An unknown bucket is a [*ValidationError]. If the service cannot set the limits: [ErrServer].
// PATCH /v0/endpoints/{id}/rate-limits
func (s *RateLimitsService) Update(ctx context.Context, id string, limits map[admin.RateLimitBucket]int,
	opts ...CallOption) (RateLimits, error) {
	return s.set(ctx, id, limits, api.UpdateRateLimits, opts)
}

// Replace is Update: it replaces nothing.
// PUT /v0/endpoints/{id}/rate-limits
//
// Deprecated: Use Update.
func (s *RateLimitsService) Replace(ctx context.Context, id string, limits map[admin.RateLimitBucket]int,
	opts ...CallOption) (RateLimits, error) {
	return s.set(ctx, id, limits, api.ReplaceRateLimits, opts)
}

func (s *RateLimitsService) set(ctx context.Context, id string, limits map[admin.RateLimitBucket]int,
	request func(string, api.RateLimitOverrides) api.RequestOf[api.UpdatedRateLimits],
	opts []CallOption) (RateLimits, error) {
	var body api.RateLimitOverrides
	unknown := setByName("rate_limits", limits, map[admin.RateLimitBucket]**int{
		admin.RateLimitBucketRPS: &body.RPS, admin.RateLimitBucketRPM: &body.RPM, admin.RateLimitBucketRPD: &body.RPD,
	})
	made := request(id, body)
	if unknown != nil {
		made.Violation = nil // It would say that a bucket is missing.
	}
	updated, err := fetch(ctx, (*engine)(s), made, opts, unknown)
	if err != nil {
		return nil, err
	}
	if told := updated.Limits; told != (api.RateLimitValues{}) {
		return rateLimitValues(told.RPS, told.RPM, told.RPD), nil
	}
	return rateLimitValues(body.RPS, body.RPM, body.RPD), nil
}

// UpdateMethodLimit changes the fields that are not nil: methods, even to none, rate, or status. The interval is fixed,
// and empty if the response has no limit.
// PATCH /v0/endpoints/{id}/method-rate-limits/{method_rate_limit_id}
func (s *RateLimitsService) UpdateMethodLimit(ctx context.Context, id, limitID string,
	limit admin.UpdateMethodRateLimitRequest, opts ...CallOption) (*admin.MethodRateLimit, error) {
	return fetchChanged(ctx, (*engine)(s), api.UpdateMethodRateLimit(id, limitID, limit), opts, admin.MethodRateLimit{
		ID: limitID, Methods: slices.Clone(limit.Methods), Rate: deref(limit.Rate), Status: deref(limit.Status),
	})
}

// RateLimit is one limit of an endpoint as a whole.
type RateLimit struct {
	Bucket     admin.RateLimitBucket // The period: a second, minute or day.
	Requests   *int                  // Requests is nil if there is no limit, or no number: see Unlimited.
	Unlimited  bool                  // Unlimited is set if the service reports no limit, as -1.
	Source     admin.RateLimitSource // Source may be empty.
	OverrideID string                // OverrideID is empty if the limit cannot be removed.
}

// Format prints the record.
func (l RateLimit) Format(state fmt.State, _ rune) { redact.Record(state, l) }

// RateLimits are an endpoint's limits. A bucket can appear once per source.
type RateLimits []RateLimit

// RateLimitsOf returns the effective limits in a record, without sources. It returns none of a nil record.
func RateLimitsOf(limits *admin.EndpointRateLimits) RateLimits {
	record := orNew(limits)
	return rateLimitValues(record.RPS, record.RPM, record.RPD)
}

// Effective returns the limit of a bucket: an override, or the plan's limit.
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

// Overrides returns limits that are not the plan's, or all without sources.
func (l RateLimits) Overrides() map[admin.RateLimitBucket]int {
	overrides := map[admin.RateLimitBucket]int{}
	for _, of := range l {
		limit, _ := l.Effective(of.Bucket)
		if limit.Source != admin.RateLimitSourcePlanDefault && limit.Requests != nil {
			overrides[of.Bucket] = *limit.Requests
		}
	}
	return overrides
}

// rateLimitRows converts the rows of a listing.
func rateLimitRows(rows []api.RateLimitRow) RateLimits {
	var limits RateLimits
	for _, row := range rows {
		limit := newRateLimit(row.Bucket, row.RateLimit)
		limit.Source = row.Source
		if limit.Source != admin.RateLimitSourcePlanDefault {
			limit.OverrideID = row.ID // The id of a plan's limit cannot be used to remove it.
		}
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
			limits = append(limits, newRateLimit(value.bucket, value.requests))
		}
	}
	return limits
}

// newRateLimit returns a limit. A number of -1 stands for no limit, and is left out so that callers do not compute with
// it. The contract has no other negative number.
func newRateLimit(bucket admin.RateLimitBucket, requests *int) RateLimit {
	if deref(requests) < 0 {
		return RateLimit{Bucket: bucket, Unlimited: true}
	}
	return RateLimit{Bucket: bucket, Requests: requests}
}
