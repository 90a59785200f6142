package clienttest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
)

func TestDefaultChain(t *testing.T) {
	_, server := scripted(t, says(200, `{"data":{"chain":{}}}`))
	client := server.client(t, rpcfleet.WithDefaultChain(graph.ChainPolygon))
	for want, chain := range map[string]graph.Chain{"polygon": graph.DefaultChain,
		"ethereumSepolia": graph.ChainEthereumSepolia} {
		before := len(server.Requests())
		_, err := client.Graph.Collection(t.Context(), chain, "0xa1")
		require.ErrorIs(t, err, rpcfleet.ErrNotFound)
		_, err = client.Graph.Transactions(chain, graph.TransactionsParams{}).Page(t.Context())
		require.ErrorIs(t, err, rpcfleet.ErrNotFound)
		for _, sent := range server.Requests()[before:] {
			assert.Contains(t, decodeBody(t, sent.Body)["query"], "chain: "+want+" {")
		}
	}
}

func TestDefaultChainIsChecked(t *testing.T) {
	for chain, want := range map[graph.Chain]string{
		"":       "rpcfleet: default chain is required",
		"solana": `rpcfleet: default chain must be one of the documented values (ethereum, ethereumSepolia, polygon), not "solana"`,
	} {
		_, err := rpcfleet.New(rpcfleet.WithBaseURL("https://api.example.com"), rpcfleet.WithAPIKey(testKey),
			rpcfleet.WithDefaultChain(chain))
		assert.EqualError(t, err, want)
	}
}
