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
			Collection *struct {
				TotalSupply scalar.BigInt `json:"totalSupply"`
			} `json:"collection"`
			NFT graph.NFT `json:"nft"`
		} `json:"ethereum"`
	}
	client, server := scripted(t,
		respondJSON(200,
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
	client, server := scripted(t, respondJSON(200, `{"data":{}}`))
	var invalid *rpcfleet.ValidationError
	_, err := graph.Query[any](t.Context(), client.Graph, `{a}`, map[string]any{"a": make(chan int)})
	require.ErrorAs(t, err, &invalid)
	require.ErrorContains(t, err, "rpcfleet: query: request cannot be built: json: cannot marshal from Go chan int")
	for _, response := range []*graphql.Response{nil, {}, {Data: 7}, {Data: (*int)(nil)}} {
		err := client.Graph.MakeRequest(t.Context(), &graphql.Request{Query: "{a}"}, response)
		require.ErrorAs(t, err, &invalid)
		assert.EqualError(t, err, "rpcfleet: query: response data must be a pointer to decode into")
	}
	for _, request := range []*graphql.Request{nil, {}} {
		err = client.Graph.MakeRequest(t.Context(), request, &graphql.Response{Data: new(any)})
		require.ErrorAs(t, err, &invalid)
		assert.EqualError(t, err, "rpcfleet: query: query is required")
	}
	assert.Empty(t, server.Requests())
}

// ship is a record that decodes itself, as those do that genqlient generates for interfaces.
type ship struct{ raw string }

func (s *ship) UnmarshalJSON(text []byte) error {
	s.raw = string(text)
	return nil
}

type cargo int

func (c cargo) MarshalJSON() ([]byte, error) { return json.Marshal(map[string]int{"tons": int(c)}) }

func TestMakeRequest_executesAQuery(t *testing.T) {
	client, server := scripted(t, respondJSON(200, `{"data":{"fleet":[{"b":1.50,"a":2}, null]}}`))
	var data struct {
		Fleet []*ship `json:"fleet"`
	}
	require.NoError(t, client.Graph.With(rpcfleet.WithoutRetries()).MakeRequest(t.Context(), &graphql.Request{
		Query: "query A { a } query B($c: C) { b(c: $c) }", OpName: "B", Variables: map[string]any{"c": cargo(3)},
	}, &graphql.Response{Data: &data}))
	require.Len(t, data.Fleet, 2)
	assert.Equal(t, `{"b":1.50,"a":2}`, data.Fleet[0].raw, "as the service spelled it")
	assert.Nil(t, data.Fleet[1])
	assert.Equal(t, map[string]any{
		"query": "query A { a } query B($c: C) { b(c: $c) }", "operationName": "B",
		"variables": map[string]any{"c": map[string]any{"tons": 3.0}},
	}, decodeBody(t, server.last().Body))
}

func TestMakeRequest_returnsErrors(t *testing.T) {
	const sent = `{"message":"no","path":["fleet",0,"b"],"locations":[7],"extensions":{"code":"INTERNAL","depth":2}}`
	kept := rpcfleet.GraphQLError{Message: "no", Path: "fleet.0.b", Code: "INTERNAL"}
	plain := rpcfleet.GraphQLError{Message: "no"}
	for name, test := range map[string]struct {
		line responder
		want []rpcfleet.GraphQLError
	}{
		"beside data": {respondJSON(200, `{"data":{"a":"here"},"errors":[`+sent+`]}`), []rpcfleet.GraphQLError{kept}},
		"of a failure": {respondJSON(400, `{"errors":[`+sent+`,{"message":"more"}]}`),
			[]rpcfleet.GraphQLError{kept, {Message: "more"}}},
		"no list":           {respondJSON(200, `{"errors":{"message":"no"}}`), []rpcfleet.GraphQLError{plain}},
		"no objects":        {respondJSON(200, `{"errors":["no"]}`), []rpcfleet.GraphQLError{plain}},
		"a path of its own": {respondJSON(200, `{"errors":[{"message":"no","path":"a.b"}]}`), []rpcfleet.GraphQLError{plain}},
		"a null":            {respondJSON(200, `{"errors":[null]}`), []rpcfleet.GraphQLError{{}}},
		"no errors":         {respondJSON(403, `{"error":"no such plan"}`), nil},
		"a secret": {respondJSON(200, `{"errors":[{"message":"k \u006d`+testKey[1:]+
			`","extensions":{"code":"`+testKey+`"}}]}`),
			[]rpcfleet.GraphQLError{{Message: "k [redacted]", Code: "[redacted]"}}},
	} {
		t.Run(name, func(t *testing.T) {
			_, server := scripted(t, test.line)
			var data map[string]any
			err := server.client(t, rpcfleet.WithoutRetries()).Graph.MakeRequest(t.Context(), &graphql.Request{Query: "{ a }"},
				&graphql.Response{Data: &data})
			assert.Equal(t, test.want, errorAs[*rpcfleet.Error](t, err).GraphQL)
			assert.Equal(t, name == "beside data", data != nil)
		})
	}
}
