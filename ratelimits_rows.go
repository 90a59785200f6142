package rpcfleet

import (
	"fmt"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/show"
)

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
func (l RateLimit) Format(state fmt.State, _ rune) { show.Record(state, l) }

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

// InForce returns the limit that applies to a bucket: an override rather than the plan's limit. It is false where the
// service did not tell of any.
func (l RateLimits) InForce(bucket admin.RateLimitBucket) (RateLimit, bool) {
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
	override, set := removable.InForce(bucket)
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
