package graphapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
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
		`after: \"nope\"`: "INVALID_CURSOR", `first: -1`: "INVALID_ARGUMENT",
		`before: \"nope\"`: "INVALID_CURSOR", `last: -1`: "INVALID_ARGUMENT",
	} {
		text := ask(t, newAPI(1), http.StatusOK,
			`{"query":"{ ethereum { transactions(`+argument+`) { totalCount } gasPrices { floor } } }"}`)
		var response struct {
			Data   struct{ Ethereum map[string][]any }
			Errors []struct {
				Path       []string
				Extensions map[string]string
			}
		}
		require.NoError(t, json.Unmarshal([]byte(text), &response))
		assert.Nil(t, response.Data.Ethereum["transactions"])
		assert.Len(t, response.Data.Ethereum["gasPrices"], gasBlocks, "the rest of the data is there")
		assert.Equal(t, []string{"ethereum", "transactions"}, response.Errors[0].Path)
		assert.Equal(t, map[string]string{"code": code}, response.Errors[0].Extensions)
	}
}

func TestQuery_isDeterministicBySeed(t *testing.T) {
	const part = ` { collections { edges { node { address name } } }
		transactions(first: 5) { edges { node { hash value } } } } `
	ask := func(seed uint64) map[string]any {
		return query[map[string]any](t, newAPI(seed), "{ ethereum"+part+"polygon"+part+"}", nil)
	}
	one := ask(1)
	assert.Equal(t, one, ask(1))
	assert.NotEqual(t, one, ask(2))
	assert.NotEqual(t, one["ethereum"], one["polygon"])
}

// connection is a list of nodes.
type connection[T any] struct {
	TotalCount int
	Edges      []struct{ Node T }
}

// TestTokenEvents_filters holds each condition against an event that it must find, and against one that it must not.
func TestTokenEvents_filters(t *testing.T) {
	api := newAPI(1)
	const selection = `{ totalCount edges { node { blockNumber fromAddress toAddress timestamp transactionHash type __typename
		... on TokenSaleEvent { contractAddress contractERCStandard marketplace } } } }`
	events := func(filter string) connection[map[string]any] {
		return query[map[string]map[string]connection[map[string]any]](t, api,
			`{ ethereum { tokenEvents(first: 1, filter: {`+filter+`}) `+selection+` } }`, nil)["ethereum"]["tokenEvents"]
	}
	found := events(`type: {eq: SALE}`).Edges
	require.Len(t, found, 1)
	assert.Equal(t, "TokenSaleEvent", found[0].Node["__typename"])
	sale := func(field string) string { return `"` + found[0].Node[field].(string) + `"` }
	bare := func(field string) string { return found[0].Node[field].(string) }
	block := int(found[0].Node["blockNumber"].(float64))
	near := func(conditions string) string {
		return fmt.Sprintf("blockNumber: {"+conditions+"}", block-1, block, block+1)
	}
	for want, filters := range map[bool][]string{
		true: {
			near("eq: %[2]d"), near("gt: %[1]d, lt: %[3]d"), near("gte: %[2]d, lte: %[2]d"), near("in: [1, %[2]d]"),
			"contractAddress: {eq: " + strings.ToUpper(sale("contractAddress")) + "}",
			"contractStandard: {eq: " + bare("contractERCStandard") + "}",
			`fromAddress: {in: ["x", ` + sale("fromAddress") + `]}`,
			"toAddress: {eq: " + sale("toAddress") + "}", "marketplace: {in: [" + bare("marketplace") + "]}",
			"timestamp: {eq: " + sale("timestamp") + "}",
			"timestamp: {gte: " + sale("timestamp") + ", lte: " + sale("timestamp") + "}",
			"transactionHash: {eq: " + sale("transactionHash") + "}", "walletAddress: {eq: " + sale("toAddress") + "}",
			"type: {eq: null}",
		},
		false: {
			near("gt: 1%[2]d"), "blockNumber: {in: []}", `contractAddress: {eq: "another"}`,
			"contractStandard: {notIn: [ERC20, ERC721, ERC1155]}", `toAddress: {eq: ""}`, "marketplace: {eq: ZEROX}",
			`timestamp: {lt: "2025-01-01T00:00:00Z"}`, `walletAddress: {eq: "another"}`,
			"type: {notIn: [SALE]}, marketplace: {eq: BLUR}",
		},
	} {
		for _, filter := range filters {
			assert.Equal(t, want, events(filter).TotalCount > 0, filter)
		}
	}
	assert.Contains(t, ask(t, api, http.StatusOK,
		`{"query": "{ ethereum { tokenEvents(filter: {timestamp: {gt: \"soon\"}}) { totalCount } } }"}`), "INVALID_ARGUMENT")
}

// TestQuery_dataAreConsistent counts pieces and sales from several sides.
func TestQuery_dataAreConsistent(t *testing.T) {
	api := newAPI(7)
	type sales struct {
		PriceInNativeToken   any
		EstimatedConfirmedAt string
	}
	all := query[map[string]map[string]connection[struct{ Address string }]](t, api,
		`{ polygon { collections { edges { node { address } } } } }`, nil)["polygon"]["collections"]
	require.NotEmpty(t, all.Edges)
	for _, edge := range all.Edges {
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
