package clienttest

import (
	"context"
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

const foundCollection = `{"data":{"chain":{"collection":{"__typename":"ERC721Collection","address":"0xa1"}}}}`

const anyWallet = "0xb2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2"

// pageOf is a call of the first page of a connection.
func pageOf[T any](ctx context.Context, connection *rpcfleet.Connection[T]) func() error {
	return func() error { return errOf(connection.Page(ctx)) }
}

// filled are arguments with a value in every field.
func filled[T any]() (arguments T) {
	fields := reflect.ValueOf(&arguments).Elem()
	for i := range fields.NumField() {
		value := reflect.New(fields.Field(i).Type().Elem())
		if value.Elem().Kind() == reflect.String {
			value.Elem().SetString("A")
		}
		fields.Field(i).Set(value)
	}
	return arguments
}

// graphCalls are calls of all methods of the service, by their operations.
func graphCalls(ctx context.Context, s *rpcfleet.GraphService, contract, wallet string,
	token scalar.BigInt) map[string]func() error {
	const on = graph.ChainEthereum
	none := filled[graph.TokenEventsFilterInput]()
	return map[string]func() error{
		"GetCollection": func() error { return errOf(s.Collection(ctx, on, contract)) },
		"GetCollectionStats": func() error {
			return errOf(s.CollectionStats(ctx, on, contract, filled[graph.DateTimeInput]()))
		},
		"GetOHLCVChart": func() error {
			return errOf(s.OHLCVChart(ctx, on, contract, filled[graph.CollectionOHLCVChartInput]()))
		},
		"GetOrderHistory": func() error {
			return errOf(s.OrderHistory(ctx, on, contract, filled[graph.CollectionOrderHistoryInput]()))
		},
		"GetContract":              func() error { return errOf(s.Contract(ctx, on, contract)) },
		"GetNFT":                   func() error { return errOf(s.NFT(ctx, on, contract, token)) },
		"GetTransaction":           func() error { return errOf(s.Transaction(ctx, on, contract)) },
		"GetWallet":                func() error { return errOf(s.Wallet(ctx, on, wallet)) },
		"GetWalletCollection":      func() error { return errOf(s.WalletCollection(ctx, on, wallet, contract)) },
		"GetOwnership":             func() error { return errOf(s.Ownership(ctx, on, wallet, contract, token)) },
		"ListGasPrices":            func() error { return errOf(s.GasPrices(ctx, on, filled[graph.GasPricesParams]())) },
		"ListCollections":          pageOf(ctx, s.Collections(on, filled[graph.CollectionsFilterInput]())),
		"ListTrendingCollections":  pageOf(ctx, s.TrendingCollections(on, filled[graph.TrendingParams]())),
		"ListCollectionNFTs":       pageOf(ctx, s.CollectionNFTs(on, contract)),
		"ListCollectionAttributes": pageOf(ctx, s.CollectionAttributes(on, contract)),
		"ListCollectionHolders":    pageOf(ctx, s.CollectionHolders(on, contract)),
		"ListCollectionSales":      pageOf(ctx, s.CollectionSales(on, contract, filled[graph.SalesParams]())),
		"ListContracts":            pageOf(ctx, s.Contracts(on, filled[graph.ContractsFilterInput]())),
		"ListNFTOwners":            pageOf(ctx, s.NFTOwners(on, contract, token)),
		"ListWalletNFTs":           pageOf(ctx, s.WalletNFTs(on, wallet, filled[graph.WalletNFTsParams]())),
		"ListWalletCollections":    pageOf(ctx, s.WalletCollections(on, wallet, filled[graph.WalletCollectionsParams]())),
		"ListTokenBalances":        pageOf(ctx, s.TokenBalances(on, wallet, filled[graph.TokenBalancesParams]())),
		"ListEvents":               pageOf(ctx, s.Events(on, none)),
		"ListCollectionEvents":     pageOf(ctx, s.CollectionEvents(on, contract, none)),
		"ListContractEvents":       pageOf(ctx, s.ContractEvents(on, contract, none)),
		"ListNFTEvents":            pageOf(ctx, s.NFTEvents(on, contract, token, none)),
		"ListWalletEvents":         pageOf(ctx, s.WalletEvents(on, wallet, none)),
		"ListTransactions":         pageOf(ctx, s.Transactions(on, filled[graph.TransactionsParams]())),
		"ListWalletTransactions":   pageOf(ctx, s.WalletTransactions(on, wallet, filled[graph.TransactionsParams]())),
	}
}

var one = scalar.BigIntFrom(1)

// TestGraph_notFound calls every method while the service has nothing, and checks that no operation lacks a method.
func TestGraph_notFound(t *testing.T) {
	client, server := scripted(t)
	calls := graphCalls(t.Context(), client.Graph, "0xa1", anyWallet, one)
	queries := 0
	for _, operation := range rpcfleet.Operations() {
		if operation.Area != "graph" {
			continue
		}
		queries++
		require.Contains(t, calls, operation.ID)
		for _, body := range []string{
			`{"data":{"chain":{}}}`, `{"data":{"chain":null}}`,
			`{"data":{"chain":{"collection":null,"wallet":null,"nft":null,"contract":null,"transaction":null,"transactions":null}}}`,
		} {
			server.Play(respondJSON(200, body))
			err := calls[operation.ID]()
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
	assert.Len(t, calls, queries)
}

func TestGraph_refusesArguments(t *testing.T) {
	client, server := scripted(t, respondJSON(500, ""))
	ctx := t.Context()
	withoutContract := graphCalls(ctx, client.Graph, "", anyWallet, one)
	withoutWallet := graphCalls(ctx, client.Graph, "0xa1", "", one)
	for field, operations := range map[string]string{
		"contractAddress": `GetCollection GetContract GetOHLCVChart GetCollectionStats GetOrderHistory ListCollectionSales GetNFT
			ListCollectionAttributes ListCollectionHolders ListCollectionEvents ListNFTOwners GetOwnership ListCollectionNFTs
			ListContractEvents ListNFTEvents`,
		"hash": "GetTransaction", "collectionAddress": "GetWalletCollection",
		"wallet": strings.Join(walletOperations, " "),
	} {
		calls := withoutContract
		if field == "wallet" {
			calls = withoutWallet
		}
		for _, operation := range strings.Fields(operations) {
			err := calls[operation]()
			assert.Equal(t, field, errorAs[*rpcfleet.ValidationError](t, err).Field)
			assert.EqualError(t, err, "rpcfleet: "+operation+": "+field+" is required")
		}
	}
	negative := graphCalls(ctx, client.Graph, "0xa1", anyWallet, scalar.BigIntFrom(-1))
	for _, operation := range []string{"GetNFT", "GetOwnership", "ListNFTOwners", "ListNFTEvents"} {
		require.EqualError(t, negative[operation](), "rpcfleet: "+operation+`: tokenId must not be negative, not "-1"`)
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
	client, server := scripted(t, respondJSON(200, `{"data":{"chain":{}}}`))
	for lookup, wallets := range map[string][]string{
		byAddress: {anyWallet, strings.ToUpper(anyWallet)},
		byName:    {"name.eth", "a.b.example.eth", "0xb2.eth", "名前.eth", "⛵.eth"},
		refused: {"0xb2", anyWallet[2:], anyWallet + "0", anyWallet[:41] + "g", "name", ".eth", "name.", "a..eth", "a b.eth",
			"a.eth\n", "\xff.eth"},
	} {
		for _, wallet := range wallets {
			calls, before := graphCalls(t.Context(), client.Graph, "0xa1", wallet, one), len(server.Requests())
			for _, operation := range walletOperations {
				err := calls[operation]()
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

func TestGraph_sendsChain(t *testing.T) {
	client, server := scripted(t, respondJSON(200, `{"data":{"chain":{}}}`))
	for _, chain := range []graph.Chain{graph.ChainPolygon, graph.ChainEthereumSepolia} {
		for _, err := range []error{
			errOf(client.Graph.Collection(t.Context(), chain, "0xa1")),
			errOf(client.Graph.Transactions(chain, graph.TransactionsParams{}).Page(t.Context())),
		} {
			require.ErrorIs(t, err, rpcfleet.ErrNotFound)
			assert.Contains(t, decodeBody(t, server.last().Body)["query"], "chain: "+string(chain)+" {")
		}
	}
}

func TestGraph_sendsChainsNewerThanThisVersion(t *testing.T) {
	client, server := scripted(t, respondJSON(200, foundCollection))
	require.NoError(t, errOf(client.Graph.Collection(t.Context(), "base", "0xa1", rpcfleet.WithoutValidation())))
	assert.Contains(t, decodeBody(t, server.Requests()[0].Body)["query"], "chain: base {")
	for _, chain := range []graph.Chain{"", "base { a } polygon"} {
		_, err := client.Graph.Collection(t.Context(), chain, "0xa1", rpcfleet.WithoutValidation())
		assert.Equal(t, "chain", errorAs[*rpcfleet.ValidationError](t, err).Field)
	}
	assert.Len(t, server.Requests(), 1)
}

// heldPage responds with a page of the tokens that a wallet holds. An empty next ends the listing.
func heldPage(next string, nodes ...string) responder {
	edges := make([]string, len(nodes))
	for i, node := range nodes {
		edges[i] = fmt.Sprintf(`{"cursor":"%s%d","node":%s}`, next, i, node)
	}
	return respondJSON(200,
		fmt.Sprintf(
			`{"data":{"chain":{"wallet":{"walletNFTs":{"edges":[%s],"pageInfo":{"hasNextPage":%t,"endCursor":%q}}}}}}`,
			strings.Join(edges, ","), next != "", next))
}

// TestOwnership_returnsPartWithError also checks that a holding that could not be looked up is not reported as absent,
// and that the part of a holding that came is not lost.
func TestOwnership_returnsPartWithError(t *testing.T) {
	const failed = `,"errors":[{"message":"no"}]`
	for name, test := range map[string]struct {
		wallet, beside string
		want           *graph.WalletNFT
	}{
		"a count of none": {`{"walletNFT":{"nft":null,"nftsCount":0}}`, "", &graph.WalletNFT{NFTsCount: new(0)}},
		"some, but not which": {`{"walletNFT":{"nft":null,"nftsCount":2}}`, "",
			&graph.WalletNFT{NFTsCount: new(2)}},
		"one, but not how many":  {`{"walletNFT":{"nftsCount":null}}`, "", &graph.WalletNFT{}},
		"nothing of the wallet":  {`null`, failed, nil},
		"nothing of the holding": {`{"walletNFT":null}`, failed, nil},
		"an error, and not how many": {`{"walletNFT":{"nft":null,"nftsCount":null}}`, failed,
			&graph.WalletNFT{}},
		"an error, and not which": {`{"walletNFT":{"nft":null,"nftsCount":2}}`, failed,
			&graph.WalletNFT{NFTsCount: new(2)}},
		"an error beside a count of none": {`{"walletNFT":{"nft":null,"nftsCount":0}}`, failed,
			&graph.WalletNFT{NFTsCount: new(0)}},
		"all but a part of the token": {
			`{"walletNFT":{"nft":{"__typename":"ERC721NFT","contractAddress":"0xa1","name":null},"nftsCount":1}}`, failed,
			&graph.WalletNFT{NFTsCount: new(1),
				NFT: &graph.NFTERC721NFT{Typename: "ERC721NFT", ContractAddress: "0xa1"}}},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := scripted(t, respondJSON(200, `{"data":{"chain":{"wallet":`+test.wallet+`}}`+test.beside+`}`))
			ownership, err := client.Graph.Ownership(t.Context(), graph.ChainEthereum, anyWallet, "0xa1", one)
			if test.beside == "" {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, rpcfleet.ErrRejected)
			}
			assert.Equal(t, test.want, ownership)
		})
	}
}

func TestCollectionStats_missingIsNotFound(t *testing.T) {
	client, server := scripted(t,
		respondJSON(200, `{"data":{"chain":{"collection":{"__typename":"ERC721Collection","stats":null}}}}`),
		respondJSON(200, `{"data":{"chain":{"collection":{"__typename":"ERC9999Collection","stats":null}}}}`))
	stats, err := client.Graph.CollectionStats(t.Context(), graph.ChainEthereum, "0xa1", graph.DateTimeInput{})
	require.ErrorIs(t, err, rpcfleet.ErrNotFound, "there are none")
	assert.Nil(t, stats)
	assert.Equal(t, map[string]any{"contractAddress": "0xa1"}, variables(t, server.last()), "no range is not sent")
	_, err = client.Graph.CollectionStats(t.Context(), graph.ChainEthereum, "0xa1", graph.DateTimeInput{})
	unread := errorAs[*rpcfleet.DecodeError](t, err, "they were not asked for")
	assert.Contains(t, unread.Detail, "the collection is of a type that is newer")
}

func TestNFTOwners_noOwnerIsEmptyPage(t *testing.T) {
	client, _ := scripted(t, respondJSON(200, `{"data":{"chain":{"nft":{"__typename":"ERC721NFT","wallet":null}}}}`))
	page := must(client.Graph.NFTOwners(graph.ChainEthereum, "0xa1", one).Page(t.Context()))(t)
	assert.Empty(t, page.Items)
	assert.True(t, page.Last())
	client, _ = scripted(t, respondJSON(200, `{"data":{"chain":{"nft":{"__typename":"ERC9999NFT"}}}}`))
	_, err := client.Graph.NFTOwners(graph.ChainEthereum, "0xa1", one).Page(t.Context())
	assert.Contains(t, errorAs[*rpcfleet.DecodeError](t, err).Detail, "the nft is of a type that is newer")
}
