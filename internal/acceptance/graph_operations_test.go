package acceptance

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// graphTable are tests by the names of the operations that they execute.
type graphTable map[string]func(t *testing.T, g *graphFixture)

// graphTests execute the operations about collections, tokens and blocks.
var graphTests = graphTable{
	"GetCollection": func(t *testing.T, g *graphFixture) {
		for address, kind := range map[string]graph.Collection{
			g.harbors: &graph.CollectionERC721Collection{}, g.notes: &graph.CollectionERC1155Collection{},
		} {
			collection := must(g.Graph.Collection(t.Context(), g.chain, address, g.capture()))(t)
			assert.IsType(t, kind, collection)
			g.matches(t, collection, "collection")
		}
		require.ErrorIs(t, second(g.Graph.Collection(t.Context(), g.chain, "0x00")), rpcfleet.ErrNotFound)
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
			ConfirmedAtGte: new(from),
			Interval:       new(graph.OHLCVChartIntervalSevenDays),
			Limit:          new(3.0),
		}, g.capture()))(t)
		require.Len(t, candles, 3)
		for i, candle := range candles {
			g.matches(t, candle, "collection", "ohlcvChart", i)
			assert.LessOrEqual(t, *candle.Low, min(*candle.Open, *candle.Close))
			assert.GreaterOrEqual(t, *candle.High, max(*candle.Open, *candle.Close))
		}
		assert.Equal(t, 7*24*time.Hour, candles[1].Timestamp.Sub(candles[0].Timestamp))
	},
	"GetNFT": func(t *testing.T, g *graphFixture) {
		for address, kind := range map[string]graph.NFT{g.harbors: &graph.NFTERC721NFT{}, g.notes: &graph.NFTERC1155NFT{}} {
			nft := must(g.Graph.NFT(t.Context(), g.chain, address, scalar.BigIntFrom(1), g.capture()))(t)
			assert.IsType(t, kind, nft)
			assert.Equal(t, "1", nft.GetTokenID().String())
			g.matches(t, nft, "nft")
		}
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
		for address, kind := range map[string]graph.Contract{
			g.coin: &graph.ContractTokenContract{}, g.notes: &graph.ContractNFTContract{},
		} {
			contract := must(g.Graph.Contract(t.Context(), g.chain, address, g.capture()))(t)
			assert.IsType(t, kind, contract)
			assert.Contains(t, string(*contract.GetABI()), "totalSupply")
			g.matches(t, contract, "contract")
		}
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

// TestGraph_operationsWorkOnEveryChain executes every operation on every chain, and fails if one is left out.
func TestGraph_operationsWorkOnEveryChain(t *testing.T) {
	for i, chain := range graph.Chain("").Values() {
		t.Run(string(chain), func(t *testing.T) {
			if i > 0 {
				race.Skip(t)
			}
			t.Parallel()
			g := startGraph(t, chain)
			for _, tests := range []graphTable{graphTests, graphWalletTests, graphMarketTests} {
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

// graphWalletTests execute the operations about wallets and events.
var graphWalletTests = graphTable{
	"ListWalletNFTs": func(t *testing.T, g *graphFixture) {
		items := pageOf(t, g, g.Graph.WalletNFTs(g.chain, g.wallet, graph.WalletNFTsParams{
			Filter: &graph.WalletNFTsFilterInput{ContractTokens: []graph.WalletNFTsContractTokenFilterInput{
				{ContractAddress: g.notes}, {ContractAddress: g.harbors, TokenID: new("1")},
			}},
			OrderBy:        new(graph.WalletNFTsOrderByName),
			OrderDirection: new(graph.OrderDirectionDesc),
		}, g.capture()), "wallet.walletNFTs")
		for _, held := range items {
			assert.Positive(t, *held.NFTsCount)
		}
		assert.True(t, slices.IsSortedFunc(items, func(a, b graph.WalletNFT) int {
			return strings.Compare(*b.NFT.GetName(), *a.NFT.GetName())
		}))
	},
	"GetWallet": func(t *testing.T, g *graphFixture) {
		for _, either := range []string{g.wallet, g.ens} {
			wallet := must(g.Graph.Wallet(t.Context(), g.chain, either, g.capture()))(t)
			g.matches(t, wallet, "wallet")
			assert.Equal(t, &graph.Wallet{Address: g.wallet, ENSName: &g.ens}, wallet)
		}
		require.ErrorIs(t, second(g.Graph.Wallet(t.Context(), g.chain, "nobody.example.eth")), rpcfleet.ErrNotFound)
	},
	"GetWalletCollection": func(t *testing.T, g *graphFixture) {
		held := must(g.Graph.WalletCollection(t.Context(), g.chain, g.ens, g.notes, g.capture()))(t)
		g.matches(t, held, "wallet", "walletCollection")
		assert.Positive(t, held.NFTsCount.Sign())
		assert.Equal(t, &g.notes, held.CollectionAddress)
		require.ErrorIs(t, second(g.Graph.WalletCollection(t.Context(), g.chain, g.wallet, g.coin)), rpcfleet.ErrNotFound)
	},
	"GetOwnership": func(t *testing.T, g *graphFixture) {
		held, other := g.tokens(t)
		for _, either := range []string{g.wallet, g.ens} {
			ownership := must(g.Graph.Ownership(t.Context(), g.chain, either, g.notes, held.NFT.GetTokenID(), g.capture()))(t)
			assert.Equal(t, &graph.WalletNFT{NFTsCount: held.NFTsCount, NFT: held.NFT}, ownership)
			g.matches(t, ownership, "wallet", "walletNFT")
		}
		ownership := must(g.Graph.Ownership(t.Context(), g.chain, g.wallet, g.notes, other))(t)
		assert.Equal(t, &graph.WalletNFT{NFTsCount: new(0)}, ownership)
	},
	"ListWalletCollections": func(t *testing.T, g *graphFixture) {
		items := pageOf(t, g, g.Graph.WalletCollections(g.chain, g.wallet, graph.WalletCollectionsParams{
			Filter:         &graph.WalletCollectionsFilterInput{ContractAddressIn: []string{g.harbors, g.notes}},
			OrderBy:        new(graph.WalletCollectionOrderByName),
			OrderDirection: new(graph.OrderDirectionAsc),
		}, g.capture()), "wallet.walletCollections")
		require.Len(t, items, 2)
		assert.Equal(t, &g.notes, items[0].CollectionAddress)
	},
	"ListTokenBalances": func(t *testing.T, g *graphFixture) {
		items := pageOf(t, g, g.Graph.TokenBalances(g.chain, g.wallet, graph.TokenBalancesParams{
			OrderBy:        new(graph.WalletTokenBalanceOrderTotalBalance),
			OrderDirection: new(graph.OrderDirectionDesc),
		}, g.capture()), "wallet.tokenBalances")
		for _, balance := range items {
			assert.Positive(t, balance.TotalBalance.Sign())
		}
		assert.True(t,
			slices.IsSortedFunc(items, func(a, b graph.TokenBalance) int { return b.TotalBalance.Cmp(a.TotalBalance) }))
	},
	"ListWalletTransactions": func(t *testing.T, g *graphFixture) {
		connection := g.Graph.WalletTransactions(g.chain, g.wallet, graph.TransactionsParams{}, g.capture())
		items := pageOf(t, g, connection, "wallet.transactions")
		for _, transaction := range items {
			assert.Contains(t, []string{transaction.FromAddress, *transaction.ToAddress}, g.wallet)
		}
	},
	"ListEvents": func(t *testing.T, g *graphFixture) {
		seen := map[string]bool{}
		for page, err := range g.Graph.Events(g.chain, graph.TokenEventsFilterInput{}, g.capture()).Pages(t.Context()) {
			require.NoError(t, err)
			assert.Equal(t, 600, page.Total)
			for i, event := range page.Items {
				g.matches(t, event, "tokenEvents", "edges", i, "node")
				seen[event.GetTypename()] = true
			}
		}
		assert.Len(t, seen, 5, "events of every type")
		from, to := time.Date(2025, 1, 5, 0, 0, 0, 0, time.UTC), time.Date(2025, 1, 20, 0, 0, 0, 0, time.UTC)
		filter := graph.TokenEventsFilterInput{
			Type:      &graph.TokenTransferTypeInput{In: []graph.TokenTransferType{graph.TokenTransferTypeSale}},
			Timestamp: &graph.DateTimeInput{Gte: new(from), Lt: new(to)},
			ContractStandard: &graph.ContractStandardInput{
				NotIn: []graph.ContractStandard{graph.ContractStandardERC20, graph.ContractStandardERC1155},
			},
		}
		page := must(g.Graph.Events(g.chain, filter).Page(t.Context()))(t)
		require.NotEmpty(t, page.Items)
		for _, event := range page.Items {
			sale, ok := event.(*graph.EventTokenSaleEvent)
			require.True(t, ok)
			assert.Equal(t, new(graph.ERCStandardERC721), sale.ContractERCStandard)
			assert.False(t, sale.Timestamp.Before(from) || !sale.Timestamp.Before(to))
		}
	},
	"ListContractEvents": func(t *testing.T, g *graphFixture) {
		connection := g.Graph.ContractEvents(g.chain, g.notes, graph.TokenEventsFilterInput{}, g.capture())
		pageOf(t, g, connection, "contract.tokenEvents")
	},
	"ListNFTEvents": func(t *testing.T, g *graphFixture) {
		filter := graph.TokenEventsFilterInput{
			ContractAddress: &graph.StringInput{Eq: &g.notes},
			Type:            &graph.TokenTransferTypeInput{Eq: new(graph.TokenTransferTypeMint)},
		}
		page := must(g.Graph.Events(g.chain, filter).Page(t.Context()))(t)
		require.NotEmpty(t, page.Items)
		mint, ok := page.Items[0].(*graph.EventTokenMintEvent)
		require.True(t, ok)
		page = must(g.Graph.NFTEvents(g.chain, g.notes, *mint.TokenID, graph.TokenEventsFilterInput{}, g.capture()).Page(
			t.Context()))(t)
		assert.Contains(t, page.Items, graph.Event(mint))
		for i, event := range page.Items {
			g.matches(t, event, "nft", "tokenEvents", "edges", i, "node")
		}
	},
	"ListWalletEvents": func(t *testing.T, g *graphFixture) {
		connection := g.Graph.WalletEvents(g.chain, g.wallet, graph.TokenEventsFilterInput{}, g.capture())
		items := pageOf(t, g, connection, "wallet.tokenEvents")
		for _, event := range items {
			assert.Contains(t, []string{event.GetFromAddress(), event.GetToAddress()}, g.wallet)
		}
		filter := graph.TokenEventsFilterInput{WalletAddress: &graph.StringInput{Eq: &g.wallet}}
		same := must(g.Graph.Events(g.chain, filter).Page(t.Context()))(t)
		assert.Equal(t, same.Items, items)
	},
}

// tokens returns a token of the collection notes that the wallet holds, and the id of one that it does not.
func (g *graphFixture) tokens(t *testing.T) (held graph.WalletNFT, other scalar.BigInt) {
	t.Helper()
	mine := map[string]bool{}
	for one, err := range g.Graph.WalletNFTs(g.chain, g.wallet, graph.WalletNFTsParams{}).All(t.Context()) {
		require.NoError(t, err)
		if one.NFT.GetContractAddress() == g.notes {
			held = one
			mine[one.NFT.GetTokenID().String()] = true
		}
	}
	require.NotNil(t, held.NFT)
	for nft, err := range g.Graph.CollectionNFTs(g.chain, g.notes).All(t.Context()) {
		require.NoError(t, err)
		if !mine[nft.GetTokenID().String()] {
			return held, nft.GetTokenID()
		}
	}
	require.Fail(t, "the wallet holds all of them")
	return held, other
}
