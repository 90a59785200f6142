package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/admin"
)

// endpoint checks an endpoint. The names of endpoints are their labels, and the ids of those that have one in the file.
func (d *decoder) endpoint(e *endpoint, place string, names map[string]bool) {
	if e.ID == "" || e.Label != "" {
		d.unique(place+".label", e.Label, names)
	}
	if e.ID != "" && e.ID != e.Label {
		d.unique(place+".id", e.ID, names)
	}
	d.required(place+".chain", e.Chain)
	d.required(place+".network", e.Network)
	if e.Status != "" && !e.Status.Valid() {
		d.wrong(place+".status", "must be active or paused")
	}
	d.uniqueTexts(place+".tags", e.Tags)
	if e.Security != nil {
		d.security(e.Security, place+".security")
	}
	if e.RateLimits != nil {
		for name, limit := range map[string]*int{"rps": e.RateLimits.RPS, "rpm": e.RateLimits.RPM, "rpd": e.RateLimits.RPD} {
			if limit != nil && *limit < 1 {
				d.wrong(place+".rate_limits."+name, "must be at least 1")
			}
		}
	}
	limits := map[string]bool{}
	for i, limit := range e.MethodRateLimits {
		d.methodRateLimit(limit, at(place+".method_rate_limits", i), limits)
	}
}

func (d *decoder) methodRateLimit(limit methodRateLimit, place string, seen map[string]bool) {
	if !limit.Interval.Valid() {
		d.wrong(place+".interval", "must be second, minute or day")
	}
	d.methods(place+".methods", limit.Methods)
	if limit.Rate < 1 {
		d.wrong(place+".rate", "must be at least 1")
	}
	if key := limitKey(limit.Interval, limit.Methods); seen[key] {
		d.wrong(place, "the same methods have a limit for that interval already")
	} else {
		seen[key] = true
	}
}

func (d *decoder) methods(place string, methods []string) {
	if len(methods) == 0 {
		d.wrong(place, "must have at least one method")
	}
	for i, method := range methods {
		d.required(at(place, i), method)
	}
	d.uniqueExact(place, methods)
}

func (d *decoder) security(s *security, place string) {
	if s.Tokens != nil && *s.Tokens < 0 {
		d.wrong(place+".tokens", "must not be negative")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Options)) {
		if !name.Valid() {
			d.wrong(place+".options."+string(name), "there is no such option")
		}
	}
	if s.IPCustomHeader != nil && *s.IPCustomHeader == "" && s.Options[admin.SecurityOptionNameIPCustomHeader] {
		d.wrong(place+".options.ipCustomHeader", "needs a header in ip_custom_header")
	}
	d.uniqueTexts(place+".referrers", s.Referrers)
	d.uniqueTexts(place+".ips", s.IPs)
	d.uniqueTexts(place+".domain_masks", s.DomainMasks)
	filters := map[string]bool{}
	for i, methods := range s.RequestFilters {
		d.methods(at(place+".request_filters", i), methods)
		if filters[methodKey(methods)] {
			d.wrong(at(place+".request_filters", i), "the same methods are there twice")
		}
		filters[methodKey(methods)] = true
	}
	keys := map[string]bool{}
	for i := range s.JWTs {
		j, entry := &s.JWTs[i], at(place+".jwts", i)
		j.PublicKey = strings.TrimSpace(j.PublicKey)
		d.required(entry+".name", j.Name)
		d.required(entry+".kid", j.Kid)
		d.required(entry+".public_key", j.PublicKey)
		if keys[j.key()] {
			d.wrong(entry, "the same key is there twice")
		}
		keys[j.key()] = true
	}
}
