package graphapi

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// list reads all items of a connection.
func list[N any](t *testing.T, made *connection[N], err error) []N {
	t.Helper()
	require.NoError(t, err)
	require.False(t, made.PageInfo.HasNextPage)
	var items []N
	for _, edge := range made.Edges {
		items = append(items, edge.Node)
	}
	return items
}

var all = paging{First: new(int32(1000))}

type salesArgs = struct {
	paging
	Filter                  *periodFilter
	OrderBy, OrderDirection *string
}

type orderFilter = struct {
	ConfirmedAtGte, ConfirmedAtLte *dateTime
	IsLimited                      *bool
}

// TestSalesAreTheSameFromEverySide holds the listings of sales against the events and the sums.
func TestSalesAreTheSameFromEverySide(t *testing.T) {
	c := newChain("ethereum", 5, 1000, fleet.GraphChain{})
	for _, collection := range c.collections {
		made, err := collection.Sales(salesArgs{paging: all})
		sales := list(t, made, err)
		orders := *collection.OrderHistory(struct{ Filter *orderFilter }{})
		stats := collection.Stats(struct {
			Filter *struct{ TimeRange *timeInput }
		}{})
		require.NotEmpty(t, sales)
		require.Len(t, orders, len(sales))
		assert.Equal(t, new(int32(len(sales))), stats.TotalSales)
		volume := 0.0
		for i, sale := range sales {
			volume += *sale.PriceInNativeToken
			order := orders[i]
			assert.Equal(t, *sale.PriceInNativeToken, order.PriceInNativeToken)
			assert.Equal(t, order.PriceInNativeToken, order.PriceInEth())
			assert.Equal(t, *sale.EstimatedConfirmedAt, order.Timestamp)
			transaction := c.transactionAt(order.TransactionHash)
			require.NotNil(t, transaction)
			assert.Equal(t, order.Timestamp, transaction.BlockTimestamp)
			assert.NotNil(t, collection.token(*order.TokenID))
			assert.NotNil(t, c.walletAt(order.FromAddress))
			assert.NotNil(t, c.walletAt(order.ToAddress))
			assert.Equal(t, 1.0, *sale.QuantitySold)
		}
		assert.InDelta(t, volume, *stats.VolumeInNativeToken, 1e-9)
		assert.Equal(t, stats.VolumeInNativeToken, stats.Volume())
		assert.Equal(t, stats.AverageInNativeToken, stats.Average())
		assert.Equal(t, stats.FloorInNativeToken, stats.Floor())
		assert.Equal(t, stats.CeilingInNativeToken, stats.Ceiling())
	}
}

func TestSalesAreNarrowedDown(t *testing.T) {
	c := newChain("ethereum", 5, 1000, fleet.GraphChain{})
	harbors := c.collections[0]
	made, err := harbors.Sales(salesArgs{paging: all})
	every := list(t, made, err)
	middle := *every[len(every)/2].EstimatedConfirmedAt

	for name, test := range map[string]struct {
		filter periodFilter
		passes func(at time.Time) bool
	}{
		"by a range":       {periodFilter{TimeRange: &timeInput{Gt: &middle}}, func(at time.Time) bool { return at.After(middle.Time) }},
		"by a period":      {periodFilter{TimePeriod: new("SEVEN_DAYS")}, func(at time.Time) bool { return at.After(c.ended().AddDate(0, 0, -7)) }},
		"by what is empty": {periodFilter{}, func(time.Time) bool { return true }},
	} {
		made, err = harbors.Sales(salesArgs{paging: all, Filter: &test.filter})
		narrow := list(t, made, err)
		require.NotEmpty(t, narrow, name)
		want := filtered(every, func(s collectionSale) bool { return test.passes(s.EstimatedConfirmedAt.Time) })
		assert.Equal(t, want, narrow, name)
		assert.Equal(t, name == "by what is empty", len(narrow) == len(every), name)
	}
	made, err = harbors.Sales(salesArgs{paging: all, OrderBy: new("TIMESTAMP"), OrderDirection: new(descending)})
	backwards := list(t, made, err)
	slices.Reverse(backwards)
	assert.Equal(t, every, backwards)

	orders := func(filter orderFilter) []order {
		return *harbors.OrderHistory(struct{ Filter *orderFilter }{&filter})
	}
	whole := orders(orderFilter{})
	require.Greater(t, len(whole), limitedOrders)
	assert.Equal(t, whole, orders(orderFilter{IsLimited: new(false)}))
	assert.Equal(t, whole[len(whole)-limitedOrders:], orders(orderFilter{IsLimited: new(true)}))
	after, before := orders(orderFilter{ConfirmedAtGte: &middle}), orders(orderFilter{ConfirmedAtLte: &middle})
	assert.Len(t, slices.Concat(after, before), len(whole)+1, "the one in the middle is in both")
}

// TestHoldersAndTraitsAddUp counts what a collection lists beside its tokens.
func TestHoldersAndTraitsAddUp(t *testing.T) {
	race.Skip(t)
	c := newChain("polygon", 5, 1000, fleet.GraphChain{})
	for _, collection := range c.collections {
		made, err := collection.Wallets(all)
		holders := list(t, made, err)
		pieces := newBigInt(0)
		for _, w := range c.wallets {
			held := w.WalletCollection(struct{ CollectionAddress string }{collection.Address})
			assert.Equal(t, held != nil, slices.Contains(holders, w), "%s holds %s", w.Address, *collection.Name)
			if held != nil {
				pieces.Add(pieces.Int, held.NftsCount.Int)
			}
		}
		assert.Zero(t, pieces.Cmp(collection.TotalSupply().Int), "the holders hold all of %s", *collection.Name)

		traits, err := collection.Attributes(all)
		listed := map[attribute]bool{}
		for _, trait := range list(t, traits, err) {
			assert.False(t, listed[attribute{trait.Name, *trait.Value}], "once")
			listed[attribute{trait.Name, *trait.Value}] = true
		}
		used := map[attribute]bool{}
		for i := range collection.spec.size {
			for _, trait := range *(&nft{collection, i}).Attributes() {
				used[trait] = true
			}
		}
		assert.Equal(t, used, listed)
	}
}

func TestContractsAreListed(t *testing.T) {
	c := newChain("ethereum", 5, 1000, fleet.GraphChain{})
	type contractsArgs = struct {
		paging
		Filter *struct{ Address *textInput }
	}
	made, err := c.Contracts(contractsArgs{paging: all})
	contracts := list(t, made, err)
	require.Len(t, contracts, len(collectionSpecs)+len(tokenSpecs))
	for _, one := range contracts {
		assert.Equal(t, one, c.contractAt(one.Address()))
	}
	coin := c.tokens[1].address
	made, err = c.Contracts(contractsArgs{all, &struct{ Address *textInput }{&textInput{Eq: &coin}}})
	found := list(t, made, err)
	require.Len(t, found, 1)
	assert.Equal(t, coin, found[0].Address())
}
