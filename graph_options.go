package rpcfleet

import "github.com/rpcfleet/rpcfleet-go/graph"

// WithDefaultChain sets the chain of the graph area's methods where a call names none, that is for
// [graph.DefaultChain]. It must be one that this version knows. Queries of the caller's own name their chains
// themselves.
func WithDefaultChain(chain graph.Chain) Option {
	return clientOption(func(s *clientSettings) error {
		if err := oneOf("default chain", chain); err != nil {
			return err
		}
		s.graphChain = chain
		return nil
	})
}
