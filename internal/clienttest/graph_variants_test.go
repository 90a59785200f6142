package clienttest

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// TestGraphTypesNewerThanThisVersion meets every interface of the schema with a type that it does not have.
func TestGraphTypesNewerThanThisVersion(t *testing.T) {
	ctx := t.Context()
	t.Run("a collection", func(t *testing.T) {
		const raw = `{"__typename":"ERC9999Collection","address":"0xa1","name":"Later","rays":[1,2]}`
		client, _ := scripted(t, says(200, `{"data":{"chain":{"collection":`+raw+`}}}`))
		collection, err := client.Graph.Collection(ctx, graph.ChainEthereum, "0xa1")
		require.NoError(t, err)
		unknown, ok := collection.(*graph.CollectionUnknown)
		require.True(t, ok, "%T", collection)
		assert.Equal(t, "ERC9999Collection", unknown.Typename)
		assert.Equal(t, "0xa1", collection.GetAddress())
		assert.Equal(t, new("Later"), collection.GetName())
		assert.JSONEq(t, raw, string(unknown.Raw))
	})
	t.Run("a token with a collection", func(t *testing.T) {
		const inner = `{"__typename":"ERC9999Collection","address":"0xa1"}`
		client, _ := scripted(t,
			says(200, `{"data":{"chain":{"nft":{"__typename":"ERC9999NFT","tokenId":"36893488147419103233","metadata":{"k":[1.50]},"collection":`+inner+`}}}}`))
		nft, err := client.Graph.NFT(ctx, graph.ChainEthereum, "0xa1", scalar.BigIntFrom(1))
		require.NoError(t, err)
		require.IsType(t, &graph.NFTUnknown{}, nft)
		assert.Equal(t, "36893488147419103233", nft.GetTokenID().String())
		assert.Equal(t, `{"k":[1.50]}`, string(*nft.GetMetadata()), "as it was spelled")
		collection, ok := nft.GetCollection().(*graph.CollectionSummaryUnknown)
		require.True(t, ok)
		assert.JSONEq(t, inner, string(collection.Raw))
	})
	t.Run("a contract", func(t *testing.T) {
		client, _ := scripted(t,
			says(200, `{"data":{"chain":{"contract":{"__typename":"VaultContract","address":"0xc3","supportedErcInterfaces":["ERC4626"]}}}}`))
		contract, err := client.Graph.Contract(ctx, graph.ChainEthereum, "0xc3")
		require.NoError(t, err)
		require.IsType(t, &graph.ContractUnknown{}, contract)
		assert.Equal(t, []string{"ERC4626"}, contract.GetSupportedERCInterfaces())
	})
	t.Run("an event among others", func(t *testing.T) {
		client, _ := scripted(t, says(200, `{"data":{"chain":{"tokenEvents":{"edges":[`+
			`{"cursor":"a","node":{"__typename":"TokenMintEvent","type":"MINT","tokenQuantity":1,"nft":{"__typename":"ERC9999NFT","tokenId":7}}},`+
			`{"cursor":"b","node":{"__typename":"TokenLoanEvent","type":"LOAN","blockNumber":5,"borrower":"0xb2"}}],"pageInfo":{"hasNextPage":false}}}}}`))
		page, err := client.Graph.Events(graph.ChainEthereum, graph.TokenEventsFilterInput{}).Page(ctx)
		require.NoError(t, err)
		require.Len(t, page.Items, 2)
		mint, ok := page.Items[0].(*graph.EventTokenMintEvent)
		require.True(t, ok)
		require.IsType(t, &graph.NFTSummaryUnknown{}, mint.NFT)
		loan, ok := page.Items[1].(*graph.EventUnknown)
		require.True(t, ok)
		assert.Equal(t, graph.TokenTransferType("LOAN"), loan.Type)
		assert.Equal(t, 5, loan.GetBlockNumber())
		assert.Contains(t, string(loan.Raw), `"borrower":"0xb2"`)
	})
	t.Run("a collection to list the tokens of", func(t *testing.T) {
		client, _ := scripted(t,
			says(200, `{"data":{"chain":{"collection":{"__typename":"ERC9999Collection","nfts":{"edges":[]}}}}}`))
		_, err := client.Graph.CollectionNFTs(graph.ChainEthereum, "0xa1").Page(ctx)
		var unreadable *rpcfleet.DecodeError
		require.ErrorAs(t, err, &unreadable, "not an empty listing")
		assert.Equal(t, rpcfleet.ReasonUnexpectedType, unreadable.Reason)
		assert.ErrorContains(t, err, "newer than this version")
	})
}

func TestGraphRecordsCanBeWritten(t *testing.T) {
	client, _ := scripted(t, says(200, foundCollection))
	collection, err := client.Graph.Collection(t.Context(), graph.ChainEthereum, "0xa1")
	require.NoError(t, err)
	text, err := json.Marshal(collection)
	require.NoError(t, err)
	fields := decodeBody(t, string(text))
	assert.Equal(t, "ERC721Collection", fields["__typename"])
	assert.Equal(t, "9007199254740993", fields["totalSupply"])
}
