package acceptance

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// parityFieldTests are about the content of records.
var parityFieldTests = map[string]func(t *testing.T, g *graphFixture){
	"metadata, description, externalUrl, animationUrl, attributes and owner in listings": func(t *testing.T,
		g *graphFixture) {
		page := must(g.Graph.CollectionNFTs(g.chain, g.harbors, rpcfleet.WithPageSize(3)).Page(t.Context()))(t)
		nft, ok := page.Items[0].(*graph.NFTERC721NFT)
		require.True(t, ok)
		assert.True(t, json.Valid(*nft.Metadata))
		assert.NotEmpty(t, *nft.Description)
		assert.Equal(t, new("https://quiet-harbors.example/tokens/0"), nft.ExternalURL)
		assert.Equal(t, new("https://quiet-harbors.example/animations/0.mp4"), nft.AnimationURL)
		assert.Len(t, nft.Attributes, 2)
		owner := nft.Wallet
		require.NotNil(t, owner)

		filter := &graph.WalletNFTsFilterInput{ContractTokens: []graph.WalletNFTsContractTokenFilterInput{
			{ContractAddress: g.harbors, TokenID: new(nft.TokenID.String())},
		}}
		held, err := g.Graph.WalletNFTs(g.chain, owner.Address, graph.WalletNFTsParams{Filter: filter}).Page(t.Context())
		require.NoError(t, err)
		require.Len(t, held.Items, 1)
		assert.Equal(t, graph.NFT(nft), held.Items[0].NFT, "what a wallet holds is told as fully")
	},
	"the collection's contract": func(t *testing.T, g *graphFixture) {
		collection := must(g.Graph.Collection(t.Context(), g.chain, g.notes))(t)
		contract := collection.GetContract()
		assert.Equal(t, g.notes, contract.GetAddress())
		assert.Equal(t, []string{"ERC165", "ERC1155"}, contract.GetSupportedERCInterfaces())
		assert.Equal(t, new(true), contract.GetIsVerified())
		for _, listed := range listed(t, g.Graph.Collections(g.chain, graph.CollectionsFilterInput{})) {
			assert.Equal(t, listed.GetAddress(), listed.GetContract().GetAddress())
		}
	},
	"the fields of trending collections": func(t *testing.T, g *graphFixture) {
		for _, trending := range listed(t, g.Graph.TrendingCollections(g.chain, graph.TrendingParams{})) {
			full := must(g.Graph.Collection(t.Context(), g.chain, trending.Collection.GetAddress()))(t)
			assert.Equal(t, full.GetDescription(), trending.Collection.GetDescription())
			assert.Equal(t, full.GetExternalURL(), trending.Collection.GetExternalURL())
			assert.Equal(t, full.GetTwitterUsername(), trending.Collection.GetTwitterUsername())
			assert.Equal(t, full.GetBaseTokenURI(), trending.Collection.GetBaseTokenURI())
			assert.Equal(t, full.GetImage(), trending.Collection.GetImage())
			assert.Equal(t, full.GetBannerImage(), trending.Collection.GetBannerImage())
			assert.Equal(t, full.GetOpenseaMetadata(), trending.Collection.GetOpenseaMetadata())
			assert.NotEmpty(t, *trending.Collection.GetDescription())
			assert.NotEmpty(t, trending.Collection.GetImage())
		}
	},
	"gas prices in gwei": func(t *testing.T, g *graphFixture) {
		prices := must(g.Graph.GasPrices(t.Context(), g.chain, graph.GasPricesParams{}))(t)
		for _, price := range prices {
			assert.Equal(t, price.BlockNumber, price.Gwei().BlockNumber)
			assert.InDelta(t, price.Average, price.Gwei().Average*1e9, 1)
			assert.Less(t, price.Gwei().Ceiling, 1_000.0)
			assert.GreaterOrEqual(t, price.Gwei().Floor, 0.5)
		}
	},
	"amounts scaled by decimals, both ways": func(t *testing.T, g *graphFixture) {
		for _, balance := range listed(t, g.Graph.TokenBalances(g.chain, g.ens, graph.TokenBalancesParams{})) {
			amount, known := balance.Amount()
			require.True(t, known)
			decimals, fits := balance.Contract.Decimals.Int64()
			require.True(t, fits)
			units := must(scalar.ParseUnits(amount, int(decimals)))(t)
			assert.True(t, balance.TotalBalance.Equal(units), "%s is %s", balance.TotalBalance, amount)
		}
	},
}
