package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// WalletNFTs lists the tokens that a wallet holds, and how many of each. A wallet that does not exist is
// ErrNotFound.
//
// POST /graphql
func (s *GraphService) WalletNFTs(ctx context.Context, chain graph.Chain, address string, params *graph.WalletNFTsParams, opts ...CallOption) *Connection[graph.WalletNFT] {
	params = cloned(params)
	return connect(ctx, s.query(chain, opts, required("address", address)),
		func(ctx context.Context, q *graphQuery) (*CursorPage[graph.WalletNFT], error) {
			answer, err := graph.ListWalletNFTs(ctx, q, address, q.first, q.after, params.Filter, params.OrderBy, params.OrderDirection)
			return pageOf(q, orNothing(answer.Chain.Wallet).WalletNFTs, err, record[graph.WalletNFT])
		})
}

// ENSNFTs lists the tokens that the wallet with an ENS name holds. A name without a wallet is ErrNotFound. See
// WalletNFTs.
//
// POST /graphql
func (s *GraphService) ENSNFTs(ctx context.Context, chain graph.Chain, ensName string, params *graph.WalletNFTsParams, opts ...CallOption) *Connection[graph.WalletNFT] {
	params = cloned(params)
	return connect(ctx, s.query(chain, opts, required("ensName", ensName)),
		func(ctx context.Context, q *graphQuery) (*CursorPage[graph.WalletNFT], error) {
			answer, err := graph.ListENSNFTs(ctx, q, ensName, q.first, q.after, params.Filter, params.OrderBy, params.OrderDirection)
			return pageOf(q, orNothing(answer.Chain.Wallet).WalletNFTs, err, record[graph.WalletNFT])
		})
}

// Ownership is whether a wallet holds a token.
type Ownership struct {
	// Held tells whether the wallet holds the token.
	Held bool
	// Count is how many of it the wallet holds, or nil where the service does not tell. It is 0 if it holds none.
	Count *int
	// NFT is the token. It is nil if the wallet does not hold it.
	NFT graph.NFTSummary
}

// Ownership tells whether a wallet holds a token, and how many of it. A wallet that holds none is no error; one that
// does not exist is ErrNotFound.
//
// POST /graphql
func (s *GraphService) Ownership(ctx context.Context, chain graph.Chain, address, contractAddress string, tokenID scalar.BigInt, opts ...CallOption) (*Ownership, error) {
	q := s.query(chain, opts,
		required("address", address), required("contractAddress", contractAddress), notNegative("tokenId", tokenID))
	answer, err := graph.GetOwnership(ctx, q, address, contractAddress, tokenID.String())
	wallet := answer.Chain.Wallet
	if wallet == nil || err != nil {
		return found[*Ownership](q, nil, false, err)
	}
	held := wallet.WalletNFT
	if held == nil || held.NFTsCount != nil && *held.NFTsCount == 0 {
		return &Ownership{Count: new(0)}, nil
	}
	return &Ownership{Held: true, Count: held.NFTsCount, NFT: held.NFT}, nil
}

// WalletCollections lists the collections that a wallet holds tokens of, and how many. A wallet that does not exist
// is ErrNotFound.
//
// POST /graphql
func (s *GraphService) WalletCollections(ctx context.Context, chain graph.Chain, address string, params *graph.WalletCollectionsParams, opts ...CallOption) *Connection[graph.WalletCollection] {
	params = cloned(params)
	return connect(ctx, s.query(chain, opts, required("address", address)),
		func(ctx context.Context, q *graphQuery) (*CursorPage[graph.WalletCollection], error) {
			answer, err := graph.ListWalletCollections(ctx, q, address, q.first, q.after, params.Filter, params.OrderBy, params.OrderDirection)
			return pageOf(q, orNothing(answer.Chain.Wallet).WalletCollections, err, record[graph.WalletCollection])
		})
}

// TokenBalances lists what a wallet holds of ERC-20 tokens, each in its own smallest unit: divided by ten to the
// power of the token's decimals it is the number of whole tokens. A wallet that does not exist is ErrNotFound.
//
// POST /graphql
func (s *GraphService) TokenBalances(ctx context.Context, chain graph.Chain, address string, params *graph.TokenBalancesParams, opts ...CallOption) *Connection[graph.TokenBalance] {
	params = cloned(params)
	return connect(ctx, s.query(chain, opts, required("address", address)),
		func(ctx context.Context, q *graphQuery) (*CursorPage[graph.TokenBalance], error) {
			answer, err := graph.ListTokenBalances(ctx, q, address, q.first, q.after, params.OrderBy, params.OrderDirection)
			return pageOf(q, orNothing(answer.Chain.Wallet).TokenBalances, err, record[graph.TokenBalance])
		})
}
