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
	return respondJSON(200, `{"data":{"ethereum":{"collection":{"wallets":`+list+`}}}}`)
}

// holding is a connection over the holders.
func holding[T any](client *rpcfleet.Client) *rpcfleet.Connection[T] {
	return rpcfleet.QueryConnection[T](client.Graph, holdersQuery, nil, holdersPath)
}

func TestQueryConnection_readsEveryPage(t *testing.T) {
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

func TestQueryConnection_readsBackward(t *testing.T) {
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

func TestQueryConnection_readsInterfaces(t *testing.T) {
	client, _ := scripted(t,
		respondJSON(200,
			`{"data":{"polygon":{"nfts":{"edges":[{"node":{"__typename":"ERC721NFT","tokenId":"7"}}],"pageInfo":{"hasNextPage":false}}}}}`))
	page, err := rpcfleet.QueryConnection[graph.NFT](client.Graph,
		`query($after: String) { polygon { nfts: a(after: $after) { b } } }`, nil, "polygon.nfts").Page(t.Context())
	require.NoError(t, err)
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

// TestQueryConnection_failsForAnOddPage even if the response lacks a part that only paging needs.
func TestQueryConnection_failsForAnOddPage(t *testing.T) {
	at := func(list string) string { return `{"ethereum":{"collection":{"wallets":` + list + `}}}` }
	for body, want := range map[string]string{
		at(`{"pageInfo":{"hasNextPage":false}}`):                          "no edges",
		at(`{"edges":[{"cursor":"a"}],"pageInfo":{"hasNextPage":false}}`): "edge 0 of the list has no node",
		at(`{"edges":[{"node":{}}]}`):                                     "no pageInfo.hasNextPage",
		at(`{"edges":[{"node":{}}],"pageInfo":{"hasNextPage":true}}`):     "no cursor",
		at(`"none"`): "string",
		`{"ethereum":{"collection":{"Wallets":{}}}}`: `no "wallets" on the path`,
		`{"ethereum":[]}`: `an array instead of`,
	} {
		client, _ := scripted(t, respondJSON(200, `{"data":`+body+`}`))
		_, err := holding[graph.Wallet](client).Page(t.Context())
		unread := errorAs[*rpcfleet.DecodeError](t, err, body)
		assert.Equal(t, "Holders", unread.Operation)
		assert.Equal(t, rpcfleet.ReasonUnexpectedType, unread.Reason)
		assert.Contains(t, unread.Detail, want)
	}
	client, _ := scripted(t, holders(`{"edges":[],"pageInfo":{"hasNextPage":false}}`),
		holders(`{"edges":[{"cursor":"a"},{"cursor":"b"}],"pageInfo":{"hasPreviousPage":false}}`),
		respondJSON(200, `{"data":{"ethereum":null},"errors":[{"message":"too slow"}]}`))
	_, err := holding[graph.Wallet](client).Before("").Page(t.Context())
	require.ErrorContains(t, err, "no pageInfo.hasPreviousPage")
	_, err = holding[graph.Wallet](client).Before("").Page(t.Context())
	require.ErrorContains(t, err, "edge 1 of the list has no node", "its place in the response")
	_, err = holding[graph.Wallet](client).Page(t.Context())
	require.ErrorContains(t, err, "too slow")
	require.NotErrorIs(t, err, rpcfleet.ErrNotFound)
	for _, nothing := range []string{`{"ethereum":null}`, `{"ethereum":{"collection":null}}`, at(`null`)} {
		client, _ := scripted(t, respondJSON(200, `{"data":`+nothing+`}`))
		_, err := holding[graph.Wallet](client).Page(t.Context())
		require.ErrorIs(t, err, rpcfleet.ErrNotFound)
	}
}

// TestQueryConnection_keepsReadableItems if a part of a page cannot be read.
func TestQueryConnection_keepsReadableItems(t *testing.T) {
	const odd = `{"edges":[{"cursor":"a","node":{"address":"0x01"}},{"cursor":"b","node":{"address":[]}},{"cursor":"c","node":{"address":"0x03"}},null],
		"pageInfo":{"hasNextPage":true,"endCursor":"c","hasPreviousPage":true,"startCursor":"a"}}`
	const last = `{"edges":[{"cursor":"d","node":{"address":"0x04"}}],"pageInfo":{"hasNextPage":false,"hasPreviousPage":false}}`
	const place = `"/data/ethereum/collection/wallets/edges/`
	client, server := scripted(t, holders(odd), holders(last))
	for _, test := range []struct {
		connection *rpcfleet.Connection[graph.Wallet]
		want       []string
		fault      string
	}{
		{holding[graph.Wallet](client), []string{"0x01", "0x03", "failure", "0x04"},
			`an array at ` + place + `1/node/address" cannot be read as string, and 1 more are missing`},
		{holding[graph.Wallet](client).Before(""), []string{"0x03", "0x01", "failure", "0x04"},
			`a null instead of an item at ` + place + `3", and 1 more are missing`},
	} {
		server.Play(holders(odd), holders(last))
		var read []string
		for holder, err := range test.connection.All(t.Context()) {
			if err == nil {
				read = append(read, holder.Address)
				continue
			}
			read = append(read, "failure")
			require.ErrorContains(t, err, test.fault)
		}
		assert.Equal(t, test.want, read)
	}
	page, err := holding[struct{ Address string }](client).Page(t.Context())
	require.NoError(t, err)
	require.Len(t, page.Items, 1)
	assert.NotEmpty(t, page.Items[0].Address, "names match in any case")

	// A null has no place in a list of a record.
	server.Play(holders(`{"edges":[{"node":{"tokens":[{"address":"0x01"},null]}}],"pageInfo":{"hasNextPage":false}}`))
	_, err = holding[struct {
		Tokens []graph.Wallet `json:"tokens"`
	}](client).Page(t.Context())
	require.ErrorContains(t, err, `a null at `+place+`0/node/tokens/1"`)
}
