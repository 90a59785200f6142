package main

import "github.com/rpcfleet/rpcfleet-go/graph"

// coin names the coin that prices are in.
func (r *reader) coin() string {
	switch r.chain {
	case graph.Ethereum, graph.EthereumSepolia:
		return "ETH"
	case graph.Polygon:
		return "POL"
	}
	return "coins"
}

// price shows an amount of the chain's coin.
func (r *reader) price(v *float64) string {
	if v == nil {
		return none
	}
	return amount(v) + " " + r.coin()
}
