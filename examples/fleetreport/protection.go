package main

import (
	"slices"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// protection is what protects an endpoint.
type protection struct {
	// On and Off are the options that are switched on, and off. What the service did not tell is in neither.
	On  []string `json:"on"`
	Off []string `json:"off"`
	// Entries says how many there are of a kind: never what they are.
	Entries []entries `json:"entries"`
	// IPHeader is the name of the request header that the caller's IP is read from.
	IPHeader string `json:"ip_header,omitempty"`
}

// entries is a list that an option puts into force.
type entries struct {
	Option string `json:"option"`
	Count  int    `json:"count"`
}

// guards are the options that keep callers out. Domain masks and request filters do not: they say by which name an
// endpoint is called, and what.
var guards = []string{
	string(admin.SecurityOptionNameTokens), string(admin.SecurityOptionNameJWTs),
	string(admin.SecurityOptionNameIPs), string(admin.SecurityOptionNameReferrers),
}

// protectionOf reads the security settings of an endpoint.
func protectionOf(record admin.EndpointSecurity) protection {
	p := protection{On: []string{}, Off: []string{}, Entries: []entries{
		{string(admin.SecurityOptionNameTokens), len(record.Tokens)},
		{string(admin.SecurityOptionNameJWTs), len(record.JWTs)},
		{string(admin.SecurityOptionNameIPs), len(record.IPs)},
		{string(admin.SecurityOptionNameReferrers), len(record.Referrers)},
		{string(admin.SecurityOptionNameDomainMasks), len(record.DomainMasks)},
		{string(admin.SecurityOptionNameRequestFilters), len(record.RequestFilters)},
	}}
	options := rpcfleet.SecurityOptionsOf(record.Options)
	p.IPHeader, _ = options.IPCustomHeader()
	for _, option := range options {
		switch on, known := options.Enabled(option.Option); {
		case option.Option == rpcfleet.SecurityOptionResponseLogging: // It protects nothing.
		case on:
			p.On = append(p.On, string(option.Option))
		case known:
			p.Off = append(p.Off, string(option.Option))
		}
	}
	return p
}

// guarded returns the guards that are on.
func (p *protection) guarded() (on []string) {
	for _, guard := range guards {
		if slices.Contains(p.On, guard) {
			on = append(on, guard)
		}
	}
	return on
}

// open reports whether all guards are known to be off.
func (p *protection) open() bool {
	return !slices.ContainsFunc(guards, func(guard string) bool { return !slices.Contains(p.Off, guard) })
}

// unknown reports whether no guard is on, and the service did not tell of each.
func (p *protection) unknown() bool { return len(p.guarded()) == 0 && !p.open() }

// empty reports whether an option is on that has no entry.
func (p *protection) empty() bool {
	return slices.ContainsFunc(p.Entries, func(list entries) bool {
		return list.Count == 0 && slices.Contains(p.On, list.Option)
	})
}

// idle reports whether an option with entries is off. Tokens do not count: every endpoint has one.
func (p *protection) idle() bool {
	return slices.ContainsFunc(p.Entries, func(list entries) bool {
		return list.Count > 0 && list.Option != guards[0] && slices.Contains(p.Off, list.Option)
	})
}

// filled returns the lists with entries.
func (p *protection) filled() []entries {
	return slices.DeleteFunc(slices.Clone(p.Entries), func(list entries) bool { return list.Count == 0 })
}
