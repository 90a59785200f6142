package clienttest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// TestGraphOddResponses: a response with anything in place of the requested data is a typed error that names the
// operation, and not an empty result.
func TestGraphOddResponses(t *testing.T) {
	deep := strings.Repeat(`[`, 5000) + strings.Repeat(`]`, 5000)
	const found = `{"chain":{"transactions":{"edges":[{"cursor":"x","node":{"hash":"a"}}],"pageInfo":{"hasNextPage":false}}}}`
	for name, test := range map[string]struct {
		body  string
		want  string // In the text of the error, empty if there is no error.
		items int
	}{
		"null errors":             {`{"data":` + found + `,"errors":null}`, "", 1},
		"no errors":               {`{"data":` + found + `,"errors":[]}`, "", 1},
		"extensions of no object": {`{"data":` + found + `,"extensions":[7]}`, "", 1},
		"errors of one object":    {`{"data":` + found + `,"errors":{}}`, "rejected with status 200 (POST", 1},
		"errors of one text":      {`{"data":` + found + `,"errors":"broken"}`, "rejected with status 200: broken", 1},
		"errors of a boolean":     {`{"data":` + found + `,"errors":true}`, "rejected with status 200", 1},
		"a null among the errors": {`{"data":` + found + `,"errors":[null,{"message":"b"}]}`, "rejected with status 200", 1},
		"a path with numbers": {`{"data":` + found +
			`,"errors":[{"message":"no","path":["chain",7,1.5,null,{"a":[]}]}]}`, "rejected with status 200: no", 1},
		"a message of no text": {`{"data":` + found +
			`,"errors":[{"message":{"a":1},"locations":7,"path":7,"extensions":7}]}`, "rejected with status 200", 1},
		"null data":                {`{"data":null}`, "no data in the response", 0},
		"null data and errors":     {`{"data":null,"errors":null}`, "no data in the response", 0},
		"null data beside errors":  {`{"data":null,"errors":[{"message":"no"}]}`, "rejected with status 200: no", 0},
		"no data":                  {`{"extensions":{}}`, "no data in the response", 0},
		"nothing":                  {`null`, "cannot read the response", 0},
		"a list":                   {`[{"data":{}}]`, "cannot read the response", 0},
		"a text":                   {`"data"`, "cannot read the response", 0},
		"data of no object":        {`{"data":[]}`, "an array at", 0},
		"data of a text":           {`{"data":"chain"}`, "a string at", 0},
		"empty data":               {`{"data":{}}`, "not found", 0},
		"data that comes twice":    {`{"data":` + found + `,"data":null}`, "no data in the response", 0},
		"a chain of no object":     {`{"data":{"chain":[]}}`, `an array at "/data/chain"`, 0},
		"nested deeply":            {`{"data":` + deep + `}`, "an array at", 0},
		"extensions nested deeply": {`{"data":` + found + `,"extensions":` + deep + `}`, "", 1},
		"a failure of other areas": {`{"data":` + found + `,"error":"no"}`, "rejected with status 200: no", 0},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := scripted(t, says(200, test.body))
			page, err := client.Graph.Transactions(graph.ChainEthereum, graph.TransactionsParams{}).Page(t.Context())
			if test.want == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, test.want)
				require.ErrorContains(t, err, "rpcfleet: ListTransactions: ")
			}
			if test.items == 0 {
				assert.Nil(t, page)
			} else if assert.NotNil(t, page) {
				assert.Len(t, page.Items, test.items)
			}

			type own struct {
				Chain *struct{} `json:"chain"`
			}
			got, err := graph.Query[own](t.Context(), client.Graph, "query Own { chain { a } }", nil)
			if test.want != "" && name != "empty data" {
				require.Error(t, err)
				require.ErrorContains(t, err, "rpcfleet: Own: ")
			} else {
				require.NoError(t, err)
				assert.Equal(t, name == "empty data", got.Chain == nil)
			}
		})
	}
}

// TestGraphTypesThatDoNotFit has names of types in the place of others.
func TestGraphTypesThatDoNotFit(t *testing.T) {
	for name, want := range map[string]string{`"Wallet"`: "Wallet", `""`: "", `null`: ""} {
		client, _ := scripted(t, says(200, `{"data":{"chain":{"collection":{"__typename":`+name+`,"address":"0xa1"}}}}`))
		collection, err := client.Graph.Collection(t.Context(), graph.ChainEthereum, "0xa1")
		require.NoError(t, err)
		unknown, ok := collection.(*graph.CollectionUnknown)
		require.True(t, ok, "%T", collection)
		assert.Equal(t, want, unknown.Typename)
		assert.Contains(t, string(unknown.Raw), "0xa1")
	}
	client, _ := scripted(t, says(200, `{"data":{"chain":{"collection":{"__typename":7,"address":"0xa1","name":[]}}}}`))
	_, err := client.Graph.Collection(t.Context(), graph.ChainEthereum, "0xa1")
	require.ErrorContains(t, err, `at "/data/chain/collection/name"`)
}

// TestGraphNullsInLists: the schema has no null among the items of a list. If a null were accepted, it would be read as
// an empty record.
func TestGraphNullsInLists(t *testing.T) {
	for name, test := range map[string]struct{ nft, want string }{
		"in a record": {`{"__typename":"ERC721NFT","uploads":[{"url":"a"},null]}`,
			`a null at "/data/chain/nft/uploads/1" cannot be read as graph.Upload`},
		"in one of a newer type": {`{"__typename":"ERC9999NFT","uploads":[ null ]}`,
			`a null at "/data/chain/nft/uploads/0" cannot be read as graph.Upload`},
		"after a slip": {`{"__typename":"ERC721NFT","name":7,"attributes":[{"name":1},null]}`,
			`a null at "/data/chain/nft/attributes/1" cannot be read as graph.Trait`},
		"in what is any JSON":      {`{"__typename":"ERC721NFT","metadata":[null,[null]]}`, ""},
		"for a list and in a text": {`{"__typename":"ERC721NFT","uploads":null,"attributes":[],"name":"a,null"}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := scripted(t, says(200, `{"data":{"chain":{"nft":`+test.nft+`}}}`))
			type own struct {
				Chain struct {
					NFT graph.NFT `json:"nft"`
				} `json:"chain"`
			}
			_, ofOwn := graph.Query[own](t.Context(), client.Graph, "{ chain { nft } }", nil)
			_, err := client.Graph.NFT(t.Context(), graph.ChainEthereum, "0xa1", scalar.BigIntFrom(1))
			if test.want == "" {
				require.NoError(t, err)
				require.NoError(t, ofOwn)
				return
			}
			var unreadable *rpcfleet.DecodeError
			require.ErrorAs(t, err, &unreadable)
			assert.Equal(t, test.want, unreadable.Detail)
			require.ErrorContains(t, ofOwn, test.want, "the same in a type of the caller's")
		})
	}
	client, _ := scripted(t,
		says(200, `{"data":{"chain":{"gasPrices":[null],"contract":{"__typename":"NFTContract","supportedErcInterfaces":["ERC721",null]}}}}`))
	_, err := client.Graph.GasPrices(t.Context(), graph.ChainEthereum, graph.GasPricesParams{})
	require.ErrorContains(t, err, `a null at "/data/chain/gasPrices/0" cannot be read as graph.GasPrice`)
	_, err = client.Graph.Contract(t.Context(), graph.ChainEthereum, "0xa1")
	require.ErrorContains(t, err, `a null at "/data/chain/contract/supportedErcInterfaces/1" cannot be read as string`)

	lists, _ := scripted(t, says(200, `{"data":{"list":[null,{"A":1}]}}`))
	own, err := graph.Query[map[string][]struct{ A *int }](t.Context(), lists.Graph, "{ list }", nil)
	require.NoError(t, err, "of callers' own types nothing is known")
	assert.Len(t, own["list"], 2)
}

// TestGraphNullsOfNumbers has a null in the place of a number that the schema promises: it must not pass for 0.
func TestGraphNullsOfNumbers(t *testing.T) {
	body := says(200,
		`{"data":{"chain":{"wallet":{"tokenBalances":{"edges":[{"cursor":"1","node":{"contractAddress":"0xa","totalBalance":null}},`+
			`{"cursor":"2","node":{"contractAddress":"0xb","totalBalance":5}}],"pageInfo":{"hasNextPage":false}}}}}}`)
	const place = "/data/chain/wallet/tokenBalances/edges/0/node/totalBalance"
	client, _ := scripted(t, body)
	page, err := client.Graph.TokenBalances(graph.ChainEthereum, anyWallet, graph.TokenBalancesParams{}).Page(t.Context())
	require.ErrorContains(t, err, `a null at "`+place+`" cannot be read as scalar.BigInt`)
	require.Len(t, page.Items, 1)
	assert.Equal(t, "5", page.Items[0].TotalBalance.String())

	told := []rpcfleet.Drift{}
	client, reported := drifts(t, body)
	page, err = client.Graph.TokenBalances(graph.ChainEthereum, anyWallet, graph.TokenBalancesParams{}).Page(t.Context())
	require.NoError(t, err)
	require.Len(t, page.Items, 2)
	assert.Equal(t, []string{"totalBalance"}, page.Items[0].Extra.Skipped())
	for _, drift := range *reported {
		if drift.Pointer == place {
			told = append(told, drift)
		}
	}
	require.Len(t, told, 1)
	assert.Equal(t, rpcfleet.DriftNull, told[0].Kind)
}
