package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/queries"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// Events lists what happened to tokens on the chain: burns, mints, sales, swaps and transfers. The concrete type of an
// event tells which.
//
// POST /graphql
func (s *GraphService) Events(ctx context.Context, chain graph.Chain, filter graph.TokenEventsFilterInput, opts ...CallOption) *Connection[graph.Event] {
	selection := selected(filter)
	return connect(ctx, s, opts, func(w queries.Window) queries.Request {
		return queries.ListEvents(chain, w, selection)
	}, func(data *queries.ListEventsResponse) *queries.List[graph.Event] {
		return data.Chain.TokenEvents
	})
}

// CollectionEvents lists the events of a collection's tokens. A collection that does not exist is [ErrNotFound]. See
// Events.
//
// POST /graphql
func (s *GraphService) CollectionEvents(ctx context.Context, chain graph.Chain, contractAddress string, filter graph.TokenEventsFilterInput, opts ...CallOption) *Connection[graph.Event] {
	selection := selected(filter)
	return connect(ctx, s, opts, func(w queries.Window) queries.Request {
		return queries.ListCollectionEvents(chain, contractAddress, w, selection)
	}, func(data *queries.ListCollectionEventsResponse) *queries.List[graph.Event] {
		return orNothing(data.Chain.Collection).TokenEvents
	}, required("contractAddress", contractAddress))
}

// ContractEvents lists the events of a contract's tokens. A contract that does not exist is [ErrNotFound]. See Events.
//
// POST /graphql
func (s *GraphService) ContractEvents(ctx context.Context, chain graph.Chain, contractAddress string, filter graph.TokenEventsFilterInput, opts ...CallOption) *Connection[graph.Event] {
	selection := selected(filter)
	return connect(ctx, s, opts, func(w queries.Window) queries.Request {
		return queries.ListContractEvents(chain, contractAddress, w, selection)
	}, func(data *queries.ListContractEventsResponse) *queries.List[graph.Event] {
		return orNothing(data.Chain.Contract).TokenEvents
	}, required("contractAddress", contractAddress))
}

// NFTEvents lists the events of one token. A token that does not exist is [ErrNotFound]. See Events.
//
// POST /graphql
func (s *GraphService) NFTEvents(ctx context.Context, chain graph.Chain, contractAddress string, tokenID scalar.BigInt, filter graph.TokenEventsFilterInput, opts ...CallOption) *Connection[graph.Event] {
	selection := selected(filter)
	return connect(ctx, s, opts, func(w queries.Window) queries.Request {
		return queries.ListNFTEvents(chain, contractAddress, tokenID.String(), w, selection)
	}, func(data *queries.ListNFTEventsResponse) *queries.List[graph.Event] {
		return orNothing(data.Chain.NFT).TokenEvents
	}, required("contractAddress", contractAddress), notNegative("tokenId", tokenID))
}

// WalletEvents lists the events that a wallet took part in. A wallet that does not exist is [ErrNotFound]. See Events.
//
// POST /graphql
func (s *GraphService) WalletEvents(ctx context.Context, chain graph.Chain, wallet string, filter graph.TokenEventsFilterInput, opts ...CallOption) *Connection[graph.Event] {
	selection := selected(filter)
	return connect(ctx, s, opts, func(w queries.Window) queries.Request {
		return queries.ListWalletEvents(chain, wallet, w, selection)
	}, func(data *queries.ListWalletEventsResponse) *queries.List[graph.Event] {
		return orNothing(data.Chain.Wallet).TokenEvents
	}, walletID("wallet", wallet))
}
