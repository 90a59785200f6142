package clienttest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
)

// TestQueryConnectionLosesNothing even if a response lacks a part that paging needs.
func TestQueryConnectionLosesNothing(t *testing.T) {
	for name, test := range map[string]struct {
		body, want string
	}{
		"no edges": {`{"ethereum":{"collection":{"wallets":{"pageInfo":{"hasNextPage":false}}}}}`, "no edges"},
		"no nodes": {
			`{"ethereum":{"collection":{"wallets":{"edges":[{"cursor":"a"}],"pageInfo":{"hasNextPage":false}}}}}`,
			"edge 0 of the list has no node"},
		"no page info": {`{"ethereum":{"collection":{"wallets":{"edges":[{"node":{}}]}}}}`, "no pageInfo.hasNextPage"},
		"no word of more": {`{"ethereum":{"collection":{"wallets":{"edges":[],"pageInfo":{"endCursor":"a"}}}}}`,
			"no pageInfo.hasNextPage"},
		"no cursor": {
			`{"ethereum":{"collection":{"wallets":{"edges":[{"node":{}}],"pageInfo":{"hasNextPage":true}}}}}`, "no cursor"},
		"another name":       {`{"ethereum":{"collection":{"Wallets":{}}}}`, `no "wallets" on the path`},
		"a list on the path": {`{"ethereum":[]}`, `an array instead of`},
		"no object":          {`{"ethereum":{"collection":{"wallets":"none"}}}`, "string"},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := scripted(t, says(200, `{"data":`+test.body+`}`))
			_, err := rpcfleet.QueryConnection[graph.Wallet](client.Graph, holdersQuery, nil, holdersPath).Page(t.Context())
			var unreadable *rpcfleet.DecodeError
			require.ErrorAs(t, err, &unreadable)
			assert.Equal(t, "Holders", unreadable.Operation)
			assert.Equal(t, rpcfleet.ReasonUnexpectedType, unreadable.Reason)
			assert.Contains(t, unreadable.Detail, test.want)
		})
	}
	client, _ := scripted(t, holders(`{"edges":[],"pageInfo":{"hasNextPage":false}}`))
	_, err := rpcfleet.QueryConnection[graph.Wallet](client.Graph, holdersQuery, nil, holdersPath).Before("").Page(
		t.Context())
	require.ErrorContains(t, err, "no pageInfo.hasPreviousPage")
	for _, nothing := range []string{`{"ethereum":null}`, `{"ethereum":{"collection":null}}`,
		`{"ethereum":{"collection":{"wallets":null}}}`} {
		client, _ := scripted(t, says(200, `{"data":`+nothing+`}`))
		_, err := rpcfleet.QueryConnection[graph.Wallet](client.Graph, holdersQuery, nil, holdersPath).Page(t.Context())
		require.ErrorIs(t, err, rpcfleet.ErrNotFound)
	}
	client, _ = scripted(t, says(200, `{"data":{"ethereum":null},"errors":[{"message":"too slow"}]}`))
	_, err = rpcfleet.QueryConnection[graph.Wallet](client.Graph, holdersQuery, nil, holdersPath).Page(t.Context())
	require.ErrorContains(t, err, "too slow")
	require.NotErrorIs(t, err, rpcfleet.ErrNotFound)
}

// TestQueryConnectionKeepsTheRest if a part of a page cannot be read, or if a type has a wrong name.
func TestQueryConnectionKeepsTheRest(t *testing.T) {
	const odd = `{"edges":[{"cursor":"a","node":{"address":"0x01"}},{"cursor":"b","node":{"address":[]}},{"cursor":"c","node":{"address":"0x03"}},null],
		"pageInfo":{"hasNextPage":true,"endCursor":"c","hasPreviousPage":true,"startCursor":"a"}}`
	const last = `{"edges":[{"cursor":"d","node":{"address":"0x04"}}],"pageInfo":{"hasNextPage":false,"hasPreviousPage":false}}`
	for name, test := range map[string]struct {
		backward bool
		want     []string
		fault    string
	}{
		"forward": {false, []string{"0x01", "0x03", "failure", "0x04"},
			`an array at "/data/ethereum/collection/wallets/edges/1/node/address" cannot be read as string, and 1 more are missing`},
		"backward": {true, []string{"0x03", "0x01", "failure", "0x04"},
			`a null instead of an item at "/data/ethereum/collection/wallets/edges/3", and 1 more are missing`},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := scripted(t, holders(odd), holders(last))
			connection := rpcfleet.QueryConnection[graph.Wallet](client.Graph, holdersQuery, nil, holdersPath)
			if test.backward {
				connection = connection.Before("")
			}
			var read []string
			for holder, err := range connection.All(t.Context()) {
				if err == nil {
					read = append(read, holder.Address)
					continue
				}
				read = append(read, "failure")
				require.ErrorContains(t, err, test.fault)
			}
			assert.Equal(t, test.want, read)
			for _, err := range connection.All(t.Context()) {
				if err != nil {
					break // Nothing is delivered to a loop that has ended.
				}
			}
		})
	}
	client, _ := scripted(t, holders(`{"edges":[{"cursor":"a"},{"cursor":"b"}],"pageInfo":{"hasPreviousPage":false}}`))
	_, err := rpcfleet.QueryConnection[graph.Wallet](client.Graph, holdersQuery, nil, holdersPath).Before("").Page(
		t.Context())
	require.ErrorContains(t, err, "edge 1 of the list has no node", "where it was in the response")

	client, _ = scripted(t, holders(last))
	page, err := rpcfleet.QueryConnection[struct{ Address string }](client.Graph, holdersQuery, nil, holdersPath).Page(
		t.Context())
	require.NoError(t, err)
	require.Len(t, page.Items, 1)
	assert.NotEmpty(t, page.Items[0].Address, "names match in any case")

	// A null has no place in a list of a record.
	client, _ = scripted(t,
		holders(`{"edges":[{"node":{"tokens":[{"address":"0x01"},null]}}],"pageInfo":{"hasNextPage":false}}`))
	_, err = rpcfleet.QueryConnection[struct {
		Tokens []graph.Wallet `json:"tokens"`
	}](client.Graph, holdersQuery, nil, holdersPath).Page(t.Context())
	require.ErrorContains(t, err, `a null at "/data/ethereum/collection/wallets/edges/0/node/tokens/1"`)
}
