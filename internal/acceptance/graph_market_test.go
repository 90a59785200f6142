package acceptance

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// february is the range of time that the tests of sales are about.
var february = &graph.DateTimeInput{
	Gte: new(scalar.NewTime(time.Date(2025, 2, 1, 0, 0, 0, 0, time.UTC))),
	Lt:  new(scalar.NewTime(time.Date(2025, 2, 8, 0, 0, 0, 0, time.UTC))),
}

// within reports whether a time is in the range.
func within(at scalar.Time) bool {
	return !at.Before(february.Gte.Time) && at.Before(february.Lt.Time)
}

// graphMarketTests execute the operations about sales, traits, holders and contracts.
var graphMarketTests = map[string]func(t *testing.T, g *graphFixture){
	"GetCollectionStats": func(t *testing.T, g *graphFixture) {
		for _, address := range []string{g.harbors, g.notes} {
			whole := must(g.Graph.CollectionStats(t.Context(), g.chain, address, graph.DateTimeInput{}, g.capture()))(t)
			g.matches(t, whole, "collection", "stats")
			part := must(g.Graph.CollectionStats(t.Context(), g.chain, address, *february))(t)
			assert.Less(t, *part.TotalSales, *whole.TotalSales, "the range narrows them down")
			count, volume := 0, 0.0
			filter := &graph.CollectionSaleFilterInput{TimeRange: february}
			for sale, err := range g.Graph.CollectionSales(g.chain, address, graph.SalesParams{Filter: filter}).All(
				t.Context()) {
				require.NoError(t, err)
				count++
				volume += *sale.PriceInNativeToken
			}
			assert.Equal(t, count, *part.TotalSales)
			assert.InDelta(t, volume, *part.VolumeInNativeToken, 1e-6)
		}
	},
	"ListCollectionSales": func(t *testing.T, g *graphFixture) {
		items := pageOf(t, g, g.Graph.CollectionSales(g.chain, g.notes, graph.SalesParams{
			Filter:         &graph.CollectionSaleFilterInput{TimeRange: february},
			OrderBy:        new(graph.CollectionSaleOrderByTimestamp),
			OrderDirection: new(graph.OrderDirectionDesc),
		}, g.capture()), "collection.sales")
		for _, sale := range items {
			assert.True(t, within(*sale.EstimatedConfirmedAt))
			assert.Positive(t, *sale.PriceInNativeToken)
		}
		assert.True(t, slices.IsSortedFunc(items, func(a, b graph.Sale) int {
			return b.EstimatedConfirmedAt.Compare(a.EstimatedConfirmedAt.Time)
		}), "the newest first")
		week := must(g.Graph.CollectionSales(g.chain, g.notes, graph.SalesParams{
			Filter: &graph.CollectionSaleFilterInput{TimePeriod: new(graph.CollectionSalePeriodSevenDays)},
		}).Page(t.Context()))(t)
		assert.NotEmpty(t, week.Items)
	},
	"GetOrderHistory": func(t *testing.T, g *graphFixture) {
		orders := must(g.Graph.OrderHistory(t.Context(), g.chain, g.harbors, graph.CollectionOrderHistoryInput{
			ConfirmedAtGte: february.Gte, ConfirmedAtLte: february.Lt,
		}, g.capture()))(t)
		require.NotEmpty(t, orders)
		for i, order := range orders {
			g.matches(t, order, "collection", "orderHistory", i)
			assert.True(t, within(order.Timestamp))
			require.NoError(t, second(scalar.ParseBigInt(*order.TokenID)))
		}
		limited := must(g.Graph.OrderHistory(t.Context(), g.chain, g.harbors,
			graph.CollectionOrderHistoryInput{IsLimited: new(true)}))(t)
		assert.Len(t, limited, 20)
		transaction := must(g.Graph.Transaction(t.Context(), g.chain, orders[0].TransactionHash))(t)
		assert.Equal(t, orders[0].TransactionHash, transaction.Hash)
	},
	"ListCollectionAttributes": func(t *testing.T, g *graphFixture) {
		connection := g.Graph.CollectionAttributes(g.chain, g.harbors, rpcfleet.WithPageSize(5), g.capture())
		items := pageOf(t, g, connection, "collection.attributes")
		require.Len(t, items, 5)
	},
	"ListCollectionHolders": func(t *testing.T, g *graphFixture) {
		found := false
		for page, err := range g.Graph.CollectionHolders(g.chain, g.notes, rpcfleet.WithPageSize(5), g.capture()).Pages(
			t.Context()) {
			require.NoError(t, err)
			for i, holder := range page.Items {
				g.matches(t, holder, "collection", "wallets", "edges", i, "node")
				found = found || holder.Address == g.wallet && *holder.ENSName == g.ens
			}
		}
		assert.True(t, found)
	},
	"ListNFTOwners": func(t *testing.T, g *graphFixture) {
		held, _ := g.tokens(t)
		items := pageOf(t, g, g.Graph.NFTOwners(g.chain, g.notes, held.NFT.GetTokenID(), g.capture()), "nft.wallets")
		require.Len(t, items, 3)
		assert.Contains(t, items, graph.Wallet{Address: g.wallet, ENSName: &g.ens})

		page := must(g.Graph.NFTOwners(g.chain, g.harbors, scalar.BigIntFrom(42), g.capture()).Page(t.Context()))(t)
		require.Len(t, page.Items, 1, "an ERC-721 token has one")
		g.matches(t, page.Items[0], "nft", "wallet")
		assert.Equal(t, 1, page.Total)
	},
	"ListCollectionEvents": func(t *testing.T, g *graphFixture) {
		items := pageOf(t, g, g.Graph.CollectionEvents(g.chain, g.notes, graph.TokenEventsFilterInput{
			Type: &graph.TokenTransferTypeInput{Eq: new(graph.TokenTransferTypeSale)},
		}, g.capture()), "collection.tokenEvents")
		for _, event := range items {
			assert.Equal(t, graph.TokenTransferTypeSale, event.GetType())
		}
	},
	"ListContracts": func(t *testing.T, g *graphFixture) {
		items := pageOf(t, g, g.Graph.Contracts(g.chain, graph.ContractsFilterInput{}, g.capture()), "contracts")
		require.Len(t, items, 9)
		page := must(g.Graph.Contracts(g.chain, graph.ContractsFilterInput{
			Address: &graph.StringInput{Eq: &g.coin},
		}).Page(t.Context()))(t)
		require.Len(t, page.Items, 1)
		coin, ok := page.Items[0].(*graph.ContractSummaryTokenContract)
		require.True(t, ok)
		assert.Equal(t, "6", coin.Decimals.String())
	},
}
