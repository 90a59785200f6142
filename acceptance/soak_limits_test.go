package acceptance

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/admin"
)

// limits overrides one or two limits.
func (p *endpointPlayer) limits(model *endpointModel) {
	rps, rpd := 1+p.IntN(500), 1+p.IntN(1000)
	overrides := admin.RateLimitOverrides{RPS: &rps}
	model.limits[admin.RateLimitBucketRPS] = rps
	if p.IntN(2) == 0 {
		overrides.RPD = &rpd
		model.limits[admin.RateLimitBucketRPD] = rpd
	}
	p.set("updateRateLimits", func() error {
		limits, err := p.client.RateLimits.Update(p.t.Context(), model.id, overrides)
		if err == nil {
			limit, _ := limits.InForce(admin.RateLimitBucketRPS)
			p.same("limit", rps, valueOf(limit.Requests))
		}
		return err
	}, func() (bool, error) {
		limits, err := p.client.RateLimits.Get(p.t.Context(), model.id)
		now, _ := overridesOf(limits)
		return maps.Equal(now, model.limits), err
	})
}

// removeLimit takes an override back, whichever there is.
func (p *endpointPlayer) removeLimit(model *endpointModel) {
	bucket, some := pick(p.Rand, model.limits)
	if !some {
		return
	}
	id := ""
	p.insist("getRateLimits", func() error {
		limits, err := p.client.RateLimits.Get(p.t.Context(), model.id)
		id, _ = limits.Override(bucket)
		return err
	})
	p.remove("deleteRateLimitOverride", func() error { return p.client.RateLimits.RemoveOverride(p.t.Context(), model.id, id) })
	delete(model.limits, bucket)
}

func (p *endpointPlayer) readLimits(model *endpointModel) {
	limits, err := p.client.RateLimits.Get(p.t.Context(), model.id)
	if p.came("getRateLimits", err) {
		overrides, doubled := overridesOf(limits)
		p.same("limits", model.limits, overrides)
		p.same("doubled limits", false, doubled)
	}
}

// methodLimit limits a method, now and then as another limit does.
func (p *endpointPlayer) methodLimit(model *endpointModel) {
	if len(model.methodLimits) >= maxEntries {
		return
	}
	request := admin.CreateMethodRateLimitRequest{
		Interval: admin.RateLimitIntervalMinute, Methods: []string{"eth_call"}, Rate: 1 + p.IntN(3),
	}
	var created admin.MethodRateLimiter
	id := p.create("createMethodRateLimit", func() (string, error) {
		limit, err := p.client.RateLimits.CreateMethodLimit(p.t.Context(), model.id, request)
		return idOf(limit, err, func(l *admin.MethodRateLimiter) *string { return &l.ID })
	}, func() (found, error) {
		lookup, err := p.client.RateLimits.FindCreatedMethodLimit(p.t.Context(), model.id, request)
		return lookedUp(lookup, err, slices.Collect(maps.Keys(model.methodLimits)))
	})
	if id != "" {
		created.Interval, created.Methods, created.Rate = request.Interval, request.Methods, request.Rate
		created.Status = admin.SwitchEnabled
		model.methodLimits[id] = methodLimitView(created)
	}
}

// changeMethodLimit changes all that can be changed of a limit.
func (p *endpointPlayer) changeMethodLimit(model *endpointModel) {
	id, some := pick(p.Rand, model.methodLimits)
	if !some {
		return
	}
	p.serial++
	change := admin.UpdateMethodRateLimitRequest{
		Methods: []string{"eth_call", fmt.Sprintf("eth_method%d", p.serial)}, Rate: new(1 + p.IntN(3)),
		Status: new([]admin.Switch{admin.SwitchEnabled, admin.SwitchDisabled}[p.IntN(2)]),
	}
	p.set("updateMethodRateLimit", func() error {
		_, err := p.client.RateLimits.UpdateMethodLimit(p.t.Context(), model.id, id, change)
		return err
	}, nil)
	model.methodLimits[id] = methodLimitView(admin.MethodRateLimiter{
		Interval: admin.RateLimitIntervalMinute, Methods: change.Methods, Rate: *change.Rate, Status: *change.Status,
	})
}

func (p *endpointPlayer) removeMethodLimit(model *endpointModel) {
	id, some := pick(p.Rand, model.methodLimits)
	if !some {
		return
	}
	p.remove("deleteMethodRateLimit", func() error { return p.client.RateLimits.DeleteMethodLimit(p.t.Context(), model.id, id) })
	delete(model.methodLimits, id)
}

func (p *endpointPlayer) readMethodLimits(model *endpointModel) {
	limits, err := p.client.RateLimits.ListMethodLimits(p.t.Context(), model.id)
	if p.came("listMethodRateLimits", err) {
		p.same("limits of methods", model.methodLimits, methodLimitsOf(limits))
	}
}

func methodLimitsOf(limits []admin.MethodRateLimiter) map[string]string {
	return entriesOf(limits, func(limit admin.MethodRateLimiter) (*string, string) { return &limit.ID, methodLimitView(limit) })
}
