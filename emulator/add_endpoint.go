package emulator

import (
	"fmt"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// EndpointSpec is what AddEndpoint creates. Only the chain and the network are needed.
type EndpointSpec struct {
	// Chain and Network are slugs of the catalogue, such as "ethereum" and "ethereum-mainnet".
	Chain, Network string
	// Label is the label, or empty for none.
	Label string
	// Tags are the labels of the tags to put on the endpoint.
	Tags []string
	// Paused creates the endpoint paused.
	Paused bool
	// Multichain switches multichain on.
	Multichain bool
	// Dedicated and FlatRate are what a listing filters by. No operation of the service sets them.
	Dedicated, FlatRate bool
}

// AddEndpoint creates an endpoint and returns its id. It can create some that no operation can, and it is quicker than
// a request. The error says what in the spec is not acceptable.
func (e *Emulator) AddEndpoint(spec EndpointSpec) (string, error) {
	chain, network, err := findNetwork(spec.Chain, spec.Network)
	if err != nil {
		return "", fmt.Errorf("emulator: %w", err)
	}
	for _, label := range spec.Tags {
		if err := checkTagLabel(label); err != nil {
			return "", fmt.Errorf("emulator: tag: %w", err)
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	added := e.state.addEndpoint(chain, network)
	if spec.Label != "" {
		added.label = &spec.Label
	}
	for _, label := range spec.Tags {
		added.addTag(e.state.tagLabelled(label))
	}
	if spec.Paused {
		added.status = adminapi.EndpointStatusPaused
	}
	added.multichain, added.dedicated, added.flatRate = spec.Multichain, spec.Dedicated, spec.FlatRate
	return added.id, nil
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
