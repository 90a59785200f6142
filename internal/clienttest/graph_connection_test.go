package clienttest

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
)

// transactionPage responds with a page of transactions. An empty next ends the listing.
func transactionPage(next string, hashes ...string) responder {
	edges := make([]string, len(hashes))
	for i, hash := range hashes {
		edges[i] = fmt.Sprintf(`{"cursor":"at %s","node":{"hash":%q}}`, hash, hash)
	}
	info := `{"hasNextPage":false,"endCursor":"end"}`
	if next != "" {
		info = fmt.Sprintf(`{"hasNextPage":true,"endCursor":%q}`, next)
	}
	return says(200, fmt.Sprintf(`{"data":{"chain":{"transactions":{"edges":[%s],"pageInfo":%s,"totalCount":7}}}}`,
		strings.Join(edges, ","), info))
}

// hashes reads an iteration to its end.
func hashes(t *testing.T, connection *rpcfleet.Connection[graph.Transaction]) (read []string, failure error) {
	t.Helper()
	for transaction, err := range connection.All(t.Context()) {
		require.NoError(t, failure, "an error comes once and last")
		if err != nil {
			failure = err
			continue
		}
		read = append(read, transaction.Hash)
	}
	return read, failure
}

func variables(t *testing.T, r scriptnet.Request) map[string]any {
	t.Helper()
	sent, ok := decodeBody(t, r.Body)["variables"].(map[string]any)
	require.True(t, ok)
	return sent
}

func TestConnectionPages(t *testing.T) {
	client, server := scripted(t, transactionPage("c1", "a", "b"), transactionPage("c2"), transactionPage("", "c"))
	connection := client.Graph.Transactions(graph.ChainEthereum, graph.TransactionsParams{}, rpcfleet.WithPageSize(2))
	assert.Empty(t, server.Requests(), "nothing is sent before it is used")
	read, err := hashes(t, connection)
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "b", "c"}, read)
	require.Len(t, server.Requests(), 3, "an empty page with a cursor is not the end")
	assert.Equal(t, map[string]any{"first": 2.0}, variables(t, server.Requests()[0]))
	assert.Equal(t, map[string]any{"first": 2.0, "after": "c1"}, variables(t, server.Requests()[1]))
	assert.Equal(t, map[string]any{"first": 2.0, "after": "c2"}, variables(t, server.Requests()[2]))
}

func TestConnectionPage(t *testing.T) {
	client, server := scripted(t, transactionPage("c2", "a", "b"))
	page, err := client.Graph.Transactions(graph.ChainEthereum, graph.TransactionsParams{}).After("c1").Page(t.Context())
	require.NoError(t, err)
	assert.Len(t, page.Items, 2)
	assert.Equal(t, "c1", page.Cursor)
	assert.Equal(t, "c2", page.NextCursor)
	assert.Equal(t, 7, page.Total)
	assert.False(t, page.Last())
	assert.Equal(t, map[string]any{"first": 100.0, "after": "c1"}, variables(t, server.Requests()[0]))
}

func TestConnectionPageWithGaps(t *testing.T) {
	for name, test := range map[string]struct {
		list  string
		items int
		next  string
	}{
		"no total, no end": {`{"edges":[{"cursor":"x","node":{}}],"pageInfo":{"hasNextPage":false}}`, 1, ""},
		"more without a cursor": {
			`{"edges":[{"cursor":"x","node":{}}],"pageInfo":{"hasNextPage":true,"endCursor":null}}`, 1, "x"},
		"more with a cursor of no text": {
			`{"edges":[{"cursor":"x","node":{}}],"pageInfo":{"hasNextPage":true,"endCursor":""}}`, 1, "x"},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := scripted(t, says(200, `{"data":{"chain":{"transactions":`+test.list+`}}}`))
			page, err := client.Graph.Transactions(graph.ChainEthereum, graph.TransactionsParams{}).Page(t.Context())
			require.NoError(t, err)
			assert.Len(t, page.Items, test.items)
			assert.Equal(t, test.next, page.NextCursor)
			assert.Equal(t, -1, page.Total)
		})
	}
}

// TestConnectionThatCannotGoOn keeps a listing from ending early without a word.
func TestConnectionThatCannotGoOn(t *testing.T) {
	for name, list := range map[string]string{
		"no edges":             `{"edges":[],"pageInfo":{"hasNextPage":true,"endCursor":null}}`,
		"an edge without one":  `{"edges":[{"node":{"hash":"b"}}],"pageInfo":{"hasNextPage":true}}`,
		"cursors without text": `{"edges":[{"cursor":"","node":{"hash":"b"}}],"pageInfo":{"hasNextPage":true,"endCursor":""}}`,
	} {
		t.Run(name, func(t *testing.T) {
			last := says(200, `{"data":{"chain":{"transactions":`+list+`}}}`)
			client, _ := scripted(t, transactionPage("c1", "a"), last, last)
			connection := client.Graph.Transactions(graph.ChainEthereum, graph.TransactionsParams{})
			read, err := hashes(t, connection)
			assert.Len(t, read, 1+strings.Count(list, "hash"), "what came of the page is delivered")
			var unreadable *rpcfleet.DecodeError
			require.ErrorAs(t, err, &unreadable)
			assert.Contains(t, unreadable.Detail, "no cursor")
			var place *rpcfleet.PageError
			require.ErrorAs(t, err, &place)
			assert.Equal(t, "c1", place.Cursor)

			page, err := connection.After("c1").Page(t.Context())
			require.ErrorAs(t, err, &unreadable)
			require.NotNil(t, page, "what came is returned beside the error")
			assert.Len(t, page.Items, strings.Count(list, "hash"))
		})
	}
}

func TestConnectionStopsGoingRound(t *testing.T) {
	for name, lines := range map[string][]responder{
		"the cursor that was asked with": {transactionPage("c1", "a"), transactionPage("c1", "b")},
		"an earlier cursor": {transactionPage("c1", "a"), transactionPage("c2", "b"),
			transactionPage("c1", "c")},
		"edges under a new cursor": {transactionPage("c1", "a"), transactionPage("c2", "a")},
	} {
		t.Run(name, func(t *testing.T) {
			client, server := scripted(t, lines...)
			read, err := hashes(t, client.Graph.Transactions(graph.ChainEthereum, graph.TransactionsParams{}))
			require.ErrorIs(t, err, rpcfleet.ErrRepeatedPage)
			require.ErrorContains(t, err, "ListTransactions")
			var place *rpcfleet.PageError
			require.ErrorAs(t, err, &place)
			assert.NotEmpty(t, place.Cursor)
			assert.Len(t, read, len(lines)-1)
			assert.Len(t, server.Requests(), len(lines))
		})
	}
}

func TestConnectionResumesAfterAnError(t *testing.T) {
	var lines []responder
	for n := 1; n <= 6; n++ {
		lines = append(lines, transactionPage(fmt.Sprint("c", n), fmt.Sprint("a", n), fmt.Sprint("b", n)))
	}
	lines = append(lines, says(403, `{"errors":[{"message":"no more"}]}`), transactionPage("", "a7"))
	client, server := scripted(t, lines...)
	connection := client.Graph.Transactions(graph.ChainEthereum, graph.TransactionsParams{})
	read, err := hashes(t, connection)
	require.Len(t, read, 12)
	require.ErrorIs(t, err, rpcfleet.ErrForbidden)
	var place *rpcfleet.PageError
	require.ErrorAs(t, err, &place)
	assert.Equal(t, "c6", place.Cursor)

	rest, err := hashes(t, connection.After(place.Cursor))
	require.NoError(t, err)
	assert.Equal(t, []string{"a7"}, rest)
	assert.Equal(t, "c6", variables(t, server.Requests()[7])["after"])
}

func TestConnectionIsLazy(t *testing.T) {
	client, server := scripted(t, transactionPage("c1", "a", "b"), transactionPage("", "c"))
	transactions := client.Graph.Transactions(graph.ChainEthereum, graph.TransactionsParams{})
	for transaction, err := range transactions.All(t.Context()) {
		require.NoError(t, err)
		if transaction.Hash == "b" {
			break
		}
	}
	assert.Len(t, server.Requests(), 1)
}

func TestConnectionKeepsItsFilter(t *testing.T) {
	client, server := scripted(t,
		says(200, `{"data":{"chain":{"tokenEvents":{"edges":[],"pageInfo":{"hasNextPage":false}}}}}`))
	filter := graph.TokenEventsFilterInput{
		FromAddress: &graph.StringInput{In: []string{"0xa1"}},
		Type:        &graph.TokenTransferTypeInput{Eq: new(graph.TokenTransferTypeMint)},
	}
	connection := client.Graph.Events(graph.ChainEthereum, filter)
	filter.FromAddress.In[0] = "0xb2"
	*filter.Type.Eq = graph.TokenTransferTypeBurn
	filter.ToAddress = &graph.StringInput{}
	_, err := connection.Page(t.Context())
	require.NoError(t, err)
	assert.Equal(t,
		map[string]any{"fromAddress": map[string]any{"in": []any{"0xa1"}}, "type": map[string]any{"eq": "MINT"}},
		variables(t, server.Requests()[0])["filter"])

	tokens := &graph.WalletNFTsFilterInput{
		ContractTokens: []graph.WalletNFTsContractTokenFilterInput{{ContractAddress: "0xa1", TokenID: new("1")}}}
	held := client.Graph.WalletNFTs(graph.ChainEthereum, anyWallet, graph.WalletNFTsParams{Filter: tokens})
	*tokens.ContractTokens[0].TokenID = "2"
	_, err = held.Page(t.Context())
	require.ErrorIs(t, err, rpcfleet.ErrNotFound)
	assert.Equal(t, map[string]any{"contractTokens": []any{map[string]any{"contractAddress": "0xa1", "tokenId": "1"}}},
		variables(t, server.Requests()[1])["filter"])
}

// TestConnectionIsShared uses one connection from many goroutines, for the race detector.
func TestConnectionIsShared(t *testing.T) {
	client, _ := scripted(t, func(w http.ResponseWriter, r *http.Request) { transactionPage("", "a", "b")(w, r) })
	good := client.Graph.Transactions(graph.ChainEthereum, graph.TransactionsParams{})
	bad := client.Graph.WalletTransactions(graph.ChainEthereum, "", graph.TransactionsParams{})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			page, err := good.Page(t.Context())
			if assert.NoError(t, err) {
				assert.Len(t, page.Items, 2)
			}
			_, err = bad.Page(t.Context())
			assert.Error(t, err)
		})
	}
	group.Wait()
}
