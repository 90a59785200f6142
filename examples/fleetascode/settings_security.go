package main

import (
	"context"
	"strconv"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// security compares what guards the endpoint.
func (s *settings) security(want *security, told *details) {
	have := told.security
	if want.Tokens != nil {
		s.tokens(*want.Tokens, have.Tokens)
	}
	if want.Referrers != nil {
		s.referrers(want.Referrers, have.Referrers)
	}
	if want.IPs != nil {
		s.ips(want.IPs, have.IPs)
	}
	if want.DomainMasks != nil {
		s.domainMasks(want.DomainMasks, have.DomainMasks)
	}
	if want.RequestFilters != nil {
		s.requestFilters(want.RequestFilters, have.RequestFilters)
	}
	if want.JWTs != nil {
		s.jwts(want.JWTs, have.JWTs)
	}
	if want.IPCustomHeader != nil {
		s.ipCustomHeader(*want.IPCustomHeader, told.options)
	}
	s.options(want.Options, told.options)
}

// tokens creates as many as are missing. What is more than the file declares stays: nothing in a file can say which of
// them are in use.
func (s *settings) tokens(want int, have []admin.EndpointToken) {
	known := make([]entry, 0, want)
	for _, token := range have {
		known = append(known, listed(token.ID, nil))
	}
	for number := len(have) + 1; number <= want; number++ {
		s.steps = append(s.steps, step{actionAdd, s.thing, "security.tokens", "", "token " + strconv.Itoa(number), func(ctx context.Context) error {
			id, err := once(ctx, s.settle, ids(known),
				func(ctx context.Context) (string, error) {
					created, err := s.client.Security.CreateToken(ctx, s.id)
					if err != nil {
						return "", err
					}
					return text(created.ID), nil
				},
				func(ctx context.Context) (rpcfleet.Lookup[admin.EndpointToken], error) {
					return s.client.Security.FindCreatedToken(ctx, s.id)
				})
			known = append(known, entry{id: id})
			return err
		}})
	}
}

func (s *settings) ipCustomHeader(want string, have rpcfleet.SecurityOptions) {
	const field = "security.ip_custom_header"
	header, set := have.IPCustomHeader()
	switch {
	case want == "" && set:
		s.remove(field, header, func(ctx context.Context) error { return s.client.Security.RemoveIPCustomHeader(ctx, s.id) })
	case want != header:
		s.set(field, header, want, func(ctx context.Context) error {
			_, err := s.client.Security.SetIPCustomHeader(ctx, s.id, want)
			return err
		})
	}
}

// options compares the switches that the file names, and sets those that differ in one call.
func (s *settings) options(want map[admin.SecurityOptionName]bool, have rpcfleet.SecurityOptions) {
	var switches admin.SecurityOptionSwitches
	places := map[admin.SecurityOptionName]**admin.Switch{
		admin.SecurityOptionNameTokens: &switches.Tokens, admin.SecurityOptionNameReferrers: &switches.Referrers,
		admin.SecurityOptionNameJWTs: &switches.JWTs, admin.SecurityOptionNameIPs: &switches.IPs,
		admin.SecurityOptionNameDomainMasks: &switches.DomainMasks, admin.SecurityOptionNameHSTS: &switches.HSTS,
		admin.SecurityOptionNameCORS: &switches.CORS, admin.SecurityOptionNameRequestFilters: &switches.RequestFilters,
		admin.SecurityOptionNameIPCustomHeader: &switches.IPCustomHeader,
	}
	were, to := "", ""
	for _, name := range optionNames {
		on, declared := want[name]
		is, known := have.Enabled(name)
		if !declared || known && is == on {
			continue
		}
		*places[name] = new(switchOf(on))
		to = joined(to, string(name)+" "+onOff(on))
		if known {
			were = joined(were, string(name)+" "+onOff(is))
		}
	}
	if to != "" {
		s.set("security.options", were, to, func(ctx context.Context) error {
			_, err := s.client.Security.SetOptions(ctx, s.id, switches)
			return err
		})
	}
}

// optionNames are the options in the order in which they are shown.
var optionNames = []admin.SecurityOptionName{
	admin.SecurityOptionNameTokens, admin.SecurityOptionNameReferrers, admin.SecurityOptionNameJWTs, admin.SecurityOptionNameIPs,
	admin.SecurityOptionNameDomainMasks, admin.SecurityOptionNameHSTS, admin.SecurityOptionNameCORS,
	admin.SecurityOptionNameRequestFilters, admin.SecurityOptionNameIPCustomHeader,
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

func joined(text, more string) string {
	if text == "" {
		return more
	}
	return text + ", " + more
}
