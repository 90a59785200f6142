package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/wire"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// WalletNFTs lists the tokens that a wallet holds, and how many of each. A wallet that does not exist is
// [ErrNotFound].
//
// POST /graphql
func (s *GraphService) WalletNFTs(ctx context.Context, chain graph.Chain, address string, params *graph.WalletNFTsParams, opts ...CallOption) *Connection[graph.WalletNFT] {
	params = deepCopy(params)
	return connect(ctx, s, opts, func(first *int, after *string) wire.Request {
		return wire.ListWalletNFTs(chain, address, first, after, params.Filter, params.OrderBy, params.OrderDirection)
	}, func(data *wire.ListWalletNFTsResponse) *wire.List[graph.WalletNFT] {
		return orNothing(data.Chain.Wallet).WalletNFTs
	}, required("address", address))
}

// ENSNFTs lists the tokens that the wallet with an ENS name holds. A name without a wallet is [ErrNotFound]. See
// WalletNFTs.
//
// POST /graphql
func (s *GraphService) ENSNFTs(ctx context.Context, chain graph.Chain, ensName string, params *graph.WalletNFTsParams, opts ...CallOption) *Connection[graph.WalletNFT] {
	params = deepCopy(params)
	return connect(ctx, s, opts, func(first *int, after *string) wire.Request {
		return wire.ListENSNFTs(chain, ensName, first, after, params.Filter, params.OrderBy, params.OrderDirection)
	}, func(data *wire.ListENSNFTsResponse) *wire.List[graph.WalletNFT] {
		return orNothing(data.Chain.Wallet).WalletNFTs
	}, required("ensName", ensName))
}

// Ownership is whether a wallet holds a token.
type Ownership struct {
	// Held reports whether the wallet holds the token.
	Held bool
	// Count is how many of it the wallet holds, or nil where the service does not say. It is 0 if it holds none.
	Count *int
	// NFT is the token. It is nil if the wallet does not hold it.
	NFT graph.NFTSummary
}

// Ownership reports whether a wallet holds a token, and how many of it. A wallet that holds none is no error; one that
// does not exist is [ErrNotFound].
//
// POST /graphql
func (s *GraphService) Ownership(ctx context.Context, chain graph.Chain, address, contractAddress string, tokenID scalar.BigInt, opts ...CallOption) (*Ownership, error) {
	c := s.call(wire.GetOwnership(chain, address, contractAddress, tokenID.String()), opts,
		required("address", address), required("contractAddress", contractAddress), notNegative("tokenId", tokenID))
	ownership, err := fetchGraph(ctx, c, func(data *wire.GetOwnershipResponse) (*Ownership, bool) {
		wallet := data.Chain.Wallet
		if wallet == nil {
			return nil, false
		}
		held := wallet.WalletNFT
		if held == nil || held.NFTsCount != nil && *held.NFTsCount == 0 {
			return &Ownership{Count: new(0)}, true
		}
		return &Ownership{Held: true, Count: held.NFTsCount, NFT: held.NFT}, true
	})
	if err != nil {
		return nil, err // What is missing beside an error is not known to be missing.
	}
	return ownership, nil
}

// WalletCollections lists the collections that a wallet holds tokens of, and how many. A wallet that does not exist
// is [ErrNotFound].
//
// POST /graphql
func (s *GraphService) WalletCollections(ctx context.Context, chain graph.Chain, address string, params *graph.WalletCollectionsParams, opts ...CallOption) *Connection[graph.WalletCollection] {
	params = deepCopy(params)
	return connect(ctx, s, opts, func(first *int, after *string) wire.Request {
		return wire.ListWalletCollections(chain, address, first, after, params.Filter, params.OrderBy, params.OrderDirection)
	}, func(data *wire.ListWalletCollectionsResponse) *wire.List[graph.WalletCollection] {
		return orNothing(data.Chain.Wallet).WalletCollections
	}, required("address", address))
}

// TokenBalances lists what a wallet holds of ERC-20 tokens, each in its own smallest unit: divided by ten to the
// power of the token's decimals it is the number of whole tokens. A wallet that does not exist is [ErrNotFound].
//
// POST /graphql
func (s *GraphService) TokenBalances(ctx context.Context, chain graph.Chain, address string, params *graph.TokenBalancesParams, opts ...CallOption) *Connection[graph.TokenBalance] {
	params = deepCopy(params)
	return connect(ctx, s, opts, func(first *int, after *string) wire.Request {
		return wire.ListTokenBalances(chain, address, first, after, params.OrderBy, params.OrderDirection)
	}, func(data *wire.ListTokenBalancesResponse) *wire.List[graph.TokenBalance] {
		return orNothing(data.Chain.Wallet).TokenBalances
	}, required("address", address))
}
