package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// NFT returns one token. Its type depends on the standard.
func (s *GraphService) NFT(ctx context.Context, chain graph.Chain, address string, tokenID scalar.BigInt,
	opts ...CallOption) (graph.NFT, error) {
	return fetchGraph(ctx, s, chain, &graphql.GetNFT{ContractAddress: address, TokenID: tokenID.String()}, opts,
		required("contractAddress", address), notNegative("tokenId", tokenID))
}

// CollectionNFTs lists the tokens of a collection.
func (s *GraphService) CollectionNFTs(chain graph.Chain, address string, opts ...CallOption) *Connection[graph.NFT] {
	find := func(r *response, data *graphql.ListCollectionNFTsResponse) (*graphql.List[graph.NFT], error) {
		collection := orNew(data.Chain.Collection)
		if data.Chain.Collection != nil && !isCollection(collection.Typename) {
			return nil, r.newerType("collection")
		}
		return collection.NFTs, nil
	}
	return connectWith(s, chain, &graphql.ListCollectionNFTs{ContractAddress: address}, find, opts,
		required("contractAddress", address))
}

// NFTOwners lists the wallets that hold a token.
func (s *GraphService) NFTOwners(chain graph.Chain, address string, tokenID scalar.BigInt,
	opts ...CallOption) *Connection[graph.Wallet] {
	find := func(r *response, data *graphql.ListNFTOwnersResponse) (*graphql.List[graph.Wallet], error) {
		nft := data.Chain.NFT
		switch {
		case nft == nil:
			return nil, nil
		case nft.Typename == "ERC721NFT":
			return graphql.ListOf(nft.Wallet), nil
		case nft.Typename == "ERC1155NFT":
			return nft.Wallets, nil
		}
		return nil, r.newerType("token")
	}
	query := &graphql.ListNFTOwners{ContractAddress: address, TokenID: tokenID.String()}
	return connectWith(s, chain, query, find, opts, required("contractAddress", address),
		notNegative("tokenId", tokenID))
}

// isCollection reports whether the query requests the fields of a collection type.
func isCollection(typename string) bool {
	return typename == "ERC721Collection" || typename == "ERC1155Collection"
}

// newerType returns the error for a record of an unknown type.
func (r *response) newerType(what string) error {
	return r.contentError(&reply.Malformed{
		Reason: reply.Shape, Detail: "the " + what + " is of a type that is newer than this version",
	})
}

// Collection returns one collection. Its type depends on the standard.
func (s *GraphService) Collection(ctx context.Context, chain graph.Chain, address string, opts ...CallOption) (
	graph.Collection, error) {
	return fetchGraph(ctx, s, chain, &graphql.GetCollection{ContractAddress: address}, opts,
		required("contractAddress", address))
}

// Collections lists the chain's collections that match the filter.
func (s *GraphService) Collections(chain graph.Chain, filter graph.CollectionsFilterInput,
	opts ...CallOption) *Connection[graph.CollectionProfile] {
	return connect(s, chain, &graphql.ListCollections{Filter: filterOrNil(filter)}, opts)
}

// CollectionAttributes lists the traits of a collection's tokens by value.
func (s *GraphService) CollectionAttributes(chain graph.Chain, address string,
	opts ...CallOption) *Connection[graph.CollectionAttribute] {
	return connect(s, chain, &graphql.ListCollectionAttributes{ContractAddress: address}, opts,
		required("contractAddress", address))
}

// CollectionHolders lists the wallets that hold tokens of a collection.
func (s *GraphService) CollectionHolders(chain graph.Chain, address string,
	opts ...CallOption) *Connection[graph.Wallet] {
	return connect(s, chain, &graphql.ListCollectionHolders{ContractAddress: address}, opts,
		required("contractAddress", address))
}

// TrendingCollections lists the collections with the most sales.
func (s *GraphService) TrendingCollections(chain graph.Chain, params graph.TrendingParams,
	opts ...CallOption) *Connection[graph.Trending] {
	return connect(s, chain, &graphql.ListTrendingCollections{
		Filter: params.Filter, OrderBy: params.OrderBy, OrderDirection: params.OrderDirection,
	}, opts)
}

// Events lists the chain's burns, mints, sales, swaps and transfers of tokens.
func (s *GraphService) Events(chain graph.Chain, filter graph.TokenEventsFilterInput,
	opts ...CallOption) *Connection[graph.Event] {
	return connect(s, chain, &graphql.ListEvents{Filter: filterOrNil(filter)}, opts)
}

// CollectionEvents lists the events of a collection's tokens.
func (s *GraphService) CollectionEvents(chain graph.Chain, address string, filter graph.TokenEventsFilterInput,
	opts ...CallOption) *Connection[graph.Event] {
	return connect(s, chain, &graphql.ListCollectionEvents{
		ContractAddress: address, Filter: filterOrNil(filter),
	}, opts, required("contractAddress", address))
}

// ContractEvents lists the events of a contract's tokens.
func (s *GraphService) ContractEvents(chain graph.Chain, address string, filter graph.TokenEventsFilterInput,
	opts ...CallOption) *Connection[graph.Event] {
	return connect(s, chain, &graphql.ListContractEvents{
		ContractAddress: address, Filter: filterOrNil(filter),
	}, opts, required("contractAddress", address))
}

// NFTEvents lists the events of one token.
func (s *GraphService) NFTEvents(chain graph.Chain, address string, tokenID scalar.BigInt,
	filter graph.TokenEventsFilterInput, opts ...CallOption) *Connection[graph.Event] {
	return connect(s, chain, &graphql.ListNFTEvents{
		ContractAddress: address, TokenID: tokenID.String(), Filter: filterOrNil(filter),
	}, opts, required("contractAddress", address), notNegative("tokenId", tokenID))
}

// WalletEvents lists the events that a wallet took part in.
func (s *GraphService) WalletEvents(chain graph.Chain, wallet string, filter graph.TokenEventsFilterInput,
	opts ...CallOption) *Connection[graph.Event] {
	return connect(s, chain, &graphql.ListWalletEvents{Wallet: wallet, Filter: filterOrNil(filter)}, opts,
		walletID("wallet", wallet))
}

// CollectionStats returns sales statistics, of all time if the range is zero.
func (s *GraphService) CollectionStats(ctx context.Context, chain graph.Chain, address string,
	timeRange graph.DateTimeInput, opts ...CallOption) (*graph.Stats, error) {
	query := graphql.GetCollectionStats{ContractAddress: address, TimeRange: filterOrNil(timeRange)}
	c := s.call(chain, &query, opts, required("contractAddress", address))
	read := func(r *response, data *graphql.GetCollectionStatsResponse) (*graph.Stats, error) {
		collection := data.Chain.Collection
		switch {
		case collection != nil && !isCollection(collection.Typename):
			return nil, r.newerType("collection")
		case collection == nil || collection.Stats == nil:
			return nil, r.notFound()
		}
		return collection.Stats, nil
	}
	return readGraph(ctx, c, query.Response(), read)
}

// CollectionSales lists a collection's sales: see OrderHistory for orders.
func (s *GraphService) CollectionSales(chain graph.Chain, address string, params graph.SalesParams,
	opts ...CallOption) *Connection[graph.Sale] {
	return connect(s, chain, &graphql.ListCollectionSales{
		ContractAddress: address, Filter: params.Filter, OrderBy: params.OrderBy,
		OrderDirection: params.OrderDirection,
	}, opts, required("contractAddress", address))
}

// OrderHistory returns a collection's sales with their transactions.
func (s *GraphService) OrderHistory(ctx context.Context, chain graph.Chain, address string,
	filter graph.CollectionOrderHistoryInput, opts ...CallOption) ([]graph.Order, error) {
	return fetchGraph(ctx, s, chain, &graphql.GetOrderHistory{
		ContractAddress: address, Filter: filterOrNil(filter),
	}, opts, required("contractAddress", address))
}

// OHLCVChart returns prices and volumes of a collection's sales by interval.
func (s *GraphService) OHLCVChart(ctx context.Context, chain graph.Chain, address string,
	filter graph.CollectionOHLCVChartInput, opts ...CallOption) ([]graph.Candle, error) {
	return fetchGraph(ctx, s, chain, &graphql.GetOHLCVChart{
		ContractAddress: address, Filter: filterOrNil(filter),
	}, opts, required("contractAddress", address))
}

// Contract returns one contract: an NFT contract, or an ERC-20 token.
func (s *GraphService) Contract(ctx context.Context, chain graph.Chain, address string, opts ...CallOption) (
	graph.Contract, error) {
	return fetchGraph(ctx, s, chain, &graphql.GetContract{ContractAddress: address}, opts,
		required("contractAddress", address))
}

// Contracts lists the chain's contracts that match the filter.
func (s *GraphService) Contracts(chain graph.Chain, filter graph.ContractsFilterInput,
	opts ...CallOption) *Connection[graph.ContractSummary] {
	return connect(s, chain, &graphql.ListContracts{Filter: filterOrNil(filter)}, opts)
}

// Transaction returns one transaction. Amounts are in the smallest unit.
func (s *GraphService) Transaction(ctx context.Context, chain graph.Chain, hash string, opts ...CallOption) (
	*graph.Transaction, error) {
	return fetchGraph(ctx, s, chain, &graphql.GetTransaction{Hash: hash}, opts, required("hash", hash))
}

// Transactions searches the chain by block, time, sender and receiver.
func (s *GraphService) Transactions(chain graph.Chain, params graph.TransactionsParams,
	opts ...CallOption) *Connection[graph.Transaction] {
	return connect(s, chain, &graphql.ListTransactions{
		Filter: params.Filter, OrderDirection: params.OrderDirection,
	}, opts)
}

// WalletTransactions lists the transactions that a wallet sent or received.
func (s *GraphService) WalletTransactions(chain graph.Chain, wallet string, params graph.TransactionsParams,
	opts ...CallOption) *Connection[graph.Transaction] {
	return connect(s, chain, &graphql.ListWalletTransactions{
		Wallet: wallet, Filter: params.Filter, OrderDirection: params.OrderDirection,
	}, opts, walletID("wallet", wallet))
}

// GasPrices returns gas prices of blocks in wei (assumed): see [graph.GasPrice].
func (s *GraphService) GasPrices(ctx context.Context, chain graph.Chain, params graph.GasPricesParams,
	opts ...CallOption) ([]graph.GasPrice, error) {
	return fetchGraph(ctx, s, chain, &graphql.ListGasPrices{
		Filter: params.Filter, OrderDirection: params.OrderDirection,
	}, opts)
}
