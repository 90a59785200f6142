package graph

import "slices"

// Chain is a chain that can be queried, the name of its field in the root of the schema.
type Chain string

// The chains. Ethereum is part of the contract; the others were observed.
const (
	Ethereum        Chain = "ethereum"
	EthereumSepolia Chain = "ethereumSepolia"
	Polygon         Chain = "polygon"
)

// DefaultChain selects the chain set by the client's option WithDefaultChain.
const DefaultChain Chain = ""

// Chains contains all known chains.
var Chains = []Chain{Ethereum, EthereumSepolia, Polygon}

// Values returns all known chains.
func (Chain) Values() []Chain { return slices.Clone(Chains) }

// Valid reports whether the chain is known.
func (c Chain) Valid() bool { return slices.Contains(Chains, c) }
