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
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// graphFixture is a service for the graph area on one chain.
type graphFixture struct {
	*fixture
	chain graph.Chain
	// harbors is a large collection, notes one of tokens of which there are many each, coin an ERC-20 token.
	harbors, notes, coin string
	// wallet holds tokens of all three and has the name ens.
	wallet, ens string
	// The block has two gas prices after it.
	transaction string
	block       int
}

// startGraph makes a service and finds its objects with separate queries, with which the tests of the typed ones can
// compare their results.
func startGraph(t *testing.T, chain graph.Chain) *graphFixture {
	t.Helper()
	g, ctx := &graphFixture{fixture: start(t), chain: chain}, t.Context()
	found := must(graph.Query[map[string]any](ctx, g.Graph,
		`query Sights { chain: `+string(chain)+` { collections(first: 10) { edges { node { name address } } } } }`, nil))(t)
	for _, edge := range inside(t, found, "chain", "collections", "edges").([]any) {
		address := inside(t, edge, "node", "address").(string)
		switch inside(t, edge, "node", "name") {
		case "Quiet Harbors":
			g.harbors = address
		case "Field Notes":
			g.notes = address
		}
	}
	require.NotEmpty(t, g.harbors)
	require.NotEmpty(t, g.notes)
	g.findWallet(t)
	g.transaction = firstOf(t, g.Graph.Transactions(chain, graph.TransactionsParams{}, rpcfleet.WithPageSize(1)))[0].Hash
	prices := must(g.Graph.GasPrices(ctx, chain, graph.GasPricesParams{}))(t)
	g.block = prices[len(prices)-3].BlockNumber
	return g
}

// firstOf returns the items of the first page of a connection, which has some.
func firstOf[T any](t *testing.T, connection *rpcfleet.Connection[T]) []T {
	t.Helper()
	page := must(connection.Page(t.Context()))(t)
	require.NotEmpty(t, page.Items)
	return page.Items
}

// findWallet finds a wallet that has a name and holds a token of each kind.
func (g *graphFixture) findWallet(t *testing.T) {
	t.Helper()
	found := must(graph.Query[map[string]any](t.Context(), g.Graph, `query Owners($address: String!) {
		chain: `+string(g.chain)+` { collection(contractAddress: $address) { ... on ERC1155Collection {
			nfts(first: 30) { edges { node { wallets { edges { node { address ensName
				tokenBalances(first: 5) { edges { node { contract { symbol address } } } } } } } } } } } } } }`,
		map[string]any{"address": g.notes}))(t)
	for _, token := range inside(t, found, "chain", "collection", "nfts", "edges").([]any) {
		for _, owner := range inside(t, token, "node", "wallets", "edges").([]any) {
			name, named := inside(t, owner, "node", "ensName").(string)
			for _, balance := range inside(t, owner, "node", "tokenBalances", "edges").([]any) {
				if named && inside(t, balance, "node", "contract", "symbol") == "EXD" {
					g.wallet, g.ens = inside(t, owner, "node", "address").(string), name
					g.coin = inside(t, balance, "node", "contract", "address").(string)
					return
				}
			}
		}
	}
	require.Fail(t, "no wallet holds a token of each kind")
}

// inside walks into decoded JSON.
func inside(t *testing.T, value any, path ...string) any {
	t.Helper()
	for _, step := range path {
		fields, ok := value.(map[string]any)
		require.True(t, ok, "no object at %v of %v", step, path)
		value = fields[step]
	}
	return value
}

func TestGraph_readsLargeTokenIDs(t *testing.T) {
	g := startGraph(t, graph.ChainPolygon)
	deep := must(scalar.ParseBigInt("1606938044258990275541962092341162602522202993782792835301376"))(t)
	page := must(g.Graph.Collections(g.chain, graph.CollectionsFilterInput{}).Page(t.Context()))(t)
	nft := must(g.Graph.NFT(t.Context(), g.chain, page.Items[2].GetAddress(), deep))(t)
	assert.True(t, deep.Equal(nft.GetTokenID()))
}

// february is the range of time that the tests of sales are about.
var february = &graph.DateTimeInput{
	Gte: new(time.Date(2025, 2, 1, 0, 0, 0, 0, time.UTC)),
	Lt:  new(time.Date(2025, 2, 8, 0, 0, 0, 0, time.UTC)),
}

// within reports whether a time is in the range.
func within(at time.Time) bool {
	return !at.Before(*february.Gte) && at.Before(*february.Lt)
}

var rising, falling = new(graph.OrderDirectionAsc), new(graph.OrderDirectionDesc)

// TestGraph_collectionsAreNarrowedAndSorted passes the arguments of the listings of collections and their sales.
func TestGraph_collectionsAreNarrowedAndSorted(t *testing.T) {
	g, ctx := startGraph(t, graph.ChainEthereum), t.Context()
	collections := firstOf(t, g.Graph.Collections(g.chain, graph.CollectionsFilterInput{
		Address:     &graph.StringInput{In: []string{g.harbors, g.notes}},
		ERCStandard: &graph.CollectionStandardInput{Eq: new(graph.CollectionStandardERC1155)},
	}))
	require.Len(t, collections, 1)
	assert.Equal(t, g.notes, collections[0].GetAddress())
	trending := firstOf(t, g.Graph.TrendingCollections(g.chain, graph.TrendingParams{
		Filter:  &graph.TrendingCollectionsFilterInput{TimePeriod: new(graph.TrendingPeriodSevenDays)},
		OrderBy: new(graph.TrendingOrderBySales), OrderDirection: rising,
	}))
	assert.True(t, slices.IsSortedFunc(trending, func(a, b graph.Trending) int {
		return int(*a.Stats.TotalSales - *b.Stats.TotalSales)
	}))
	contracts := firstOf(t, g.Graph.Contracts(g.chain, graph.ContractsFilterInput{
		Address: &graph.StringInput{Eq: &g.coin},
	}))
	require.Len(t, contracts, 1)
	assert.IsType(t, &graph.ContractSummaryTokenContract{}, contracts[0])

	candles := must(g.Graph.OHLCVChart(ctx, g.chain, g.harbors, graph.CollectionOHLCVChartInput{
		ConfirmedAtGte: february.Gte, Interval: new(graph.OHLCVChartIntervalSevenDays), Limit: new(3.0),
	}))(t)
	require.Len(t, candles, 3)
	assert.Equal(t, 7*24*time.Hour, candles[1].Timestamp.Sub(candles[0].Timestamp))
	orders := must(g.Graph.OrderHistory(ctx, g.chain, g.harbors, graph.CollectionOrderHistoryInput{
		ConfirmedAtGte: february.Gte, ConfirmedAtLte: february.Lt,
	}))(t)
	require.NotEmpty(t, orders)
	for _, order := range orders {
		assert.True(t, within(order.Timestamp))
	}
	assert.Len(t, must(g.Graph.OrderHistory(ctx, g.chain, g.harbors,
		graph.CollectionOrderHistoryInput{IsLimited: new(true)}))(t), 20)

	sales := firstOf(t, g.Graph.CollectionSales(g.chain, g.notes, graph.SalesParams{
		Filter:  &graph.CollectionSaleFilterInput{TimeRange: february},
		OrderBy: new(graph.CollectionSaleOrderByTimestamp), OrderDirection: falling,
	}))
	assert.True(t, slices.IsSortedFunc(sales, func(a, b graph.Sale) int {
		return b.EstimatedConfirmedAt.Compare(*a.EstimatedConfirmedAt)
	}), "the newest first")
	for _, address := range []string{g.harbors, g.notes} { // The statistics are those of the sales.
		part, volume, count := must(g.Graph.CollectionStats(ctx, g.chain, address, *february))(t), 0.0, 0
		params := graph.SalesParams{Filter: &graph.CollectionSaleFilterInput{TimeRange: february}}
		for sale, err := range g.Graph.CollectionSales(g.chain, address, params).All(ctx) {
			require.NoError(t, err)
			assert.True(t, within(*sale.EstimatedConfirmedAt))
			volume, count = volume+*sale.PriceInNativeToken, count+1
		}
		assert.Equal(t, count, *part.TotalSales)
		assert.InDelta(t, volume, *part.VolumeInNativeToken, 1e-6)
	}
}

// TestGraph_walletsAreNarrowedAndSorted passes the arguments of the listings about a wallet, and its two names.
func TestGraph_walletsAreNarrowedAndSorted(t *testing.T) {
	g, ctx := startGraph(t, graph.ChainEthereum), t.Context()
	nfts := firstOf(t, g.Graph.WalletNFTs(g.chain, g.wallet, graph.WalletNFTsParams{
		Filter: &graph.WalletNFTsFilterInput{ContractTokens: []graph.WalletNFTsContractTokenFilterInput{
			{ContractAddress: g.notes}, {ContractAddress: g.harbors, TokenID: new("1")},
		}},
		OrderBy: new(graph.WalletNFTsOrderByName), OrderDirection: falling,
	}))
	assert.True(t, slices.IsSortedFunc(nfts, func(a, b graph.WalletNFT) int {
		return strings.Compare(*b.NFT.GetName(), *a.NFT.GetName())
	}))
	held := firstOf(t, g.Graph.WalletCollections(g.chain, g.wallet, graph.WalletCollectionsParams{
		Filter:  &graph.WalletCollectionsFilterInput{ContractAddressIn: []string{g.harbors, g.notes}},
		OrderBy: new(graph.WalletCollectionOrderByName), OrderDirection: rising,
	}))
	require.Len(t, held, 2)
	assert.Equal(t, &g.notes, held[0].CollectionAddress)
	balances := firstOf(t, g.Graph.TokenBalances(g.chain, g.wallet, graph.TokenBalancesParams{
		OrderBy: new(graph.WalletTokenBalanceOrderTotalBalance), OrderDirection: falling,
	}))
	assert.True(t, slices.IsSortedFunc(balances, func(a, b graph.TokenBalance) int {
		return b.TotalBalance.Cmp(a.TotalBalance)
	}))
	for _, transaction := range firstOf(t, g.Graph.WalletTransactions(g.chain, g.wallet, graph.TransactionsParams{})) {
		assert.Contains(t, []string{transaction.FromAddress, *transaction.ToAddress}, g.wallet)
	}
	mine, other := g.tokens(t)
	for _, either := range []string{g.wallet, g.ens} {
		assert.Equal(t, &graph.Wallet{Address: g.wallet, ENSName: &g.ens}, must(g.Graph.Wallet(ctx, g.chain, either))(t))
		assert.Equal(t, &graph.WalletNFT{NFTsCount: mine.NFTsCount, NFT: mine.NFT},
			must(g.Graph.Ownership(ctx, g.chain, either, g.notes, mine.NFT.GetTokenID()))(t))
		assert.Equal(t, &g.notes, must(g.Graph.WalletCollection(ctx, g.chain, either, g.notes))(t).CollectionAddress)
	}
	assert.Equal(t, &graph.WalletNFT{NFTsCount: new(0)},
		must(g.Graph.Ownership(ctx, g.chain, g.wallet, g.notes, other))(t))
	require.ErrorIs(t, second(g.Graph.Wallet(ctx, g.chain, "nobody.example.eth")), rpcfleet.ErrNotFound)
	require.ErrorIs(t, second(g.Graph.WalletCollection(ctx, g.chain, g.wallet, g.coin)), rpcfleet.ErrNotFound)
	owners := firstOf(t, g.Graph.NFTOwners(g.chain, g.notes, mine.NFT.GetTokenID()))
	assert.Len(t, owners, 3)
	assert.Contains(t, owners, graph.Wallet{Address: g.wallet, ENSName: &g.ens})
	page := must(g.Graph.NFTOwners(g.chain, g.harbors, scalar.BigIntFrom(42)).Page(ctx))(t)
	assert.Len(t, page.Items, 1, "an ERC-721 token has one")
	assert.Equal(t, 1, page.Total)
	holders := must(all(g.Graph.CollectionHolders(g.chain, g.notes, rpcfleet.WithPageSize(5)).All(ctx)))(t)
	assert.True(t, slices.ContainsFunc(holders, func(one any) bool { return one.(graph.Wallet).Address == g.wallet }))
}

// TestGraph_blocksAndEventsAreNarrowedAndSorted passes the arguments of transactions, prices and events.
func TestGraph_blocksAndEventsAreNarrowedAndSorted(t *testing.T) {
	g, ctx := startGraph(t, graph.ChainEthereum), t.Context()
	transactions := firstOf(t, g.Graph.Transactions(g.chain, graph.TransactionsParams{
		Filter: &graph.TransactionsFilterInput{
			BlockNumber: &graph.IntegerInput{Gte: new(21_006_000), Lt: new(21_012_000)}},
		OrderDirection: falling,
	}))
	require.Len(t, transactions, 10)
	assert.Equal(t, 21_011_400, transactions[0].BlockNumber)
	assert.Equal(t, &transactions[0], must(g.Graph.Transaction(ctx, g.chain, transactions[0].Hash))(t))
	prices := must(g.Graph.GasPrices(ctx, g.chain, graph.GasPricesParams{
		Filter:         &graph.GasPriceFilterInput{BlockNumber: &graph.IntegerInput{Gt: &g.block}},
		OrderDirection: falling,
	}))(t)
	require.Len(t, prices, 2)
	assert.Greater(t, prices[0].BlockNumber, prices[1].BlockNumber)

	sale, mint := graph.TokenTransferTypeSale, graph.TokenTransferTypeMint
	sales := firstOf(t, g.Graph.Events(g.chain, graph.TokenEventsFilterInput{
		Type: &graph.TokenTransferTypeInput{In: []graph.TokenTransferType{sale}}, Timestamp: february,
		ContractStandard: &graph.ContractStandardInput{
			NotIn: []graph.ContractStandard{graph.ContractStandardERC20, graph.ContractStandardERC1155},
		},
	}))
	for _, event := range sales {
		require.IsType(t, &graph.EventTokenSaleEvent{}, event)
		assert.Equal(t, new(graph.ERCStandardERC721), event.(*graph.EventTokenSaleEvent).ContractERCStandard)
		assert.True(t, within(event.GetTimestamp()))
	}
	minted := firstOf(t, g.Graph.ContractEvents(g.chain, g.notes, graph.TokenEventsFilterInput{
		Type: &graph.TokenTransferTypeInput{Eq: &mint}}))[0].(*graph.EventTokenMintEvent)
	assert.Equal(t, g.notes, minted.ContractAddress)
	assert.Contains(t, firstOf(t, g.Graph.NFTEvents(g.chain, g.notes, *minted.TokenID, graph.TokenEventsFilterInput{})),
		graph.Event(minted))
	for _, event := range firstOf(t, g.Graph.CollectionEvents(g.chain, g.notes, graph.TokenEventsFilterInput{
		Type: &graph.TokenTransferTypeInput{Eq: &sale}})) {
		assert.Equal(t, sale, event.GetType())
	}
	same := firstOf(t, g.Graph.Events(g.chain, graph.TokenEventsFilterInput{
		WalletAddress: &graph.StringInput{Eq: &g.wallet}}))
	assert.Equal(t, same, firstOf(t, g.Graph.WalletEvents(g.chain, g.wallet, graph.TokenEventsFilterInput{})))
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
