package acceptance

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/admin"
)

// soakSwitches are the options that an endpoint's record has as booleans and that can be switched.
var soakSwitches = []admin.SecurityOptionName{
	admin.SecurityOptionNameTokens, admin.SecurityOptionNameReferrers, admin.SecurityOptionNameJWTs, admin.SecurityOptionNameIPs,
	admin.SecurityOptionNameDomainMasks, admin.SecurityOptionNameHSTS, admin.SecurityOptionNameCORS,
	admin.SecurityOptionNameRequestFilters,
}

// maxEntries is how long a list of entries gets.
const maxEntries = 4

// guard adds an entry to one of the lists, now and then one whose value is there already.
func (p *endpointPlayer) guard(model *endpointModel) {
	guard := soakGuards[p.IntN(len(soakGuards))]
	entries := model.guards[guard.name]
	if len(entries) >= maxEntries {
		return
	}
	p.serial++
	value := guard.value(p.serial)
	if id, some := pick(p.Rand, entries); some && p.IntN(5) == 0 {
		value = entries[id]
	}
	id := p.create("adding "+guard.name, func() (string, error) {
		return guard.add(p.t.Context(), p.client.Security, model.id, value)
	}, func() (found, error) {
		return guard.find(p.t.Context(), p.client.Security, model.id, value, slices.Collect(maps.Keys(entries)))
	})
	if id != "" {
		entries[id] = value
	}
}

func (p *endpointPlayer) unguard(model *endpointModel) {
	guard := soakGuards[p.IntN(len(soakGuards))]
	id, some := pick(p.Rand, model.guards[guard.name])
	if !some {
		return
	}
	p.remove("removing "+guard.name, func() error { return guard.remove(p.client.Security, p.t.Context(), model.id, id) })
	delete(model.guards[guard.name], id)
}

func (p *endpointPlayer) changeFilter(model *endpointModel) {
	filters := model.guards["filter"]
	id, some := pick(p.Rand, filters)
	if !some {
		return
	}
	p.serial++
	method := fmt.Sprintf("eth_method%d", p.serial)
	p.set("updateRequestFilter", func() error {
		return p.client.Security.UpdateRequestFilter(p.t.Context(), model.id, id, []string{method})
	}, nil)
	filters[id] = method
}

func (p *endpointPlayer) readSecurity(model *endpointModel) {
	record, err := p.client.Security.Get(p.t.Context(), model.id)
	if p.came("getEndpointSecurity", err) {
		p.same("security", model.security(), securityOf(record))
	}
}

// options switches one of the options, and reads them all.
func (p *endpointPlayer) options(model *endpointModel) {
	on := map[bool]admin.Switch{true: admin.SwitchEnabled, false: admin.SwitchDisabled}
	cors, hsts := p.IntN(2) == 0, p.IntN(2) == 0
	switches := admin.SecurityOptionSwitches{CORS: new(on[cors]), HSTS: new(on[hsts])}
	p.set("updateSecurityOptions", func() error {
		options, err := p.client.Security.SetOptions(p.t.Context(), model.id, switches)
		if err == nil {
			now, _ := options.Enabled(admin.SecurityOptionNameCORS)
			p.same("option", cors, now)
		}
		return err
	}, func() (bool, error) {
		options, err := p.client.Security.Options(p.t.Context(), model.id)
		hasCORS, _ := options.Enabled(admin.SecurityOptionNameCORS)
		hasHSTS, _ := options.Enabled(admin.SecurityOptionNameHSTS)
		return hasCORS == cors && hasHSTS == hsts, err
	})
	model.options[admin.SecurityOptionNameCORS], model.options[admin.SecurityOptionNameHSTS] = cors, hsts
}

// ipHeader sets the header that holds a caller's IP, or removes it.
func (p *endpointPlayer) ipHeader(model *endpointModel) {
	if model.header != "" && p.IntN(2) == 0 {
		p.remove("removeIPCustomHeader", func() error { return p.client.Security.RemoveIPCustomHeader(p.t.Context(), model.id) })
		model.header = ""
		return
	}
	p.serial++
	name := fmt.Sprintf("X-Caller-%d", p.serial)
	p.set("setIPCustomHeader", func() error {
		setting, err := p.client.Security.SetIPCustomHeader(p.t.Context(), model.id, name)
		if err == nil {
			p.same("header", name, setting.HeaderName)
		}
		return err
	}, nil)
	model.header = name
}
