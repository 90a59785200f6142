package rpcfleet_test

import (
	"testing"

	"github.com/rpcfleet/rpcfleet-go/admin"
)

// TestContractRulesOfSecurity is TestContractRules for the security of endpoints.
func TestContractRulesOfSecurity(t *testing.T) {
	referrer := func(value string) ask {
		return func(a asking) error { return second(a.Security.AddReferrer(a, "ep1", value, a.opts...)) }
	}
	ip := func(value string) ask {
		return func(a asking) error { return second(a.Security.AddIP(a, "ep1", value, a.opts...)) }
	}
	domainMask := func(value string) ask {
		return func(a asking) error { return second(a.Security.AddDomainMask(a, "ep1", value, a.opts...)) }
	}
	header := func(value string) ask {
		return func(a asking) error { return second(a.Security.SetIPCustomHeader(a, "ep1", value, a.opts...)) }
	}
	addFilter := func(methods []string) ask {
		return func(a asking) error {
			return second(a.Security.AddRequestFilter(a, "ep1", methods, a.opts...))
		}
	}
	updateFilter := func(methods []string) ask {
		return func(a asking) error {
			return a.Security.UpdateRequestFilter(a, "ep1", "f1", methods, a.opts...)
		}
	}
	addJWT := func(jwt admin.AddJWTRequest) ask {
		return func(a asking) error { return second(a.Security.AddJWT(a, "ep1", jwt, a.opts...)) }
	}
	options := func(change admin.SecurityOptionSwitches) ask {
		return func(a asking) error { return second(a.Security.SetOptions(a, "ep1", change, a.opts...)) }
	}
	jwt := admin.AddJWTRequest{PublicKey: "p", Kid: "k", Name: "n"}
	rules := []rule{
		{"addReferrer", "referrer", isRequired, referrer(""), referrer("r")},
		{"addIP", "ip", isRequired, ip(""), ip("not even an address")},
		{"addDomainMask", "domain_mask", isRequired, domainMask(""), domainMask("d")},
		{"setIPCustomHeader", "header_name", isRequired, header(""), header("h")},
		{"addRequestFilter", "method", isRequired, addFilter(nil), addFilter([]string{})},
		{"addRequestFilter", "method[1]", "must not be empty", addFilter([]string{"a", ""}), addFilter([]string{"a"})},
		{"updateRequestFilter", "method", isRequired, updateFilter(nil), updateFilter([]string{})},
		{"updateSecurityOptions", "options.cors", isDocumented, options(admin.SecurityOptionSwitches{CORS: new(admin.Switch(""))}),
			options(admin.SecurityOptionSwitches{CORS: new(admin.SwitchDisabled)})},
		{"addJWT", "public_key", isRequired, addJWT(admin.AddJWTRequest{Kid: "k", Name: "n"}), addJWT(jwt)},
		{"addJWT", "kid", isRequired, addJWT(admin.AddJWTRequest{PublicKey: "p", Name: "n"}), addJWT(jwt)},
		{"addJWT", "name", isRequired, addJWT(admin.AddJWTRequest{PublicKey: "p", Kid: "k"}), addJWT(jwt)},
	}
	on, wrong := new(admin.SwitchEnabled), new(admin.Switch("on"))
	for field, change := range map[string][2]admin.SecurityOptionSwitches{
		"tokens": {{Tokens: wrong}, {Tokens: on}}, "referrers": {{Referrers: wrong}, {Referrers: on}},
		"jwts": {{JWTs: wrong}, {JWTs: on}}, "ips": {{IPs: wrong}, {IPs: on}},
		"domainMasks": {{DomainMasks: wrong}, {DomainMasks: on}}, "hsts": {{HSTS: wrong}, {HSTS: on}},
		"cors": {{CORS: wrong}, {CORS: on}}, "requestFilters": {{RequestFilters: wrong}, {RequestFilters: on}},
		"ipCustomHeader": {{IPCustomHeader: wrong}, {IPCustomHeader: on}},
	} {
		rules = append(rules, rule{"updateSecurityOptions", "options." + field, isDocumented, options(change[0]), options(change[1])})
	}
	testRules(t, rules)
}

// TestContractRulesOfRateLimits is TestContractRules for the rate limits of endpoints.
func TestContractRulesOfRateLimits(t *testing.T) {
	create := func(interval admin.RateLimitInterval, methods []string) ask {
		return func(a asking) error {
			limit := admin.CreateMethodRateLimitRequest{Interval: interval, Methods: methods, Rate: 1}
			return second(a.RateLimits.CreateMethodLimit(a, "ep1", limit, a.opts...))
		}
	}
	update := func(change admin.UpdateMethodRateLimitRequest) ask {
		return func(a asking) error {
			return second(a.RateLimits.UpdateMethodLimit(a, "ep1", "l1", change, a.opts...))
		}
	}
	override := func(id string) ask {
		return func(a asking) error { return a.RateLimits.RemoveOverride(a, "ep1", id, a.opts...) }
	}
	methods := []string{"eth_call"}
	rules := []rule{
		{"createMethodRateLimit", "interval", isRequired, create("", methods), create("second", methods)},
		{"createMethodRateLimit", "interval", isDocumented, create("hour", methods), create("minute", methods)},
		{"createMethodRateLimit", "methods", isRequired, create("day", nil), create("day", []string{})},
		{"createMethodRateLimit", "methods[0]", "must not be empty", create("day", []string{""}), create("day", methods)},
		{"updateMethodRateLimit", "status", isDocumented, update(admin.UpdateMethodRateLimitRequest{Status: new(admin.Switch("off"))}),
			update(admin.UpdateMethodRateLimitRequest{Status: new(admin.SwitchDisabled)})},
		{"updateMethodRateLimit", "methods[0]", "must not be empty", update(admin.UpdateMethodRateLimitRequest{Methods: []string{""}}),
			update(admin.UpdateMethodRateLimitRequest{Methods: methods})},
	}
	const uuid = "7d0c1f64-2b7e-4f0a-8a4e-51c9b8c0a9d3"
	for _, id := range []string{"o-1", uuid[1:], uuid + "0", "{" + uuid + "}", "g" + uuid[1:], "7d0c1f642b7e4f0a8a4e51c9b8c0a9d3", uuid + "\n"} {
		rules = append(rules, rule{"deleteRateLimitOverride", "override_id", "must be a UUID", override(id), override(uuid)})
	}
	for operation, set := range map[string]func(admin.RateLimitOverrides) ask{
		"updateRateLimits": func(limits admin.RateLimitOverrides) ask {
			return func(a asking) error { return second(a.RateLimits.Update(a, "ep1", limits, a.opts...)) }
		},
		"replaceRateLimits": func(limits admin.RateLimitOverrides) ask {
			return func(a asking) error { return second(a.RateLimits.Replace(a, "ep1", limits, a.opts...)) }
		},
	} {
		rules = append(rules,
			rule{operation, "rate_limits", "at least one of rps, rpm, rpd", set(admin.RateLimitOverrides{}), set(admin.RateLimitOverrides{RPD: new(1)})},
			rule{operation, "rate_limits.rps", "must be at least 1", set(admin.RateLimitOverrides{RPS: new(0)}), set(admin.RateLimitOverrides{RPS: new(1)})},
			rule{operation, "rate_limits.rpm", "must be at least 1", set(admin.RateLimitOverrides{RPM: new(-1)}), set(admin.RateLimitOverrides{RPM: new(1)})},
			rule{operation, "rate_limits.rpd", "must be at least 1", set(admin.RateLimitOverrides{RPS: new(1), RPM: new(1), RPD: new(0)}),
				set(admin.RateLimitOverrides{RPS: new(1), RPM: new(1), RPD: new(1)})},
		)
	}
	testRules(t, rules)
}
