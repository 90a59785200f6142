package graphapi

import (
	"cmp"
	"math/big"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
)

// usualPrice is that of the tokens of a given collection, in billionths of the chain's coin.
const usualPrice = 50_000_000

// give adds what is given to what is made up, behind it. The addresses are the given ones.
func (c *chain) give(given fleet.GraphChain) {
	for _, g := range given.Wallets {
		w := &wallet{chain: c, Address: g.Address}
		if g.ENSName != "" {
			w.EnsName = &g.ENSName
		}
		c.wallets = append(c.wallets, w)
	}
	for _, g := range given.Collections {
		added := newCollection(c, len(c.collections), collectionSpec{
			name: g.Name, standard: cmp.Or(g.Standard, erc721), size: g.Size, firstID: big.NewInt(1), price: usualPrice,
		})
		added.Address = g.Address
		c.collections = append(c.collections, added)
	}
	for _, g := range given.Tokens {
		added := newToken(c, len(c.tokens), tokenSpec{g.Name, g.Symbol, g.Decimals})
		added.address = g.Address
		c.tokens = append(c.tokens, added)
	}
}
