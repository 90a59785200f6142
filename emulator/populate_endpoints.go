package emulator

import (
	"errors"
	"maps"
	"regexp"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// buildEndpoint makes an endpoint with all that is its own.
func (p *population) buildEndpoint(spec fleet.Endpoint) error {
	chain, network, err := findNetwork(spec.Chain, spec.Network)
	if err != nil {
		return err
	}
	for i, label := range spec.Tags {
		if err := checkTagLabel(label); err != nil {
			return fleet.Item("tags", i, err)
		}
	}
	if err := checkTokens(spec.Tokens); err != nil {
		return err
	}
	built := p.state.newEndpoint(chain, network)
	if spec.Label != "" {
		built.label = &spec.Label
	}
	if spec.Paused {
		built.status = adminapi.EndpointStatusPaused
	}
	built.multichain, built.dedicated, built.flatRate = spec.Multichain, spec.Dedicated, spec.FlatRate
	if len(spec.Tokens) > 0 {
		built.token = spec.Tokens[0]
		built.security.tokens = nil
		for _, token := range spec.Tokens {
			built.security.tokens.add(p.state.ids, token)
		}
	}
	if err := p.buildSecurity(&built.security, spec.Security); err != nil {
		return fleet.At("security", err)
	}
	if err := p.buildLimits(&built.limits, spec); err != nil {
		return err
	}
	tallies, err := p.state.newTallies(built, spec.Usage)
	if err != nil {
		return err
	}
	p.tallies[built], p.tagged[built] = tallies, spec.Tags
	p.labels[spec.Label] = append(p.labels[spec.Label], built)
	p.endpoints = append(p.endpoints, built)
	return nil
}

var tokenForm = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

func checkTokens(tokens []string) error {
	for i, token := range tokens {
		if !tokenForm.MatchString(token) {
			return fleet.Item("tokens", i, errors.New("must have letters, digits, - and _ alone"))
		}
	}
	return nil
}

func (p *population) buildSecurity(security *securityState, given fleet.Security) error {
	for _, name := range slices.Sorted(maps.Keys(given.Options)) {
		option := adminapi.SecurityOptionName(name)
		if !option.Valid() {
			return fleet.At("options."+name, errors.New("there is no such option"))
		}
		security.on[option] = given.Options[name]
	}
	if given.IPCustomHeader != "" {
		security.ipHeader = &given.IPCustomHeader
		security.on[adminapi.SecurityOptionNameIPCustomHeader] = true
	}
	ids := p.state.ids
	if err := addEach("referrers", given.Referrers, &security.referrers, ids, required); err != nil {
		return err
	}
	if err := addEach("ips", given.IPs, &security.ips, ids, checkIP); err != nil {
		return err
	}
	if err := addEach("domain_masks", given.DomainMasks, &security.domainMasks, ids, required); err != nil {
		return err
	}
	checkFilter := func(methods []string) error { return checkMethods("a list of methods", methods) }
	if err := addEach("request_filters", given.RequestFilters, &security.requestFilters, ids, checkFilter); err != nil {
		return err
	}
	var keys []publicKey
	for _, jwt := range given.JWTs {
		keys = append(keys, publicKey{key: jwt.PublicKey, kid: jwt.Kid, name: jwt.Name})
	}
	return addEach("jwts", keys, &security.jwts, ids, publicKey.check)
}

func required(text string) error {
	if text == "" {
		return errors.New("must not be empty")
	}
	return nil
}

// addEach adds values to a list of an endpoint.
func addEach[T any](name string, values []T, to *entries[T], ids *ids, check func(T) error) error {
	for i, value := range values {
		if err := check(value); err != nil {
			return fleet.Item(name, i, err)
		}
		to.add(ids, value)
	}
	return nil
}

func (p *population) buildLimits(limits *limitState, spec fleet.Endpoint) error {
	var overrides adminapi.RateLimitOverrides
	if spec.RateLimits != (fleet.RateLimits{}) {
		overrides.RPS, overrides.RPM, overrides.RPD = given(spec.RateLimits.RPS), given(spec.RateLimits.RPM), given(spec.RateLimits.RPD)
		if err := limits.set(p.state.ids, overrides); err != nil {
			return err
		}
	}
	for i, limit := range spec.MethodRateLimits {
		interval := adminapi.RateLimitInterval(limit.Interval)
		built, err := p.state.newMethodLimit(interval, slices.Clone(limit.Methods), limit.Rate)
		if err != nil {
			return fleet.Item("method_rate_limits", i, err)
		}
		if limit.Disabled {
			built.Status = adminapi.SwitchDisabled
		}
		limits.methods = append(limits.methods, built)
	}
	return nil
}

// given is nil for what was left out.
func given(limit int) *int {
	if limit == 0 {
		return nil
	}
	return &limit
}
