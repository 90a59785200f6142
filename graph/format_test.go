package graph_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestParameters_printValuesOfPointers(t *testing.T) {
	from := scalar.BigIntFrom(7)
	for want, record := range map[string]any{
		`SalesParams{OrderDirection: "DESC"}`: graph.SalesParams{
			OrderDirection: new(graph.OrderDirectionDesc)},
		`TokenRef{ContractAddress: "0xa1", TokenID: 7}`: graph.TokenRef{
			ContractAddress: "0xa1", TokenID: from},
		`GasPriceGwei{BlockNumber: 3, Average: 1.5, Median: 0, Floor: 0, Ceiling: 0, Total: 0}`: graph.GasPrice{
			BlockNumber: 3, Average: 1.5e9}.Gwei(),
		`TransactionsParams{Filter: {FromAddress: "0xb2"}}`: graph.TransactionsParams{
			Filter: &graph.TransactionsFilterInput{FromAddress: new("0xb2")},
		},
	} {
		assert.Equal(t, want, fmt.Sprintf("%v", record))
		assert.Equal(t, want, fmt.Sprintf("%+v", record))
	}
}
