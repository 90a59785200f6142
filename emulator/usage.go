package emulator

import (
	"context"
	"iter"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// defaultIncludedCredits are what the plan of the account includes in a billing period. The number is made up.
const defaultIncludedCredits = 450_000_000

// WithIncludedCredits sets the credits that the account's plan includes in a billing period. What is used beyond them
// is overage.
func WithIncludedCredits(credits int64) Option {
	return func(s *settings) { s.includedCredits = max(credits, 0) }
}

// usageRange is a time range in unix seconds. Both seconds are part of it.
type usageRange struct {
	start, end int64
	// current is true for the current billing period as a whole, up to now.
	current bool
}

// lastSecond is the last second of the year 9999, beyond which times have no spelling.
const lastSecond = 253402300799

// usageRange works out the time range of a usage report: a start that is missing is that of the current billing period,
// an end that is missing is now.
func (s *state) usageRange(start, end *int64) (usageRange, error) {
	now := s.now()
	asked := usageRange{start: billingPeriodStart(now, 0).Unix(), end: now.Unix(), current: start == nil && end == nil}
	if start != nil {
		asked.start = *start
	}
	if end != nil {
		asked.end = *end
	}
	if asked.start < 0 || asked.end > lastSecond {
		return usageRange{}, badRequest("start_time and end_time must be unix seconds")
	}
	if asked.start > asked.end {
		return usageRange{}, badRequest("start_time must not be after end_time")
	}
	return asked, nil
}

// used is what calls have used.
type used struct{ credits, requests, bytes int64 }

func (u *used) add(c *call) {
	u.credits += c.credits
	u.requests += c.requests
	u.bytes += c.bytes
}

// callsWithin yields the calls of a time range with their endpoints, endpoint by endpoint. Archived endpoints are among
// them: what they used is not given back.
func (s *state) callsWithin(within usageRange) iter.Seq2[*endpoint, *call] {
	start, end := time.Unix(within.start, 0), time.Unix(within.end+1, 0)
	return func(yield func(*endpoint, *call) bool) {
		for _, endpoint := range s.order {
			for _, call := range s.traffic.of(endpoint).between(start, end) {
				if !yield(endpoint, call) {
					return
				}
			}
		}
	}
}

// GetUsage is GET /v0/usage/rpc. What remains of the plan is told for the current billing period alone, and so are the
// plan's limit and what was used beyond it.
func (h adminHandlers) GetUsage(_ context.Context, r adminapi.GetUsageRequestObject) (adminapi.GetUsageResponseObject, error) {
	within, err := h.state.usageRange(r.Params.StartTime, r.Params.EndTime)
	if err != nil {
		return nil, err
	}
	var sum used
	for _, call := range h.state.callsWithin(within) {
		sum.add(call)
	}
	total := adminapi.UsageTotal{CreditsUsed: sum.credits, StartTime: within.start, EndTime: within.end}
	if within.current {
		included := h.settings.includedCredits
		total.Limit = &included
		total.CreditsRemaining = new(max(included-sum.credits, 0))
		total.Overages = new(max(sum.credits-included, 0))
	}
	return adminapi.GetUsage200JSONResponse{Data: total}, nil
}
