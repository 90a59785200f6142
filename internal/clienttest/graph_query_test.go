package clienttest

import (
	"encoding/json"
	"errors"
	"slices"
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
	assert.EqualError(t, err, "rpcfleet: query: request cannot be built: json: unsupported type: chan int")
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
	client, server := scripted(t, respondJSON(200, `{"data":{"fleet":[{"b":1.50,"a":2}, null]},"extensions":{"cost":7}}`))
	var data struct {
		Fleet []*ship `json:"fleet"`
	}
	response := graphql.Response{Data: &data, Extensions: map[string]any{"of": "an earlier call"}}
	response.Errors = append(response.Errors, nil)
	require.NoError(t, client.Graph.With(rpcfleet.WithoutRetries()).MakeRequest(t.Context(), &graphql.Request{
		Query: "query A { a } query B($c: C) { b(c: $c) }", OpName: "B", Variables: map[string]any{"c": cargo(3)},
	}, &response))
	require.Len(t, data.Fleet, 2)
	assert.Equal(t, `{"b":1.50,"a":2}`, data.Fleet[0].raw, "as the service spelled it")
	assert.Nil(t, data.Fleet[1])
	assert.Equal(t, map[string]any{"cost": 7.0}, response.Extensions)
	assert.Nil(t, response.Errors)
	assert.Equal(t, map[string]any{
		"query": "query A { a } query B($c: C) { b(c: $c) }", "operationName": "B",
		"variables": map[string]any{"c": map[string]any{"tons": 3.0}},
	}, decodeBody(t, server.last().Body))
}

// TestMakeRequest_returnsErrors looks for the errors in the same places as callers of genqlient's own client.
func TestMakeRequest_returnsErrors(t *testing.T) {
	const sent = `{"message":"no","path":["fleet",0,"b"],"locations":[7],"extensions":{"code":"INTERNAL","depth":2}}`
	const kept = `{"message":"no","path":["fleet",0,"b"],"extensions":{"code":"INTERNAL"}}`
	for name, test := range map[string]struct {
		line responder
		want string
	}{
		"beside data": {respondJSON(200, `{"data":{"a":"here"},"errors":[`+sent+`],"extensions":{"cost":7}}`),
			`{"errors":[` + kept + `],"extensions":{"cost":7}}`},
		"of a failure": {respondJSON(400, `{"errors":[`+sent+`,{"message":"more"}]}`), `{"errors":[` + kept +
			`,{"message":"more"}]}`},
		"no list":           {respondJSON(200, `{"errors":{"message":"no"}}`), `{"errors":[{"message":"no"}]}`},
		"no objects":        {respondJSON(200, `{"errors":["no"]}`), `{"errors":[{"message":"no"}]}`},
		"a path of its own": {respondJSON(200, `{"errors":[{"message":"no","path":"a.b"}]}`), `{"errors":[{"message":"no"}]}`},
		"a null":            {respondJSON(200, `{"errors":[null]}`), `{"errors":[{"message":""}]}`},
		"no errors":         {respondJSON(403, `{"error":"no such plan"}`), `{}`},
		"a secret": {respondJSON(200, `{"errors":[{"message":"k \u006d`+testKey[1:]+
			`","extensions":{"code":"`+testKey+`"}}]}`),
			`{"errors":[{"message":"k [redacted]","extensions":{"code":"[redacted]"}}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			_, server := scripted(t, test.line)
			var data map[string]any
			response := graphql.Response{Data: &data}
			err := server.client(t, rpcfleet.WithoutRetries()).Graph.MakeRequest(t.Context(), &graphql.Request{Query: "{ a }"},
				&response)
			assert.Len(t, errorAs[*rpcfleet.Error](t, err).GraphQL, len(response.Errors))
			assert.Equal(t, name == "beside data", data != nil)
			got := decodeBody(t, string(must(json.Marshal(response))(t)))
			delete(got, "data")
			assert.Equal(t, decodeBody(t, test.want), got)
		})
	}
}

const (
	holdersPath  = "ethereum.collection.wallets"
	holdersQuery = `query Holders($address: String!, $first: Int, $after: String, $last: Int, $before: String) {
		ethereum { collection(contractAddress: $address) { wallets(first: $first, after: $after, last: $last, before: $before) {
			edges { cursor node { address ensName } }
			pageInfo { hasNextPage endCursor hasPreviousPage startCursor }
		} } }
	}`
)

func holders(list string) responder {
	return respondJSON(200, `{"data":{"ethereum":{"collection":{"wallets":`+list+`}}}}`)
}

func holding[T any](client *rpcfleet.Client) *rpcfleet.Connection[T] {
	return rpcfleet.QueryConnection[T](client.Graph, holdersQuery, nil, holdersPath)
}

// TestQueryConnection_readsEveryPage with the page size of the client, and backward with one of the caller's own.
func TestQueryConnection_readsEveryPage(t *testing.T) {
	client, server := scripted(t,
		holders(`{"edges":[{"cursor":"a","node":{"address":"0x01","ensName":"a.eth"}},{"cursor":"b","node":{"address":"0x02"}}],
			"pageInfo":{"hasNextPage":true,"endCursor":"b"},"totalCount":3}`),
		holders(`{"edges":[{"cursor":"c","node":{"address":"0x03"}}],"pageInfo":{"hasNextPage":false}}`),
		holders(`{"edges":[{"node":{"address":"0x02"}},{"node":{"address":"0x03"}}],"pageInfo":{"hasPreviousPage":true,"startCursor":"b"}}`),
		holders(`{"edges":[{"node":{"address":"0x01"}}],"pageInfo":{"hasPreviousPage":false}}`))
	given := map[string]any{"address": "0xa1", "unusual": int64(1 << 53)}
	forward := rpcfleet.QueryConnection[graph.Wallet](client.Graph, holdersQuery, given, holdersPath,
		rpcfleet.WithPageSize(2))
	given["address"] = "0xb2" // The connection has its own.
	backward := rpcfleet.QueryConnection[graph.Wallet](client.Graph, holdersQuery, struct {
		Last int `json:"last"`
	}{7}, holdersPath).Before("")
	assert.Empty(t, server.Requests())
	for _, connection := range []*rpcfleet.Connection[graph.Wallet]{forward, backward} {
		read, err := collect(t, idsOf(connection.All(t.Context()), func(holder graph.Wallet) string { return holder.Address }))
		require.NoError(t, err)
		want := []string{"0x01", "0x02", "0x03"}
		if connection == backward {
			slices.Reverse(want)
		}
		assert.Equal(t, want, read)
	}
	require.Len(t, server.Requests(), 4)
	assert.Equal(t, map[string]any{
		"query": holdersQuery, "variables": map[string]any{"address": "0xa1", "unusual": float64(1 << 53), "first": 2.0},
	}, decodeBody(t, server.Requests()[0].Body))
	assert.Equal(t, "b", variables(t, server.Requests()[1])["after"])
	assert.Equal(t, map[string]any{"last": 7.0}, variables(t, server.Requests()[2]))
	assert.Equal(t, map[string]any{"last": 7.0, "before": "b"}, variables(t, server.Requests()[3]))
}

func TestQueryConnection_readsInterfaces(t *testing.T) {
	client, _ := scripted(t,
		respondJSON(200,
			`{"data":{"polygon":{"nfts":{"edges":[{"node":{"__typename":"ERC721NFT","tokenId":"7"}}],"pageInfo":{"hasNextPage":false}}}}}`))
	page := must(rpcfleet.QueryConnection[graph.NFT](client.Graph,
		`query($after: String) { polygon { nfts: a(after: $after) { b } } }`, nil, "polygon.nfts").Page(t.Context()))(t)
	assert.IsType(t, &graph.NFTERC721NFT{}, page.Items[0])
}

func TestQueryConnection_refusesArguments(t *testing.T) {
	client, server := scripted(t, respondJSON(500, ""))
	const paged = `query A($after: String) { a(after: $after) { b } }`
	for want, test := range map[string]struct {
		query, path string
		variables   any
		backward    bool
	}{
		"query: query is required":                                        {"", "a", nil, false},
		"A: query must take the cursor of a page in the variable $after":  {`query A { a }`, "a", nil, false},
		"A: query must take the cursor of a page in the variable $before": {paged, "a", nil, true},
		`A: path must be field names separated by dots, not ""`:           {paged, "", nil, false},
		`A: path must be field names separated by dots, not "a..b"`:       {paged, "a..b", nil, false},
		"A: variables must not have after: the connection sets it": {paged, "a", map[string]any{"after": "x"},
			false},
		"A: variables must be a map or a record":                       {paged, "a", []int{1}, false},
		"A: request cannot be built: json: unsupported type: chan int": {paged, "a", make(chan int), false},
	} {
		connection := rpcfleet.QueryConnection[graph.Wallet](client.Graph, test.query, test.variables, test.path,
			rpcfleet.WithoutValidation())
		if test.backward {
			connection = connection.Before("")
		}
		_, err := connection.Page(t.Context())
		if test.query == "" {
			connection = rpcfleet.QueryConnection[graph.Wallet](client.Graph, test.query, test.variables, test.path)
			_, err = connection.Page(t.Context())
		}
		require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
		assert.EqualError(t, err, "rpcfleet: "+want)
	}
	assert.Empty(t, server.Requests())
}

// TestQueryConnection_failsForAnOddPage: internal/graphql has more bodies without a list at the path.
func TestQueryConnection_failsForAnOddPage(t *testing.T) {
	client, server := scripted(t)
	for body, want := range map[string]string{
		`{"data":{"ethereum":{"collection":{"Wallets":{}}}}}`:          `no "wallets" on the path`,
		`{"data":{"ethereum":null},"errors":[{"message":"too slow"}]}`: "too slow",
		`{"data":{"ethereum":null}}`:                                   "not found",
	} {
		server.Play(respondJSON(200, body))
		err := errOf(holding[graph.Wallet](client).Page(t.Context()))
		require.ErrorContains(t, err, "rpcfleet: Holders: ")
		require.ErrorContains(t, err, want)
		assert.Equal(t, want == "not found", errors.Is(err, rpcfleet.ErrNotFound))
	}
}

// TestQueryConnection_keepsReadableItems backward; TestConnection_deliversItemsBesideFailure has more faults, and
// forward.
func TestQueryConnection_keepsReadableItems(t *testing.T) {
	const odd = `{"edges":[{"cursor":"a","node":{"address":"0x01"}},{"cursor":"b","node":{"address":[]}},{"cursor":"c","node":{"address":"0x03"}},null],
		"pageInfo":{"hasNextPage":true,"endCursor":"c","hasPreviousPage":true,"startCursor":"a"}}`
	const last = `{"edges":[{"cursor":"d","node":{"address":"0x04"}}],"pageInfo":{"hasNextPage":false,"hasPreviousPage":false}}`
	const place = `"/data/ethereum/collection/wallets/edges/`
	client, _ := scripted(t, holders(odd), holders(last))
	var read []string
	for holder, err := range holding[graph.Wallet](client).Before("").All(t.Context()) {
		if err == nil {
			read = append(read, holder.Address)
			continue
		}
		read = append(read, "failure")
		require.ErrorContains(t, err, `an array at `+place+`1/node/address" cannot be read as string, and 1 more are missing`)
	}
	assert.Equal(t, []string{"0x03", "0x01", "failure", "0x04"}, read)
}
