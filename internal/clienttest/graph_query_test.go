package clienttest

import (
	"encoding/json"
	"testing"

	"github.com/Khan/genqlient/graphql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// decodeBody reads a request's body.
func decodeBody(t *testing.T, body string) map[string]any {
	t.Helper()
	var fields map[string]any
	require.NoError(t, json.Unmarshal([]byte(body), &fields))
	return fields
}

func TestGraphQueryOfTheCallersOwn(t *testing.T) {
	const query = `query Supply($address: String!) { ethereum { collection(contractAddress: $address) { totalSupply } } }`
	type supply struct {
		Ethereum struct {
			Collection *struct {
				TotalSupply scalar.BigInt `json:"totalSupply"`
			} `json:"collection"`
			NFT graph.NFT `json:"nft"`
		} `json:"ethereum"`
	}
	client, server := scripted(t,
		says(200, `{"data":{"ethereum":{"collection":{"totalSupply":1e3},"nft":{"__typename":"ERC721NFT","tokenId":"35546774534000000000000000"}}}}`))
	var response rpcfleet.Response
	got, err := graph.Query[supply](t.Context(), client.Graph.With(rpcfleet.WithResponse(&response)), query,
		struct {
			Address string `json:"address"`
		}{"0xa1"})
	require.NoError(t, err)
	assert.Equal(t, "1000", got.Ethereum.Collection.TotalSupply.String())
	require.IsType(t, &graph.NFTERC721NFT{}, got.Ethereum.NFT, "records of package graph")
	assert.Equal(t, "35546774534000000000000000", got.Ethereum.NFT.GetTokenID().String())
	assert.Equal(t, 200, response.StatusCode)
	assert.Equal(t, map[string]any{"query": query, "variables": map[string]any{"address": "0xa1"}},
		decodeBody(t, server.Requests()[0].Body))

	whole, err := graph.Query[map[string]any](t.Context(), client.Graph, `{ ethereum { name } }`, nil)
	require.NoError(t, err)
	assert.Contains(t, whole, "ethereum")
	assert.Equal(t, map[string]any{"query": `{ ethereum { name } }`}, decodeBody(t, server.Requests()[1].Body),
		"no variables, no name")
}

func TestGraphQueryErrorsCarryTheName(t *testing.T) {
	client, _ := scripted(t, says(403, ``))
	for query, name := range map[string]string{
		`{ a }`:                                  "query",
		`# query Comment` + "\n" + `query A {a}`: "A",
		`fragment F on T {a} query B {...F}`:     "B",
		`query ($a: Int) {a}`:                    "query",
	} {
		_, err := graph.Query[any](t.Context(), client.Graph, query, nil)
		assert.EqualError(t, err, "rpcfleet: "+name+": 403 Forbidden (POST /graphql)")
		require.ErrorIs(t, err, rpcfleet.ErrForbidden)
	}
}

func TestGraphQueryChecks(t *testing.T) {
	client, server := scripted(t, says(200, `{"data":{}}`))
	var broken *rpcfleet.ValidationError
	_, err := graph.Query[any](t.Context(), client.Graph, `{a}`, map[string]any{"a": make(chan int)})
	require.ErrorAs(t, err, &broken)
	assert.EqualError(t, err, "rpcfleet: query: request cannot be built: json: unsupported type: chan int")
	for _, response := range []*graphql.Response{nil, {}, {Data: 7}, {Data: (*int)(nil)}} {
		err := client.Graph.MakeRequest(t.Context(), &graphql.Request{Query: "{a}"}, response)
		require.ErrorAs(t, err, &broken)
		assert.EqualError(t, err, "rpcfleet: query: response data must be a pointer to decode into")
	}
	for _, request := range []*graphql.Request{nil, {}} {
		err = client.Graph.MakeRequest(t.Context(), request, &graphql.Response{Data: new(any)})
		require.ErrorAs(t, err, &broken)
		assert.EqualError(t, err, "rpcfleet: query: query is required")
	}
	assert.Empty(t, server.Requests())
}

func TestGraphRetries(t *testing.T) {
	for name, lines := range map[string][]responder{
		"a bad gateway":      {saysAs("text/html", 502, "<html>"), says(200, foundCollection)},
		"a lost connection":  {hangsUp, says(200, foundCollection)},
		"a response cut off": {cutShort, says(200, foundCollection)},
		"too many requests":  {says(429, `{"errors":[{"message":"slow down"}]}`), says(200, foundCollection)},
	} {
		t.Run(name, func(t *testing.T) {
			client, server := scripted(t, lines...)
			_, err := client.Graph.Collection(t.Context(), graph.ChainEthereum, "0xa1")
			require.NoError(t, err)
			require.Len(t, server.Requests(), 2)
			assert.Equal(t, server.Requests()[0].Body, server.Requests()[1].Body, "the body is sent again")
		})
	}
	t.Run("a mutation", func(t *testing.T) {
		client, server := scripted(t, says(502, ""), says(200, `{"data":{}}`))
		_, err := graph.Query[any](t.Context(), client.Graph, `query A { a } mutation B { b }`, nil)
		require.ErrorIs(t, err, rpcfleet.ErrServer)
		assert.Len(t, server.Requests(), 1, "it may have been executed")
	})
	t.Run("an error in a good response", func(t *testing.T) {
		client, server := scripted(t, says(200, `{"errors":[{"message":"no"}]}`))
		_, err := client.Graph.Collection(t.Context(), graph.ChainEthereum, "0xa1")
		require.ErrorIs(t, err, rpcfleet.ErrRejected)
		assert.Len(t, server.Requests(), 1)
	})
}
