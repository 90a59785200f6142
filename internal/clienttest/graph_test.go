package clienttest

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

const anyWallet = "0xb2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2"

// graphCall calls a method of the service by its operation, with a value in every field of its filters, and returns the
// error of the first page of a connection.
func graphCall(t *testing.T, s *rpcfleet.GraphService, operation, contract, wallet string, token scalar.BigInt) error {
	t.Helper()
	method := reflect.ValueOf(s).MethodByName(strings.TrimPrefix(strings.TrimPrefix(operation, "Get"), "List"))
	var arguments []reflect.Value
	text := contract
	if slices.Contains(walletOperations, operation) {
		text = wallet // The first one.
	}
	for i := range method.Type().NumIn() - 1 {
		argument := reflect.New(method.Type().In(i)).Elem()
		switch argument.Interface().(type) {
		case graph.Chain:
			argument.SetString(string(graph.ChainEthereum))
		case string:
			argument.SetString(text)
			text = contract
		case scalar.BigInt:
			argument.Set(reflect.ValueOf(token))
		case nil:
			argument.Set(reflect.ValueOf(t.Context()))
		default:
			for _, field := range argument.Fields() {
				if field.Set(reflect.New(field.Type().Elem())); field.Elem().Kind() == reflect.String {
					field.Elem().SetString("A")
				}
			}
		}
		arguments = append(arguments, argument)
	}
	results := method.Call(arguments)
	return errorIn(t, results[len(results)-1])
}

var one = scalar.BigIntFrom(1)

// TestGraph_notFound calls every method while the service has nothing, and checks that no operation lacks a method.
func TestGraph_notFound(t *testing.T) {
	client, server := scripted(t)
	queries := 0
	for _, operation := range rpcfleet.Operations() {
		if operation.Area != "graph" {
			continue
		}
		queries++
		for _, body := range []string{
			`{"data":{"chain":{}}}`, `{"data":{"chain":null}}`,
			`{"data":{"chain":{"collection":null,"wallet":null,"nft":null,"contract":null,"transaction":null,"transactions":null}}}`,
		} {
			server.Play(ok(body))
			err := graphCall(t, client.Graph, operation.ID, "0xa1", anyWallet, one)
			sent := decodeBody(t, server.last().Body)
			assert.Equal(t, operation.ID, sent["operationName"])
			for _, found := range regexp.MustCompile(`\$(\w+)`).FindAllStringSubmatch(fmt.Sprint(sent["query"]), -1) {
				if name := found[1]; !slices.Contains([]string{"first", "after", "last", "before"}, name) {
					assert.NotContains(t, []any{nil, ""}, variables(t, server.last())[name], "%s: %s", operation.ID, name)
				}
			}
			require.ErrorIs(t, err, rpcfleet.ErrNotFound, body)
			require.NotErrorIs(t, err, rpcfleet.ErrRejected)
			assert.EqualError(t, err, "rpcfleet: "+operation.ID+": not found (POST /graphql)")
			failure := errorAs[*rpcfleet.Error](t, err)
			assert.Equal(t, 200, failure.StatusCode)
			assert.Equal(t, 1, failure.Attempts)
		}
	}
	assert.Greater(t, queries, 25)
}

func TestGraph_refusesArguments(t *testing.T) {
	client, server := scripted(t, respondJSON(500, ""))
	ctx := t.Context()
	for field, operations := range map[string]string{
		"contractAddress": `GetCollection GetContract GetOHLCVChart GetCollectionStats GetOrderHistory ListCollectionSales GetNFT
			ListCollectionAttributes ListCollectionHolders ListCollectionEvents ListNFTOwners GetOwnership ListCollectionNFTs
			ListContractEvents ListNFTEvents`,
		"hash": "GetTransaction", "collectionAddress": "GetWalletCollection",
		"wallet": strings.Join(walletOperations, " "),
	} {
		contract, wallet := "", anyWallet
		if field == "wallet" {
			contract, wallet = "0xa1", ""
		}
		for _, operation := range strings.Fields(operations) {
			err := graphCall(t, client.Graph, operation, contract, wallet, one)
			assert.Equal(t, field, errorAs[*rpcfleet.ValidationError](t, err).Field)
			assert.EqualError(t, err, "rpcfleet: "+operation+": "+field+" is required")
		}
	}
	for _, operation := range []string{"GetNFT", "GetOwnership", "ListNFTOwners", "ListNFTEvents"} {
		require.EqualError(t, graphCall(t, client.Graph, operation, "0xa1", anyWallet, scalar.BigIntFrom(-1)),
			"rpcfleet: "+operation+`: tokenId must not be negative, not "-1"`)
	}
	for chain, rule := range map[graph.Chain]string{
		"":       "is required",
		"solana": `must be one of the documented values (ethereum, ethereumSepolia, polygon), not "solana"`,
	} {
		err := errOf(client.Graph.GasPrices(ctx, chain, graph.GasPricesParams{}))
		require.EqualError(t, err, "rpcfleet: ListGasPrices: chain "+rule)
	}
	assert.Empty(t, server.Requests())
}

var walletOperations = []string{
	"GetWallet", "GetOwnership", "GetWalletCollection", "ListWalletNFTs", "ListWalletCollections",
	"ListTokenBalances", "ListWalletTransactions", "ListWalletEvents",
}

func TestWallets_areAddressesOrNames(t *testing.T) {
	const byAddress, byName, refused = "walletByAddress(address: $wallet)", "walletByENS(ensName: $wallet)", ""
	const rule = ": wallet must be an address (0x and 40 hexadecimal digits) or an ENS name (such as name.eth), not "
	client, server := scripted(t, ok(`{"data":{"chain":{}}}`))
	for lookup, wallets := range map[string][]string{
		byAddress: {anyWallet, strings.ToUpper(anyWallet)},
		byName:    {"name.eth", "a.b.example.eth", "0xb2.eth", "名前.eth", "⛵.eth"},
		refused: {"0xb2", anyWallet[2:], anyWallet + "0", anyWallet[:41] + "g", "name", ".eth", "name.", "a..eth", "a b.eth",
			"a.eth\n", "\xff.eth"},
	} {
		for _, wallet := range wallets {
			before := len(server.Requests())
			for _, operation := range walletOperations {
				err := graphCall(t, client.Graph, operation, "0xa1", wallet, one)
				if lookup == refused {
					invalid := errorAs[*rpcfleet.ValidationError](t, err, "%s of %q", operation, wallet)
					assert.Equal(t, "wallet", invalid.Field)
					assert.Contains(t, invalid.Error(), "rpcfleet: "+operation+rule)
					assert.Len(t, server.Requests(), before)
					continue
				}
				require.ErrorIs(t, err, rpcfleet.ErrNotFound, operation)
				body := decodeBody(t, server.last().Body)
				assert.Equal(t, operation, body["operationName"])
				assert.Contains(t, body["query"], "wallet: "+lookup+" {")
				assert.Equal(t, wallet, variables(t, server.last())["wallet"])
			}
		}
	}
	_, err := client.Graph.Wallet(t.Context(), graph.ChainEthereum, "0xb2", rpcfleet.WithoutValidation())
	require.ErrorIs(t, err, rpcfleet.ErrNotFound, "it is for the service to judge")
}

// TestChains_areOfTheCallOrTheClient, also if they are newer than this version.
func TestGraph_sendsChain(t *testing.T) {
	client, server := scripted(t, ok(`{"data":{"chain":{}}}`))
	anyway := rpcfleet.WithoutValidation()
	for _, chain := range []graph.Chain{graph.ChainPolygon, "a_newer_one"} {
		for _, err := range []error{errOf(client.Graph.Collection(t.Context(), chain, "0xa1", anyway)),
			errOf(client.Graph.Transactions(chain, graph.TransactionsParams{}, anyway).Page(t.Context()))} {
			require.ErrorIs(t, err, rpcfleet.ErrNotFound)
			assert.Contains(t, decodeBody(t, server.last().Body)["query"], "chain: "+string(chain)+" {")
		}
	}
	sent := len(server.Requests())
	for _, chain := range []graph.Chain{"", "base { a } polygon"} {
		_, err := client.Graph.Collection(t.Context(), chain, "0xa1", anyway)
		assert.Equal(t, "chain", errorAs[*rpcfleet.ValidationError](t, err).Field)
	}
	assert.Len(t, server.Requests(), sent)
}

// heldPage responds with a page of the tokens that a wallet holds. An empty next ends the listing.
func heldPage(next string, nodes ...string) responder {
	edges := make([]string, len(nodes))
	for i, node := range nodes {
		edges[i] = fmt.Sprintf(`{"cursor":"%s%d","node":%s}`, next, i, node)
	}
	return ok(fmt.Sprintf(
		`{"data":{"chain":{"wallet":{"walletNFTs":{"edges":[%s],"pageInfo":{"hasNextPage":%t,"endCursor":%q}}}}}}`,
		strings.Join(edges, ","), next != "", next))
}

// TestOwnership_returnsPartWithError, and does not report a holding as absent that could not be looked up.
func TestOwnership_returnsPartWithError(t *testing.T) {
	const failed = `,"errors":[{"message":"no"}]`
	token := &graph.NFTERC721NFT{Typename: "ERC721NFT", ContractAddress: "0xa1"}
	for _, test := range []struct {
		wallet, beside string
		want           *graph.WalletNFT
	}{
		{`{"walletNFT":{"nft":null,"nftsCount":0}}`, "", &graph.WalletNFT{NFTsCount: new(0)}},
		{`{"walletNFT":{"nft":null,"nftsCount":2}}`, "", &graph.WalletNFT{NFTsCount: new(2)}},
		{`{"walletNFT":{"nftsCount":null}}`, "", &graph.WalletNFT{}},
		{`null`, failed, nil}, {`{"walletNFT":null}`, failed, nil},
		{`{"walletNFT":{"nft":null,"nftsCount":2}}`, failed, &graph.WalletNFT{NFTsCount: new(2)}},
		{`{"walletNFT":{"nft":null,"nftsCount":0}}`, failed, &graph.WalletNFT{NFTsCount: new(0)}},
		{`{"walletNFT":{"nft":{"__typename":"ERC721NFT","contractAddress":"0xa1","name":null},"nftsCount":1}}`, failed,
			&graph.WalletNFT{NFTsCount: new(1), NFT: token}},
	} {
		client, _ := scripted(t, ok(`{"data":{"chain":{"wallet":`+test.wallet+`}}`+test.beside+`}`))
		ownership, err := client.Graph.Ownership(t.Context(), graph.ChainEthereum, anyWallet, "0xa1", one)
		if test.beside == "" {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, rpcfleet.ErrRejected)
		}
		assert.Equal(t, test.want, ownership, test.wallet)
	}
}

// TestCollectionStats_missingIsNotFound, but not a missing owner.
func TestCollectionStats_missingIsNotFound(t *testing.T) {
	client, server := scripted(t, ok(`{"data":{"chain":{"collection":{"__typename":"ERC721Collection","stats":null}}}}`),
		ok(`{"data":{"chain":{"collection":{"__typename":"ERC9999Collection","stats":null}}}}`))
	stats, err := client.Graph.CollectionStats(t.Context(), graph.ChainEthereum, "0xa1", graph.DateTimeInput{})
	require.ErrorIs(t, err, rpcfleet.ErrNotFound, "there are none")
	assert.Nil(t, stats)
	assert.Equal(t, map[string]any{"contractAddress": "0xa1"}, variables(t, server.last()), "no range is not sent")
	_, err = client.Graph.CollectionStats(t.Context(), graph.ChainEthereum, "0xa1", graph.DateTimeInput{})
	unread := errorAs[*rpcfleet.DecodeError](t, err, "they were not asked for")
	assert.Contains(t, unread.Detail, "the collection is of a type that is newer")

	server.Play(ok(`{"data":{"chain":{"nft":{"__typename":"ERC721NFT","wallet":null}}}}`))
	page := must(client.Graph.NFTOwners(graph.ChainEthereum, "0xa1", one).Page(t.Context()))(t)
	assert.Empty(t, page.Items, "no owner is an empty page")
}
