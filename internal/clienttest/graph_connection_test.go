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
	return respondJSON(200, `{"data":{"chain":{"transactions":`+list+`}}`+strings.Join(beside, "")+`}`)
}

func transactions(client *rpcfleet.Client, opts ...rpcfleet.CallOption) *rpcfleet.Connection[graph.Transaction] {
	return client.Graph.Transactions(graph.ChainEthereum, graph.TransactionsParams{}, opts...)
}

func hashes(t *testing.T, connection *rpcfleet.Connection[graph.Transaction]) ([]string, error) {
	t.Helper()
	return collect(t, idsOf(connection.All(t.Context()), func(t graph.Transaction) string { return t.Hash }))
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

// TestConnectionPage_incompletePageIsError keeps a listing from passing for complete. Without a cursor of the page, the
// cursor of its last item leads on.
func TestConnectionPage_incompletePageIsError(t *testing.T) {
	const edges, noWord = `"edges":[{"cursor":"x","node":{"hash":"b"}}]`, "so that the next page is unknown"
	for name, test := range map[string]struct {
		list, want string
		items      int
		next       string
	}{
		"no total, no end":       {`{` + edges + `,"pageInfo":{"hasNextPage":false}}`, "", 1, ""},
		"more without a cursor":  {`{` + edges + `,"pageInfo":{"hasNextPage":true,"endCursor":null}}`, "", 1, "x"},
		"more, an empty cursor":  {`{` + edges + `,"pageInfo":{"hasNextPage":true,"endCursor":""}}`, "", 1, "x"},
		"no item, no cursor":     {`{"edges":[],"pageInfo":{"hasNextPage":true,"endCursor":null}}`, "no cursor", 0, ""},
		"an item without one":    {`{"edges":[{"node":{"hash":"b"}}],"pageInfo":{"hasNextPage":true}}`, "no cursor", 1, ""},
		"no page info":           {`{` + edges + `}`, noWord, 1, ""},
		"null for the page info": {`{` + edges + `,"pageInfo":null}`, noWord, 1, ""},
		"no word of a next page": {`{` + edges + `,"pageInfo":{"endCursor":"x"}}`, noWord, 1, ""},
		"null for a next page":   {`{` + edges + `,"pageInfo":{"hasNextPage":null}}`, noWord, 1, ""},
		"no edges":               {`{"pageInfo":{"hasNextPage":false}}`, "the list has no edges", 0, ""},
		"null edges":             {`{"edges":null,"pageInfo":{"hasNextPage":false}}`, "the list has no edges", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			client, server := scripted(t, transactionList(test.list))
			connection := transactions(client)
			page, err := connection.Page(t.Context())
			require.NotNil(t, page, "it is returned beside the error")
			assert.Len(t, page.Items, test.items)
			assert.Equal(t, -1, page.Total)
			if test.want == "" {
				require.NoError(t, err)
				assert.Equal(t, test.next, page.NextCursor)
				return
			}
			unread := errorAs[*rpcfleet.DecodeError](t, err)
			assert.Equal(t, "ListTransactions", unread.Operation)
			assert.Equal(t, rpcfleet.ReasonUnexpectedType, unread.Reason)
			assert.Contains(t, unread.Detail, test.want)
			server.Play(transactionPage("c1", "a"), transactionList(test.list))
			read, err := hashes(t, connection)
			assert.Equal(t, "c1", errorAs[*rpcfleet.PageError](t, err).Cursor)
			assert.Len(t, read, 1+test.items, "the items of the page are delivered")
		})
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

// TestConnection_deliversItemsBesideFailure loses no other item, on its page or behind it, and reports the failure.
func TestConnection_deliversItemsBesideFailure(t *testing.T) {
	const good, more = `{"cursor":"x","node":{"hash":"b"}}`, `{"cursor":"z","node":{"hash":"c"}}`
	const at, stated = `"/data/chain/transactions/edges/1`,
		`,"errors":[{"message":"no node","path":["chain","transactions","edges",1,"node"]}]`
	for name, test := range map[string]struct{ edge, beside, want string }{
		"a null edge":          {`null`, ``, `a null at ` + at + `"`},
		"a null node":          {`{"cursor":"y","node":null}`, ``, `a null at ` + at + `/node"`},
		"an unreadable node":   {`{"cursor":"y","node":[{"hash":"d"}]}`, ``, `an array at ` + at + `/node"`},
		"two of them":          {`null,null,` + good + `,null`, ``, `edges/1", and 2 more are missing`},
		"a null with an error": {`{"cursor":"y","node":null}`, stated, `rejected with status 200: no node`},
	} {
		for _, ahead := range []int{0, 2} {
			t.Run(fmt.Sprintf("%s, %d ahead", name, ahead), func(t *testing.T) {
				_, server := scripted(t, transactionPage("c1", "a"), transactionList(`{"edges":[`+good+`,`+test.edge+`,`+more+
					`],"pageInfo":{"hasNextPage":true,"endCursor":"c2"}}`, test.beside), transactionPage("", "e"))
				var read, cursors []string
				for transaction, err := range transactions(server.client(t, rpcfleet.WithPrefetch(ahead))).All(t.Context()) {
					if err == nil {
						read = append(read, transaction.Hash)
						continue
					}
					read = append(read, "failure")
					require.ErrorContains(t, err, "rpcfleet: ListTransactions: ")
					require.ErrorContains(t, err, test.want)
					cursors = append(cursors, errorAs[*rpcfleet.PageError](t, err).Cursor)
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

func TestConnectionPage_returnsItemsWithError(t *testing.T) {
	client, _ := scripted(t, transactionList(`{"edges":[{"node":{"hash":"b"}},{"node":null}],
		"pageInfo":{"hasNextPage":true,"endCursor":"c2"}}`, `,"errors":[{"message":"no node"}]`))
	page, err := transactions(client).After("c1").Page(t.Context())
	require.ErrorIs(t, err, rpcfleet.ErrRejected)
	require.Len(t, page.Items, 1)
	assert.Equal(t, []string{"c1", "c2"}, []string{page.Cursor, page.NextCursor})
	for page, err := range transactions(client).Pages(t.Context()) {
		require.ErrorIs(t, err, rpcfleet.ErrRejected)
		assert.Len(t, page.Items, 1, "beside the error")
		break
	}
	for _, err := range transactions(client).All(t.Context()) {
		if err != nil {
			break // It ends the loop, also if the iteration could continue.
		}
	}
}

func TestConnection_keepsItsFilter(t *testing.T) {
	client, server := scripted(t,
		respondJSON(200, `{"data":{"chain":{"tokenEvents":{"edges":[],"pageInfo":{"hasNextPage":false}}}}}`))
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

// pageBackAgain does so with the first page of a connection, and with its items.
func pageBackAgain[T any](t *testing.T, connection *rpcfleet.Connection[T]) {
	t.Helper()
	page := must(connection.Page(t.Context()))(t)
	require.NotEmpty(t, page.Items)
	text := must(json.Marshal(page))(t)
	back := new(rpcfleet.Page[T])
	require.NoError(t, graph.Unmarshal(text, back))
	assert.Equal(t, page.NextCursor, back.NextCursor)
	assert.Equal(t, page.Items, back.Items)
	backAgain(t, page.Items, graph.Unmarshal)
}

func TestGraphRecords_canBeReadBack(t *testing.T) {
	race.Skip(t)
	service := emulator.Start()
	t.Cleanup(service.Close)
	client := clientOf(t, service.URL, nil, rpcfleet.WithAPIKey(service.APIKey))
	ctx, s, chain := t.Context(), client.Graph, graph.ChainPolygon
	for collection, err := range s.Collections(chain, graph.CollectionsFilterInput{}).All(ctx) {
		require.NoError(t, err)
		backAgain(t, must(s.Collection(ctx, chain, collection.GetAddress()))(t), graph.Unmarshal)
		backAgain(t, must(s.Contract(ctx, chain, collection.GetAddress()))(t), graph.Unmarshal)
		pageBackAgain(t, s.CollectionNFTs(chain, collection.GetAddress()))
	}
	events := s.Events(chain, graph.TokenEventsFilterInput{})
	pageBackAgain(t, events)
	pageBackAgain(t, s.Transactions(chain, graph.TransactionsParams{}))
	pageBackAgain(t, s.TrendingCollections(chain, graph.TrendingParams{}))
	wallet := must(events.Page(ctx))(t).Items[0].GetToAddress()
	pageBackAgain(t, s.WalletNFTs(chain, wallet, graph.WalletNFTsParams{}))
	pageBackAgain(t, s.WalletCollections(chain, wallet, graph.WalletCollectionsParams{}))
}

func TestGraphRecords_ofCallersAreWritten(t *testing.T) {
	text := must(json.Marshal(
		[]graph.NFT{
			&graph.NFTERC721NFT{TokenID: scalar.BigIntFrom(7),
				Collection: &graph.CollectionSummaryERC1155Collection{Address: "0xa1"}}, nil}))(t)
	var back []graph.NFT
	require.NoError(t, graph.Unmarshal(text, &back))
	require.Len(t, back, 2)
	assert.Nil(t, back[1])
	token, ok := back[0].(*graph.NFTERC721NFT)
	require.True(t, ok, "%T", back[0])
	assert.IsType(t, &graph.CollectionSummaryERC1155Collection{}, token.Collection)
	byValue := must(json.Marshal(*token))(t)
	assert.Equal(t, "ERC721NFT", decodeBody(t, string(byValue))["__typename"])

	backAgain(t, &graph.WalletNFT{NFTsCount: new(1), NFT: &graph.NFTERC721NFT{Typename: "ERC721NFT"}}, json.Unmarshal)
	backAgain(t, token, json.Unmarshal)
}

func TestGraphRecords_ofNewerTypesCanBeReadBack(t *testing.T) {
	const raw = `{"__typename":"ERC9999NFT","tokenId":"36893488147419103233","rays":[1.50,{}],"collection":{"__typename":"Odd","rays":null,"address":"0xa1"}}`
	client, _ := scripted(t, respondJSON(200, `{"data":{"chain":{"nft":`+raw+`}}}`))
	nft := must(client.Graph.NFT(t.Context(), graph.ChainEthereum, "0xa1", scalar.BigIntFrom(1)))(t)
	text := must(json.Marshal(nft))(t)
	assert.Equal(t, raw, string(text))
	assert.Equal(t, "36893488147419103233", nft.GetTokenID().String(), "fields of the interface are decoded")
	assert.Equal(t, "0xa1", nft.GetCollection().GetAddress())
	backAgain(t, nft, graph.Unmarshal)
	backAgain(t, nft.(*graph.NFTUnknown), json.Unmarshal)
	text = must(json.Marshal(&graph.NFTUnknown{Typename: "ERC9999NFT", ContractAddress: "0xa1"}))(t)
	assert.Equal(t, "0xa1", decodeBody(t, string(text))["contractAddress"], "without the whole, what there is")
}

func TestGraphUnmarshal_failsWithThePlace(t *testing.T) {
	for text, want := range map[string]string{
		`{"__typename":"ERC721NFT","tokenId":"x"}`:                                           "/tokenId",
		`{"__typename":"ERC721NFT","collection":{"__typename":"ERC721Collection","name":7}}`: "/collection/name",
		`{"__typename":7}`: "/__typename",
		`7`:                "graph.NFT",
		`{`:                "unexpected EOF",
		`{}{}`:             "invalid character",
	} {
		var nft graph.NFT
		require.ErrorContains(t, graph.Unmarshal([]byte(text), &nft), want, text)
	}
}

func TestCollectionNFTs_newerTypeIsError(t *testing.T) {
	client, _ := scripted(t,
		respondJSON(200, `{"data":{"chain":{"collection":{"__typename":"ERC9999Collection","nfts":{"edges":[]}}}}}`))
	_, err := client.Graph.CollectionNFTs(graph.ChainEthereum, "0xa1").Page(t.Context())
	assert.Equal(t, rpcfleet.ReasonUnexpectedType, errorAs[*rpcfleet.DecodeError](t, err, "not an empty listing").Reason)
	assert.ErrorContains(t, err, "newer than this version")
}
