package acceptance

import (
	"maps"
	"slices"

	"github.com/stretchr/testify/require"
)

// verify compares the player's endpoints, those of its network that nobody has created knowingly, and the tags.
func (p *endpointPlayer) verify(state *soakState) {
	for _, model := range p.models {
		record := state.endpoints[model.id]
		if record == nil {
			p.tally.mismatch("%s: endpoint %s is not there", p.name, model.id)
			continue
		}
		p.same("endpoint in the end", model.view(), viewOf(record))
		limits, err := p.clean.RateLimits.Get(p.t.Context(), model.id)
		require.NoError(p.t, err)
		overrides, doubled := overridesOf(limits)
		p.same("limits in the end", model.limits, overrides)
		p.same("doubled limits in the end", false, doubled)
		methods, err := p.clean.RateLimits.ListMethodLimits(p.t.Context(), model.id)
		require.NoError(p.t, err)
		p.same("limits of methods in the end", model.methodLimits, methodLimitsOf(methods))
	}
	for _, id := range p.archived {
		p.same("archived endpoint in the end", true, state.snapshot.archived[id] && state.endpoints[id] == nil)
	}
	p.same("tags in the end", p.tagsView(), p.tagsOf(state.tags))
	p.sameList("endpoints ever created on "+p.network.network, slices.Sorted(slices.Values(p.network.known)),
		slices.Sorted(maps.Keys(state.snapshot.created[p.network.network])))
}

func (p *endpointPlayer) owns() soakCounts {
	return soakCounts{"endpoints": len(p.models), "tags": len(p.tags)}
}
