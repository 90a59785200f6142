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

// TestGraphQueryMatchesNamesInAnyCase reads as encoding/json does.
func TestGraphQueryMatchesNamesInAnyCase(t *testing.T) {
	type names struct {
		Ethereum struct {
			Collection struct {
				Name       string `json:"name"`
				Supply     int    // Without a tag.
				TokenID    scalar.BigInt
				unexported int
			}
		}
		NFT graph.NFT
	}
	client, _ := scripted(t,
		says(200, `{"data":{"ethereum":{"collection":{"name":"a","supply":5,"tokenId":"7","unexported":1,"later":[{}]}},`+
			`"nft":{"__typename":"ERC721NFT","tokenID":8,"tokenId":"9"},"polygon":{}}}`))
	got, err := graph.Query[names](t.Context(), client.Graph, "query Names { ethereum nft polygon }", nil)
	require.NoError(t, err)
	assert.Equal(t, "a", got.Ethereum.Collection.Name)
	assert.Equal(t, 5, got.Ethereum.Collection.Supply)
	assert.Equal(t, "7", got.Ethereum.Collection.TokenID.String())
	assert.Zero(t, got.Ethereum.Collection.unexported)
	require.NotNil(t, got.NFT)
	assert.Equal(t, "9", got.NFT.GetTokenID().String())
}

// TestGraphQueryNumbers reads numbers of a caller's type exactly.
func TestGraphQueryNumbers(t *testing.T) {
	type numbers struct {
		A json.Number            `json:"a"`
		B []*json.Number         `json:"b"`
		C map[string]json.Number `json:"c"`
	}
	client, _ := scripted(t,
		says(200, `{"data":{"a":12345678901234567890.50,"b":[1e400,null,"-7.0"],"c":{"x":0.10,"y":null}}}`))
	got, err := graph.Query[numbers](t.Context(), client.Graph, "{ a }", nil)
	require.NoError(t, err)
	assert.Equal(t, numbers{
		"12345678901234567890.50", []*json.Number{new(json.Number("1e400")), nil, new(json.Number("-7.0"))},
		map[string]json.Number{"x": "0.10", "y": ""},
	}, got)
	for _, value := range []string{`"abc"`, `""`, `" 7"`, `"NaN"`, `true`, `{"b":1}`, `[7]`} {
		client, _ := scripted(t, says(200, `{"data":{"a":7,"c":{"x":`+value+`}}}`))
		_, err := graph.Query[numbers](t.Context(), client.Graph, "{ a }", nil)
		var unreadable *rpcfleet.DecodeError
		require.ErrorAs(t, err, &unreadable, value)
		assert.Contains(t, unreadable.Detail, `at "/data/c/x" cannot be read as json.Number`)
	}
}
