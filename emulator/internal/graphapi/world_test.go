package graphapi

import (
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
)

// TestTheWorldIsConsistent counts what queries can see from several sides.
func TestTheWorldIsConsistent(t *testing.T) {
	c := newChain("ethereum", 7, 250, fleet.GraphChain{})
	require.GreaterOrEqual(t, c.collections[0].spec.size, 5000)
	for _, collection := range c.collections {
		held := new(big.Int)
		for _, w := range c.wallets {
			for _, of := range w.collections() {
				if of.Collection == collection {
					held.Add(held, of.NftsCount.Int)
				}
			}
		}
		assert.Zero(t, held.Cmp(collection.TotalSupply().Int), "every piece of %s has a holder", *collection.Name)

		sales := collection.sold(func(time.Time) bool { return true })
		require.NotEmpty(t, sales)
		candles := *collection.OhlcvChart(struct{ Filter *chartFilter }{&chartFilter{Limit: new(1000.0)}})
		count := 0.0
		for i, candle := range candles {
			count += candle.Count
			assert.True(t, i == 0 || candles[i-1].Timestamp.Before(candle.Timestamp.Time), "in order")
		}
		assert.Equal(t, float64(len(sales)), count, "every sale is in the chart")
		assert.Equal(t, int32(len(sales)), *newStats(sales).TotalSales)
	}
	seen := map[string]bool{}
	for _, e := range c.events {
		assert.False(t, seen[*e.TransactionHash], "hashes differ")
		seen[*e.TransactionHash] = true
		assert.Same(t, e.Transaction, c.transactionAt(*e.TransactionHash))
		assert.NotNil(t, c.contractAt(e.ContractAddress()))
		if token := e.Nft(); token != nil {
			found := token.collection.token(token.id().String())
			require.NotNil(t, found)
			assert.Equal(t, token.index, found.index)
		}
		assert.Equal(t, e.kind == "MINT", e.From() == nil)
		assert.Equal(t, e.kind == "BURN", e.To() == nil)
		assert.Equal(t, e.kind == "SALE" || e.kind == "SWAP", e.received != nil)
	}
}

func TestTokensAreFoundByTheirIDs(t *testing.T) {
	c := newChain("ethereum", 1, 250, fleet.GraphChain{})
	lanterns := c.collections[1]
	for id, index := range map[string]int{"0": 0, "39": 39} {
		require.NotNil(t, lanterns.token(id), id)
		assert.Equal(t, index, lanterns.token(id).index)
	}
	for _, id := range []string{"-1", "40", "", "x", "0x1", "1.0", "999999999999999999999999999999"} {
		assert.Nil(t, lanterns.token(id), id)
	}
}

// TestEveryFilterOfEvents makes sure that each condition of the schema's largest filter has an effect.
func TestEveryFilterOfEvents(t *testing.T) {
	c := newChain("polygon", 1, 1000, fleet.GraphChain{})
	var sale *event
	for _, e := range c.events {
		if e.kind == "SALE" {
			sale = e
		}
	}
	other := &textInput{Eq: new("another")}
	for name, filter := range map[string][2]eventFilter{
		"blockNumber":      {{BlockNumber: &intInput{Eq: &sale.BlockNumber}}, {BlockNumber: &intInput{Lt: new(int32(0))}}},
		"contractAddress":  {{ContractAddress: &textInput{Eq: new(sale.ContractAddress())}}, {ContractAddress: other}},
		"contractStandard": {{ContractStandard: &textInput{Eq: sale.ContractERCStandard()}}, {ContractStandard: other}},
		"fromAddress":      {{FromAddress: &textInput{Eq: &sale.FromAddress}}, {FromAddress: other}},
		"marketplace":      {{Marketplace: &textInput{Eq: sale.Marketplace}}, {Marketplace: other}},
		"timestamp":        {{Timestamp: &timeInput{Eq: &sale.Timestamp}}, {Timestamp: &timeInput{Lt: &dateTime{began}}}},
		"toAddress":        {{ToAddress: &textInput{Eq: &sale.ToAddress}}, {ToAddress: other}},
		"transactionHash":  {{TransactionHash: &textInput{Eq: sale.TransactionHash}}, {TransactionHash: other}},
		"type":             {{Type: &textInput{Eq: new("SALE")}}, {Type: other}},
		"walletAddress":    {{WalletAddress: &textInput{Eq: &sale.ToAddress}}, {WalletAddress: other}},
	} {
		assert.True(t, filter[0].allows(sale), name)
		assert.False(t, filter[1].allows(sale), name)
		found, err := c.TokenEvents(eventArgs{paging{First: new(int32(1000))}, &filter[0]})
		require.NoError(t, err)
		assert.Less(t, len(found.Edges), eventCount, "%s narrows the listing down", name)
		assert.NotEmpty(t, found.Edges)
	}
}
