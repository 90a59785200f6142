package acceptance

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// graphTests execute every operation of the graph area, by its name.
var graphTests = map[string]func(t *testing.T, g *graphFixture){
	"GetCollection": func(t *testing.T, g *graphFixture) {
		collection := must(g.Graph.Collection(t.Context(), g.chain, g.harbors, g.capture()))(t)
		g.matches(t, collection, "collection")
		harbors, ok := collection.(*graph.CollectionERC721Collection)
		require.True(t, ok)
		assert.Equal(t, new("Quiet Harbors"), harbors.Name)
		assert.Equal(t, new("quiet-harbors"), harbors.Slug)
		assert.Equal(t, "5000", harbors.TotalSupply.String())
		assert.Equal(t, "https://quiet-harbors.example/image.png", harbors.Image[0].URL)
		require.NotNil(t, harbors.Stats)
		assert.Positive(t, *harbors.Stats.TotalSales)
		assert.LessOrEqual(t, *harbors.Stats.FloorInNativeToken, *harbors.Stats.AverageInNativeToken)
		assert.LessOrEqual(t, *harbors.Stats.AverageInNativeToken, *harbors.Stats.CeilingInNativeToken)

		collection = must(g.Graph.Collection(t.Context(), g.chain, g.notes, g.capture()))(t)
		require.IsType(t, &graph.CollectionERC1155Collection{}, collection)
		g.matches(t, collection, "collection")
	},
	"ListCollections": func(t *testing.T, g *graphFixture) {
		items := pageOf(t, g, g.Graph.Collections(g.chain, graph.CollectionsFilterInput{}, g.capture()), "collections")
		require.Len(t, items, 5)
		page := must(g.Graph.Collections(g.chain, graph.CollectionsFilterInput{
			Address:     &graph.StringInput{In: []string{g.harbors, g.notes}},
			ERCStandard: &graph.CollectionStandardInput{Eq: new(graph.CollectionStandardERC1155)},
		}).Page(t.Context()))(t)
		require.Len(t, page.Items, 1)
		assert.Equal(t, 1, page.Total)
		assert.Equal(t, g.notes, page.Items[0].GetAddress())
	},
	"ListTrendingCollections": func(t *testing.T, g *graphFixture) {
		connection := g.Graph.TrendingCollections(g.chain, graph.TrendingParams{}, g.capture())
		items := pageOf(t, g, connection, "trendingCollections")
		assert.True(t, slices.IsSortedFunc(items, func(a, b graph.Trending) int {
			return int(*b.Stats.VolumeInNativeToken - *a.Stats.VolumeInNativeToken)
		}), "the volume, falling")
		page := must(g.Graph.TrendingCollections(g.chain, graph.TrendingParams{
			Filter:         &graph.TrendingCollectionsFilterInput{TimePeriod: new(graph.TrendingPeriodSevenDays)},
			OrderBy:        new(graph.TrendingOrderBySales),
			OrderDirection: new(graph.OrderDirectionAsc),
		}).Page(t.Context()))(t)
		assert.True(t, slices.IsSortedFunc(page.Items, func(a, b graph.Trending) int {
			return int(*a.Stats.TotalSales - *b.Stats.TotalSales)
		}), "the sales, rising")
	},
	"GetOHLCVChart": func(t *testing.T, g *graphFixture) {
		from := time.Date(2025, 1, 10, 0, 0, 0, 0, time.UTC)
		candles := must(g.Graph.OHLCVChart(t.Context(), g.chain, g.harbors, graph.CollectionOHLCVChartInput{
			ConfirmedAtGte: new(scalar.NewTime(from)),
			Interval:       new(graph.OHLCVChartIntervalSevenDays),
			Limit:          new(3.0),
		}, g.capture()))(t)
		require.Len(t, candles, 3)
		for i, candle := range candles {
			g.matches(t, candle, "collection", "ohlcvChart", i)
			assert.True(t, candle.Timestamp.Valid())
			assert.LessOrEqual(t, *candle.Low, min(*candle.Open, *candle.Close))
			assert.GreaterOrEqual(t, *candle.High, max(*candle.Open, *candle.Close))
		}
		assert.Equal(t, 7*24*time.Hour, candles[1].Timestamp.Sub(candles[0].Timestamp.Time))
	},
	"GetNFT": func(t *testing.T, g *graphFixture) {
		nft := must(g.Graph.NFT(t.Context(), g.chain, g.harbors, scalar.BigIntFrom(42), g.capture()))(t)
		g.matches(t, nft, "nft")
		harbor, ok := nft.(*graph.NFTERC721NFT)
		require.True(t, ok)
		assert.Equal(t, "42", harbor.TokenID.String())
		assert.Equal(t, "Quiet Harbors", *harbor.GetCollection().GetName())
		assert.Len(t, harbor.Attributes, 2)
		assert.NotEmpty(t, harbor.Wallet.Address)
		note := must(g.Graph.NFT(t.Context(), g.chain, g.notes, scalar.BigIntFrom(1), g.capture()))(t)
		require.IsType(t, &graph.NFTERC1155NFT{}, note)
		g.matches(t, note, "nft")
	},
	"ListCollectionNFTs": func(t *testing.T, g *graphFixture) {
		for address, kind := range map[string]graph.NFT{g.harbors: &graph.NFTERC721NFT{}, g.notes: &graph.NFTERC1155NFT{}} {
			page := must(g.Graph.CollectionNFTs(g.chain, address, rpcfleet.WithPageSize(3), g.capture()).Page(t.Context()))(t)
			require.Len(t, page.Items, 3)
			for i, nft := range page.Items {
				assert.IsType(t, kind, nft)
				g.matches(t, nft, "collection", "nfts", "edges", i, "node")
			}
		}
	},
	"GetContract": func(t *testing.T, g *graphFixture) {
		contract := must(g.Graph.Contract(t.Context(), g.chain, g.coin, g.capture()))(t)
		g.matches(t, contract, "contract")
		coin, ok := contract.(*graph.ContractTokenContract)
		require.True(t, ok)
		assert.Equal(t, "6", coin.Decimals.String())
		assert.Equal(t, new("EXD"), coin.Symbol)
		assert.Contains(t, string(*coin.ABI), "totalSupply")
		contract = must(g.Graph.Contract(t.Context(), g.chain, g.notes, g.capture()))(t)
		require.IsType(t, &graph.ContractNFTContract{}, contract)
		g.matches(t, contract, "contract")
	},
	"GetTransaction": func(t *testing.T, g *graphFixture) {
		page, err := g.Graph.Transactions(g.chain, graph.TransactionsParams{}, rpcfleet.WithPageSize(1)).Page(t.Context())
		require.NoError(t, err)
		transaction := must(g.Graph.Transaction(t.Context(), g.chain, page.Items[0].Hash, g.capture()))(t)
		g.matches(t, transaction, "transaction")
		assert.Equal(t, page.Items[0], *transaction)
	},
	"ListTransactions": func(t *testing.T, g *graphFixture) {
		items := pageOf(t, g, g.Graph.Transactions(g.chain, graph.TransactionsParams{
			Filter: &graph.TransactionsFilterInput{
				BlockNumber: &graph.IntegerInput{Gte: new(21_006_000), Lt: new(21_012_000)}},
			OrderDirection: new(graph.OrderDirectionDesc),
		}, g.capture()), "transactions")
		require.Len(t, items, 10)
		assert.Equal(t, 21_011_400, items[0].BlockNumber)
	},
	"ListGasPrices": func(t *testing.T, g *graphFixture) {
		prices := must(g.Graph.GasPrices(t.Context(), g.chain, graph.GasPricesParams{}, g.capture()))(t)
		require.Len(t, prices, 100)
		for i, price := range prices {
			g.matches(t, price, "gasPrices", i)
		}
		latest := prices[99]
		prices = must(g.Graph.GasPrices(t.Context(), g.chain, graph.GasPricesParams{
			Filter:         &graph.GasPriceFilterInput{BlockNumber: &graph.IntegerInput{Gt: new(latest.BlockNumber - 2)}},
			OrderDirection: new(graph.OrderDirectionDesc),
		}))(t)
		require.Len(t, prices, 2)
		assert.Equal(t, latest, prices[0])
	},
}

// TestGraphOperations executes every operation on every chain, and fails if one is left out.
func TestGraphOperations(t *testing.T) {
	for i, chain := range graph.Chain("").Values() {
		t.Run(string(chain), func(t *testing.T) {
			if i > 0 {
				race.Skip(t)
			}
			t.Parallel()
			g := startGraph(t, chain)
			for _, tests := range []map[string]func(t *testing.T, g *graphFixture){
				graphTests, graphWalletTests, graphMarketTests, parityTests, parityFieldTests,
			} {
				for name, test := range tests {
					t.Run(name, func(t *testing.T) { test(t, g) })
				}
			}
			for _, operation := range rpcfleet.Operations() {
				if operation.Area == "graph" {
					assert.True(t, g.sent[operation.ID], "%s is not exercised through the facade", operation.ID)
				}
			}
		})
	}
}
