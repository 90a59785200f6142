package clienttest

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

type (
	taggedChain struct {
		Collection *struct {
			Name   string `json:"name"`
			Supply int    // without a tag
		} `json:"collection"`
	}
	tagged struct {
		Ethereum taggedChain `json:"ethereum"`
	}
	untagged struct{ Ethereum taggedChain }
	embedded struct {
		tagged
		Polygon *taggedChain `json:"polygon"`
	}
	taking struct {
		Rest map[string]json.RawMessage `json:",embed"`
	}
	reading struct{ tagged }
)

func (r *reading) UnmarshalJSON(text []byte) error { return nil }

// unmatched sends a query of the caller's own and returns what is wrong with the response.
func unmatched[T any](body string) func(t *testing.T) (any, error) {
	return func(t *testing.T) (any, error) {
		client, _ := scripted(t, says(200, body))
		return graph.Query[T](t.Context(), client.Graph, "query Names { ethereum polygon b }", nil)
	}
}

// TestGraphQueryFieldsWithoutMembers keeps a wrong name in a caller's type from being an empty result.
func TestGraphQueryFieldsWithoutMembers(t *testing.T) {
	const found = `{"data":{"ethereum":{"collection":{"name":"a"}}}}`
	for name, test := range map[string]struct {
		ask  func(t *testing.T) (any, error)
		want string // Empty where nothing is wrong.
	}{
		"all is well":               {unmatched[tagged](found), ""},
		"a name without its tag":    {unmatched[untagged](found), `the field at "/data/ethereum" has no member in clienttest.untagged: names match exactly, and a member is named "Ethereum"`},
		"a field of no member":      {unmatched[tagged](`{"data":{"ethereum":{},"polygon":{}}}`), `the field at "/data/polygon" has no member in clienttest.tagged: names match exactly, capitals included`},
		"a type without a name":     {unmatched[struct{ A int }](`{"data":{"b":1}}`), `the field at "/data/b" has no member in the struct`},
		"a pointer to a struct":     {unmatched[*tagged](`{"data":{"polygon":{}}}`), `"/data/polygon" has no member`},
		"a field nobody asked for":  {unmatched[tagged](`{"data":{"ethereum":{},"later":{}}}`), ""},
		"no field for any member":   {unmatched[tagged](`{"data":{}}`), `there is no field for any member of clienttest.tagged`},
		"a member without a field":  {unmatched[embedded](found), ""},
		"a null":                    {unmatched[tagged](`{"data":{"ethereum":null}}`), ""},
		"no members at all":         {unmatched[struct{}](`{"data":{}}`), ""},
		"the name of the root type": {unmatched[tagged](`{"data":{"__typename":"Query","ethereum":{}}}`), ""},
		"an embedded struct":        {unmatched[embedded](found), ""},
		"one that takes the rest":   {unmatched[taking](found), ""},
		"one that reads itself":     {unmatched[reading](`{"data":{"b":1}}`), ""},
		"a map":                     {unmatched[map[string]any](found), ""},
		"any value":                 {unmatched[any](`{"data":{}}`), ""},
		"a repeated field":          {unmatched[tagged](`{"data":{"polygon":{}},"data":{"ethereum":{}}}`), ""},
		"a repeated field, wrong":   {unmatched[tagged](`{"data":{"ethereum":{}},"data":{"polygon":{}},"extensions":{"a":[]}}`), `"/data/polygon" has no member`},
		"further in":                {unmatched[tagged](`{"data":{"ethereum":{"collection":{"name":"a","supply":5}}}}`), `the field at "/data/ethereum/collection/supply" has no member in the struct: names match exactly, and a member is named "Supply"`},
		"in a list of a map": {unmatched[map[string][]*taggedChain](`{"data":{"ethereum":[null,{"collection":{"supply":5}}]}}`),
			`"/data/ethereum/1/collection/supply" has no member`},
		"further in, left out":        {unmatched[tagged](`{"data":{"ethereum":{"collection":{"name":"a","symbol":"b"}}}}`), ""},
		"further in, each of its own": {unmatched[tagged](`{"data":{"ethereum":{"collection":{"supply":1,"Supply":5}}}}`), ""},
		"a record of package graph":   {unmatched[map[string]graph.NFT](`{"data":{"nft":{"__typename":"ERC721NFT","typename":"a","Name":"b"}}}`), ""},
		"a scalar":                    {unmatched[map[string]scalar.BigInt](`{"data":{"a":5}}`), ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := test.ask(t)
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			var unreadable *rpcfleet.DecodeError
			require.ErrorAs(t, err, &unreadable)
			assert.Equal(t, rpcfleet.ReasonNoMember, unreadable.Reason)
			assert.Equal(t, "Names", unreadable.Operation)
			assert.Contains(t, unreadable.Detail, test.want)
		})
	}
	client, _ := scripted(t, says(200, `{"data":{"ethereum":{},"polygon":{}}}`))
	_, err := graph.Query[tagged](t.Context(), client.Graph, "query Names { ...F } fragment F on Query { ethereum polygon }", nil)
	require.ErrorContains(t, err, "/data/polygon", "what a fragment asks for")

	got, err := unmatched[tagged](`{"data":{"ethereum":{"collection":{"name":"a"}},"polygon":{}}}`)(t)
	require.Error(t, err)
	assert.Equal(t, "a", got.(tagged).Ethereum.Collection.Name, "what was decoded is beside the error")
}

// TestGraphQueryNumbers reads numbers of a caller's type exactly.
func TestGraphQueryNumbers(t *testing.T) {
	type numbers struct {
		A json.Number            `json:"a"`
		B []*json.Number         `json:"b"`
		C map[string]json.Number `json:"c"`
	}
	client, _ := scripted(t, says(200, `{"data":{"a":12345678901234567890.50,"b":[1e400,null,"-7.0"],"c":{"x":0.10,"y":null}}}`))
	got, err := graph.Query[numbers](t.Context(), client.Graph, "{ a }", nil)
	require.NoError(t, err)
	assert.Equal(t, numbers{
		"12345678901234567890.50", []*json.Number{new(json.Number("1e400")), nil, new(json.Number("-7.0"))}, map[string]json.Number{"x": "0.10", "y": ""},
	}, got)
	for _, value := range []string{`"abc"`, `""`, `" 7"`, `"NaN"`, `true`, `{"b":1}`, `[7]`} {
		client, _ := scripted(t, says(200, `{"data":{"a":7,"c":{"x":`+value+`}}}`))
		_, err := graph.Query[numbers](t.Context(), client.Graph, "{ a }", nil)
		var unreadable *rpcfleet.DecodeError
		require.ErrorAs(t, err, &unreadable, value)
		assert.Contains(t, unreadable.Detail, `at "/data/c/x" cannot be read as json.Number`)
	}
}
