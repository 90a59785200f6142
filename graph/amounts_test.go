package graph_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestTokenBalance_amountInUnits(t *testing.T) {
	for name, test := range map[string]struct {
		contract *graph.Token
		want     string
		known    bool
	}{
		"six decimals":       {&graph.Token{Decimals: new(scalar.BigIntFrom(6))}, "-1.5", true},
		"none":               {&graph.Token{Decimals: new(scalar.BigIntFrom(0))}, "-1500000", true},
		"no contract":        {nil, "", false},
		"decimals not told":  {&graph.Token{}, "", false},
		"less than none":     {&graph.Token{Decimals: new(scalar.BigIntFrom(-1))}, "", false},
		"more than can be":   {&graph.Token{Decimals: new(scalar.BigIntFrom(256))}, "", false},
		"more than any size": {&graph.Token{Decimals: new(big(t, "18446744073709551622"))}, "", false},
	} {
		balance := graph.TokenBalance{TotalBalance: scalar.BigIntFrom(-1_500_000), Contract: test.contract}
		amount, known := balance.Amount()
		assert.Equal(t, test.want, amount, name)
		assert.Equal(t, test.known, known, name)
	}
}

func big(t *testing.T, text string) scalar.BigInt {
	t.Helper()
	v, err := scalar.ParseBigInt(text)
	require.NoError(t, err)
	return v
}

func TestGasPrice_convertsToGwei(t *testing.T) {
	price := graph.GasPrice{BlockNumber: 7, Average: 1.5e9, Median: 2e9, Floor: 5e8, Ceiling: 1e12, Total: 3e10}
	assert.Equal(t, graph.GasPriceGwei{BlockNumber: 7, Average: 1.5, Median: 2, Floor: 0.5, Ceiling: 1000, Total: 30},
		price.Gwei())
}
