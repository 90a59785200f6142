package clienttest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestCollectionStatsOfARange(t *testing.T) {
	client, server := scripted(t,
		says(200, `{"data":{"chain":{"collection":{"__typename":"ERC1155Collection","stats":{"totalSales":3}}}}}`),
		says(200, `{"data":{"chain":{"collection":{"__typename":"ERC721Collection","stats":null}}}}`),
		says(200, `{"data":{"chain":{"collection":{"__typename":"ERC9999Collection","stats":null}}}}`))
	from := graph.DateTimeInput{Gte: new(scalar.NewTime(time.Date(2025, 2, 1, 0, 0, 0, 0, time.UTC)))}
	stats, err := client.Graph.CollectionStats(t.Context(), graph.ChainEthereum, "0xa1", from)
	require.NoError(t, err)
	assert.Equal(t, new(3), stats.TotalSales)
	within := map[string]any{"gte": "2025-02-01T00:00:00Z"}
	assert.Equal(t, map[string]any{"contractAddress": "0xa1", "timeRange": within}, variables(t, server.Requests()[0]))

	stats, err = client.Graph.CollectionStats(t.Context(), graph.ChainEthereum, "0xa1", graph.DateTimeInput{})
	require.ErrorIs(t, err, rpcfleet.ErrNotFound, "there are none")
	assert.Equal(t, map[string]any{"contractAddress": "0xa1"}, variables(t, server.Requests()[1]), "no range")
	assert.Nil(t, stats)
	_, err = client.Graph.CollectionStats(t.Context(), graph.ChainEthereum, "0xa1", graph.DateTimeInput{})
	var unreadable *rpcfleet.DecodeError
	require.ErrorAs(t, err, &unreadable, "they were not asked for")
	assert.Contains(t, unreadable.Detail, "the collection is of a type that is newer")
}

func TestOwnersOfATokenOfEachStandard(t *testing.T) {
	for name, test := range map[string]struct {
		nft  string
		want []graph.Wallet
	}{
		"one of which there is one": {`{"__typename":"ERC721NFT","wallet":{"address":"0x01"}}`,
			[]graph.Wallet{{Address: "0x01"}}},
		"one that nobody holds": {`{"__typename":"ERC721NFT","wallet":null}`, nil},
		"one of which there are many": {
			`{"__typename":"ERC1155NFT","wallets":{"edges":[{"cursor":"a","node":{"address":"0x01"}},
			{"cursor":"b","node":{"address":"0x02"}}],"pageInfo":{"hasNextPage":false}}}`, []graph.Wallet{{Address: "0x01"}, {Address: "0x02"}}},
	} {
		client, _ := scripted(t, says(200, `{"data":{"chain":{"nft":`+test.nft+`}}}`))
		page, err := client.Graph.NFTOwners(graph.ChainEthereum, "0xa1", scalar.BigIntFrom(1)).Page(t.Context())
		require.NoError(t, err, name)
		assert.Equal(t, test.want, page.Items, name)
		assert.True(t, page.Last())
	}
	client, _ := scripted(t, says(200, `{"data":{"chain":{"nft":{"__typename":"ERC9999NFT"}}}}`))
	_, err := client.Graph.NFTOwners(graph.ChainEthereum, "0xa1", scalar.BigIntFrom(1)).Page(t.Context())
	var unreadable *rpcfleet.DecodeError
	require.ErrorAs(t, err, &unreadable)
	assert.Contains(t, unreadable.Detail, "the token is of a type that is newer")
}
