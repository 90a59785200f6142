package graphapi

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ask sends a body to an API and returns the response.
func ask(t *testing.T, api *API, status int, body string) string {
	t.Helper()
	recorder := httptest.NewRecorder()
	api.Serve(t.Context(), recorder, []byte(body))
	require.Equal(t, "application/json", recorder.Header().Get("Content-Type"))
	require.Equal(t, status, recorder.Code, "%s: %s", body, recorder.Body)
	return recorder.Body.String()
}

// query sends a query that has to succeed, and returns its data.
func query[T any](t *testing.T, api *API, text string, variables object) T {
	t.Helper()
	body, err := json.Marshal(object{"query": text, "variables": variables})
	require.NoError(t, err)
	text = ask(t, api, http.StatusOK, string(body))
	require.NotContains(t, text, `"errors"`)
	var response struct{ Data T }
	require.NoError(t, json.Unmarshal([]byte(text), &response), text)
	return response.Data
}

func newAPI(seed uint64) *API { return New(seed, 250) }

func TestServe_refusesInvalidRequests(t *testing.T) {
	for code, bodies := range map[string][]string{
		"BAD_REQUEST": {`{`, `{"variables":{}}`, `{"query":7}`},
		"INVALID_FIELD": {
			`{"query":"{ ethereum { nope } }"}`, `{"query":"{ __schema { queryType { name } } }"}`,
			`{"query":"{ solana { gasPrices { floor } } }"}`,
		},
		"INVALID_QUERY": {
			`{"query":"{ ethereum {"}`, `{"query":"{ ethereum { gasPrices(orderDirection: UP) { floor } } }"}`,
			`{"query":"query A($a: String!) { ethereum { collection(contractAddress: $a) { name } } }"}`,
			`{"query":"{ ethereum { collection(contractAddress: 7) { name } } }"}`, `{"query":"mutation { a }"}`,
			`{"query":"query A { __typename }","operationName":"B"}`,
			`{"query":"query A { __typename } query B { __typename }"}`,
		},
	} {
		for _, body := range bodies {
			response := ask(t, newAPI(1), http.StatusBadRequest, body)
			assert.Regexp(t, `^{"errors":\[{"message":".+"extensions":{"code":"`+code+`"}}`, response)
			assert.NotContains(t, response, `"data"`)
		}
	}
}

func TestQuery_fieldErrorKeepsOtherData(t *testing.T) {
	for argument, code := range map[string]string{
		`after: \"nope\"`: "INVALID_CURSOR", `before: \"nope\"`: "INVALID_CURSOR", `first: -1`: "INVALID_ARGUMENT",
		`last: -1`: "INVALID_ARGUMENT", `filter: {timestamp: {gt: \"soon\"}}`: "INVALID_ARGUMENT",
	} {
		response := ask(t, newAPI(1), http.StatusOK,
			`{"query":"{ ethereum { transactions(`+argument+`) { totalCount } gasPrices { floor } } }"}`)
		assert.Regexp(t, `^{"data":{"ethereum":{"gasPrices":\[({"floor":[^{]+},?){100}\],"transactions":null}},`+
			`"errors":\[{"message":"[^"]+","path":\["ethereum","transactions"\],"extensions":{"code":"`+code+`"}}\]}`, response)
	}
}

// connection is a list of nodes.
type connection[T any] struct {
	TotalCount int
	Edges      []struct{ Node T }
}

// TestPasses holds values against conditions that they meet, and against others.
func TestPasses(t *testing.T) {
	event := object{"block": 7.0, "type": "SALE", "to": nil, "wallets": []any{"0xA", nil}}
	for _, test := range []struct {
		field     string
		condition any
		want      bool
	}{
		{"block", object{"eq": 7.0}, true}, {"block", object{"eq": 8.0}, false}, {"block", object{"gt": 7.0}, false},
		{"block", object{"gt": 6.0, "lt": 8.0}, true}, {"block", object{"gte": 7.0, "lte": 7.0}, true},
		{"block", object{"lt": 7.0}, false}, {"block", object{"gte": 8.0}, false}, {"block", object{"lte": 6.0}, false},
		{"block", object{"in": []any{1.0, 7.0}}, true}, {"block", object{"in": []any{}}, false}, {"type", nil, true},
		{"type", "sale", true}, {"type", object{"eq": "Sale"}, true}, {"type", object{"eq": nil}, true},
		{"type", object{"notIn": []any{"BURN"}}, true}, {"type", object{"notIn": []any{"SALE"}}, false},
		{"to", object{"eq": ""}, false}, {"to", "0xA", false},
		{"wallets", object{"eq": "0xa"}, true}, {"wallets", "another", false},
	} {
		assert.Equal(t, test.want, passes(event, object{test.field: test.condition}), test)
	}
	assert.False(t, passes(event, object{"block": 7.0, "type": "BURN"}), "each condition has to be met")
	assert.True(t, passes(event, []any{object{"type": "BURN"}, object{"type": "SALE"}}), "or one of a list")
}

// TestQuery_dataAreConsistent counts pieces and sales from several sides.
func TestQuery_dataAreConsistent(t *testing.T) {
	api := newAPI(7)
	type sales struct {
		PriceInNativeToken   any
		EstimatedConfirmedAt string
	}
	all := query[map[string]map[string]connection[struct{ Address string }]](t, api,
		`{ polygon { ...All } ethereum { ...All } }
		fragment All on EVMSchemaType { collections { edges { node { address } } } }`, nil)
	assert.NotEqual(t, all["polygon"], all["ethereum"])
	for _, edge := range all["polygon"]["collections"].Edges {
		of := query[map[string]map[string]struct {
			TotalSupply, CirculatingSupply int
			Wallets                        connection[struct{ WalletCollection struct{ NFTsCount int } }]
			Sales, Week                    connection[sales]
			OrderHistory                   []sales
			OHLCVChart                     []struct{ Count int }
		}](t, api, `query Q($c: String!) { polygon { collection(contractAddress: $c) { totalSupply circulatingSupply
			wallets(first: 250) { edges { node { walletCollection(collectionAddress: $c) { nftsCount } } } }
			sales(first: 250) { edges { node { priceInNativeToken estimatedConfirmedAt } } }
			orderHistory { priceInNativeToken: priceInEth estimatedConfirmedAt: timestamp }
			week: sales(filter: {timePeriod: SEVEN_DAYS}) { totalCount }
			ohlcvChart(filter: {limit: 1000}) { count } } } }`, object{"c": edge.Node.Address})["polygon"]["collection"]
		pieces, candles := 0, 0
		for _, holder := range of.Wallets.Edges {
			pieces += holder.Node.WalletCollection.NFTsCount
		}
		assert.Equal(t, []int{pieces, pieces}, []int{of.TotalSupply, of.CirculatingSupply}, "the holders hold all")
		require.Len(t, of.OrderHistory, len(of.Sales.Edges))
		for i, sale := range of.Sales.Edges {
			assert.Equal(t, sale.Node, of.OrderHistory[i])
		}
		assert.Less(t, of.Week.TotalCount, len(of.Sales.Edges))
		for _, candle := range of.OHLCVChart {
			candles += candle.Count
		}
		assert.Len(t, of.Sales.Edges, candles, "every sale is in the chart")
	}
}

func TestQuery_fragmentsAliasesAndDirectives(t *testing.T) {
	assert.JSONEq(t, `{"ethereum":{"collections":{"__typename":"EVMSchemaTypeCollectionsConnection","totalCount":5,
		"edges":[{"node":{"name":"Quiet Harbors","kind":"ERC721Collection"}}]}}}`,
		string(query[json.RawMessage](t, newAPI(1), `query Q($n: Int = 1, $no: Boolean!) {
			ethereum { ...Two ... on EVMSchemaType { collections(first: $n) { totalCount } }
				gone: gasPrices @include(if: $no) { floor } } }
			fragment Two on EVMSchemaType { collections(first: $n) {
				__typename edges { node { name ... on ERC1155Collection { slug } kind: __typename } } } }`, object{"no": false})))
}

func TestWindow_boundsByArguments(t *testing.T) {
	for _, test := range []struct {
		args       object
		start, end int
	}{
		{object{"first": 2}, 0, 2}, {object{"first": 2, "after": 1}, 2, 4}, {object{"after": 9}, 5, 5},
		{object{"first": 0}, 0, 0}, {object{"first": 9}, 0, 3}, {object{"last": 2}, 3, 5},
		{object{"last": 2, "before": 3}, 1, 3}, {object{"after": 0, "before": 3}, 1, 3},
		{object{"first": 3, "last": 1}, 2, 3}, {object{"after": 3, "before": 1}, 4, 1},
	} {
		begin, end := window(test.args, 5, 3)
		assert.Equal(t, []int{test.start, test.end}, []int{begin, end}, test.args)
	}
}
