package acceptance

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestGraphLargeIdentifiers(t *testing.T) {
	race.Skip(t)
	g := startGraph(t, graph.ChainPolygon)
	for collection, err := range g.Graph.Collections(g.chain, graph.CollectionsFilterInput{}).All(t.Context()) {
		require.NoError(t, err)
		for nft, err := range g.Graph.CollectionNFTs(g.chain, collection.GetAddress()).All(t.Context()) {
			require.NoError(t, err)
			if nft.GetTokenID().Sign() > 0 && *collection.GetName() != "Quiet Harbors" {
				again, err := g.Graph.NFT(t.Context(), g.chain, collection.GetAddress(), nft.GetTokenID())
				require.NoError(t, err, "an id finds its token again")
				require.True(t, again.GetTokenID().Equal(nft.GetTokenID()))
			}
		}
	}
	deep := must(scalar.ParseBigInt("1606938044258990275541962092341162602522202993782792835301376"))(t)
	page := must(g.Graph.Collections(g.chain, graph.CollectionsFilterInput{}).Page(t.Context()))(t)
	nft := must(g.Graph.NFT(t.Context(), g.chain, page.Items[2].GetAddress(), deep))(t)
	assert.True(t, deep.Equal(nft.GetTokenID()))
}

func TestGraphOfTheEmulatorRefuses(t *testing.T) {
	g := startGraph(t, graph.ChainEthereum)
	_, err := graph.Query[any](t.Context(), g.Graph, `query Wrong { ethereum { nope } }`, nil)
	var fault *rpcfleet.Error
	require.ErrorAs(t, err, &fault)
	assert.Equal(t, "Wrong", fault.Operation)
	assert.Equal(t, http.StatusBadRequest, fault.StatusCode)
	require.Len(t, fault.GraphQL, 1)
	assert.Equal(t, "INVALID_FIELD", fault.GraphQL[0].Code)

	_, err = g.Graph.CollectionNFTs(g.chain, g.harbors).After("made up").Page(t.Context())
	require.ErrorAs(t, err, &fault)
	require.ErrorIs(t, err, rpcfleet.ErrRejected)
	assert.Equal(t, rpcfleet.GraphQLError{
		Message: "after is not a cursor of this listing", Path: "chain.collection.nfts", Code: "INVALID_CURSOR",
	}, fault.GraphQL[0])

	data, err := graph.Query[map[string]any](t.Context(), g.Graph, `query Partly($a: String!) { ethereum {
		collection(contractAddress: $a) { name tokenEvents(after: "made up") { totalCount } }
		other: collection(contractAddress: $a) { name } } }`, map[string]any{"a": g.harbors})
	require.ErrorIs(t, err, rpcfleet.ErrRejected)
	assert.Equal(t, "Quiet Harbors", inside(t, data, "ethereum", "other", "name"), "partial data")
	assert.Nil(t, inside(t, data, "ethereum", "collection"))

	require.ErrorIs(t, second(g.Graph.Collection(t.Context(), g.chain, "0x00")), rpcfleet.ErrNotFound)
	_, err = g.Graph.WalletNFTs(g.chain, "nobody.example.eth", graph.WalletNFTsParams{}).Page(t.Context())
	require.ErrorIs(t, err, rpcfleet.ErrNotFound)
	_, err = g.plainClient(t, rpcfleet.WithAPIKey("another-key")).Graph.Collection(t.Context(), g.chain, g.harbors)
	require.ErrorIs(t, err, rpcfleet.ErrUnauthorized)
}
