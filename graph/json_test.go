package graph_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/graph"
)

// FuzzUnmarshal makes sure that whatever can be read can be written, and is the same when it is read once more.
func FuzzUnmarshal(f *testing.F) {
	for _, seed := range []string{
		`[{"__typename":"TokenMintEvent","nft":{"__typename":"ERC721NFT","tokenId":1,"uploads":[null,{"url":"a"}]}},null]`,
		`[{"rays":[1.50],"__typename":"Newer","nft":7}]`, `[{"__TYPENAME":"TokenSaleEvent"}]`, `[{"__typename":7}]`, `[[]]`,
		`{}`, `[`, ``,
		`[{"__typename":"Newer","__typename":"TokenSwapEvent","timestamp":"2024-05-14T12:34:56Z"}]`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var events, again []graph.Event
		if graph.Unmarshal([]byte(text), &events) != nil {
			return
		}
		written, err := json.Marshal(events)
		require.NoError(t, err)
		require.NoError(t, graph.Unmarshal(written, &again), "%s", written)
		rewritten, err := json.Marshal(again)
		require.NoError(t, err)
		require.Equal(t, string(written), string(rewritten))
		for i, event := range events {
			require.IsType(t, event, again[i])
		}
	})
}
