package graph_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/graph"
)

func TestChainsPutOperationsToThemselves(t *testing.T) {
	for _, chain := range graph.Chains {
		document, err := chain.Apply("query A { chain: ethereum { contract(contractAddress: \"ethereum\") { name } } }")
		require.NoError(t, err)
		assert.Equal(t, "query A { chain: "+string(chain)+" { contract(contractAddress: \"ethereum\") { name } } }", document)
	}
}

func TestChainsRefuseWhatWouldBeAnotherQuery(t *testing.T) {
	const good = "{ chain: ethereum { a } }"
	for _, chain := range []graph.Chain{"", "a b", "a{b}", "1st", "a-b", "a\n", "é", "ethereum{a}polygon"} {
		assert.False(t, chain.Sound(), chain)
		assert.False(t, chain.Valid(), chain)
		_, err := chain.Apply(good)
		require.ErrorContains(t, err, "the chain must be the name of a field", chain)
	}
	for _, query := range []string{"", "{ ethereum { a } }", "{ chain: polygon { a } }", good + good} {
		_, err := graph.Polygon.Apply(query)
		require.ErrorContains(t, err, `must have "chain: ethereum {" in it, once`, query)
	}
	unknown := graph.Chain("base_2")
	assert.True(t, unknown.Sound())
	assert.False(t, unknown.Valid())
}

func FuzzChainApply(f *testing.F) {
	for _, chain := range []string{"ethereum", "polygon", "", "{", "a b", "a\"", "\x00", "_1"} {
		f.Add(chain)
	}
	f.Fuzz(func(t *testing.T, chain string) {
		document, err := graph.Chain(chain).Apply(graph.GetNFT_Operation)
		if err != nil {
			require.Empty(t, document)
			return
		}
		// Taking the name out again gives the operation back: nothing else has changed.
		require.NotContains(t, chain, " ")
		require.Equal(t, graph.GetNFT_Operation, strings.Replace(document, "chain: "+chain+" {", "chain: ethereum {", 1))
	})
}
