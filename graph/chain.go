package graph

import "slices"

// Chain is a chain that can be queried: the name of its field at the root of the schema.
type Chain string

// The chains. Ethereum is part of the contract; the others were observed.
const (
	Ethereum        Chain = "ethereum"
	EthereumSepolia Chain = "ethereumSepolia"
	Polygon         Chain = "polygon"
)

// DefaultChain stands for the chain that the client was made with, by its option WithDefaultChain.
const DefaultChain Chain = ""

// Chains are all chains that this version knows.
var Chains = []Chain{Ethereum, EthereumSepolia, Polygon}

// Values returns all chains that this version knows.
func (Chain) Values() []Chain { return slices.Clone(Chains) }

// Valid reports whether this version knows the chain.
func (c Chain) Valid() bool { return slices.Contains(Chains, c) }
