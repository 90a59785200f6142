package clienttest

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// backAgain writes a value and reads it back.
func backAgain[T any](t *testing.T, value T, read func([]byte, any) error) {
	t.Helper()
	text := must(json.Marshal(value))(t)
	var back T
	require.NoError(t, read(text, &back), "%s", text)
	assert.Equal(t, value, back)
}

// pageBackAgain does so with the first page of a connection, and with its items.
func pageBackAgain[T any](t *testing.T, connection *rpcfleet.Connection[T]) {
	t.Helper()
	page := must(connection.Page(t.Context()))(t)
	require.NotEmpty(t, page.Items)
	text := must(json.Marshal(page))(t)
	back := new(rpcfleet.Page[T])
	require.NoError(t, json.Unmarshal(text, back))
	assert.Equal(t, page.NextCursor, back.NextCursor)
	assert.Equal(t, page.Items, back.Items)
	backAgain(t, page.Items, graph.Unmarshal)
}

func TestGraphRecords_canBeReadBack(t *testing.T) {
	race.Skip(t)
	service := emulator.Start()
	t.Cleanup(service.Close)
	client := clientOf(t, service.URL, nil, rpcfleet.WithAPIKey(service.APIKey))
	ctx, s := t.Context(), client.Graph
	for _, chain := range graph.Chain("").Values() {
		t.Run(string(chain), func(t *testing.T) {
			for collection, err := range s.Collections(chain, graph.CollectionsFilterInput{}).All(ctx) {
				require.NoError(t, err)
				backAgain(t, must(s.Collection(ctx, chain, collection.GetAddress()))(t), graph.Unmarshal)
				backAgain(t, must(s.Contract(ctx, chain, collection.GetAddress()))(t), graph.Unmarshal)
				pageBackAgain(t, s.CollectionNFTs(chain, collection.GetAddress()))
			}
			pageBackAgain(t, s.Events(chain, graph.TokenEventsFilterInput{}))
			pageBackAgain(t, s.Transactions(chain, graph.TransactionsParams{}))
			pageBackAgain(t, s.TrendingCollections(chain, graph.TrendingParams{}))
			wallet := must(s.Events(chain, graph.TokenEventsFilterInput{}).Page(ctx))(t).Items[0].GetToAddress()
			pageBackAgain(t, s.WalletNFTs(chain, wallet, graph.WalletNFTsParams{}))
			pageBackAgain(t, s.WalletCollections(chain, wallet, graph.WalletCollectionsParams{}))
		})
	}
}

func TestGraphRecords_ofCallersAreWritten(t *testing.T) {
	text := must(json.Marshal(
		[]graph.NFT{
			&graph.NFTERC721NFT{TokenID: scalar.BigIntFrom(7),
				Collection: &graph.CollectionSummaryERC1155Collection{Address: "0xa1"}}, nil}))(t)
	var back []graph.NFT
	require.NoError(t, graph.Unmarshal(text, &back))
	require.Len(t, back, 2)
	assert.Nil(t, back[1])
	token, ok := back[0].(*graph.NFTERC721NFT)
	require.True(t, ok, "%T", back[0])
	assert.IsType(t, &graph.CollectionSummaryERC1155Collection{}, token.Collection)
	byValue := must(json.Marshal(*token))(t)
	assert.Equal(t, "ERC721NFT", decodeBody(t, string(byValue))["__typename"])

	backAgain(t, &rpcfleet.Ownership{Held: true, Count: new(1), NFT: &graph.NFTERC721NFT{Typename: "ERC721NFT"}},
		json.Unmarshal)
	backAgain(t, token, json.Unmarshal)
}

func TestGraphRecords_ofNewerTypesCanBeReadBack(t *testing.T) {
	const raw = `{"__typename":"ERC9999NFT","tokenId":"36893488147419103233","rays":[1.50,{}],"collection":{"__typename":"Odd","rays":null,"address":"0xa1"}}`
	client, _ := scripted(t, respondJSON(200, `{"data":{"chain":{"nft":`+raw+`}}}`))
	nft := must(client.Graph.NFT(t.Context(), graph.ChainEthereum, "0xa1", scalar.BigIntFrom(1)))(t)
	text := must(json.Marshal(nft))(t)
	assert.Equal(t, raw, string(text))
	assert.Equal(t, "36893488147419103233", nft.GetTokenID().String(), "fields of the interface are decoded")
	assert.Equal(t, "0xa1", nft.GetCollection().GetAddress())
	backAgain(t, nft, graph.Unmarshal)
	backAgain(t, nft.(*graph.NFTUnknown), json.Unmarshal)
	text = must(json.Marshal(&graph.NFTUnknown{Typename: "ERC9999NFT", ContractAddress: "0xa1"}))(t)
	assert.Equal(t, "0xa1", decodeBody(t, string(text))["contractAddress"], "without the whole, what there is")
}

func TestGraphUnmarshal_failsWithThePlace(t *testing.T) {
	for text, want := range map[string]string{
		`{"__typename":"ERC721NFT","tokenId":"x"}`:                                           "/tokenId",
		`{"__typename":"ERC721NFT","collection":{"__typename":"ERC721Collection","name":7}}`: "/collection/name",
		`{"__typename":7}`: "/__typename",
		`7`:                "graph.NFT",
		`{`:                "unexpected EOF",
		`{}{}`:             "invalid character",
	} {
		var nft graph.NFT
		require.ErrorContains(t, graph.Unmarshal([]byte(text), &nft), want, text)
	}
}

func TestCollectionNFTs_newerTypeIsError(t *testing.T) {
	client, _ := scripted(t,
		respondJSON(200, `{"data":{"chain":{"collection":{"__typename":"ERC9999Collection","nfts":{"edges":[]}}}}}`))
	_, err := client.Graph.CollectionNFTs(graph.ChainEthereum, "0xa1").Page(t.Context())
	assert.Equal(t, rpcfleet.ReasonUnexpectedType, errorAs[*rpcfleet.DecodeError](t, err, "not an empty listing").Reason)
	assert.ErrorContains(t, err, "newer than this version")
}
