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

// listed responds with a list of transactions, and any text beside the data.
func listed(edges, pageInfo, beside string) responder {
	return says(200, `{"data":{"chain":{"transactions":{"edges":`+edges+`,"pageInfo":`+pageInfo+`}}}`+beside+`}`)
}

// TestConnectionWithAFailingEdge makes sure that an edge that failed costs no other, on its page or behind it, and that
// it is not lost without a word.
func TestConnectionWithAFailingEdge(t *testing.T) {
	const good, more = `{"cursor":"x","node":{"hash":"b"}}`, `{"cursor":"z","node":{"hash":"c"}}`
	const stated = `,"errors":[{"message":"no node","path":["chain","transactions","edges",1,"node"]}]`
	for name, test := range map[string]struct{ edge, beside, want string }{
		"a null edge": {`null`, ``, `a null instead of an item at "/data/chain/transactions/edges/1"`},
		"a null node": {`{"cursor":"y","node":null}`, ``,
			`a null instead of an item at "/data/chain/transactions/edges/1/node"`},
		"no node": {`{"cursor":"y"}`, ``, `edge 1 of the list has no node`},
		"an unreadable node": {`{"cursor":"y","node":{"hash":"d","block":1,"blockNumber":[{"a":[1]}],"input":"0x"}}`, ``,
			`an array at "/data/chain/transactions/edges/1/node/blockNumber" cannot be read as int`},
		"a node of no object": {`{"cursor":"y","node":[1,{"a":[2]}]}`, ``,
			`an array at "/data/chain/transactions/edges/1/node" cannot be read`},
		"an edge of no object": {`"y"`, ``, `a string at "/data/chain/transactions/edges/1" cannot be read`},
		"an unreadable cursor": {`{"cursor":[[]],"node":{"hash":"d"}}`, ``,
			`an array at "/data/chain/transactions/edges/1/cursor" cannot be read as string`},
		"two of them": {`null,null,` + good + `,null`, ``,
			`edges/1", and 2 more are missing`},
		"a null with an error": {`{"cursor":"y","node":null}`, stated, `rejected with status 200: no node`},
	} {
		for _, ahead := range []int{0, 2} {
			t.Run(fmt.Sprintf("%s, %d ahead", name, ahead), func(t *testing.T) {
				edges := `[` + good + `,` + test.edge + `,` + more + `]`
				_, server := scripted(t, transactionPage("c1", "a"),
					listed(edges, `{"hasNextPage":true,"endCursor":"c2"}`, test.beside), transactionPage("", "e"))
				client := server.client(t, rpcfleet.WithPrefetch(ahead))
				var read, cursors []string
				transactions := client.Graph.Transactions(graph.ChainEthereum, graph.TransactionsParams{})
				for transaction, err := range transactions.All(t.Context()) {
					if err == nil {
						read = append(read, transaction.Hash)
						continue
					}
					read = append(read, "failure")
					require.ErrorContains(t, err, "rpcfleet: ListTransactions: ")
					require.ErrorContains(t, err, test.want)
					var place *rpcfleet.PageError
					require.ErrorAs(t, err, &place)
					cursors = append(cursors, place.Cursor)
				}
				want := []string{"a", "b", "c", "failure", "e"}
				if name == "two of them" {
					want = []string{"a", "b", "b", "c", "failure", "e"}
				}
				assert.Equal(t, want, read)
				assert.Equal(t, []string{"c1"}, cursors)
			})
		}
	}
}

// TestConnectionPageBesideAnError is about the results of single pages.
func TestConnectionPageBesideAnError(t *testing.T) {
	client, _ := scripted(t,
		listed(`[{"node":{"hash":"b"}},{"node":null}]`, `{"hasNextPage":true,"endCursor":"c2"}`,
			`,"errors":[{"message":"no node"}]`),
		transactionPage("", "e"))
	connection := client.Graph.Transactions(graph.ChainEthereum, graph.TransactionsParams{})
	page, err := connection.After("c1").Page(t.Context())
	require.ErrorIs(t, err, rpcfleet.ErrRejected)
	require.Len(t, page.Items, 1)
	assert.Equal(t, "c1", page.Cursor)
	assert.Equal(t, "c2", page.NextCursor)

	looped, server := scripted(t,
		listed(`[{"node":{"hash":"b"}},{"node":null}]`, `{"hasNextPage":true,"endCursor":"c2"}`,
			`,"errors":[{"message":"no node"}]`),
		transactionPage("", "e"))
	for page, err := range looped.Graph.Transactions(graph.ChainEthereum, graph.TransactionsParams{}).Pages(t.Context()) {
		require.ErrorIs(t, err, rpcfleet.ErrRejected)
		assert.Len(t, page.Items, 1, "beside the error")
		break
	}
	for _, err := range looped.Graph.Transactions(graph.ChainEthereum, graph.TransactionsParams{}).All(t.Context()) {
		if err != nil {
			break
		}
	}
	assert.Len(t, server.Requests(), 2, "a loop that ends asks for no more")
}

// TestConnectionListsThatSayTooLittle keeps a listing from passing for complete.
func TestConnectionListsThatSayTooLittle(t *testing.T) {
	const edges = `[{"cursor":"x","node":{"hash":"b"}}]`
	for name, test := range map[string]struct {
		list, want string
		items      int
	}{
		"no page info":           {`{"edges":` + edges + `}`, "so that the next page is unknown", 1},
		"null for the page info": {`{"edges":` + edges + `,"pageInfo":null}`, "so that the next page is unknown", 1},
		"no word of a next page": {`{"edges":` + edges + `,"pageInfo":{"endCursor":"x"}}`,
			"so that the next page is unknown", 1},
		"null for a next page": {`{"edges":` + edges + `,"pageInfo":{"hasNextPage":null}}`,
			"so that the next page is unknown", 1},
		"no edges":   {`{"pageInfo":{"hasNextPage":false}}`, "the list has no edges", 0},
		"null edges": {`{"edges":null,"pageInfo":{"hasNextPage":false}}`, "the list has no edges", 0},
		"edges of no list": {`{"edges":{},"pageInfo":{"hasNextPage":false}}`,
			`an object at "/data/chain/transactions/edges" cannot be read`, -1},
		"a list of no object": {`[]`, `an array at "/data/chain/transactions" cannot be read`, -1},
		"a number for a flag": {`{"edges":` + edges + `,"pageInfo":{"hasNextPage":1}}`,
			`a number at "/data/chain/transactions/pageInfo/hasNextPage" cannot be read as bool`, -1},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := scripted(t, says(200, `{"data":{"chain":{"transactions":`+test.list+`}}}`))
			connection := client.Graph.Transactions(graph.ChainEthereum, graph.TransactionsParams{})
			page, err := connection.Page(t.Context())
			var unreadable *rpcfleet.DecodeError
			require.ErrorAs(t, err, &unreadable)
			assert.Equal(t, "ListTransactions", unreadable.Operation)
			assert.Equal(t, rpcfleet.ReasonUnexpectedType, unreadable.Reason)
			assert.Contains(t, unreadable.Detail, test.want)
			if test.items < 0 {
				assert.Nil(t, page)
			} else if assert.NotNil(t, page) {
				assert.Len(t, page.Items, test.items)
			}
			read, err := hashes(t, connection)
			require.ErrorAs(t, err, &unreadable)
			assert.Len(t, read, max(test.items, 0))
		})
	}
}

// TestConnectionPagesOfEqualContent makes sure that pages are distinguished by their cursors.
func TestConnectionPagesOfEqualContent(t *testing.T) {
	edge := func(cursor string) string { return `[{"cursor":"` + cursor + `","node":{"hash":"a"}}]` }
	next := func(cursor string) string { return `{"hasNextPage":true,"endCursor":"` + cursor + `"}` }
	const last = `{"hasNextPage":false,"endCursor":null}`
	for name, lines := range map[string][]responder{
		"edges with cursors": {listed(edge("e1"), next("c1"), ""), listed(edge("e2"), next("c2"), ""),
			listed(edge("e3"), last, "")},
		"edges without cursors": {listed(edge(""), next("c1"), ""), listed(edge(""), next("c2"), ""),
			listed(edge(""), last, "")},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := scripted(t, lines...)
			read, err := hashes(t, client.Graph.Transactions(graph.ChainEthereum, graph.TransactionsParams{}))
			require.NoError(t, err)
			assert.Equal(t, []string{"a", "a", "a"}, read)
		})
	}
}

// TestConnectionOfNoService uses connections that no method has made.
func TestConnectionOfNoService(t *testing.T) {
	for name, connection := range map[string]*rpcfleet.Connection[graph.NFT]{"nil": nil, "the zero value": {},
		"after a cursor": (*rpcfleet.Connection[graph.NFT])(nil).After("c1")} {
		t.Run(name, func(t *testing.T) {
			page, failure := connection.Page(t.Context())
			assert.Nil(t, page)
			errs := []error{failure}
			for page, err := range connection.Pages(t.Context()) {
				assert.Nil(t, page)
				errs = append(errs, err)
			}
			for item, err := range connection.After("c2").All(t.Context()) {
				assert.Nil(t, item)
				errs = append(errs, err)
			}
			require.Len(t, errs, 3)
			for _, err := range errs {
				var broken *rpcfleet.ValidationError
				require.ErrorAs(t, err, &broken)
				assert.Contains(t, err.Error(), "rpcfleet: connection must be from a method of the Graph service")
			}
		})
	}
}

// TestConnectionOfAHugePage is linear in the page, with any content.
func TestConnectionOfAHugePage(t *testing.T) {
	edges := `[` + strings.Repeat(`null,{"cursor":"x","node":[[1]]},`, 20_000) + `{"cursor":"y","node":{"hash":"a"}}]`
	client, _ := scripted(t, listed(edges, `{"hasNextPage":false}`, ""))
	page, err := client.Graph.Transactions(graph.ChainEthereum, graph.TransactionsParams{}).Page(t.Context())
	require.ErrorContains(t, err, "and 39999 more are missing")
	assert.Len(t, page.Items, 1)
	assert.Less(t, len(err.Error()), 1000)
}
