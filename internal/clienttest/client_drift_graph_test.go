package clienttest

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// contractWith is a response with a contract that has every requested field, with changes: pairs of old and new text.
func contractWith(changes ...string) string {
	return strings.NewReplacer(changes...).Replace(
		`{"data":{"chain":{"contract":{"__typename":"TokenContract","address":"0xa",` +
			`"name":"Coin","symbol":null,"isVerified":true,"supportedErcInterfaces":["ERC20"],"abi":[{"any":1}],"decimals":6,` +
			`"details":{"address":"0xa","name":"Coin","slug":"coin","symbol":"C"}}}}}`)
}

const atContract = "/data/chain/contract"

// TestDriftOfARecord changes one place of a response in every way. If the record can be read, its Extra has the values
// that it could not keep.
func TestDriftOfARecord(t *testing.T) {
	for name, test := range map[string]struct {
		body  string
		drift []rpcfleet.Drift // The kind, the pointer, the expected and the found.
		kept  []string         // Nil if the call fails.
	}{
		"as asked for": {contractWith(), nil, []string{}},
		"a field that was not asked for": {
			contractWith(`"name":"Coin","symbol":null`, `"name":"Coin","symbol":null,"made":[1]`), []rpcfleet.Drift{
				{Kind: rpcfleet.DriftUnknownField, Pointer: atContract + "/made", Expected: "no such field", Found: "array"}},
			[]string{"made"}},
		"a field of another type": {contractWith(`"decimals":6`, `"decimals":6,"collection":null`), []rpcfleet.Drift{
			{Kind: rpcfleet.DriftUnknownField, Pointer: atContract + "/collection", Expected: "no such field", Found: "null"}},
			[]string{"collection"}},
		"a type that is newer": {contractWith(`"TokenContract"`, `"NewContract"`), []rpcfleet.Drift{
			{Kind: rpcfleet.DriftUnknownValue, Pointer: atContract + "/__typename",
				Expected: "one of NFTContract, TokenContract", Found: "NewContract"},
		}, []string{"decimals", "details"}},
		"no type": {contractWith(`"__typename":"TokenContract",`, ``), []rpcfleet.Drift{
			{Kind: rpcfleet.DriftMissing, Pointer: atContract + "/__typename", Expected: "string", Found: "nothing"}},
			[]string{"decimals", "details"}},
		"a field that is missing": {contractWith(`"decimals":6,`, ``), []rpcfleet.Drift{
			{Kind: rpcfleet.DriftMissing, Pointer: atContract + "/decimals", Expected: "integer (BigInt)", Found: "nothing"}},
			[]string{}},
		"a null": {contractWith(`"address":"0xa","name":"Coin","slug"`, `"address":null,"name":"Coin","slug"`),
			[]rpcfleet.Drift{
				{Kind: rpcfleet.DriftNull, Pointer: atContract + "/details/address", Expected: "string", Found: "null"}},
			[]string{}},
		"a null in a list": {contractWith(`["ERC20"]`, `[null,"ERC20"]`), []rpcfleet.Drift{
			{Kind: rpcfleet.DriftNull, Pointer: atContract + "/supportedErcInterfaces/0", Expected: "string", Found: "null"},
		}, []string{"$unread:supportedErcInterfaces/0"}},
		"across types": {contractWith(`"symbol":null`, `"symbol":7`), []rpcfleet.Drift{
			{Kind: rpcfleet.DriftType, Pointer: atContract + "/symbol", Expected: "string", Found: "number"}}, []string{}},
		"an unreadable leaf": {contractWith(`"isVerified":true`, `"isVerified":{"a":1}`), []rpcfleet.Drift{
			{Kind: rpcfleet.DriftUnread, Pointer: atContract + "/isVerified", Expected: "boolean", Found: "object"}},
			[]string{"$unread:isVerified"}},
		"an unreadable leaf inside": {contractWith(`"slug":"coin"`, `"slug":[]`), []rpcfleet.Drift{
			{Kind: rpcfleet.DriftUnread, Pointer: atContract + "/details/slug", Expected: "string", Found: "array"}},
			[]string{}},
		"an unreadable amount": {contractWith(`"decimals":6`, `"decimals":"six"`), []rpcfleet.Drift{
			{Kind: rpcfleet.DriftUnread, Pointer: atContract + "/decimals", Expected: "integer (BigInt)",
				Found: "string that cannot be read"},
		}, []string{"$unread:decimals"}},
		"an unreadable identity": {contractWith(`"TokenContract","address":"0xa"`, `"TokenContract","address":{}`),
			[]rpcfleet.Drift{
				{Kind: rpcfleet.DriftType, Pointer: atContract + "/address", Expected: "string", Found: "object"}}, nil},
		"an unreadable record": {`{"data":{"chain":{"contract":7}}}`, []rpcfleet.Drift{
			{Kind: rpcfleet.DriftType, Pointer: atContract, Expected: "object", Found: "number"}}, nil},
		"around the data": {strings.Replace(contractWith(), `{"data"`, `{"hint":1,"extensions":[],"errors":[],"data"`, 1),
			[]rpcfleet.Drift{
				{Kind: rpcfleet.DriftUnknownField, Pointer: "/hint", Expected: "no such field", Found: "number"},
				{Kind: rpcfleet.DriftType, Pointer: "/extensions", Expected: "object", Found: "array"}}, []string{}},
		"no data": {`{"extensions":{"a":1}}`, []rpcfleet.Drift{
			{Kind: rpcfleet.DriftMissing, Pointer: "/data", Expected: "object", Found: "nothing"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			client, told := drifts(t, respondJSON(http.StatusOK, test.body))
			contract, err := client.Graph.Contract(t.Context(), graph.ChainEthereum, "0xa")
			for i := range test.drift {
				d := &test.drift[i]
				d.Operation, d.Method, d.Path, d.StatusCode = "GetContract", http.MethodPost, "/graphql", http.StatusOK
			}
			assert.Equal(t, test.drift, *told)
			if test.kept == nil {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			assert.ElementsMatch(t, test.kept, contract.GetExtra().Names())
		})
	}
}

const (
	page = `{"data":{"chain":{"collections":{"edges":[` +
		`{"cursor":"1","node":{"__typename":"ERC721Collection","address":"0xa","name":{"x":1},"symbol":"A","slug":null,"totalSupply":1,"circulatingSupply":null,` + rest + `}},` +
		`{"cursor":"2","node":%s}],"pageInfo":{"hasNextPage":false,"endCursor":null,"hasPreviousPage":false,"startCursor":null},"totalCount":2}}}%s}`
	goodNode = `{"__typename":"ERC721Collection","address":"0xb","name":"B","symbol":"B","slug":null,"totalSupply":1,"circulatingSupply":null,` + rest + `}`
	rest     = `"description":null,"externalUrl":null,"twitterUsername":null,"baseTokenUri":null,"image":[],"bannerImage":[],` +
		`"openseaMetadata":null,"contract":{"__typename":"TokenContract","address":"0xa","name":null,"symbol":null,"isVerified":null,"supportedErcInterfaces":[],"decimals":null}`
)

// TestAnUnreadableLeafOfAPageIsLeftOut reads a page with one odd value, with the option and without.
func TestAnUnreadableLeafOfAPageIsLeftOut(t *testing.T) {
	body := fmt.Sprintf(page, goodNode, "")
	client, told := drifts(t, respondJSON(http.StatusOK, body))
	var raw rpcfleet.Response
	read, err := client.Graph.Collections(graph.ChainEthereum, graph.CollectionsFilterInput{},
		rpcfleet.WithResponse(&raw)).Page(t.Context())
	require.NoError(t, err)
	require.Len(t, read.Items, 2)
	assert.Nil(t, read.Items[0].GetName())
	assert.Equal(t, []string{"name"}, read.Items[0].GetExtra().Skipped())
	value, _ := read.Items[0].GetExtra().Get(scalar.SkippedKey("name"))
	assert.JSONEq(t, `{"x":1}`, string(value))
	assert.True(t, read.Items[1].GetExtra().IsZero())
	assert.Equal(t, body, string(raw.Body()))
	require.Len(t, *told, 1)
	assert.Equal(t, "/data/chain/collections/edges/0/node/name", (*told)[0].Pointer)

	client, _ = scripted(t, respondJSON(http.StatusOK, body))
	read, err = client.Graph.Collections(graph.ChainEthereum, graph.CollectionsFilterInput{}).Page(t.Context())
	errorAs[*rpcfleet.DecodeError](t, err)
	assert.Len(t, read.Items, 1)
}

// TestANullWithAnErrorIsNoDrift has nulls with an error for them in the response, and a null without one.
func TestANullWithAnErrorIsNoDrift(t *testing.T) {
	const stated = `,"errors":[{"message":"no","path":["chain","collections","edges",1,"node"%s]}]`
	for errors, want := range map[string]int{
		fmt.Sprintf(stated, ""): 0, fmt.Sprintf(stated, `,"address"`): 0, // The null came up from inside.
		"":                                      1,
		`,"errors":[{"message":"no"}]`:          1,
		strings.Replace(stated, "1", "10", 1):   1,
		strings.Replace(stated, "node", "n", 1): 1,
	} {
		client, told := drifts(t, respondJSON(http.StatusOK, fmt.Sprintf(page, "null", strings.Replace(errors, "%s", "", 1))))
		_, err := client.Graph.Collections(graph.ChainEthereum, graph.CollectionsFilterInput{}).Page(t.Context())
		require.Error(t, err)
		var nulls []string
		for _, drift := range *told {
			if drift.Kind == rpcfleet.DriftNull {
				nulls = append(nulls, drift.Pointer)
			}
		}
		assert.Len(t, nulls, want, "%s: %v", errors, nulls)
	}
}

// TestANullIsNoItemLost has nulls in the place of an edge. The page reports them with the option and without.
func TestANullIsNoItemLost(t *testing.T) {
	body := respondJSON(http.StatusOK,
		strings.Replace(fmt.Sprintf(page, goodNode, ""), `{"cursor":"1"`, `null,{"cursor":"1"`, 1))
	client, told := drifts(t, body)
	read, err := client.Graph.Collections(graph.ChainEthereum, graph.CollectionsFilterInput{}).Page(t.Context())
	unreadable := errorAs[*rpcfleet.DecodeError](t, err)
	assert.Contains(t, unreadable.Detail, "/data/chain/collections/edges/0")
	assert.Len(t, read.Items, 2)
	require.Len(t, *told, 2)
	assert.Equal(t, rpcfleet.DriftNull, (*told)[0].Kind)
}

// TestDriftOfGraphFailures has statuses and bodies of failures.
func TestDriftOfGraphFailures(t *testing.T) {
	for _, test := range []struct {
		status int
		body   string
		want   []string
	}{
		{http.StatusBadRequest, `{"errors":[{"message":"no","locations":[{"line":1}],"extensions":{"code":"A"}}]}`, nil},
		{http.StatusBadRequest, `{"errors":[{"message":"no","code":7}],"data":null}`,
			[]string{"unknown field /errors/0/code"}},
		{http.StatusBadRequest, `{}`, []string{"missing field /errors"}},
		{http.StatusOK, `{"errors":[{"message":"no"}],"data":null}`, nil},
		{http.StatusTeapot, `{"odd":true}`, []string{"unknown status "}},
	} {
		client, told := drifts(t, respondJSON(test.status, test.body))
		_, err := client.Graph.Contract(t.Context(), graph.ChainEthereum, "0xa")
		require.Error(t, err)
		var got []string
		for _, drift := range *told {
			got = append(got, string(drift.Kind)+" "+drift.Pointer)
		}
		assert.Equal(t, test.want, got, test.body)
	}
}

// TestDriftOfACallersOwnQuery has a query with the name of one of the library's queries: its data has no known form.
func TestDriftOfACallersOwnQuery(t *testing.T) {
	client, told := drifts(t, respondJSON(http.StatusOK, `{"data":{"a":{"b":[{}]}},"hint":1}`),
		respondJSON(http.StatusCreated, `{"data":{"a":null}}`))
	for range 2 {
		_, err := graph.Query[map[string]any](t.Context(), client.Graph, "query GetContract { a { b } }", nil)
		require.NoError(t, err)
	}
	require.Len(t, *told, 2)
	assert.Equal(t, "/hint", (*told)[0].Pointer)
	assert.Equal(t, rpcfleet.DriftUnknownStatus, (*told)[1].Kind)
}

// TestGraphExtraIsReadBack writes a record with its unknown members, which only Revealed does.
func TestGraphExtraIsReadBack(t *testing.T) {
	client, _ := drifts(t,
		respondJSON(http.StatusOK, contractWith(`"isVerified":true`, `"isVerified":"`+testKey+`","more":1`)))
	contract, err := client.Graph.Contract(context.Background(), graph.ChainEthereum, "0xa")
	require.NoError(t, err)
	assert.NotContains(t, fmt.Sprintf("%v %+v", contract, contract), testKey)
	record := contract.(*graph.ContractTokenContract)
	text, err := (scalar.WithSecrets[*graph.ContractTokenContract]{Value: record}).MarshalJSON()
	require.NoError(t, err)
	assert.Contains(t, string(text), testKey)
	var back scalar.WithSecrets[*graph.ContractTokenContract]
	require.NoError(t, back.UnmarshalJSON(text))
	assert.Equal(t, record, back.Value)
}
