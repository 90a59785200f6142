package clienttest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
)

const (
	holdersPath  = "ethereum.collection.wallets"
	holdersQuery = `query Holders($address: String!, $first: Int, $after: String, $last: Int, $before: String) {
		ethereum { collection(contractAddress: $address) { wallets(first: $first, after: $after, last: $last, before: $before) {
			edges { cursor node { address ensName } }
			pageInfo { hasNextPage endCursor hasPreviousPage startCursor }
		} } }
	}`
)

// holders responds with a page of wallets.
func holders(list string) responder {
	return says(200, `{"data":{"ethereum":{"collection":{"wallets":`+list+`}}}}`)
}

func TestQueryConnection(t *testing.T) {
	client, server := scripted(t,
		holders(`{"edges":[{"cursor":"a","node":{"address":"0x01","ensName":"a.eth"}},{"cursor":"b","node":{"address":"0x02"}}],
			"pageInfo":{"hasNextPage":true,"endCursor":"b"},"totalCount":3}`),
		holders(`{"edges":[{"cursor":"c","node":{"address":"0x03"}}],"pageInfo":{"hasNextPage":false}}`))
	given := map[string]any{"address": "0xa1", "unusual": int64(1 << 53)}
	connection := rpcfleet.QueryConnection[graph.Wallet](client.Graph, holdersQuery, given, holdersPath,
		rpcfleet.WithPageSize(2))
	given["address"] = "0xb2" // The connection has its own.
	assert.Empty(t, server.Requests())
	var read []string
	for holder, err := range connection.All(t.Context()) {
		require.NoError(t, err)
		read = append(read, holder.Address)
	}
	assert.Equal(t, []string{"0x01", "0x02", "0x03"}, read)
	require.Len(t, server.Requests(), 2)
	assert.Equal(t, map[string]any{
		"query": holdersQuery, "variables": map[string]any{"address": "0xa1", "unusual": float64(1 << 53), "first": 2.0},
	}, decodeBody(t, server.Requests()[0].Body))
	assert.Equal(t, "b", variables(t, server.Requests()[1])["after"])
}

func TestQueryConnectionBackward(t *testing.T) {
	client, server := scripted(t,
		holders(`{"edges":[{"node":{"address":"0x02"}},{"node":{"address":"0x03"}}],"pageInfo":{"hasPreviousPage":true,"startCursor":"b"}}`),
		holders(`{"edges":[{"node":{"address":"0x01"}}],"pageInfo":{"hasPreviousPage":false}}`))
	connection := rpcfleet.QueryConnection[graph.Wallet](client.Graph, holdersQuery, struct {
		Last int `json:"last"`
	}{7}, holdersPath)
	var read []string
	for holder, err := range connection.Before("").All(t.Context()) {
		require.NoError(t, err)
		read = append(read, holder.Address)
	}
	assert.Equal(t, []string{"0x03", "0x02", "0x01"}, read)
	assert.Equal(t, map[string]any{"last": 7.0}, variables(t, server.Requests()[0]), "the caller's own size")
	assert.Equal(t, map[string]any{"last": 7.0, "before": "b"}, variables(t, server.Requests()[1]))
}

func TestQueryConnectionOfRecordsWithInterfaces(t *testing.T) {
	client, _ := scripted(t,
		says(200, `{"data":{"polygon":{"nfts":{"edges":[{"node":{"__typename":"ERC721NFT","tokenId":"7"}}],"pageInfo":{"hasNextPage":false}}}}}`))
	page, err := rpcfleet.QueryConnection[graph.NFT](client.Graph,
		`query($after: String) { polygon { nfts: a(after: $after) { b } } }`, nil, "polygon.nfts").Page(t.Context())
	require.NoError(t, err)
	assert.IsType(t, &graph.NFTERC721NFT{}, page.Items[0])
}

func TestQueryConnectionChecks(t *testing.T) {
	client, server := scripted(t, says(500, ""))
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
		var broken *rpcfleet.ValidationError
		require.ErrorAs(t, err, &broken, want)
		assert.EqualError(t, err, "rpcfleet: "+want)
	}
	assert.Empty(t, server.Requests())
}
