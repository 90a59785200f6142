package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/wire"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// Events lists what happened to tokens on the chain: burns, mints, sales, swaps and transfers. The concrete type of an
// event tells which.
//
// POST /graphql
func (s *GraphService) Events(ctx context.Context, chain graph.Chain, filter *graph.TokenEventsFilterInput, opts ...CallOption) *Connection[graph.Event] {
	filter = deepCopyFilter(filter)
	return connect(ctx, s, opts, func(first *int, after *string) wire.Request {
		return wire.ListEvents(chain, first, after, filter)
	}, func(data *wire.ListEventsResponse) *wire.List[graph.Event] {
		return data.Chain.TokenEvents
	})
}

// ContractEvents lists the events of a contract's tokens. A contract that does not exist is [ErrNotFound]. See Events.
//
// POST /graphql
func (s *GraphService) ContractEvents(ctx context.Context, chain graph.Chain, contractAddress string, filter *graph.TokenEventsFilterInput, opts ...CallOption) *Connection[graph.Event] {
	filter = deepCopyFilter(filter)
	return connect(ctx, s, opts, func(first *int, after *string) wire.Request {
		return wire.ListContractEvents(chain, contractAddress, first, after, filter)
	}, func(data *wire.ListContractEventsResponse) *wire.List[graph.Event] {
		return orNothing(data.Chain.Contract).TokenEvents
	}, required("contractAddress", contractAddress))
}

// NFTEvents lists the events of one token. A token that does not exist is [ErrNotFound]. See Events.
//
// POST /graphql
func (s *GraphService) NFTEvents(ctx context.Context, chain graph.Chain, contractAddress string, tokenID scalar.BigInt, filter *graph.TokenEventsFilterInput, opts ...CallOption) *Connection[graph.Event] {
	filter = deepCopyFilter(filter)
	return connect(ctx, s, opts, func(first *int, after *string) wire.Request {
		return wire.ListNFTEvents(chain, contractAddress, tokenID.String(), first, after, filter)
	}, func(data *wire.ListNFTEventsResponse) *wire.List[graph.Event] {
		return orNothing(data.Chain.NFT).TokenEvents
	}, required("contractAddress", contractAddress), notNegative("tokenId", tokenID))
}

// WalletEvents lists the events that a wallet took part in. A wallet that does not exist is [ErrNotFound]. See Events.
//
// POST /graphql
func (s *GraphService) WalletEvents(ctx context.Context, chain graph.Chain, address string, filter *graph.TokenEventsFilterInput, opts ...CallOption) *Connection[graph.Event] {
	filter = deepCopyFilter(filter)
	return connect(ctx, s, opts, func(first *int, after *string) wire.Request {
		return wire.ListWalletEvents(chain, address, first, after, filter)
	}, func(data *wire.ListWalletEventsResponse) *wire.List[graph.Event] {
		return orNothing(data.Chain.Wallet).TokenEvents
	}, required("address", address))
}
