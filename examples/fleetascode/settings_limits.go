package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// limits compares the limits of the endpoint as a whole. What counts is what is in force: a limit that the plan of the
// account sets already needs no override.
func (s *settings) limits(want *rateLimits, have rpcfleet.RateLimits) {
	for _, limit := range []struct {
		bucket admin.RateLimitBucket
		want   *int
		change admin.RateLimitOverrides
	}{
		{admin.RateLimitBucketRPS, want.RPS, admin.RateLimitOverrides{RPS: want.RPS}},
		{admin.RateLimitBucketRPM, want.RPM, admin.RateLimitOverrides{RPM: want.RPM}},
		{admin.RateLimitBucketRPD, want.RPD, admin.RateLimitOverrides{RPD: want.RPD}},
	} {
		field, shown := "rate_limits."+string(limit.bucket), ""
		inForce, known := have.InForce(limit.bucket)
		switch {
		case inForce.Requests != nil:
			shown = strconv.Itoa(*inForce.Requests)
		case known:
			shown = "unlimited"
		}
		override, set := have.Override(limit.bucket)
		switch {
		case limit.want == nil && set:
			s.remove(field, shown, func(ctx context.Context) error { return s.client.RateLimits.RemoveOverride(ctx, s.id, override) })
		case limit.want != nil && shown != strconv.Itoa(*limit.want):
			s.set(field, shown, strconv.Itoa(*limit.want), func(ctx context.Context) error {
				_, err := s.client.RateLimits.Update(ctx, s.id, limit.change)
				return err
			})
		}
	}
}

// methodLimits compares the limits of single methods, which are identified by interval and methods.
func (s *settings) methodLimits(want []methodRateLimit, have []admin.MethodRateLimiter) {
	const field = "method_rate_limits"
	var wanted, entries []entry
	limiters := map[string]*admin.MethodRateLimiter{}
	for i := range have {
		key := limitKey(have[i].Interval, have[i].Methods)
		entries = append(entries, entry{have[i].ID, key, key})
		if limiters[key] == nil {
			limiters[key] = &have[i]
		}
	}
	for _, w := range want {
		key := limitKey(w.Interval, w.Methods)
		wanted = append(wanted, entry{key: key, shown: fmt.Sprintf("%s: %d", key, w.Rate)})
		if limiter := limiters[key]; limiter != nil {
			s.methodLimit(&w, limiter)
		} else if !on(w.Enabled) { // The service creates them enabled.
			wanted[len(wanted)-1].shown += ", disabled"
		}
	}
	s.entries(field, entries, wanted,
		func(ctx context.Context, i int) error { return s.addMethodLimit(ctx, &want[i], entries) },
		func(ctx context.Context, id string) error {
			return s.client.RateLimits.DeleteMethodLimit(ctx, s.id, id)
		})
}

// methodLimit compares the rate of a limit, and whether it is on.
func (s *settings) methodLimit(want *methodRateLimit, have *admin.MethodRateLimiter) {
	var change admin.UpdateMethodRateLimitRequest
	var were, to []string
	if have.Rate != want.Rate {
		change.Rate = &want.Rate
		were, to = append(were, strconv.Itoa(have.Rate)), append(to, strconv.Itoa(want.Rate))
	}
	if status := switchOf(on(want.Enabled)); have.Status != status {
		change.Status = &status
		were, to = append(were, string(have.Status)), append(to, string(status))
	}
	if len(to) == 0 {
		return
	}
	s.set("method_rate_limits "+limitKey(have.Interval, have.Methods), strings.Join(were, ", "), strings.Join(to, ", "),
		func(ctx context.Context) error {
			_, err := s.client.RateLimits.UpdateMethodLimit(ctx, s.id, have.ID, change)
			return err
		})
}

func (s *settings) addMethodLimit(ctx context.Context, want *methodRateLimit, known []entry) error {
	request := admin.CreateMethodRateLimitRequest{Interval: want.Interval, Methods: want.Methods, Rate: want.Rate}
	id, err := once(ctx, s.settle, ids(known),
		func(ctx context.Context) (string, error) {
			created, err := s.client.RateLimits.CreateMethodLimit(ctx, s.id, request)
			if err != nil {
				return "", err
			}
			return created.ID, nil
		},
		func(ctx context.Context) (rpcfleet.Lookup[admin.MethodRateLimiter], error) {
			return s.client.RateLimits.FindCreatedMethodLimit(ctx, s.id, request)
		})
	if err != nil || on(want.Enabled) {
		return err
	}
	_, err = s.client.RateLimits.UpdateMethodLimit(ctx, s.id, id, admin.UpdateMethodRateLimitRequest{Status: new(admin.SwitchDisabled)})
	return err
}

func switchOf(on bool) admin.Switch {
	if on {
		return admin.SwitchEnabled
	}
	return admin.SwitchDisabled
}
