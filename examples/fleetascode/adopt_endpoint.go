package main

import (
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// adopted is an endpoint of the account as a file declares it.
func adopted(have *admin.Endpoint, told *details, names map[string]string) endpoint {
	e := endpoint{
		Label: names[have.ID], Chain: have.Chain, Network: have.Network, Multichain: &have.IsMultichain,
		Security: adoptedSecurity(told), RateLimits: adoptedLimits(told.limits), MethodRateLimits: list[methodRateLimit]{},
	}
	if e.Label == have.ID { // Its label does not identify it.
		e.ID, e.Label = have.ID, ""
	}
	if have.Status.Valid() {
		e.Status = have.Status
	}
	e.Tags = texts(have.Tags, func(t admin.EndpointTag) *string { return t.Label })
	seen := map[string]bool{}
	for _, limit := range told.methods {
		key := limitKey(limit.Interval, limit.Methods)
		if seen[key] { // A file cannot say it twice.
			continue
		}
		seen[key] = true
		declared := methodRateLimit{Interval: limit.Interval, Methods: limit.Methods, Rate: limit.Rate}
		if limit.Status == admin.SwitchDisabled {
			declared.Enabled = new(false)
		}
		e.MethodRateLimits = append(e.MethodRateLimits, declared)
	}
	return e
}

// texts are the texts of a list, each once.
func texts[T any](items []T, of func(T) *string) list[string] {
	all := list[string]{}
	for _, item := range items {
		value := text(of(item))
		if value != "" && !slices.ContainsFunc(all, func(other string) bool { return strings.EqualFold(other, value) }) {
			all = append(all, value)
		}
	}
	return all
}

// adoptedSecurity says how many tokens there are, and nothing else about them.
func adoptedSecurity(told *details) *security {
	have := told.security
	s := &security{
		Tokens: new(len(have.Tokens)), Options: map[admin.SecurityOptionName]bool{},
		Referrers:      texts(have.Referrers, func(r admin.EndpointReferrer) *string { return r.Referrer }),
		IPs:            texts(have.IPs, func(ip admin.EndpointIP) *string { return ip.IP }),
		DomainMasks:    texts(have.DomainMasks, func(d admin.EndpointDomainMask) *string { return d.Domain }),
		RequestFilters: list[[]string]{}, JWTs: list[jwt]{},
	}
	for _, name := range optionNames {
		if on, known := told.options.Enabled(name); known {
			s.Options[name] = on
		}
	}
	header, set := told.options.IPCustomHeader()
	if set || !s.Options[admin.SecurityOptionNameIPCustomHeader] {
		s.IPCustomHeader = &header
	}
	filters, keys := map[string]bool{}, map[string]bool{}
	for _, filter := range have.RequestFilters {
		if key := methodKey(filter.Method); !filters[key] {
			filters[key] = true
			s.RequestFilters = append(s.RequestFilters, filter.Method)
		}
	}
	for _, entry := range have.JWTs {
		if j := jwtOf(entry); !keys[j.key()] {
			keys[j.key()] = true
			s.JWTs = append(s.JWTs, j)
		}
	}
	return s
}

// adoptedLimits are the overrides. What the plan of the account sets is left to it.
func adoptedLimits(have rpcfleet.RateLimits) *rateLimits {
	limit := func(bucket admin.RateLimitBucket) *int {
		if _, overridden := have.Override(bucket); !overridden {
			return nil
		}
		inForce, _ := have.InForce(bucket)
		return inForce.Requests
	}
	return &rateLimits{
		RPS: limit(admin.RateLimitBucketRPS), RPM: limit(admin.RateLimitBucketRPM), RPD: limit(admin.RateLimitBucketRPD),
	}
}
