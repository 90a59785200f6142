package graphapi

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
)

// ask sends a body to an API and returns the status and the decoded response.
func ask(t *testing.T, api *API, body string) (int, map[string]any) {
	t.Helper()
	recorder := httptest.NewRecorder()
	api.ServeHTTP(recorder, httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(body)))
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
	api, err := New(fleet.Graph{Seed: seed}, 250)
	require.NoError(t, err)
	return api
}

func TestRefusals(t *testing.T) {
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

func TestFailuresInTheMiddleOfAQuery(t *testing.T) {
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

func TestTheSeedDecides(t *testing.T) {
	const text = `{ ethereum { collections { edges { node { address name } } } transactions(first: 5) { edges { node { hash value } } } }
		polygon { collections { edges { node { address name } } } transactions(first: 5) { edges { node { hash value } } } } }`
	one := query(t, newAPI(t, 1), text, nil)
	assert.Equal(t, one, query(t, newAPI(t, 1), text, nil))
	assert.NotEqual(t, one, query(t, newAPI(t, 2), text, nil))
	assert.NotEqual(t, one["ethereum"], one["polygon"])
}
