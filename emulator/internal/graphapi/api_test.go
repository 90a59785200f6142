package graphapi

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ask sends a body to an API and returns the status and the decoded response.
func ask(t *testing.T, api *API, body string) (int, map[string]any) {
	t.Helper()
	recorder := httptest.NewRecorder()
	api.Serve(t.Context(), recorder, []byte(body))
	require.Equal(t, "application/json", recorder.Header().Get("Content-Type"))
	var response map[string]any
	require.NoError(t, json.Unmarshal(recorder.Body.Bytes(), &response), recorder.Body.String())
	return recorder.Code, response
}

// query sends a query that has to succeed, and returns its data.
func query(t *testing.T, api *API, text string, variables map[string]any) map[string]any {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": text, "variables": variables})
	require.NoError(t, err)
	status, response := ask(t, api, string(body))
	require.Equal(t, http.StatusOK, status, "%v", response)
	require.NotContains(t, response, "errors")
	data, ok := response["data"].(map[string]any)
	require.True(t, ok)
	return data
}

func newAPI(t *testing.T, seed uint64) *API {
	t.Helper()
	return New(seed, 250)
}

func TestServe_refusesInvalidRequests(t *testing.T) {
	api := newAPI(t, 1)
	for name, test := range map[string]struct{ body, code string }{
		"no JSON":       {`{`, "BAD_REQUEST"},
		"no query":      {`{"variables":{}}`, "BAD_REQUEST"},
		"no text":       {`{"query":7}`, "BAD_REQUEST"},
		"broken":        {`{"query":"{ ethereum {"}`, "INVALID_QUERY"},
		"unknown field": {`{"query":"{ ethereum { nope } }"}`, "INVALID_FIELD"},
		"introspection": {`{"query":"{ __schema { queryType { name } } }"}`, "INVALID_FIELD"},
		"unknown chain": {`{"query":"{ solana { gasPrices { floor } } }"}`, "INVALID_FIELD"},
		"missing variable": {`{"query":"query A($a: String!) { ethereum { collection(contractAddress: $a) { name } } }"}`,
			"INVALID_QUERY"},
		"wrong argument":       {`{"query":"{ ethereum { collection(contractAddress: 7) { name } } }"}`, "INVALID_QUERY"},
		"a mutation":           {`{"query":"mutation { a }"}`, "INVALID_QUERY"},
		"no such operation":    {`{"query":"query A { __typename }","operationName":"B"}`, "INVALID_QUERY"},
		"two, none of them":    {`{"query":"query A { __typename } query B { __typename }"}`, "INVALID_QUERY"},
		"an enum out of range": {`{"query":"{ ethereum { gasPrices(orderDirection: UP) { floor } } }"}`, "INVALID_QUERY"},
	} {
		t.Run(name, func(t *testing.T) {
			status, response := ask(t, api, test.body)
			assert.Equal(t, http.StatusBadRequest, status)
			assert.NotContains(t, response, "data")
			errors, ok := response["errors"].([]any)
			require.True(t, ok)
			first, ok := errors[0].(map[string]any)
			require.True(t, ok)
			assert.NotEmpty(t, first["message"])
			assert.Equal(t, map[string]any{"code": test.code}, first["extensions"])
		})
	}
}

func TestQuery_fieldErrorKeepsOtherData(t *testing.T) {
	api := newAPI(t, 1)
	for argument, code := range map[string]string{
		`after: \"nope\"`:  "INVALID_CURSOR",
		`first: -1`:        "INVALID_ARGUMENT",
		`before: \"nope\"`: "INVALID_CURSOR",
		`last: -1`:         "INVALID_ARGUMENT",
	} {
		status, response := ask(t, api, `{"query":"{ ethereum { transactions(`+argument+
			`) { totalCount } gasPrices { floor } } }"}`)
		assert.Equal(t, http.StatusOK, status)
		data := response["data"].(map[string]any)["ethereum"].(map[string]any)
		assert.Nil(t, data["transactions"])
		assert.Len(t, data["gasPrices"], gasBlocks, "the rest of the data is there")
		first := response["errors"].([]any)[0].(map[string]any)
		assert.Equal(t, []any{"ethereum", "transactions"}, first["path"])
		assert.Equal(t, map[string]any{"code": code}, first["extensions"])
	}
}

func TestQuery_isDeterministicBySeed(t *testing.T) {
	const text = `{ ethereum { collections { edges { node { address name } } } transactions(first: 5) { edges { node { hash value } } } }
		polygon { collections { edges { node { address name } } } transactions(first: 5) { edges { node { hash value } } } } }`
	one := query(t, newAPI(t, 1), text, nil)
	assert.Equal(t, one, query(t, newAPI(t, 1), text, nil))
	assert.NotEqual(t, one, query(t, newAPI(t, 2), text, nil))
	assert.NotEqual(t, one["ethereum"], one["polygon"])
}

// only returns the node of the only edge of a connection.
func only(t *testing.T, list any) map[string]any {
	t.Helper()
	edges := list.(map[string]any)["edges"].([]any)
	require.Len(t, edges, 1)
	return edges[0].(map[string]any)["node"].(map[string]any)
}

func total(list any) int { return int(list.(map[string]any)["totalCount"].(float64)) }

// TestTokenEvents_filters holds each condition against an event that it must find, and against one that it must not.
func TestTokenEvents_filters(t *testing.T) {
	api := newAPI(t, 1)
	const selection = `{ totalCount edges { node { blockNumber fromAddress toAddress timestamp transactionHash type __typename
		... on TokenSaleEvent { contractAddress contractERCStandard marketplace } } } }`
	events := func(filter string) any {
		return query(t, api, `{ ethereum { tokenEvents(first: 1, filter: {`+filter+`}) `+selection+` } }`, nil)["ethereum"].(map[string]any)["tokenEvents"]
	}
	sale := only(t, events(`type: {eq: SALE}`))
	assert.Equal(t, "TokenSaleEvent", sale["__typename"])
	at, block := sale["timestamp"].(string), int(sale["blockNumber"].(float64))
	for filter, want := range map[string]bool{
		fmt.Sprintf(`blockNumber: {eq: %d}`, block):                                   true,
		fmt.Sprintf(`blockNumber: {gt: %d, lt: %d}`, block-1, block+1):                true,
		fmt.Sprintf(`blockNumber: {gte: %d, lte: %d}`, block, block):                  true,
		fmt.Sprintf(`blockNumber: {gt: %d}`, block+600*10):                            false,
		fmt.Sprintf(`blockNumber: {in: [1, %d]}`, block):                              true,
		`blockNumber: {in: []}`:                                                       false,
		`contractAddress: {eq: "` + strings.ToUpper(sale["contractAddress"].(string)): true,
		`contractAddress: {eq: "another`:                                              false,
		`contractStandard: {eq: ` + sale["contractERCStandard"].(string) + `}`:        true,
		`contractStandard: {notIn: [ERC20, ERC721, ERC1155]}`:                         false,
		`fromAddress: {in: ["x", "` + sale["fromAddress"].(string) + `"]}`:            true,
		`toAddress: {eq: "` + sale["toAddress"].(string):                              true,
		`toAddress: {eq: "`: false,
		`marketplace: {in: [` + sale["marketplace"].(string) + `]}`:  true,
		`marketplace: {eq: ZEROX}`:                                   false,
		`timestamp: {eq: "` + at:                                     true,
		`timestamp: {gte: "` + at + `", lte: "` + at:                 true,
		`timestamp: {lt: "2025-01-01T00:00:00Z`:                      false,
		`transactionHash: {eq: "` + sale["transactionHash"].(string): true,
		`walletAddress: {eq: "` + sale["toAddress"].(string):         true,
		`walletAddress: {eq: "another`:                               false,
		`type: {notIn: [SALE]}, marketplace: {eq: BLUR}`:             false,
		`type: {eq: null}`:                                           true,
	} {
		if strings.Count(filter, `"`)%2 == 1 {
			filter += `"}`
		}
		assert.Equal(t, want, total(events(filter)) > 0, filter)
	}
	_, response := ask(t, api,
		`{"query": "{ ethereum { tokenEvents(filter: {timestamp: {gt: \"soon\"}}) { totalCount } } }"}`)
	assert.Contains(t, fmt.Sprint(response), "INVALID_ARGUMENT")
}

// TestQuery_dataAreConsistent counts pieces and sales from several sides.
func TestQuery_dataAreConsistent(t *testing.T) {
	api := newAPI(t, 7)
	data := query(t, api, `{ polygon { collections { edges { node { address totalSupply circulatingSupply
		wallets(first: 250) { edges { node { address } } }
		sales(first: 250) { totalCount edges { node { priceInNativeToken estimatedConfirmedAt } } }
		orderHistory { priceInEth timestamp tokenId transactionHash }
		week: sales(filter: {timePeriod: SEVEN_DAYS}, first: 250) { totalCount }
		ohlcvChart(filter: {limit: 1000}) { count timestamp } } } } } }`, nil)
	for _, edge := range data["polygon"].(map[string]any)["collections"].(map[string]any)["edges"].([]any) {
		node := edge.(map[string]any)["node"].(map[string]any)
		address := node["address"].(string)
		pieces := new(big.Int)
		for _, holder := range node["wallets"].(map[string]any)["edges"].([]any) {
			held := query(t, api,
				`query Q($w: String!, $c: String!) { polygon { walletByAddress(address: $w) { walletCollection(collectionAddress: $c) { nftsCount } } } }`,
				map[string]any{"w": holder.(map[string]any)["node"].(map[string]any)["address"], "c": address})
			share := held["polygon"].(map[string]any)["walletByAddress"].(map[string]any)["walletCollection"].(map[string]any)
			pieces.Add(pieces, big.NewInt(int64(share["nftsCount"].(float64))))
		}
		assert.Equal(t, node["totalSupply"], float64(pieces.Int64()), "the holders hold all pieces")
		assert.Equal(t, node["totalSupply"], node["circulatingSupply"])

		sales, orders := node["sales"].(map[string]any)["edges"].([]any), node["orderHistory"].([]any)
		require.Len(t, orders, len(sales))
		assert.Less(t, total(node["week"]), len(sales))
		count := 0.0
		for i, sale := range sales {
			sold, order := sale.(map[string]any)["node"].(map[string]any), orders[i].(map[string]any)
			assert.Equal(t, sold["priceInNativeToken"], order["priceInEth"])
			assert.Equal(t, sold["estimatedConfirmedAt"], order["timestamp"])
		}
		for _, candle := range node["ohlcvChart"].([]any) {
			count += candle.(map[string]any)["count"].(float64)
		}
		assert.Equal(t, float64(len(sales)), count, "every sale is in the chart")
	}
}

func TestQuery_fragmentsAliasesAndDirectives(t *testing.T) {
	data := query(t, newAPI(t, 1),
		`query Q($n: Int = 1, $no: Boolean!) { ethereum { ...Two ... on EVMSchemaType { collections(first: $n) { totalCount } }
		gone: gasPrices @include(if: $no) { floor } } } fragment Two on EVMSchemaType { collections(first: $n) { __typename edges { node { name ... on ERC1155Collection { slug } kind: __typename } } } }`,
		map[string]any{"no": false})
	assert.Equal(t, map[string]any{"ethereum": map[string]any{"collections": map[string]any{
		"__typename": "EVMSchemaTypeCollectionsConnection", "totalCount": 5.0,
		"edges": []any{map[string]any{"node": map[string]any{"name": "Quiet Harbors", "kind": "ERC721Collection"}}},
	}}}, data)
}

func TestWindow_boundsByArguments(t *testing.T) {
	for name, test := range map[string]struct {
		args       object
		start, end int
	}{
		"the first":             {object{"first": 2}, 0, 2},
		"after a cursor":        {object{"first": 2, "after": 1}, 2, 4},
		"behind the end":        {object{"after": 9}, 5, 5},
		"none":                  {object{"first": 0}, 0, 0},
		"more than allowed":     {object{"first": 9}, 0, 3},
		"the last":              {object{"last": 2}, 3, 5},
		"before a cursor":       {object{"last": 2, "before": 3}, 1, 3},
		"between cursors":       {object{"after": 0, "before": 3}, 1, 3},
		"the last of the first": {object{"first": 3, "last": 1}, 2, 3},
		"cursors that cross":    {object{"after": 3, "before": 1}, 4, 1},
	} {
		begin, end := window(test.args, 5, 3)
		assert.Equal(t, []int{test.start, test.end}, []int{begin, end}, name)
	}
}
