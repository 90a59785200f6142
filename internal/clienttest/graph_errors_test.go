package clienttest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
)

func TestGraph_failsWithTheErrorsOfTheResponse(t *testing.T) {
	for _, test := range []struct {
		line   responder
		is     error
		text   string
		errors []rpcfleet.GraphQLError
	}{
		{respondJSON(400, `{"errors":[{"message":"Cannot query field \"nope\"","extensions":{"code":"INVALID_FIELD"}}]}`),
			rpcfleet.ErrInvalidRequest, `400 Bad Request: Cannot query field "nope"`,
			[]rpcfleet.GraphQLError{{Message: `Cannot query field "nope"`, Code: "INVALID_FIELD"}}},
		{respondJSON(500, `{"message":"oops","errors":[{"message":"broken"},{"message":"badly"}],"data":null}`),
			rpcfleet.ErrServer, `500 Internal Server Error: broken`,
			[]rpcfleet.GraphQLError{{Message: "broken"}, {Message: "badly"}}},
		{respondJSON(200, `{"errors":[{"message":"no","path":["chain","collection"],"extensions":{"code":"INTERNAL"}}]}`),
			rpcfleet.ErrRejected, `rejected with status 200: no`,
			[]rpcfleet.GraphQLError{{Message: "no", Path: "chain.collection", Code: "INTERNAL"}}},
		{respondJSON(200, `{"errors":[{}]}`), rpcfleet.ErrRejected, `rejected with status 200`, []rpcfleet.GraphQLError{{}}},
		{respondJSON(200, `{"error":"no such plan"}`), rpcfleet.ErrRejected, `rejected with status 200: no such plan`, nil},
		{respond("text/plain", 401, `Unauthorized`), rpcfleet.ErrUnauthorized,
			`401 Unauthorized (set the API key with WithAPIKey or RPCFLEET_API_KEY): Unauthorized`, nil},
	} {
		_, server := scripted(t, test.line)
		collection, err := server.client(t, rpcfleet.WithoutRetries()).Graph.Collection(t.Context(), graph.ChainEthereum, "0xa1")
		require.ErrorIs(t, err, test.is)
		require.NotErrorIs(t, err, rpcfleet.ErrNotFound)
		assert.Nil(t, collection)
		assert.EqualError(t, err, `rpcfleet: GetCollection: `+test.text+` (POST /graphql)`)
		assert.Equal(t, test.errors, errorAs[*rpcfleet.Error](t, err).GraphQL)
	}
}

func TestGraph_returnsDataWithError(t *testing.T) {
	const stated = `"errors":[{"message":"no stats","path":["chain","collection","stats"]}]`
	client, server := scripted(t,
		respondJSON(200, `{"data":{"chain":{"collection":{"__typename":"ERC721Collection","address":"0xa1","stats":null}}},`+
			stated+
			`}`))
	collection, err := client.Graph.Collection(t.Context(), graph.ChainEthereum, "0xa1")
	require.ErrorIs(t, err, rpcfleet.ErrRejected)
	assert.Equal(t, "chain.collection.stats", errorAs[*rpcfleet.Error](t, err).GraphQL[0].Path)
	assert.Equal(t, "0xa1", collection.GetAddress())

	data, err := graph.Query[map[string]any](t.Context(), client.Graph, "{a}", nil)
	require.Error(t, err)
	assert.Contains(t, data, "chain")
	require.Len(t, server.Requests(), 2, "not tried again")

	// A value missing beside an error is not known to be missing.
	client, _ = scripted(t, respondJSON(200, `{"data":{"chain":{"collection":null}},`+stated+`}`))
	_, err = client.Graph.Collection(t.Context(), graph.ChainEthereum, "0xa1")
	require.NotErrorIs(t, err, rpcfleet.ErrNotFound)
	require.ErrorIs(t, err, rpcfleet.ErrRejected)
}

// TestGraph_nullInAList fails, if the schema has no null there: it would be read as an empty record. Acceptance has a
// null in every list; here are the types of callers, and the lists in which a null is a value.
func TestGraph_nullInAList(t *testing.T) {
	for nft, want := range map[string]string{
		`{"__typename":"ERC9999NFT","uploads":[ null ]}`:                                     `a null at "/data/chain/nft/uploads/0"`,
		`{"__typename":"ERC721NFT","metadata":[null,[null]],"uploads":null,"name":"a,null"}`: "",
	} {
		client, _ := scripted(t, respondJSON(200, `{"data":{"chain":{"nft":`+nft+`}}}`))
		err := errOf(client.Graph.NFT(t.Context(), graph.ChainEthereum, "0xa1", one))
		if want == "" {
			require.NoError(t, err)
			continue
		}
		assert.Contains(t, errorAs[*rpcfleet.DecodeError](t, err).Detail, want)
	}
}

// balancesPage reads a page of balances with those edges.
func balancesPage(t *testing.T, edges string) (*rpcfleet.Page[graph.TokenBalance], error) {
	t.Helper()
	client, _ := scripted(t, respondJSON(200,
		`{"data":{"chain":{"wallet":{"tokenBalances":{"edges":[`+edges+`],"pageInfo":{"hasNextPage":false}}}}}}`))
	return client.Graph.TokenBalances(graph.ChainEthereum, anyWallet, graph.TokenBalancesParams{}).Page(t.Context())
}

// TestGraph_wrongValueIsReadAsZero has values of a wrong kind in records, at any depth: their items come all the same, with
// an error that names the place of the first. A null in the place of a number that the schema promises is no error.
func TestGraph_wrongValueIsReadAsZero(t *testing.T) {
	for wrong, place := range map[string]string{
		`"totalBalance":null`:                                  "",
		`"totalBalance":[7]`:                                   "totalBalance",
		`"contract":7`:                                         "contract",
		`"contract":{"address":"0xc","decimals":{}}`:           "contract/decimals",
		`"contract":{"address":{"a":[1]},"name":"b"},"more":7`: "contract/address",
		`"contract":[{"address":7}]`:                           "contract",
	} {
		page, err := balancesPage(t, `{"node":{`+wrong+`,"contractAddress":"0xa"}},{"node":{"contractAddress":"0xb"}}`)
		if place == "" {
			require.NoError(t, err)
		} else {
			fault := errorAs[*rpcfleet.DecodeError](t, err)
			assert.Equal(t, rpcfleet.ReasonUnexpectedType, fault.Reason)
			assert.Contains(t, fault.Detail, `"/data/chain/wallet/tokenBalances/edges/0/node/`+place+`"`)
		}
		require.Len(t, page.Items, 2, wrong)
		assert.Equal(t, "0xa", page.Items[0].ContractAddress)
		assert.Equal(t, "0", page.Items[0].TotalBalance.String())
	}
	page, err := balancesPage(t, `7,{"node":{"totalBalance":[7],"contractAddress":"0xb"}}`)
	require.ErrorContains(t, err, "edges/0")
	require.Len(t, page.Items, 1, "an edge before it that is not an object")
	_, err = balancesPage(t, `{"node":{"totalBalance":[7,tru],"contractAddress":"0xb"}}`)
	assert.Equal(t, rpcfleet.ReasonSyntax, errorAs[*rpcfleet.DecodeError](t, err).Reason)
}

func TestGraph_retriesQueriesButNoMutations(t *testing.T) {
	for _, line := range []responder{respond("text/html", 502, "<html>"), hangUp, truncate, respondJSON(429, `{}`)} {
		client, server := scripted(t, line, respondJSON(200, foundCollection))
		require.NoError(t, errOf(client.Graph.Collection(t.Context(), graph.ChainEthereum, "0xa1")))
		require.Len(t, server.Requests(), 2)
		assert.Equal(t, server.Requests()[0].Body, server.Requests()[1].Body, "the body is sent again")
	}
	for query, requests := range map[string]int{`{ a }`: 2, `query A { a } mutation B { b }`: 1} {
		client, server := scripted(t, respondJSON(502, ""), respondJSON(200, `{"data":{}}`))
		_, err := graph.Query[any](t.Context(), client.Graph, query, nil)
		assert.Equal(t, requests == 1, errors.Is(err, rpcfleet.ErrServer))
		assert.Len(t, server.Requests(), requests, "a mutation may have been executed")
	}
}

// nestedObjects is a value of that many objects, one in the other.
func nestedObjects(levels int) string {
	return strings.Repeat(`{"a":`, levels-1) + `{}` + strings.Repeat(`}`, levels-1)
}

// heldTokens is a page of a wallet with four tokens, of which the second has that metadata.
func heldTokens(typename, metadata string) responder {
	const token = `{"nftsCount":1,"nft":{"__typename":%q,"contractAddress":"0xa","tokenId":1,"metadata":%s}}`
	other := fmt.Sprintf(token, "ERC721NFT", `{"name":"a"}`)
	return heldPage("next", other, fmt.Sprintf(token, typename, metadata), other, other)
}

// TestWalletNFTs_deepMetadataLosesAtMostOneToken lists tokens, one of them with metadata nested to any depth, since
// anyone can mint such a token. It is read up to the limit of encoding/json; beyond it, only this one token cannot be
// read.
func TestWalletNFTs_deepMetadataLosesAtMostOneToken(t *testing.T) {
	for levels, items := range map[int]int{1: 4, 95: 4, 150: 4, 5000: 4, 8990: 4, 20_000: 3, 1_000_000: 3} {
		for _, typename := range []string{"ERC721NFT", "ERC9999NFT"} {
			client, _ := scripted(t, heldTokens(typename, nestedObjects(levels)))
			page, err := client.Graph.WalletNFTs(graph.ChainEthereum, anyWallet, graph.WalletNFTsParams{}).Page(t.Context())
			require.NotNil(t, page, "%d levels: %v", levels, err)
			require.Len(t, page.Items, items, "%d levels: %v", levels, err)
			assert.Equal(t, "next", page.NextCursor)
			text, unwritten := json.Marshal(page)
			require.NoError(t, unwritten)
			assert.Less(t, len(fmt.Sprintf("%v%+v", page, page.Items)), 20_000)
			if items == 4 {
				require.NoError(t, err)
				assert.True(t, bytes.Contains(text, []byte(nestedObjects(levels))))
				var back rpcfleet.Page[graph.WalletNFT]
				require.NoError(t, json.Unmarshal(text, &back))
				continue
			}
			unreadable := errorAs[*rpcfleet.DecodeError](t, err)
			assert.Contains(t, unreadable.Detail, `more than 9000 levels at "/data/chain/wallet/walletNFTs/edges/1/node/nft`)
		}
	}
}
