package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/queries"
)

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
