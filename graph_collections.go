package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/graph"
)

// Collection returns one collection with the statistics of its sales. Prices are in the chain's own coin. The concrete
// type tells the standard; see package graph for interfaces. A collection that does not exist is ErrNotFound.
//
// POST /graphql
func (s *GraphService) Collection(ctx context.Context, chain graph.Chain, contractAddress string, opts ...CallOption) (graph.Collection, error) {
	q := s.query(chain, opts, required("contractAddress", contractAddress))
	answer, err := graph.GetCollection(ctx, q, contractAddress)
	collection := answer.Chain.Collection
	return found(q, collection, collection != nil, err)
}

// Collections lists the chain's collections, or those that the filter selects.
//
// POST /graphql
func (s *GraphService) Collections(ctx context.Context, chain graph.Chain, filter *graph.CollectionsFilterInput, opts ...CallOption) *Connection[graph.CollectionSummary] {
	filter = clonedFilter(filter)
	return connect(ctx, s.query(chain, opts),
		func(ctx context.Context, q *graphQuery) (*CursorPage[graph.CollectionSummary], error) {
			answer, err := graph.ListCollections(ctx, q, q.first, q.after, filter)
			return pageOf(q, answer.Chain.Collections, err, variant[graph.CollectionSummary])
		})
}

// TrendingCollections lists the collections that sell most.
//
// POST /graphql
func (s *GraphService) TrendingCollections(ctx context.Context, chain graph.Chain, params *graph.TrendingParams, opts ...CallOption) *Connection[graph.Trending] {
	params = cloned(params)
	return connect(ctx, s.query(chain, opts),
		func(ctx context.Context, q *graphQuery) (*CursorPage[graph.Trending], error) {
			answer, err := graph.ListTrendingCollections(ctx, q, q.first, q.after, params.Filter, params.OrderBy, params.OrderDirection)
			return pageOf(q, answer.Chain.TrendingCollections, err, record[graph.Trending])
		})
}

// OHLCVChart returns the prices of a collection's sales over time: opening, highest, lowest, closing and average price
// of each interval, in the chain's own coin, with the volume and the number of sales. A collection that does not exist
// is ErrNotFound; one without a chart has no candles.
//
// POST /graphql
func (s *GraphService) OHLCVChart(ctx context.Context, chain graph.Chain, contractAddress string, filter *graph.CollectionOhlcvChartInput, opts ...CallOption) ([]graph.Candle, error) {
	q := s.query(chain, opts, required("contractAddress", contractAddress))
	answer, err := graph.GetOHLCVChart(ctx, q, contractAddress, filter)
	collection := answer.Chain.Collection
	return found(q, orNothing(collection).OhlcvChart, collection != nil, err)
}
