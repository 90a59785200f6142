package clienttest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// heldPage responds with a page of the tokens that a wallet holds. An empty next ends the listing.
func heldPage(next string, nodes ...string) responder {
	edges := make([]string, len(nodes))
	for i, node := range nodes {
		edges[i] = fmt.Sprintf(`{"cursor":"%s%d","node":%s}`, next, i, node)
	}
	return says(200,
		fmt.Sprintf(
			`{"data":{"chain":{"wallet":{"walletNFTs":{"edges":[%s],"pageInfo":{"hasNextPage":%t,"endCursor":%q}}}}}}`,
			strings.Join(edges, ","), next != "", next))
}

// heldToken is a token that a wallet holds.
func heldToken(contract string, id, count int) string {
	return fmt.Sprintf(`{"nft":{"__typename":"ERC1155NFT","contractAddress":%q,"tokenId":%d},"nftsCount":%d}`, contract,
		id, count)
}

// refs are the tokens of one contract.
func refs(contract string, ids ...int64) []graph.TokenRef {
	tokens := make([]graph.TokenRef, len(ids))
	for i, id := range ids {
		tokens[i] = graph.TokenRef{ContractAddress: contract, TokenID: scalar.BigIntFrom(id)}
	}
	return tokens
}

// TestOwnerships asks for more tokens than fit on a page, one of them twice, of a service that sends fewer at a time
// than it is asked for.
func TestOwnerships(t *testing.T) {
	client, server := scripted(t,
		heldPage("c1", heldToken("0xa1", 2, 5)), heldPage("", heldToken("0xa1", 3, 0)), heldPage("", heldToken("0xa1", 4, 1)))
	got, err := client.Graph.Ownerships(t.Context(), graph.ChainEthereum, anyWallet, refs("0xA1", 1, 2, 3, 2, 4),
		rpcfleet.WithPageSize(3))
	require.NoError(t, err)
	require.Len(t, got, 5)
	none := rpcfleet.Ownership{Count: new(0)}
	assert.Equal(t, none, got[0])
	assert.Equal(t, new(5), got[1].Count)
	assert.True(t, got[1].Held)
	assert.Equal(t, none, got[2], "a count of none")
	assert.Equal(t, got[1], got[3])
	assert.Equal(t, "4", got[4].NFT.GetTokenID().String())

	require.Len(t, server.Requests(), 3)
	token := func(id string) any { return map[string]any{"contractAddress": "0xA1", "tokenId": id} }
	assert.Equal(t, map[string]any{"wallet": anyWallet, "first": 3.0, "tokens": []any{token("1"), token("2"), token("3")}},
		variables(t, server.Requests()[0]))
	assert.Equal(t, "c1", variables(t, server.Requests()[1])["after"])
	assert.Equal(t, map[string]any{"wallet": anyWallet, "first": 3.0, "tokens": []any{token("4")}},
		variables(t, server.Requests()[2]))
}

func TestOwnershipsThatAreNotKnown(t *testing.T) {
	for name, node := range map[string]string{
		"a token without a record": `{"nft":null,"nftsCount":1}`,
		"no token":                 `null`,
		"another contract":         heldToken("0xff", 1, 1),
		"another token":            heldToken("0xa1", 3, 1),
	} {
		client, _ := scripted(t, heldPage("", heldToken("0xa1", 1, 1), node))
		got, err := client.Graph.Ownerships(t.Context(), graph.ChainEthereum, anyWallet, refs("0xa1", 1, 2))
		var unreadable *rpcfleet.DecodeError
		require.ErrorAs(t, err, &unreadable, name)
		assert.Equal(t, "ListOwnerships", unreadable.Operation)
		assert.Nil(t, got, "it could be any of them")
	}
	client, _ := scripted(t, says(200, `{"data":{"chain":{"wallet":null}}}`))
	_, err := client.Graph.Ownerships(t.Context(), graph.ChainEthereum, anyWallet, refs("0xa1", 1))
	require.EqualError(t, err, "rpcfleet: ListOwnerships: not found (POST /graphql)", "no page of a listing")
}

func TestOwnershipsChecks(t *testing.T) {
	client, server := scripted(t, says(500, ""))
	for want, tokens := range map[string][]graph.TokenRef{
		"tokens must have at least one item":               nil,
		"tokens[1].contractAddress is required":            append(refs("0xa1", 1), refs("", 1)...),
		`tokens[0].tokenId must not be negative, not "-1"`: refs("0xa1", -1),
	} {
		_, err := client.Graph.Ownerships(t.Context(), graph.ChainEthereum, anyWallet, tokens)
		var broken *rpcfleet.ValidationError
		require.ErrorAs(t, err, &broken)
		assert.EqualError(t, err, "rpcfleet: ListOwnerships: "+want)
	}
	_, err := client.Graph.Ownerships(t.Context(), graph.ChainEthereum, anyWallet, nil, rpcfleet.WithoutValidation())
	require.ErrorContains(t, err, "at least one item", "no filter would be one for all that the wallet holds")
	assert.Empty(t, server.Requests())
}

func TestOwnershipIsPrinted(t *testing.T) {
	held := rpcfleet.Ownership{Held: true, Count: new(3), NFT: &graph.NFTERC721NFT{ContractAddress: "0xa1"}}
	assert.Regexp(t, `^Ownership{Held: true, Count: 3, NFT: .*ContractAddress: "0xa1"`, fmt.Sprint(held))
}
