package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// Events lists what happened to tokens on the chain: burns, mints, sales, swaps and transfers. The concrete type of an
// event tells which.
//
// POST /graphql
func (s *GraphService) Events(ctx context.Context, chain graph.Chain, filter *graph.TokenEventsFilterInput, opts ...CallOption) *Connection[graph.Event] {
	filter = clonedFilter(filter)
	return connect(ctx, s.query(chain, opts),
		func(ctx context.Context, q *graphQuery) (*CursorPage[graph.Event], error) {
			answer, err := graph.ListEvents(ctx, q, q.first, q.after, filter)
			return pageOf(q, answer.Chain.TokenEvents, err, variant[graph.Event])
		})
}

// ContractEvents lists the events of a contract's tokens. A contract that does not exist is ErrNotFound. See Events.
//
// POST /graphql
func (s *GraphService) ContractEvents(ctx context.Context, chain graph.Chain, contractAddress string, filter *graph.TokenEventsFilterInput, opts ...CallOption) *Connection[graph.Event] {
	filter = clonedFilter(filter)
	return connect(ctx, s.query(chain, opts, required("contractAddress", contractAddress)),
		func(ctx context.Context, q *graphQuery) (*CursorPage[graph.Event], error) {
			answer, err := graph.ListContractEvents(ctx, q, contractAddress, q.first, q.after, filter)
			return pageOf(q, orNothing(answer.Chain.Contract).TokenEvents, err, variant[graph.Event])
		})
}

// NFTEvents lists the events of one token. A token that does not exist is ErrNotFound. See Events.
//
// POST /graphql
func (s *GraphService) NFTEvents(ctx context.Context, chain graph.Chain, contractAddress string, tokenID scalar.BigInt, filter *graph.TokenEventsFilterInput, opts ...CallOption) *Connection[graph.Event] {
	filter = clonedFilter(filter)
	return connect(ctx, s.query(chain, opts, required("contractAddress", contractAddress), notNegative("tokenId", tokenID)),
		func(ctx context.Context, q *graphQuery) (*CursorPage[graph.Event], error) {
			answer, err := graph.ListNFTEvents(ctx, q, contractAddress, tokenID.String(), q.first, q.after, filter)
			return pageOf(q, orNothing(answer.Chain.NFT).TokenEvents, err, variant[graph.Event])
		})
}

// WalletEvents lists the events that a wallet took part in. A wallet that does not exist is ErrNotFound. See Events.
//
// POST /graphql
func (s *GraphService) WalletEvents(ctx context.Context, chain graph.Chain, address string, filter *graph.TokenEventsFilterInput, opts ...CallOption) *Connection[graph.Event] {
	filter = clonedFilter(filter)
	return connect(ctx, s.query(chain, opts, required("address", address)),
		func(ctx context.Context, q *graphQuery) (*CursorPage[graph.Event], error) {
			answer, err := graph.ListWalletEvents(ctx, q, address, q.first, q.after, filter)
			return pageOf(q, orNothing(answer.Chain.Wallet).TokenEvents, err, variant[graph.Event])
		})
}
