package graph

import "slices"

// Chain is a chain that can be queried, the name of its field in the root of the schema.
type Chain string

// The chains. ChainEthereum is part of the contract; the others were observed.
const (
	ChainEthereum        Chain = "ethereum"
	ChainEthereumSepolia Chain = "ethereumSepolia"
	ChainPolygon         Chain = "polygon"
)

// Values returns all known chains.
func (Chain) Values() []Chain { return []Chain{ChainEthereum, ChainEthereumSepolia, ChainPolygon} }

// Valid reports whether the chain is known.
func (c Chain) Valid() bool { return slices.Contains(c.Values(), c) }
