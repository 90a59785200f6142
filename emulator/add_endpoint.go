package emulator

import (
	"fmt"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
)

// EndpointSpec is what AddEndpoint creates. Only the chain and the network are needed.
type EndpointSpec = fleet.Endpoint

// AddEndpoint creates an endpoint and returns its id. It can create some that no operation can, and it is quicker than
// a request. The error says what in the spec is not acceptable: it is a [*fleet.Error].
func (e *Emulator) AddEndpoint(spec EndpointSpec) (string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	p := newPopulation(e.state)
	if err := p.buildEndpoint(spec); err != nil {
		p.abandon()
		return "", fmt.Errorf("emulator: %w", err)
	}
	p.attach()
	return p.endpoints[0].id, nil
}

// CreateEndpoints creates n active endpoints without labels and tags, spread evenly over the networks of the
// catalogue, and returns their ids in the order of creation.
func (e *Emulator) CreateEndpoints(n int) []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	ids := make([]string, 0, max(n, 0))
	for len(ids) < n {
		for chain, network := range everyNetwork {
			if len(ids) == n {
				break
			}
			ids = append(ids, e.state.addEndpoint(chain, network).id)
		}
	}
	return ids
}
