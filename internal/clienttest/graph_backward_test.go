package clienttest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
)

// pageBefore responds with a page of transactions that was asked for backward. An empty previous is the first page.
func pageBefore(previous string, hashes ...string) responder {
	edges := make([]string, len(hashes))
	for i, hash := range hashes {
		edges[i] = fmt.Sprintf(`{"cursor":"at %s","node":{"hash":%q}}`, hash, hash)
	}
	// The next page has no meaning on the way back.
	info := `"hasNextPage":true,"endCursor":"end"`
	info += fmt.Sprintf(`,"hasPreviousPage":%t,"startCursor":%q`, previous != "", previous)
	return says(200, fmt.Sprintf(`{"data":{"chain":{"transactions":{"edges":[%s],"pageInfo":{%s},"totalCount":5}}}}`,
		strings.Join(edges, ","), info))
}

func TestConnectionGoesBackward(t *testing.T) {
	client, server := scripted(t, pageBefore("c2", "d", "e"), pageBefore("c1", "b", "c"), pageBefore("", "a"))
	all := client.Graph.Transactions(graph.ChainEthereum, graph.TransactionsParams{}, rpcfleet.WithPageSize(2))
	connection := all.Before("")
	read, err := hashes(t, connection)
	require.NoError(t, err)
	assert.Equal(t, []string{"e", "d", "c", "b", "a"}, read)
	require.Len(t, server.Requests(), 3)
	assert.Equal(t, map[string]any{"last": 2.0}, variables(t, server.Requests()[0]))
	assert.Equal(t, map[string]any{"last": 2.0, "before": "c2"}, variables(t, server.Requests()[1]))
	assert.Equal(t, map[string]any{"last": 2.0, "before": "c1"}, variables(t, server.Requests()[2]))
}

func TestConnectionBeforeACursor(t *testing.T) {
	client, server := scripted(t, pageBefore("", "a", "b"), transactionPage("", "c"),
		says(403, `{"errors":[{"message":"no"}]}`))
	connection := client.Graph.Transactions(graph.ChainEthereum, graph.TransactionsParams{})
	page, err := connection.Before("c3").Page(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "b", page.Items[0].Hash, "the last item comes first")
	assert.Equal(t, "c3", page.Cursor)
	assert.True(t, page.Last())
	assert.Equal(t, 5, page.Total)

	// After turns a connection around again, and neither changes the one that it is of.
	_, err = connection.Before("c3").After("c4").Page(t.Context())
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"first": 100.0, "after": "c4"}, variables(t, server.Requests()[1]))

	_, err = hashes(t, connection.Before("c5"))
	var place *rpcfleet.PageError
	require.ErrorAs(t, err, &place)
	assert.Equal(t, "c5", place.Cursor, "where to go on from, with Before")
	_, err = connection.Page(t.Context())
	require.ErrorIs(t, err, rpcfleet.ErrForbidden)
	assert.Equal(t, map[string]any{"first": 100.0}, variables(t, server.Requests()[3]))
}

// TestConnectionBackwardThatCannotGoOn has a page that reports a page before it, without a cursor for it.
func TestConnectionBackwardThatCannotGoOn(t *testing.T) {
	const stuck = `{"edges":[],"pageInfo":{"hasNextPage":false,"hasPreviousPage":true,"startCursor":null}}`
	client, _ := scripted(t, says(200, `{"data":{"chain":{"transactions":`+stuck+`}}}`))
	_, err := client.Graph.Transactions(graph.ChainEthereum, graph.TransactionsParams{}).Before("").Page(t.Context())
	var unreadable *rpcfleet.DecodeError
	require.ErrorAs(t, err, &unreadable)

	// The cursor of the item that comes last on the way back, which is the page's first, leads on.
	const edges = `{"edges":[{"cursor":"a","node":{}},{"cursor":"b","node":{}}],"pageInfo":{"hasPreviousPage":true}}`
	client, _ = scripted(t, says(200, `{"data":{"chain":{"transactions":`+edges+`}}}`))
	page, err := client.Graph.Transactions(graph.ChainEthereum, graph.TransactionsParams{}).Before("").Page(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "a", page.NextCursor)
}
