package graph_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// TestEveryRecordIsPrinted makes sure that no record, generated or not, prints the addresses of its pointers.
func TestEveryRecordIsPrinted(t *testing.T) {
	structs, formats := map[string]bool{}, map[string]bool{}
	files, err := os.ReadDir(".")
	require.NoError(t, err)
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file.Name(), nil, 0)
		require.NoError(t, err)
		ast.Inspect(parsed, func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.TypeSpec:
				if _, is := n.Type.(*ast.StructType); is && n.Name.IsExported() {
					structs[n.Name.Name] = true
				}
			case *ast.FuncDecl:
				if n.Recv == nil || n.Name.Name != "Format" {
					return false
				}
				if receiver, is := n.Recv.List[0].Type.(*ast.Ident); is {
					formats[receiver.Name] = true
				}
				return false
			}
			return true
		})
	}
	require.Greater(t, len(structs), 60)
	assert.Equal(t, structs, formats)
}

func TestParametersArePrinted(t *testing.T) {
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
