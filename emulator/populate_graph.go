package emulator

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
)

// buildGraph adds what is given to what was given before. The data are made up anew then.
func (p *population) buildGraph(given fleet.Graph) error {
	merged := p.state.graph.given
	if given.Seed != 0 {
		merged.Seed = given.Seed
	}
	changed := merged.Seed != p.state.graph.given.Seed
	for _, chain := range []struct {
		name  string
		given fleet.GraphChain
		into  *fleet.GraphChain
	}{
		{"ethereum", given.Ethereum, &merged.Ethereum},
		{"ethereum_sepolia", given.EthereumSepolia, &merged.EthereumSepolia},
		{"polygon", given.Polygon, &merged.Polygon},
	} {
		chain.into.Wallets = slices.Concat(chain.into.Wallets, chain.given.Wallets)
		chain.into.Collections = slices.Concat(chain.into.Collections, chain.given.Collections)
		chain.into.Tokens = slices.Concat(chain.into.Tokens, chain.given.Tokens)
		if err := checkGraphChain(chain.given, *chain.into); err != nil {
			return fleet.At(chain.name, err)
		}
		changed = changed || len(chain.given.Wallets)+len(chain.given.Collections)+len(chain.given.Tokens) > 0
	}
	if changed {
		p.graph = &merged
	}
	return nil
}

// mostNFTs bounds a given collection, whose tokens are gone through by some queries.
const mostNFTs = 100_000

func checkGraphChain(given, all fleet.GraphChain) error {
	taken := map[string]int{}
	for _, w := range all.Wallets {
		taken[strings.ToLower(w.Address)]++
	}
	for _, c := range all.Collections {
		taken[strings.ToLower(c.Address)]++
	}
	for _, t := range all.Tokens {
		taken[strings.ToLower(t.Address)]++
	}
	if err := buildEach("wallets", given.Wallets, func(w fleet.GraphWallet) error {
		return checkAddress(w.Address, taken)
	}); err != nil {
		return err
	}
	if err := buildEach("collections", given.Collections, func(c fleet.GraphCollection) error {
		switch {
		case strings.TrimSpace(c.Name) == "":
			return errors.New("name is required")
		case c.Standard != "" && c.Standard != "ERC721" && c.Standard != "ERC1155":
			return fleet.At("standard", errors.New("must be ERC721 or ERC1155"))
		case c.Size < 1 || c.Size > mostNFTs:
			return fleet.At("size", errors.New("must be from 1 to 100000"))
		}
		return checkAddress(c.Address, taken)
	}); err != nil {
		return err
	}
	return buildEach("tokens", given.Tokens, func(t fleet.GraphToken) error {
		switch {
		case t.Name == "" || t.Symbol == "":
			return errors.New("name and symbol are required")
		case t.Decimals < 0 || t.Decimals > 36:
			return fleet.At("decimals", errors.New("must be from 0 to 36"))
		}
		return checkAddress(t.Address, taken)
	})
}

var addressForm = regexp.MustCompile(`^0x[0-9a-fA-F]{40}$`)

func checkAddress(address string, taken map[string]int) error {
	switch {
	case !addressForm.MatchString(address):
		return fleet.At("address", errors.New("must be 0x and 40 hexadecimal digits"))
	case taken[strings.ToLower(address)] > 1:
		return fleet.At("address", errors.New("is there twice"))
	}
	return nil
}
