package acceptance

import (
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
	"a wallet is checked before it is sent": func(t *testing.T, g *graphFixture) {
		var broken *rpcfleet.ValidationError
		_, err := g.Graph.TokenBalances(g.chain, g.wallet+"0", graph.TokenBalancesParams{}).Page(t.Context())
		require.ErrorAs(t, err, &broken)
		assert.Equal(t, "wallet", broken.Field)
		assert.Contains(t, broken.Rule, "ENS name")
	},
	"a default chain": func(t *testing.T, g *graphFixture) {
		client := g.client(t, rpcfleet.WithDefaultChain(g.chain))
		want := must(g.Graph.Collection(t.Context(), g.chain, g.harbors))(t)
		got := must(client.Graph.Collection(t.Context(), graph.DefaultChain, g.harbors))(t)
		assert.Equal(t, want, got)
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
