package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/queries"
)

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
