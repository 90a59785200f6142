package emulator

import (
	"context"
	"slices"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

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
