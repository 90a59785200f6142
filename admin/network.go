package admin

import (
	"cmp"
	"strings"
)

// Network is a network of the service under its names. Areas have three vocabularies: the admin area's slugs, the names
// of Streams, Webhooks and the tooling endpoint, and the ids of chains.
type Network struct {
	// Chain and Slug are the names in the admin area, such as "eth" and "mainnet".
	Chain, Slug string

	// Name is the name in Streams, Webhooks and the addresses of a multichain endpoint, such as "ethereum-mainnet": see
	// [NetworkName].
	Name string

	// Title is a name to show, such as "Ethereum Mainnet".
	Title string

	// ChainID is the number that the chain itself gives the network, such as 1. Zero if it has none, as on Solana.
	ChainID int64
}

// Networks are the networks on which endpoints can be created.
type Networks []Network

// Find returns the network with a slug or a name, in any case. False if there is none.
func (n Networks) Find(name string) (Network, bool) {
	for _, network := range n {
		if strings.EqualFold(network.Slug, name) || strings.EqualFold(network.Name, name) {
			return network, true
		}
	}
	return Network{}, false
}

// ByChainID returns the network with a chain id. False if there is none.
func (n Networks) ByChainID(id int64) (Network, bool) {
	for _, network := range n {
		if network.ChainID == id && id != 0 {
			return network, true
		}
	}
	return Network{}, false
}

// networkNames are the names that differ from the slug.
var networkNames = map[string]string{
	"mainnet": "ethereum-mainnet", "bsc": "bnbchain-mainnet", "bsc-testnet": "bnbchain-testnet",
	"matic": "polygon-mainnet", "matic-amoy": "polygon-amoy", "optimism": "optimism-mainnet",
	"avalanche-testnet": "avalanche-fuji", "xdai": "gnosis-mainnet", "btc": "bitcoin-mainnet",
}

// NetworkName returns the name of a network in Streams, Webhooks and the tooling endpoint, such as "ethereum-mainnet"
// for the slug "mainnet". Most names are the slugs. The service does not list the others: of these, mainnet and bsc are
// observed, and the rest are assumed. An unknown slug is returned as it is.
func NetworkName(slug string) string { return cmp.Or(networkNames[slug], slug) }
