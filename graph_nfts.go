package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/queries"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// NFT returns one token. The concrete type tells the standard; an ERC-721 token has its owner. A token that does not
// exist is [ErrNotFound].
//
// POST /graphql
func (s *GraphService) NFT(ctx context.Context, chain graph.Chain, contractAddress string, tokenID scalar.BigInt, opts ...CallOption) (graph.NFT, error) {
	c := s.call(queries.GetNFT(chain, contractAddress, tokenID.String()), opts,
		required("contractAddress", contractAddress), notNegative("tokenId", tokenID))
	return fetchGraph(ctx, c, func(data *queries.GetNFTResponse) (graph.NFT, bool) {
		return data.Chain.NFT, data.Chain.NFT != nil
	})
}

// CollectionNFTs lists the tokens of a collection. A collection that does not exist is [ErrNotFound]. One of a type
// that is newer than this version, or that the service does not tell, is a [*DecodeError]: its tokens were not asked
// for.
//
// POST /graphql
func (s *GraphService) CollectionNFTs(ctx context.Context, chain graph.Chain, contractAddress string, opts ...CallOption) *Connection[graph.NFT] {
	return connectReading(ctx, s, opts, func(w queries.Window) queries.Request {
		return queries.ListCollectionNFTs(chain, contractAddress, w)
	}, func(r *response, data *queries.ListCollectionNFTsResponse) (*queries.List[graph.NFT], error) {
		collection := data.Chain.Collection
		if collection != nil && !isCollection(collection.Typename) {
			return nil, r.newerType("collection")
		}
		return orNothing(collection).NFTs, nil
	}, required("contractAddress", contractAddress))
}

// NFTOwners lists the wallets that hold a token: those of an ERC-1155 token, of which there can be many, or the one of
// an ERC-721 token. A token that does not exist is [ErrNotFound]. One of a type that is newer than this version, or
// that the service does not tell, is a [*DecodeError]: its owners were not asked for.
//
// POST /graphql
func (s *GraphService) NFTOwners(ctx context.Context, chain graph.Chain, contractAddress string, tokenID scalar.BigInt, opts ...CallOption) *Connection[graph.Wallet] {
	return connectReading(ctx, s, opts, func(w queries.Window) queries.Request {
		return queries.ListNFTOwners(chain, contractAddress, tokenID.String(), w)
	}, func(r *response, data *queries.ListNFTOwnersResponse) (*queries.List[graph.Wallet], error) {
		nft := data.Chain.NFT
		switch {
		case nft == nil:
			return nil, nil
		case nft.Typename == "ERC721NFT":
			return queries.ListOf(nft.Wallet), nil
		case nft.Typename == "ERC1155NFT":
			return nft.Wallets, nil
		}
		return nil, r.newerType("token")
	}, required("contractAddress", contractAddress), notNegative("tokenId", tokenID))
}

// isCollection reports whether a type is one of the two whose fields a query asks for.
func isCollection(typename string) bool {
	return typename == "ERC721Collection" || typename == "ERC1155Collection"
}

// newerType is the error of a record of a type whose fields the query did not ask for.
func (r *response) newerType(what string) error {
	return r.contentError(&reply.Malformed{
		Reason: reply.Shape, Detail: "the " + what + " is of a type that is newer than this version",
	})
}

// Collection returns one collection with the statistics of its sales. Prices are in the chain's own coin. The concrete
// type tells the standard; see package graph for interfaces. A collection that does not exist is [ErrNotFound].
//
// POST /graphql
func (s *GraphService) Collection(ctx context.Context, chain graph.Chain, contractAddress string, opts ...CallOption) (graph.Collection, error) {
	c := s.call(queries.GetCollection(chain, contractAddress), opts, required("contractAddress", contractAddress))
	return fetchGraph(ctx, c, func(data *queries.GetCollectionResponse) (graph.Collection, bool) {
		return data.Chain.Collection, data.Chain.Collection != nil
	})
}

// Collections lists the chain's collections, or those that the filter selects.
//
// POST /graphql
func (s *GraphService) Collections(ctx context.Context, chain graph.Chain, filter graph.CollectionsFilterInput, opts ...CallOption) *Connection[graph.CollectionProfile] {
	selection := selected(filter)
	return connect(ctx, s, opts, func(w queries.Window) queries.Request {
		return queries.ListCollections(chain, w, selection)
	}, func(data *queries.ListCollectionsResponse) *queries.List[graph.CollectionProfile] {
		return data.Chain.Collections
	})
}

// CollectionAttributes lists the traits that tokens of a collection have, each with one of its values. A collection
// that does not exist is [ErrNotFound].
//
// POST /graphql
func (s *GraphService) CollectionAttributes(ctx context.Context, chain graph.Chain, contractAddress string, opts ...CallOption) *Connection[graph.CollectionAttribute] {
	return connect(ctx, s, opts, func(w queries.Window) queries.Request {
		return queries.ListCollectionAttributes(chain, contractAddress, w)
	}, func(data *queries.ListCollectionAttributesResponse) *queries.List[graph.CollectionAttribute] {
		return orNothing(data.Chain.Collection).Attributes
	}, required("contractAddress", contractAddress))
}

// CollectionHolders lists the wallets that hold tokens of a collection. A collection that does not exist is
// [ErrNotFound].
//
// POST /graphql
func (s *GraphService) CollectionHolders(ctx context.Context, chain graph.Chain, contractAddress string, opts ...CallOption) *Connection[graph.Wallet] {
	return connect(ctx, s, opts, func(w queries.Window) queries.Request {
		return queries.ListCollectionHolders(chain, contractAddress, w)
	}, func(data *queries.ListCollectionHoldersResponse) *queries.List[graph.Wallet] {
		return orNothing(data.Chain.Collection).Wallets
	}, required("contractAddress", contractAddress))
}

// TrendingCollections lists the collections that sell most.
//
// POST /graphql
func (s *GraphService) TrendingCollections(ctx context.Context, chain graph.Chain, params graph.TrendingParams, opts ...CallOption) *Connection[graph.Trending] {
	params = deepCopy(params)
	return connect(ctx, s, opts, func(w queries.Window) queries.Request {
		return queries.ListTrendingCollections(chain, w, params.Filter, params.OrderBy, params.OrderDirection)
	}, func(data *queries.ListTrendingCollectionsResponse) *queries.List[graph.Trending] {
		return data.Chain.TrendingCollections
	})
}

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

// CollectionStats sums up the sales of a collection in a range of time, or all of them for the zero range. Prices are in the
// chain's own coin. A collection that does not exist, and one that the service has no statistics of, is [ErrNotFound].
// One of a type that is newer than this version is a [*DecodeError]: its statistics were not asked for.
//
// POST /graphql
func (s *GraphService) CollectionStats(ctx context.Context, chain graph.Chain, contractAddress string, timeRange graph.DateTimeInput, opts ...CallOption) (*graph.Stats, error) {
	within := selected(timeRange)
	request := queries.GetCollectionStats(chain, contractAddress,
		&graph.ERC721CollectionStatsInput{TimeRange: within}, &graph.ERC1155CollectionStatsInput{TimeRange: within})
	c := s.call(request, opts, required("contractAddress", contractAddress))
	return readGraph(ctx, c, func(r *response, data *queries.GetCollectionStatsResponse) (*graph.Stats, error) {
		collection := data.Chain.Collection
		switch {
		case collection == nil:
			return nil, r.notFound()
		case !isCollection(collection.Typename):
			return nil, r.newerType("collection")
		case collection.Stats == nil:
			return nil, r.notFound()
		}
		return collection.Stats, nil
	})
}

// CollectionSales lists the sales of a collection, with prices in the chain's own coin. A collection that does not
// exist is [ErrNotFound]. OrderHistory has the transactions of sales, CollectionEvents what was sold by whom to whom.
//
// POST /graphql
func (s *GraphService) CollectionSales(ctx context.Context, chain graph.Chain, contractAddress string, params graph.SalesParams, opts ...CallOption) *Connection[graph.Sale] {
	params = deepCopy(params)
	return connect(ctx, s, opts, func(w queries.Window) queries.Request {
		return queries.ListCollectionSales(chain, contractAddress, w, params.Filter, params.OrderBy, params.OrderDirection)
	}, func(data *queries.ListCollectionSalesResponse) *queries.List[graph.Sale] {
		return orNothing(data.Chain.Collection).Sales
	}, required("contractAddress", contractAddress))
}

// OrderHistory returns the sales of a collection with their transactions, as one list. Prices are in the chain's own
// coin. A collection that does not exist is [ErrNotFound]; one without a history has no orders.
//
// POST /graphql
func (s *GraphService) OrderHistory(ctx context.Context, chain graph.Chain, contractAddress string, filter graph.CollectionOrderHistoryInput, opts ...CallOption) ([]graph.Order, error) {
	c := s.call(queries.GetOrderHistory(chain, contractAddress, selected(filter)), opts, required("contractAddress", contractAddress))
	return fetchGraph(ctx, c, func(data *queries.GetOrderHistoryResponse) ([]graph.Order, bool) {
		return orNothing(data.Chain.Collection).OrderHistory, data.Chain.Collection != nil
	})
}

// OHLCVChart returns the prices of a collection's sales over time: opening, highest, lowest, closing and average price
// of each interval, in the chain's own coin, with the volume and the number of sales. A collection that does not exist
// is [ErrNotFound]; one without a chart has no candles.
//
// POST /graphql
func (s *GraphService) OHLCVChart(ctx context.Context, chain graph.Chain, contractAddress string, filter graph.CollectionOHLCVChartInput, opts ...CallOption) ([]graph.Candle, error) {
	c := s.call(queries.GetOHLCVChart(chain, contractAddress, selected(filter)), opts, required("contractAddress", contractAddress))
	return fetchGraph(ctx, c, func(data *queries.GetOHLCVChartResponse) ([]graph.Candle, bool) {
		return orNothing(data.Chain.Collection).OHLCVChart, data.Chain.Collection != nil
	})
}

// Contract returns one contract. The concrete type tells an NFT contract, which has its collection, from an ERC-20
// token, which has its decimals. A contract that does not exist is [ErrNotFound].
//
// POST /graphql
func (s *GraphService) Contract(ctx context.Context, chain graph.Chain, contractAddress string, opts ...CallOption) (graph.Contract, error) {
	c := s.call(queries.GetContract(chain, contractAddress), opts, required("contractAddress", contractAddress))
	return fetchGraph(ctx, c, func(data *queries.GetContractResponse) (graph.Contract, bool) {
		return data.Chain.Contract, data.Chain.Contract != nil
	})
}

// Contracts lists the chain's contracts, or those that the filter selects.
//
// POST /graphql
func (s *GraphService) Contracts(ctx context.Context, chain graph.Chain, filter graph.ContractsFilterInput, opts ...CallOption) *Connection[graph.ContractSummary] {
	selection := selected(filter)
	return connect(ctx, s, opts, func(w queries.Window) queries.Request {
		return queries.ListContracts(chain, w, selection)
	}, func(data *queries.ListContractsResponse) *queries.List[graph.ContractSummary] {
		return data.Chain.Contracts
	})
}

// Transaction returns one transaction. Amounts are in the smallest unit of the chain's own coin. A transaction that
// does not exist is [ErrNotFound].
//
// POST /graphql
func (s *GraphService) Transaction(ctx context.Context, chain graph.Chain, hash string, opts ...CallOption) (*graph.Transaction, error) {
	c := s.call(queries.GetTransaction(chain, hash), opts, required("hash", hash))
	return fetchGraph(ctx, c, func(data *queries.GetTransactionResponse) (*graph.Transaction, bool) {
		return data.Chain.Transaction, data.Chain.Transaction != nil
	})
}

// Transactions searches the chain's transactions by block, time, sender and receiver. Where the service responds with
// null for the listing, it is [ErrNotFound].
//
// POST /graphql
func (s *GraphService) Transactions(ctx context.Context, chain graph.Chain, params graph.TransactionsParams, opts ...CallOption) *Connection[graph.Transaction] {
	params = deepCopy(params)
	return connect(ctx, s, opts, func(w queries.Window) queries.Request {
		return queries.ListTransactions(chain, w, params.Filter, params.OrderDirection)
	}, func(data *queries.ListTransactionsResponse) *queries.List[graph.Transaction] {
		return data.Chain.Transactions
	})
}

// WalletTransactions lists the transactions that a wallet sent or received. A wallet that does not exist is
// [ErrNotFound].
//
// POST /graphql
func (s *GraphService) WalletTransactions(ctx context.Context, chain graph.Chain, wallet string, params graph.TransactionsParams, opts ...CallOption) *Connection[graph.Transaction] {
	params = deepCopy(params)
	return connect(ctx, s, opts, func(w queries.Window) queries.Request {
		return queries.ListWalletTransactions(chain, wallet, w, params.Filter, params.OrderDirection)
	}, func(data *queries.ListWalletTransactionsResponse) *queries.List[graph.Transaction] {
		return orNothing(data.Chain.Wallet).Transactions
	}, walletID("wallet", wallet))
}

// GasPrices returns the gas prices of blocks, in wei (assumed); [graph.GasPrice.Gwei] has them in gwei. Where the service
// responds with null for the list, it is [ErrNotFound].
//
// POST /graphql
func (s *GraphService) GasPrices(ctx context.Context, chain graph.Chain, params graph.GasPricesParams, opts ...CallOption) ([]graph.GasPrice, error) {
	params = deepCopy(params)
	c := s.call(queries.ListGasPrices(chain, params.Filter, params.OrderDirection), opts)
	return fetchGraph(ctx, c, func(data *queries.ListGasPricesResponse) ([]graph.GasPrice, bool) {
		return data.Chain.GasPrices, data.Chain.GasPrices != nil
	})
}
