package clienttest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// transactionPage responds with a page of transactions. An empty next ends the listing.
func transactionPage(next string, hashes ...string) responder {
	info := fmt.Sprintf(`{"hasNextPage":%t,"endCursor":%q},"totalCount":7`, next != "", cmp.Or(next, "end"))
	edges := make([]string, len(hashes))
	for i, hash := range hashes {
		edges[i] = fmt.Sprintf(`{"cursor":"at %s","node":{"hash":%q}}`, hash, hash)
	}
	return transactionList(`{"edges":[` + strings.Join(edges, ",") + `],"pageInfo":` + info + `}`)
}

// transactionList responds with a list of transactions, and any text beside the data.
func transactionList(list string, beside ...string) responder {
	return ok(`{"data":{"chain":{"transactions":` + list + `}}` + strings.Join(beside, "") + `}`)
}

func transactions(client *rpcfleet.Client, opts ...rpcfleet.CallOption) *rpcfleet.Connection[graph.Transaction] {
	return client.Graph.Transactions(graph.ChainEthereum, graph.TransactionsParams{}, opts...)
}

func hashes(t *testing.T, connection *rpcfleet.Connection[graph.Transaction]) ([]string, error) {
	t.Helper()
	return collect(t, idsOf(connection.All(t.Context()), hashOf))
}

func variables(t *testing.T, r scriptnet.Request) map[string]any {
	t.Helper()
	sent, ok := decodeBody(t, r.Body)["variables"].(map[string]any)
	require.True(t, ok)
	return sent
}

// TestConnection_readsEveryPage has an empty page with a cursor, which is not the end.
func TestConnection_readsEveryPage(t *testing.T) {
	client, server := scripted(t, transactionPage("c1", "a", "b"), transactionPage("c2"), transactionPage("", "c"))
	assert.Equal(t, []string{"a", "b", "c"}, must(hashes(t, transactions(client, rpcfleet.WithPageSize(2))))(t))
	require.Len(t, server.Requests(), 3)
	assert.Equal(t, map[string]any{"first": 2.0}, variables(t, server.Requests()[0]))
	assert.Equal(t, map[string]any{"first": 2.0, "after": "c1"}, variables(t, server.Requests()[1]))
	assert.Equal(t, map[string]any{"first": 2.0, "after": "c2"}, variables(t, server.Requests()[2]))
}

func TestConnectionPage_startsAtCursor(t *testing.T) {
	client, server := scripted(t, transactionPage("c2", "a", "b"), respondJSON(403, `{"errors":[{"message":"no"}]}`))
	connection := transactions(client)
	page := must(connection.After("c1").Page(t.Context()))(t)
	assert.Len(t, page.Items, 2)
	assert.Equal(t, []any{"c1", "c2", 7, false}, []any{page.Cursor, page.NextCursor, page.Total, page.Last()})
	assert.Equal(t, map[string]any{"first": 100.0, "after": "c1"}, variables(t, server.last()))

	_, err := hashes(t, connection.After("c5"))
	assert.Equal(t, "c5", errorAs[*rpcfleet.PageError](t, err).Cursor, "where to go on from")
	require.ErrorIs(t, errOf(connection.Page(t.Context())), rpcfleet.ErrForbidden)
	assert.Equal(t, map[string]any{"first": 100.0}, variables(t, server.last()), "After changes a copy")
}

// TestConnectionPage_incompletePageIsError, or would pass for complete. The cursor of the last item leads on too.
func TestConnectionPage_incompletePageIsError(t *testing.T) {
	const item, end = `[{"cursor":"x","node":{"hash":"b"}}]`, `{"hasNextPage":false}`
	const noCursor, noNext, noEdges = "no cursor", "so that the next page is unknown", "the list has no edges"
	for _, test := range []struct{ edges, info, want, next string }{
		{item, end, "", ""},
		{item, `{"hasNextPage":true,"endCursor":null}`, "", "x"},
		{item, `{"hasNextPage":true,"endCursor":""}`, "", "x"},
		{`[]`, `{"hasNextPage":true,"endCursor":null}`, noCursor, ""},
		{`[{"node":{"hash":"b"}}]`, `{"hasNextPage":true}`, noCursor, ""},
		{item, `null`, noNext, ""},
		{item, `{"endCursor":"x"}`, noNext, ""},
		{item, `{"hasNextPage":null}`, noNext, ""},
		{`null`, end, noEdges, ""},
	} {
		line := transactionList(`{"edges":` + test.edges + `,"pageInfo":` + test.info + `}`)
		client, server := scripted(t, line)
		connection, items := transactions(client), strings.Count(test.edges, "hash")
		page, err := connection.Page(t.Context())
		require.NotNil(t, page, "it is returned beside the error")
		assert.Len(t, page.Items, items)
		assert.Equal(t, -1, page.Total)
		if test.want == "" {
			require.NoError(t, err)
			assert.Equal(t, test.next, page.NextCursor)
			continue
		}
		unread := errorAs[*rpcfleet.DecodeError](t, err)
		assert.Equal(t, []any{"ListTransactions", rpcfleet.ReasonUnexpectedType}, []any{unread.Operation, unread.Reason})
		assert.Contains(t, unread.Detail, test.want)
		server.Play(transactionPage("c1", "a"), line)
		read, err := hashes(t, connection)
		assert.Equal(t, "c1", errorAs[*rpcfleet.PageError](t, err).Cursor)
		assert.Len(t, read, 1+items, "the items of the page are delivered")
	}
}

// TestConnection_comparesPagesByCursors and not by their items, of which the service may have returned two alike.
func TestConnection_comparesPagesByCursors(t *testing.T) {
	for _, cursors := range [][3]string{{"e1", "e2", "e3"}, {}} {
		edge := func(i int) string {
			return `{"edges":[{"cursor":"` + cursors[i] + `","node":{"hash":"a"}}],"pageInfo":`
		}
		client, _ := scripted(t, transactionList(edge(0)+`{"hasNextPage":true,"endCursor":"c1"}}`),
			transactionList(edge(1)+`{"hasNextPage":true,"endCursor":"c2"}}`), transactionList(edge(2)+`{"hasNextPage":false}}`))
		assert.Equal(t, []string{"a", "a", "a"}, must(hashes(t, transactions(client)))(t))
	}
}

// TestConnection_deliversItemsBesideFailure loses no other item. internal/graphql has more failures.
func TestConnection_deliversItemsBesideFailure(t *testing.T) {
	const good, more = `{"cursor":"x","node":{"hash":"b"}}`, `{"cursor":"z","node":{"hash":"c"}}`
	const stated = `,"errors":[{"message":"no node","path":["chain","transactions","edges",1,"node"]}]`
	for _, test := range []struct {
		edge, beside, want string
		read               []string
	}{
		{`null,null,` + good + `,null`, ``, `a null at "/data/chain/transactions/edges/1", and 2 more are missing`,
			[]string{"a", "b", "b", "c", "failure", "e"}},
		{`{"cursor":"y","node":null}`, stated, `rejected with status 200: no node`, []string{"a", "b", "c", "failure", "e"}},
	} {
		broken := transactionList(`{"edges":[`+good+`,`+test.edge+`,`+more+
			`],"pageInfo":{"hasNextPage":true,"endCursor":"c2"}}`, test.beside)
		for _, ahead := range []int{0, 2} {
			client, server := scriptedWith(t, with{rpcfleet.WithPrefetch(ahead)}, transactionPage("c1", "a"), broken,
				transactionPage("", "e"))
			var read []string
			for transaction, err := range transactions(client).All(t.Context()) {
				if err == nil {
					read = append(read, transaction.Hash)
					continue
				}
				read = append(read, "failure")
				require.ErrorContains(t, err, "rpcfleet: ListTransactions: ")
				require.ErrorContains(t, err, test.want)
				assert.Equal(t, "c1", errorAs[*rpcfleet.PageError](t, err).Cursor)
			}
			assert.Equal(t, test.read, read)

			server.Play(broken)
			page, err := transactions(client).After("c1").Page(t.Context())
			require.ErrorContains(t, err, test.want)
			assert.Len(t, page.Items, len(test.read)-3)
			assert.Equal(t, []string{"c1", "c2"}, []string{page.Cursor, page.NextCursor})
			for page, err := range transactions(client).Pages(t.Context()) {
				require.ErrorContains(t, err, test.want)
				assert.Len(t, page.Items, len(test.read)-3, "beside the error")
				break
			}
			for _, err := range transactions(client).All(t.Context()) {
				if err != nil {
					break // It ends the loop, also if the iteration could continue.
				}
			}
		}
	}
}

func TestConnection_keepsItsFilter(t *testing.T) {
	client, server := scripted(t, ok(`{"data":{"chain":{"tokenEvents":{"edges":[],"pageInfo":{"hasNextPage":false}}}}}`))
	filter := graph.TokenEventsFilterInput{
		FromAddress: &graph.StringInput{In: []string{"0xa1"}},
		Type:        &graph.TokenTransferTypeInput{Eq: new(graph.TokenTransferTypeMint)},
	}
	connection := client.Graph.Events(graph.ChainEthereum, filter)
	filter.FromAddress.In[0] = "0xb2"
	*filter.Type.Eq = graph.TokenTransferTypeBurn
	filter.ToAddress = &graph.StringInput{}
	require.NoError(t, errOf(connection.Page(t.Context())))
	assert.Equal(t,
		map[string]any{"fromAddress": map[string]any{"in": []any{"0xa1"}}, "type": map[string]any{"eq": "MINT"}},
		variables(t, server.Requests()[0])["filter"])
}

// TestConnection_isSharedByGoroutines uses one connection from many goroutines, for the race detector.
func TestConnection_isSharedByGoroutines(t *testing.T) {
	client, _ := scripted(t, transactionPage("", "a", "b"))
	connection := transactions(client)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() { assert.NoError(t, errOf(connection.Page(t.Context()))) })
	}
	group.Wait()
}

func backAgain[T any](t *testing.T, value T, read func([]byte, any) error) {
	t.Helper()
	text := must(json.Marshal(value))(t)
	var back T
	require.NoError(t, read(text, &back), "%s", text)
	assert.Equal(t, value, back)
}

func pageBackAgain[T any](t *testing.T, connection *rpcfleet.Connection[T]) {
	t.Helper()
	page := must(connection.Page(t.Context()))(t)
	require.NotEmpty(t, page.Items)
	backAgain(t, page.Items, graph.Unmarshal)
	var back rpcfleet.Page[T]
	require.NoError(t, graph.Unmarshal(must(json.Marshal(page))(t), &back))
	assert.Equal(t, []any{page.NextCursor, page.Items}, []any{back.NextCursor, back.Items})
}

func TestGraphRecords_ofServiceCanBeReadBack(t *testing.T) {
	race.Skip(t)
	service := emulator.Start()
	t.Cleanup(service.Close)
	s, chain := clientOf(t, service.URL, nil, rpcfleet.WithAPIKey(service.APIKey)).Graph, graph.ChainPolygon
	for collection, err := range s.Collections(chain, graph.CollectionsFilterInput{}).All(t.Context()) {
		require.NoError(t, err)
		address := collection.GetAddress()
		backAgain(t, must(s.Collection(t.Context(), chain, address))(t), graph.Unmarshal)
		backAgain(t, must(s.Contract(t.Context(), chain, address))(t), graph.Unmarshal)
		pageBackAgain(t, s.CollectionNFTs(chain, address))
	}
	events := s.Events(chain, graph.TokenEventsFilterInput{})
	wallet := must(events.Page(t.Context()))(t).Items[0].GetToAddress()
	pageBackAgain(t, events)
	pageBackAgain(t, s.Transactions(chain, graph.TransactionsParams{}))
	pageBackAgain(t, s.TrendingCollections(chain, graph.TrendingParams{}))
	pageBackAgain(t, s.WalletNFTs(chain, wallet, graph.WalletNFTsParams{}))
	pageBackAgain(t, s.WalletCollections(chain, wallet, graph.WalletCollectionsParams{}))
}

// TestGraphRecords_canBeWrittenAndReadBack: records of callers, and of types that are newer than this version.
func TestGraphRecords_canBeWrittenAndReadBack(t *testing.T) {
	token := &graph.NFTERC721NFT{Typename: "ERC721NFT", TokenID: scalar.BigIntFrom(7),
		Collection: &graph.CollectionSummaryERC1155Collection{Typename: "ERC1155Collection", Address: "0xa1"}}
	backAgain(t, []graph.NFT{token, nil}, graph.Unmarshal)
	backAgain(t, &graph.WalletNFT{NFTsCount: new(1), NFT: token}, json.Unmarshal)
	backAgain(t, token, json.Unmarshal)
	token.Typename = ""
	for _, record := range []any{token, *token} {
		assert.Equal(t, "ERC721NFT", decodeBody(t, string(must(json.Marshal(record))(t)))["__typename"])
	}

	const raw = `{"__typename":"ERC9999NFT","tokenId":"36893488147419103233","rays":[1.50,{}],` +
		`"collection":{"__typename":"Odd","rays":null,"address":"0xa1"}}`
	client, _ := scripted(t, ok(`{"data":{"chain":{"nft":`+raw+`}}}`))
	nft := must(client.Graph.NFT(t.Context(), graph.ChainEthereum, "0xa1", one))(t)
	assert.Equal(t, raw, string(must(json.Marshal(nft))(t)))
	assert.Equal(t, "36893488147419103233", nft.GetTokenID().String(), "fields of the interface are decoded")
	assert.Equal(t, "0xa1", nft.GetCollection().GetAddress())
	backAgain(t, nft, graph.Unmarshal)
	backAgain(t, nft.(*graph.NFTUnknown), json.Unmarshal)
	text := must(json.Marshal(&graph.NFTUnknown{Typename: "ERC9999NFT", ContractAddress: "0xa1"}))(t)
	assert.Equal(t, "0xa1", decodeBody(t, string(text))["contractAddress"], "without the whole, what there is")
	for text, want := range map[string]string{
		`{"collection":{"__typename":"ERC721Collection","name":7},"__typename":"ERC721NFT"}`: "/collection/name",
		`7`: "graph.NFT", `{`: "unexpected EOF",
	} {
		require.ErrorContains(t, graph.Unmarshal([]byte(text), &nft), want)
	}
}
