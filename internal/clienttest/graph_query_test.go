package clienttest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/Khan/genqlient/graphql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func decodeBody(t *testing.T, body string) map[string]any {
	t.Helper()
	var fields map[string]any
	require.NoError(t, json.Unmarshal([]byte(body), &fields))
	return fields
}

func TestGraphQuery_decodesIntoATypeOfTheCaller(t *testing.T) {
	const query = `query Supply($address: String!) { ethereum { collection(contractAddress: $address) { totalSupply } } }`
	type supply struct {
		Ethereum struct {
			Collection struct{ TotalSupply scalar.BigInt } `json:"collection"`
			NFT        graph.NFT                           `json:"nft"`
		} `json:"ethereum"`
	}
	client, server := scripted(t, ok(
		`{"data":{"ethereum":{"collection":{"totalSupply":1e3},"nft":{"__typename":"ERC721NFT","tokenId":"35546774534000000000000000"}}}}`))
	var response rpcfleet.Response
	got := must(graph.Query[supply](t.Context(), client.Graph.With(rpcfleet.WithResponse(&response)), query,
		map[string]string{"address": "0xa1"}))(t)
	assert.Equal(t, "1000", got.Ethereum.Collection.TotalSupply.String())
	require.IsType(t, &graph.NFTERC721NFT{}, got.Ethereum.NFT, "records of package graph")
	assert.Equal(t, "35546774534000000000000000", got.Ethereum.NFT.GetTokenID().String())
	assert.Equal(t, 200, response.StatusCode)
	assert.Equal(t, map[string]any{"query": query, "variables": map[string]any{"address": "0xa1"}},
		decodeBody(t, server.Requests()[0].Body))

	whole := must(graph.Query[map[string]any](t.Context(), client.Graph, `{ ethereum { name } }`, nil))(t)
	assert.Contains(t, whole, "ethereum")
	assert.Equal(t, map[string]any{"query": `{ ethereum { name } }`}, decodeBody(t, server.Requests()[1].Body),
		"no variables, no name")
}

func TestGraphQuery_refusesArguments(t *testing.T) {
	client, server := scripted(t, ok(`{"data":{}}`))
	_, err := graph.Query[any](t.Context(), client.Graph, `{a}`, map[string]any{"a": make(chan int)})
	assert.Regexp(t, `^rpcfleet: query: request cannot be built: json: .* from Go chan int`, err, "its text varies")
	require.ErrorAs(t, err, new(*rpcfleet.ValidationError))
	for _, response := range []*graphql.Response{nil, {}, {Data: 7}, {Data: (*int)(nil)}} {
		err := client.Graph.MakeRequest(t.Context(), &graphql.Request{Query: "{a}"}, response)
		require.EqualError(t, err, "rpcfleet: query: response data must be a pointer to decode into")
	}
	for _, request := range []*graphql.Request{nil, {}} {
		err = client.Graph.MakeRequest(t.Context(), request, &graphql.Response{Data: new(any)})
		require.EqualError(t, err, "rpcfleet: query: query is required")
	}
	assert.Empty(t, server.Requests())
}

type cargo int

func (c cargo) MarshalJSON() ([]byte, error) { return json.Marshal(map[string]int{"tons": int(c)}) }

func TestMakeRequest_executesAQuery(t *testing.T) {
	client, server := scripted(t, ok(`{"data":{"fleet":[{"b":1.50,"a":2}, null]}}`))
	var data struct {
		Fleet []*keeper `json:"fleet"` // It decodes itself, as records do that genqlient generates for interfaces.
	}
	require.NoError(t, client.Graph.With(rpcfleet.WithoutRetries()).MakeRequest(t.Context(), &graphql.Request{
		Query: "query A { a } query B($c: C) { b(c: $c) }", OpName: "B", Variables: map[string]any{"c": cargo(3)},
	}, &graphql.Response{Data: &data}))
	require.Len(t, data.Fleet, 2)
	assert.Equal(t, `{"b":1.50,"a":2}`, string(data.Fleet[0].text), "as the service spelled it")
	assert.Nil(t, data.Fleet[1])
	assert.Equal(t, map[string]any{
		"query": "query A { a } query B($c: C) { b(c: $c) }", "operationName": "B",
		"variables": map[string]any{"c": map[string]any{"tons": 3.0}},
	}, decodeBody(t, server.last().Body))
}

// TestMakeRequest_returnsErrors: internal/graphql has more shapes of them.
func TestMakeRequest_returnsErrors(t *testing.T) {
	const sent = `{"message":"no","path":["fleet",0,"b"],"locations":[7],"extensions":{"code":"INTERNAL","depth":2}}`
	type errs = []rpcfleet.GraphQLError
	kept := rpcfleet.GraphQLError{Message: "no", Path: "fleet.0.b", Code: "INTERNAL"}
	for _, test := range []struct {
		status int
		body   string
		want   errs
	}{
		{200, `{"data":{"a":"here"},"errors":[` + sent + `]}`, errs{kept}},
		{400, `{"errors":[` + sent + `,{"message":"more"}]}`, errs{kept, {Message: "more"}}},
		{200, `{"errors":{"message":"no"}}`, errs{{Message: "no"}}},
		{200, `{"errors":["no",null]}`, errs{{Message: "no"}, {}}},
		{403, `{"error":"no such plan"}`, nil},
		{200, `{"errors":[{"message":"k \u006d` + testKey[1:] + `","extensions":{"code":"` + testKey + `"}}]}`,
			errs{{Message: "k [redacted]", Code: "[redacted]"}}},
	} {
		client, _ := scripted(t, respondJSON(test.status, test.body))
		var data map[string]any
		err := client.Graph.MakeRequest(t.Context(), &graphql.Request{Query: "{ a }"}, &graphql.Response{Data: &data})
		assert.Equal(t, test.want, errorAs[*rpcfleet.Error](t, err).GraphQL)
		assert.Equal(t, strings.Contains(test.body, `"data"`), data != nil)
	}
}

// TestGraph_failsWithTheErrorsOfTheResponse: internal/graphql has more shapes of them.
func TestGraph_failsWithTheErrorsOfTheResponse(t *testing.T) {
	for _, test := range []struct {
		line   responder
		is     error
		text   string
		errors []rpcfleet.GraphQLError
	}{
		{respondJSON(500, `{"message":"oops","errors":[{"message":"broken"},{"message":"badly"}],"data":null}`),
			rpcfleet.ErrServer, `500 Internal Server Error: broken`,
			[]rpcfleet.GraphQLError{{Message: "broken"}, {Message: "badly"}}},
		{ok(`{"errors":[{"message":"no","path":["chain","collection"],"extensions":{"code":"INTERNAL"}}]}`),
			rpcfleet.ErrRejected, `rejected with status 200: no`,
			[]rpcfleet.GraphQLError{{Message: "no", Path: "chain.collection", Code: "INTERNAL"}}},
		{ok(`{"errors":[{}]}`), rpcfleet.ErrRejected, `rejected with status 200`, []rpcfleet.GraphQLError{{}}},
		{ok(`{"error":"no such plan"}`), rpcfleet.ErrRejected, `rejected with status 200: no such plan`, nil},
	} {
		client, _ := scriptedWith(t, with{rpcfleet.WithoutRetries()}, test.line)
		collection, err := client.Graph.Collection(t.Context(), graph.ChainEthereum, "0xa1")
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
		ok(`{"data":{"chain":{"collection":{"__typename":"ERC721Collection","address":"0xa1","stats":null}}},`+stated+`}`))
	collection, err := client.Graph.Collection(t.Context(), graph.ChainEthereum, "0xa1")
	require.ErrorIs(t, err, rpcfleet.ErrRejected)
	assert.Equal(t, "chain.collection.stats", errorAs[*rpcfleet.Error](t, err).GraphQL[0].Path)
	assert.Equal(t, "0xa1", collection.GetAddress())

	data, err := graph.Query[map[string]any](t.Context(), client.Graph, "{a}", nil)
	require.Error(t, err)
	assert.Contains(t, data, "chain")
	require.Len(t, server.Requests(), 2, "not tried again")

	// A value missing beside an error is not known to be missing.
	client, _ = scripted(t, ok(`{"data":{"chain":{"collection":null}},`+stated+`}`))
	_, err = client.Graph.Collection(t.Context(), graph.ChainEthereum, "0xa1")
	require.NotErrorIs(t, err, rpcfleet.ErrNotFound)
	require.ErrorIs(t, err, rpcfleet.ErrRejected)
}

// balancesPage reads a page of balances with those edges.
func balancesPage(t *testing.T, edges string) (*rpcfleet.Page[graph.TokenBalance], error) {
	t.Helper()
	client, _ := scripted(t, ok(
		`{"data":{"chain":{"wallet":{"tokenBalances":{"edges":[`+edges+`],"pageInfo":{"hasNextPage":false}}}}}}`))
	return client.Graph.TokenBalances(graph.ChainEthereum, anyWallet, graph.TokenBalancesParams{}).Page(t.Context())
}

// TestGraph_wrongValueIsReadAsZero at any depth: the items come, with an error that names the place of the first.
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
	for query, requests := range map[string]int{`{ a }`: 2, `query A { a } mutation B { b }`: 1} {
		client, server := scripted(t, respondJSON(502, ""), ok(`{"data":{}}`))
		_, err := graph.Query[any](t.Context(), client.Graph, query, nil)
		assert.Equal(t, requests == 1, errors.Is(err, rpcfleet.ErrServer))
		require.Len(t, server.Requests(), requests, "a mutation may have been executed")
		assert.Equal(t, server.Requests()[0].Body, server.last().Body, "the body is sent again")
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
				assert.Equal(t, []any{page.Items, page.NextCursor}, []any{back.Items, back.NextCursor})
				continue
			}
			unreadable := errorAs[*rpcfleet.DecodeError](t, err)
			assert.Contains(t, unreadable.Detail, `more than 9000 levels at "/data/chain/wallet/walletNFTs/edges/1/node/nft`)
		}
	}
}
