package acceptance

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// listed reads a listing to its end.
func listed[T any](t *testing.T, connection *rpcfleet.Connection[T]) []T {
	t.Helper()
	var items []T
	for item, err := range connection.All(t.Context()) {
		require.NoError(t, err)
		items = append(items, item)
	}
	require.NotEmpty(t, items)
	return items
}

// parityTests execute the operations that the vendor's own client has for the graph, and those that it lacks.
var parityTests = map[string]func(t *testing.T, g *graphFixture){
	"events of a collection": func(t *testing.T, g *graphFixture) {
		ofCollection := listed(t, g.Graph.CollectionEvents(g.chain, g.notes, graph.TokenEventsFilterInput{}))
		assert.Equal(t, listed(t, g.Graph.ContractEvents(g.chain, g.notes, graph.TokenEventsFilterInput{})), ofCollection)
	},
	"token balances by ENS name": func(t *testing.T, g *graphFixture) {
		byAddress := listed(t, g.Graph.TokenBalances(g.chain, g.wallet, graph.TokenBalancesParams{}))
		assert.Equal(t, byAddress, listed(t, g.Graph.TokenBalances(g.chain, g.ens, graph.TokenBalancesParams{})))
	},
	"transactions by ENS name": func(t *testing.T, g *graphFixture) {
		byAddress := listed(t, g.Graph.WalletTransactions(g.chain, g.wallet, graph.TransactionsParams{}))
		assert.Equal(t, byAddress, listed(t, g.Graph.WalletTransactions(g.chain, g.ens, graph.TransactionsParams{})))
	},
	"all else of a wallet by ENS name": func(t *testing.T, g *graphFixture) {
		assert.Equal(t, listed(t, g.Graph.WalletNFTs(g.chain, g.wallet, graph.WalletNFTsParams{})),
			listed(t, g.Graph.WalletNFTs(g.chain, g.ens, graph.WalletNFTsParams{})))
		assert.Equal(t, listed(t, g.Graph.WalletEvents(g.chain, g.wallet, graph.TokenEventsFilterInput{})),
			listed(t, g.Graph.WalletEvents(g.chain, g.ens, graph.TokenEventsFilterInput{})))
		assert.Equal(t, listed(t, g.Graph.WalletCollections(g.chain, g.wallet, graph.WalletCollectionsParams{})),
			listed(t, g.Graph.WalletCollections(g.chain, g.ens, graph.WalletCollectionsParams{})))
	},
	"ownership of many NFTs, by address and by ENS name": func(t *testing.T, g *graphFixture) {
		want := map[string]bool{}
		for _, held := range listed(t, g.Graph.WalletNFTs(g.chain, g.wallet, graph.WalletNFTsParams{})) {
			want[held.NFT.GetContractAddress()+held.NFT.GetTokenID().String()] = true
		}
		var tokens []graph.TokenRef
		for _, address := range []string{g.notes, g.harbors} {
			for id := range int64(60) {
				tokens = append(tokens, graph.TokenRef{ContractAddress: address, TokenID: scalar.BigIntFrom(id)})
			}
		}
		for _, either := range []string{g.wallet, g.ens} {
			ownerships := must(g.Graph.Ownerships(t.Context(), g.chain, either, tokens, rpcfleet.WithPageSize(50)))(t)
			require.Len(t, ownerships, len(tokens))
			for i, token := range tokens {
				assert.Equal(t, want[token.ContractAddress+token.TokenID.String()], ownerships[i].Held, "%v", token)
			}
		}
	},
	"before and last": func(t *testing.T, g *graphFixture) {
		connection := g.Graph.CollectionEvents(g.chain, g.notes, graph.TokenEventsFilterInput{}, rpcfleet.WithPageSize(7))
		forward, backward := listed(t, connection), listed(t, connection.Before(""))
		slices.Reverse(backward)
		assert.Equal(t, forward, backward)
		page := must(connection.Before("").Page(t.Context()))(t)
		assert.Len(t, listed(t, connection.Before(page.NextCursor)), len(forward)-7)
	},
	"sales and holders": func(t *testing.T, g *graphFixture) {
		stats := must(g.Graph.CollectionStats(t.Context(), g.chain, g.notes, graph.DateTimeInput{}))(t)
		assert.Len(t, listed(t, g.Graph.CollectionSales(g.chain, g.notes, graph.SalesParams{})), *stats.TotalSales)
		orders := must(g.Graph.OrderHistory(t.Context(), g.chain, g.notes, graph.CollectionOrderHistoryInput{}))(t)
		assert.Len(t, orders, *stats.TotalSales)
		assert.Contains(t, listed(t, g.Graph.CollectionHolders(g.chain, g.notes)),
			graph.Wallet{Address: g.wallet, ENSName: &g.ens})
	},
	"an iterator over a connection of the caller's own query": func(t *testing.T, g *graphFixture) {
		query := `query Held($wallet: String!, $first: Int, $after: String, $last: Int, $before: String) { net: ` +
			string(g.chain) + ` {
			who: walletByENS(ensName: $wallet) { held: walletNFTs(first: $first, after: $after, last: $last, before: $before) {
				edges { cursor node { nft { __typename tokenId } nftsCount } }
				pageInfo { hasNextPage endCursor hasPreviousPage startCursor } totalCount } } } }`
		type held struct {
			NFT   graph.NFT `json:"nft"`
			Count *int      `json:"nftsCount"`
		}
		connection := rpcfleet.QueryConnection[held](g.Graph, query, map[string]any{"wallet": g.ens}, "net.who.held",
			rpcfleet.WithPageSize(30))
		want := listed(t, g.Graph.WalletNFTs(g.chain, g.wallet, graph.WalletNFTsParams{}))
		forward, backward := listed(t, connection), listed(t, connection.Before(""))
		slices.Reverse(backward)
		assert.Equal(t, forward, backward)
		require.Len(t, forward, len(want))
		for i, one := range forward {
			assert.Equal(t, want[i].NFTsCount, one.Count)
			assert.True(t, want[i].NFT.GetTokenID().Equal(one.NFT.GetTokenID()))
		}
	},
}

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
		contract := must(g.Graph.Collection(t.Context(), g.chain, g.notes))(t).GetContract()
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
}
