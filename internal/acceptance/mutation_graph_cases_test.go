package acceptance

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// two is the page size of the graph queries: more items would not add anything.
var two = rpcfleet.WithPageSize(2)

// graphQueries call every method of the graph area.
var graphQueries = []query{
	{"Graph.Collection", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.Collection(ctx, f.chain, f.harbors))
	}},
	{"Graph.Collections", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.Collections(f.chain, graph.CollectionsFilterInput{}, two).Page(ctx))
	}},
	{"Graph.TrendingCollections", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.TrendingCollections(f.chain, graph.TrendingParams{}, two).Page(ctx))
	}},
	{"Graph.OHLCVChart", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.OHLCVChart(ctx, f.chain, f.harbors, graph.CollectionOHLCVChartInput{Limit: new(2.0)}))
	}},
	{"Graph.NFT", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.NFT(ctx, f.chain, f.harbors, scalar.BigIntFrom(42)))
	}},
	{"Graph.CollectionNFTs", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.CollectionNFTs(f.chain, f.notes, two).Page(ctx))
	}},
	{"Graph.Contract", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.Contract(ctx, f.chain, f.coin))
	}},
	{"Graph.Transaction", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.Transaction(ctx, f.chain, f.transaction))
	}},
	{"Graph.Transactions", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.Transactions(f.chain, graph.TransactionsParams{}, two).Page(ctx))
	}},
	{"Graph.WalletTransactions", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.WalletTransactions(f.chain, f.wallet, graph.TransactionsParams{}, two).Page(ctx))
	}},
	{"Graph.GasPrices", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.GasPrices(ctx, f.chain, graph.GasPricesParams{
			Filter: &graph.GasPriceFilterInput{BlockNumber: &graph.IntegerInput{Gt: &f.block}},
		}))
	}},
	{"Graph.WalletNFTs", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.WalletNFTs(f.chain, f.wallet, graph.WalletNFTsParams{}, two).Page(ctx))
	}},
	{"Graph.Ownership", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.Ownership(ctx, f.chain, f.wallet, f.notes, scalar.BigIntFrom(1)))
	}},
	{"Graph.WalletCollections", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.WalletCollections(f.chain, f.wallet, graph.WalletCollectionsParams{}, two).Page(ctx))
	}},
	{"Graph.TokenBalances", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.TokenBalances(f.chain, f.wallet, graph.TokenBalancesParams{}, two).Page(ctx))
	}},
	{"Graph.Events", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.Events(f.chain, graph.TokenEventsFilterInput{}, rpcfleet.WithPageSize(6)).Page(ctx))
	}},
	{"Graph.ContractEvents", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.ContractEvents(f.chain, f.notes, graph.TokenEventsFilterInput{}, two).Page(ctx))
	}},
	{"Graph.NFTEvents", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.NFTEvents(f.chain, f.notes, scalar.BigIntFrom(1), graph.TokenEventsFilterInput{}, two).Page(ctx))
	}},
	{"Graph.WalletEvents", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.WalletEvents(f.chain, f.wallet, graph.TokenEventsFilterInput{}, two).Page(ctx))
	}},
	{"Graph.CollectionStats", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.CollectionStats(ctx, f.chain, f.harbors, graph.DateTimeInput{}))
	}},
	{"Graph.CollectionSales", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.CollectionSales(f.chain, f.harbors, graph.SalesParams{}, two).Page(ctx))
	}},
	{"Graph.OrderHistory", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.OrderHistory(ctx, f.chain, f.harbors, f.latest()))
	}},
	{"Graph.CollectionAttributes", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.CollectionAttributes(f.chain, f.notes, two).Page(ctx))
	}},
	{"Graph.CollectionHolders", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.CollectionHolders(f.chain, f.notes, two).Page(ctx))
	}},
	{"Graph.CollectionEvents", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.CollectionEvents(f.chain, f.notes, graph.TokenEventsFilterInput{}, two).Page(ctx))
	}},
	{"Graph.NFTOwners", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.NFTOwners(f.chain, f.notes, scalar.BigIntFrom(1), two).Page(ctx))
	}},
	{"Graph.Contracts", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Graph.Contracts(f.chain, graph.ContractsFilterInput{}, two).Page(ctx))
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
		return got(graph.Query[counts](ctx, c.Graph, `query Counts { ethereum { collections(first: 2) { totalCount } } }`,
			nil))
	}},
}

// counts is the result of one of our own queries.
type counts struct {
	Ethereum struct {
		Collections struct {
			TotalCount *int `json:"totalCount"`
		} `json:"collections"`
	} `json:"ethereum"`
}
