package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/wire"
)

// Collection returns one collection with the statistics of its sales. Prices are in the chain's own coin. The concrete
// type tells the standard; see package graph for interfaces. A collection that does not exist is [ErrNotFound].
//
// POST /graphql
func (s *GraphService) Collection(ctx context.Context, chain graph.Chain, contractAddress string, opts ...CallOption) (graph.Collection, error) {
	c := s.call(wire.GetCollection(chain, contractAddress), opts, required("contractAddress", contractAddress))
	return fetchGraph(ctx, c, func(data *wire.GetCollectionResponse) (graph.Collection, bool) {
		return data.Chain.Collection, data.Chain.Collection != nil
	})
}

// Collections lists the chain's collections, or those that the filter selects.
//
// POST /graphql
func (s *GraphService) Collections(ctx context.Context, chain graph.Chain, filter *graph.CollectionsFilterInput, opts ...CallOption) *Connection[graph.CollectionSummary] {
	filter = deepCopyFilter(filter)
	return connect(ctx, s, opts, func(first *int, after *string) wire.Request {
		return wire.ListCollections(chain, first, after, filter)
	}, func(data *wire.ListCollectionsResponse) *wire.List[graph.CollectionSummary] {
		return data.Chain.Collections
	})
}

// TrendingCollections lists the collections that sell most.
//
// POST /graphql
func (s *GraphService) TrendingCollections(ctx context.Context, chain graph.Chain, params *graph.TrendingParams, opts ...CallOption) *Connection[graph.Trending] {
	params = deepCopy(params)
	return connect(ctx, s, opts, func(first *int, after *string) wire.Request {
		return wire.ListTrendingCollections(chain, first, after, params.Filter, params.OrderBy, params.OrderDirection)
	}, func(data *wire.ListTrendingCollectionsResponse) *wire.List[graph.Trending] {
		return data.Chain.TrendingCollections
	})
}

// OHLCVChart returns the prices of a collection's sales over time: opening, highest, lowest, closing and average price
// of each interval, in the chain's own coin, with the volume and the number of sales. A collection that does not exist
// is [ErrNotFound]; one without a chart has no candles.
//
// POST /graphql
func (s *GraphService) OHLCVChart(ctx context.Context, chain graph.Chain, contractAddress string, filter *graph.CollectionOHLCVChartInput, opts ...CallOption) ([]graph.Candle, error) {
	c := s.call(wire.GetOHLCVChart(chain, contractAddress, filter), opts, required("contractAddress", contractAddress))
	return fetchGraph(ctx, c, func(data *wire.GetOHLCVChartResponse) ([]graph.Candle, bool) {
		return orNothing(data.Chain.Collection).OHLCVChart, data.Chain.Collection != nil
	})
}
