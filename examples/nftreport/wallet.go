package main

import (
	"context"
	"errors"
	"math/big"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// wallet reports on a wallet, by its address or its ENS name: the collections, the tokens and the coins that it holds.
func (r *reader) wallet(ctx context.Context, key string) (*report, error) {
	found, err := r.graph.Wallet(ctx, r.chain, key)
	if err != nil {
		return nil, err
	}
	made := newReport("Wallet", found.Address)
	if found.ENSName != nil {
		made.Title = "Wallet " + clean(*found.ENSName)
	}
	made.fact("Chain", string(r.chain))
	made.fact("Address", found.Address)
	made.fact("ENS name", text(found.ENSName))
	for _, add := range []func(context.Context, *report, string) error{r.addCollections, r.addHoldings, r.addBalances} {
		if err := add(ctx, made, found.Address); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// addCollections adds a table of the collections that the wallet holds tokens of, and the prices of the one among
// them that it holds most of.
func (r *reader) addCollections(ctx context.Context, to *report, address string) error {
	held, total, err := first(r.rows, r.graph.WalletCollections(ctx, r.chain, address, graph.WalletCollectionsParams{}, r.pageSize()))
	if err != nil {
		return err
	}
	table := to.table("Collections", len(held), total,
		words("Name"), words("Standard"), numbers("Held"), numbers("Lowest price"), numbers("Held at lowest price"))
	var most *graph.WalletCollection
	for i, one := range held {
		if one.Collection == nil {
			table.row(text(one.CollectionAddress), none, one.NFTsCount.String(), none, none)
			continue
		}
		lowest, err := r.lowest(ctx, one.Collection.GetAddress())
		if err != nil {
			return err
		}
		table.row(nameOf(one.Collection), standard(one.Collection.GetTypename()), one.NFTsCount.String(),
			r.price(lowest), r.price(times(one.NFTsCount, lowest)))
		if most == nil || one.NFTsCount.Cmp(most.NFTsCount) > 0 {
			most = &held[i]
		}
	}
	if most == nil {
		return nil
	}
	candles, err := r.prices(ctx, most.Collection.GetAddress())
	if err != nil && !errors.Is(err, rpcfleet.ErrNotFound) {
		return err
	}
	to.Prices = &prices{clean(nameOf(most.Collection)), r.coin(), candles}
	return nil
}

// lowest returns the lowest price of a collection's sales, if it is known.
func (r *reader) lowest(ctx context.Context, address string) (*float64, error) {
	collection, err := r.graph.Collection(ctx, r.chain, address)
	switch {
	case errors.Is(err, rpcfleet.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	if sold := statsOf(collection); sold != nil {
		return sold.FloorInNativeToken, nil
	}
	return nil, nil
}

// times multiplies a price, if there is one.
func times(count scalar.BigInt, price *float64) *float64 {
	if price == nil {
		return nil
	}
	product, _ := new(big.Float).Mul(new(big.Float).SetInt(count.Big()), big.NewFloat(*price)).Float64()
	return &product
}

// addHoldings adds a table of the tokens that the wallet holds.
func (r *reader) addHoldings(ctx context.Context, to *report, address string) error {
	held, total, err := first(r.rows, r.graph.WalletNFTs(ctx, r.chain, address, graph.WalletNFTsParams{}, r.pageSize()))
	if err != nil {
		return err
	}
	table := to.table("Tokens", len(held), total, words("Name"), words("Collection"), numbers("Token"), numbers("Held"))
	for _, one := range held {
		if one.NFT == nil {
			table.row(none, none, none, count(one.NFTsCount))
			continue
		}
		table.row(text(one.NFT.GetName()), text(one.NFT.GetCollectionSlug()), id(new(one.NFT.GetTokenID())), count(one.NFTsCount))
	}
	return nil
}

// addBalances adds a table of the ERC-20 tokens that the wallet holds.
func (r *reader) addBalances(ctx context.Context, to *report, address string) error {
	held, total, err := first(r.rows, r.graph.TokenBalances(ctx, r.chain, address, graph.TokenBalancesParams{}, r.pageSize()))
	if err != nil {
		return err
	}
	table := to.table("ERC-20 tokens", len(held), total, words("Name"), numbers("Balance"), words("Symbol"), words("Contract"))
	for _, one := range held {
		token := graph.Token{}
		if one.Contract != nil {
			token = *one.Contract
		}
		table.row(text(token.Name), whole(&one), text(token.Symbol), one.ContractAddress)
	}
	return nil
}
