package acceptance

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// two asks for pages of two items: more of the same would tell no more.
var two = rpcfleet.WithPageSize(2)

// graphQueries call every method of the graph area.
var graphQueries = []query{
	{"Graph.Collection", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.Collection(ctx, f.chain, f.harbors))
	}},
	{"Graph.Collections", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.Collections(ctx, f.chain, graph.CollectionsFilterInput{}, two).Page())
	}},
	{"Graph.TrendingCollections", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.TrendingCollections(ctx, f.chain, graph.TrendingParams{}, two).Page())
	}},
	{"Graph.OHLCVChart", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.OHLCVChart(ctx, f.chain, f.harbors, graph.CollectionOHLCVChartInput{Limit: new(2.0)}))
	}},
	{"Graph.NFT", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.NFT(ctx, f.chain, f.harbors, scalar.BigIntFrom(42)))
	}},
	{"Graph.CollectionNFTs", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.CollectionNFTs(ctx, f.chain, f.notes, two).Page())
	}},
	{"Graph.Contract", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.Contract(ctx, f.chain, f.coin))
	}},
	{"Graph.Transaction", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.Transaction(ctx, f.chain, f.transaction))
	}},
	{"Graph.Transactions", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.Transactions(ctx, f.chain, graph.TransactionsParams{}, two).Page())
	}},
	{"Graph.WalletTransactions", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.WalletTransactions(ctx, f.chain, f.wallet, graph.TransactionsParams{}, two).Page())
	}},
	{"Graph.GasPrices", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.GasPrices(ctx, f.chain, graph.GasPricesParams{
			Filter: &graph.GasPriceFilterInput{BlockNumber: &graph.IntegerInput{Gt: &f.block}},
		}))
	}},
	{"Graph.WalletNFTs", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.WalletNFTs(ctx, f.chain, f.wallet, graph.WalletNFTsParams{}, two).Page())
	}},
	{"Graph.Ownership", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.Ownership(ctx, f.chain, f.wallet, f.notes, scalar.BigIntFrom(1)))
	}},
	{"Graph.WalletCollections", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.WalletCollections(ctx, f.chain, f.wallet, graph.WalletCollectionsParams{}, two).Page())
	}},
	{"Graph.TokenBalances", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.TokenBalances(ctx, f.chain, f.wallet, graph.TokenBalancesParams{}, two).Page())
	}},
	{"Graph.Events", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.Events(ctx, f.chain, graph.TokenEventsFilterInput{}, rpcfleet.WithPageSize(6)).Page())
	}},
	{"Graph.ContractEvents", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.ContractEvents(ctx, f.chain, f.notes, graph.TokenEventsFilterInput{}, two).Page())
	}},
	{"Graph.NFTEvents", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.NFTEvents(ctx, f.chain, f.notes, scalar.BigIntFrom(1), graph.TokenEventsFilterInput{}, two).Page())
	}},
	{"Graph.WalletEvents", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.WalletEvents(ctx, f.chain, f.wallet, graph.TokenEventsFilterInput{}, two).Page())
	}},
	{"Graph.CollectionStats", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.CollectionStats(ctx, f.chain, f.harbors, graph.DateTimeInput{}))
	}},
	{"Graph.CollectionSales", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.CollectionSales(ctx, f.chain, f.harbors, graph.SalesParams{}, two).Page())
	}},
	{"Graph.OrderHistory", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.OrderHistory(ctx, f.chain, f.harbors, f.latest()))
	}},
	{"Graph.CollectionAttributes", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.CollectionAttributes(ctx, f.chain, f.notes, two).Page())
	}},
	{"Graph.CollectionHolders", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.CollectionHolders(ctx, f.chain, f.notes, two).Page())
	}},
	{"Graph.CollectionEvents", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.CollectionEvents(ctx, f.chain, f.notes, graph.TokenEventsFilterInput{}, two).Page())
	}},
	{"Graph.NFTOwners", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.NFTOwners(ctx, f.chain, f.notes, scalar.BigIntFrom(1), two).Page())
	}},
	{"Graph.Contracts", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.Contracts(ctx, f.chain, graph.ContractsFilterInput{}, two).Page())
	}},
	{"Graph.Wallet", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.Wallet(ctx, f.chain, f.ens))
	}},
	{"Graph.WalletCollection", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.WalletCollection(ctx, f.chain, f.ens, f.notes))
	}},
	{"Graph.Ownerships", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.Ownerships(ctx, f.chain, f.wallet, f.held()))
	}},
	{"Graph.MakeRequest", func(ctx context.Context, c *rpcfleet.Client, _ *sampleAccount) (any, error) {
		return got(graph.Query[counts](ctx, c.Graph, `query Counts { ethereum { collections(first: 2) { totalCount } } }`, nil))
	}},
}

// counts is what a query of our own asks for.
type counts struct {
	Ethereum struct {
		Collections struct {
			TotalCount *int `json:"totalCount"`
		} `json:"collections"`
	} `json:"ethereum"`
}
