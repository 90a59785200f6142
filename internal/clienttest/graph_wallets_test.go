package clienttest

import (
	"fmt"
	"strings"
	"testing"
	"time"

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
	return respondJSON(200,
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

// TestOwnerships_readsEveryPage asks for more tokens than fit on a page, one of them twice, of a service that sends
// fewer at a time than it is asked for.
func TestOwnerships_readsEveryPage(t *testing.T) {
	client, server := scripted(t,
		heldPage("c1", heldToken("0xa1", 2, 5)), heldPage("", heldToken("0xa1", 3, 0)), heldPage("", heldToken("0xa1", 4, 1)))
	got := must(client.Graph.Ownerships(t.Context(), graph.ChainEthereum, anyWallet, refs("0xA1", 1, 2, 3, 2, 4),
		rpcfleet.WithPageSize(3)))(t)
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

func TestOwnerships_failIfATokenIsNotKnown(t *testing.T) {
	for name, node := range map[string]string{
		"a token without a record": `{"nft":null,"nftsCount":1}`,
		"no token":                 `null`,
		"another contract":         heldToken("0xff", 1, 1),
		"another token":            heldToken("0xa1", 3, 1),
	} {
		client, _ := scripted(t, heldPage("", heldToken("0xa1", 1, 1), node))
		got, err := client.Graph.Ownerships(t.Context(), graph.ChainEthereum, anyWallet, refs("0xa1", 1, 2))
		assert.Equal(t, "ListOwnerships", errorAs[*rpcfleet.DecodeError](t, err, name).Operation)
		assert.Nil(t, got, "it could be any of them")
	}
}

func TestOwnerships_refuseTokens(t *testing.T) {
	client, server := scripted(t, respondJSON(500, ""))
	for want, tokens := range map[string][]graph.TokenRef{
		"tokens must have at least one item":               nil,
		"tokens[1].contractAddress is required":            append(refs("0xa1", 1), refs("", 1)...),
		`tokens[0].tokenId must not be negative, not "-1"`: refs("0xa1", -1),
	} {
		_, err := client.Graph.Ownerships(t.Context(), graph.ChainEthereum, anyWallet, tokens)
		require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
		assert.EqualError(t, err, "rpcfleet: ListOwnerships: "+want)
	}
	_, err := client.Graph.Ownerships(t.Context(), graph.ChainEthereum, anyWallet, nil, rpcfleet.WithoutValidation())
	require.ErrorContains(t, err, "at least one item", "no filter would be one for all that the wallet holds")
	assert.Empty(t, server.Requests())
}

// TestOwnership_besideAnError also checks that a holding that could not be looked up is not reported as absent, and
// that the part of a holding that came is not lost.
func TestOwnership_besideAnError(t *testing.T) {
	const failed = `,"errors":[{"message":"no"}]`
	for name, test := range map[string]struct {
		wallet, beside string
		want           *rpcfleet.Ownership
	}{
		"none": {`{"walletNFT":null}`, "", &rpcfleet.Ownership{Count: new(0)}},
		"a count of none": {`{"walletNFT":{"nft":{"__typename":"ERC721NFT","tokenId":1},"nftsCount":0}}`, "",
			&rpcfleet.Ownership{Count: new(0)}},
		"some, but not which": {`{"walletNFT":{"nft":null,"nftsCount":2}}`, "",
			&rpcfleet.Ownership{Held: true, Count: new(2)}},
		"one, but not how many":  {`{"walletNFT":{"nftsCount":null}}`, "", &rpcfleet.Ownership{Held: true}},
		"nothing of the wallet":  {`null`, failed, nil},
		"nothing of the holding": {`{"walletNFT":null}`, failed, nil},
		"an error, and not how many": {`{"walletNFT":{"nft":null,"nftsCount":null}}`, failed,
			&rpcfleet.Ownership{Held: true}},
		"an error, and not which": {`{"walletNFT":{"nft":null,"nftsCount":2}}`, failed,
			&rpcfleet.Ownership{Held: true, Count: new(2)}},
		"an error beside a count of none": {`{"walletNFT":{"nft":null,"nftsCount":0}}`, failed,
			&rpcfleet.Ownership{Count: new(0)}},
		"all but a part of the token": {
			`{"walletNFT":{"nft":{"__typename":"ERC721NFT","contractAddress":"0xa1","name":null},"nftsCount":1}}`, failed,
			&rpcfleet.Ownership{Held: true, Count: new(1),
				NFT: &graph.NFTERC721NFT{Typename: "ERC721NFT", ContractAddress: "0xa1"}}},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := scripted(t, respondJSON(200, `{"data":{"chain":{"wallet":`+test.wallet+`}}`+test.beside+`}`))
			ownership, err := client.Graph.Ownership(t.Context(), graph.ChainEthereum, anyWallet, "0xa1", one)
			if test.beside == "" {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, rpcfleet.ErrRejected)
			}
			assert.Equal(t, test.want, ownership)
		})
	}
	held := rpcfleet.Ownership{Held: true, Count: new(3), NFT: &graph.NFTERC721NFT{ContractAddress: "0xa1"}}
	assert.Regexp(t, `^Ownership{Held: true, Count: 3, NFT: .*ContractAddress: "0xa1"`, fmt.Sprint(held))
}

func TestCollectionStats_ofARange(t *testing.T) {
	client, server := scripted(t,
		respondJSON(200, `{"data":{"chain":{"collection":{"__typename":"ERC1155Collection","stats":{"totalSales":3}}}}}`),
		respondJSON(200, `{"data":{"chain":{"collection":{"__typename":"ERC721Collection","stats":null}}}}`),
		respondJSON(200, `{"data":{"chain":{"collection":{"__typename":"ERC9999Collection","stats":null}}}}`))
	from := graph.DateTimeInput{Gte: new(scalar.NewTime(time.Date(2025, 2, 1, 0, 0, 0, 0, time.UTC)))}
	stats := must(client.Graph.CollectionStats(t.Context(), graph.ChainEthereum, "0xa1", from))(t)
	assert.Equal(t, new(3), stats.TotalSales)
	within := map[string]any{"gte": "2025-02-01T00:00:00Z"}
	assert.Equal(t, map[string]any{"contractAddress": "0xa1", "timeRange": within}, variables(t, server.last()))

	stats, err := client.Graph.CollectionStats(t.Context(), graph.ChainEthereum, "0xa1", graph.DateTimeInput{})
	require.ErrorIs(t, err, rpcfleet.ErrNotFound, "there are none")
	assert.Equal(t, map[string]any{"contractAddress": "0xa1"}, variables(t, server.last()))
	assert.Nil(t, stats)
	_, err = client.Graph.CollectionStats(t.Context(), graph.ChainEthereum, "0xa1", graph.DateTimeInput{})
	unread := errorAs[*rpcfleet.DecodeError](t, err, "they were not asked for")
	assert.Contains(t, unread.Detail, "the collection is of a type that is newer")
}

func TestNFTOwners_ofEachStandard(t *testing.T) {
	for nft, want := range map[string][]graph.Wallet{
		`{"__typename":"ERC721NFT","wallet":{"address":"0x01"}}`: {{Address: "0x01"}},
		`{"__typename":"ERC721NFT","wallet":null}`:               nil,
		`{"__typename":"ERC1155NFT","wallets":{"edges":[{"cursor":"a","node":{"address":"0x01"}},
			{"cursor":"b","node":{"address":"0x02"}}],"pageInfo":{"hasNextPage":false}}}`: {{Address: "0x01"}, {Address: "0x02"}},
	} {
		client, _ := scripted(t, respondJSON(200, `{"data":{"chain":{"nft":`+nft+`}}}`))
		page, err := client.Graph.NFTOwners(graph.ChainEthereum, "0xa1", one).Page(t.Context())
		require.NoError(t, err, nft)
		assert.Equal(t, want, page.Items, nft)
		assert.True(t, page.Last())
	}
	client, _ := scripted(t, respondJSON(200, `{"data":{"chain":{"nft":{"__typename":"ERC9999NFT"}}}}`))
	_, err := client.Graph.NFTOwners(graph.ChainEthereum, "0xa1", one).Page(t.Context())
	assert.Contains(t, errorAs[*rpcfleet.DecodeError](t, err).Detail, "the token is of a type that is newer")
}
