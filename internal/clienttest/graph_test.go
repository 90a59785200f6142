package clienttest

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// foundCollection responses a query for a collection.
const foundCollection = `{"data":{"chain":{"collection":{"__typename":"ERC721Collection","address":"0xa1","name":"Lanterns",` +
	`"totalSupply":"9007199254740993","circulatingSupply":9007199254740993,"stats":{"totalSales":3,"floorInNativeToken":0.5}}}}}`

func TestGraphSends(t *testing.T) {
	client, server := scripted(t, says(200, foundCollection))
	collection, err := client.Graph.Collection(t.Context(), graph.ChainPolygon, "0xA1")
	require.NoError(t, err)

	require.Len(t, server.Requests(), 1)
	sent := server.Requests()[0]
	assert.Equal(t, http.MethodPost, sent.Method)
	assert.Equal(t, "/graphql", sent.Path)
	assert.Equal(t, "application/json", sent.Header.Get("Content-Type"))
	assert.Equal(t, testKey, sent.Header.Get("X-Api-Key"))
	body := decodeBody(t, sent.Body)
	assert.Regexp(t, `^\s*query GetCollection \(\$contractAddress: String!\) \{\s+chain: polygon \{\s+collection\(`,
		body["query"])
	assert.Equal(t, map[string]any{
		"query": body["query"], "operationName": "GetCollection", "variables": map[string]any{"contractAddress": "0xA1"},
	}, body)

	got, ok := collection.(*graph.CollectionERC721Collection)
	require.True(t, ok, "%T", collection)
	assert.Equal(t, "9007199254740993", got.TotalSupply.String(), "in a text")
	assert.Equal(t, "9007199254740993", got.CirculatingSupply.String(), "in a number")
	assert.Equal(t, new(3), got.Stats.TotalSales)
	assert.Equal(t, new(0.5), got.Stats.FloorInNativeToken)
	assert.Nil(t, got.Stats.CeilingInNativeToken)
	assert.Nil(t, got.Symbol)
}

func TestGraphPathIsAnOption(t *testing.T) {
	_, server := scripted(t, says(200, foundCollection))
	client := server.client(t, rpcfleet.WithGraphPath("/v2/query/"))
	_, err := client.Graph.Collection(t.Context(), graph.ChainEthereum, "0xa1")
	require.NoError(t, err)
	assert.Equal(t, "/v2/query", server.Requests()[0].Path)

	_, server = scripted(t, says(404, `no`))
	client = server.client(t, rpcfleet.WithGraphPath("/v2/query"))
	_, err = client.Graph.Collection(t.Context(), graph.ChainEthereum, "0xa1")
	require.EqualError(t, err, "rpcfleet: GetCollection: 404 Not Found: no (POST /v2/query)")
}

// anyWallet is the address of a wallet.
const anyWallet = "0xb2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2"

// graphUses are all methods of the service, with sound arguments.
func graphUses() map[string]use {
	const a, b = "0xa1", anyWallet
	one := scalar.BigIntFrom(1)
	single := func(ask func(ctx context.Context, s *rpcfleet.GraphService) error) use {
		return func(ctx context.Context, c *rpcfleet.Client) error { return ask(ctx, c.Graph) }
	}
	return map[string]use{
		"GetCollection": single(func(ctx context.Context, s *rpcfleet.GraphService) error {
			_, err := s.Collection(ctx, graph.ChainEthereum, a)
			return err
		}),
		"GetOHLCVChart": single(func(ctx context.Context, s *rpcfleet.GraphService) error {
			_, err := s.OHLCVChart(ctx, graph.ChainEthereum, a, graph.CollectionOHLCVChartInput{})
			return err
		}),
		"GetCollectionStats": single(func(ctx context.Context, s *rpcfleet.GraphService) error {
			_, err := s.CollectionStats(ctx, graph.ChainEthereum, a, graph.DateTimeInput{})
			return err
		}),
		"GetOrderHistory": single(func(ctx context.Context, s *rpcfleet.GraphService) error {
			_, err := s.OrderHistory(ctx, graph.ChainEthereum, a, graph.CollectionOrderHistoryInput{})
			return err
		}),
		"GetWallet": single(func(ctx context.Context, s *rpcfleet.GraphService) error {
			_, err := s.Wallet(ctx, graph.ChainEthereum, "wallet.example.eth")
			return err
		}),
		"GetWalletCollection": single(func(ctx context.Context, s *rpcfleet.GraphService) error {
			_, err := s.WalletCollection(ctx, graph.ChainEthereum, b, a)
			return err
		}),
		"ListOwnerships": single(func(ctx context.Context, s *rpcfleet.GraphService) error {
			_, err := s.Ownerships(ctx, graph.ChainEthereum, b, []graph.TokenRef{{ContractAddress: a, TokenID: one}})
			return err
		}),
		"GetNFT": single(func(ctx context.Context, s *rpcfleet.GraphService) error {
			_, err := s.NFT(ctx, graph.ChainEthereum, a, one)
			return err
		}),
		"GetOwnership": single(func(ctx context.Context, s *rpcfleet.GraphService) error {
			_, err := s.Ownership(ctx, graph.ChainEthereum, b, a, one)
			return err
		}),
		"GetContract": single(func(ctx context.Context, s *rpcfleet.GraphService) error {
			_, err := s.Contract(ctx, graph.ChainEthereum, a)
			return err
		}),
		"GetTransaction": single(func(ctx context.Context, s *rpcfleet.GraphService) error {
			_, err := s.Transaction(ctx, graph.ChainEthereum, "0xf0")
			return err
		}),
		"ListGasPrices": single(func(ctx context.Context, s *rpcfleet.GraphService) error {
			_, err := s.GasPrices(ctx, graph.ChainEthereum, graph.GasPricesParams{})
			return err
		}),
		"ListCollections": firstPage(
			func(ctx context.Context, s *rpcfleet.GraphService) *rpcfleet.Connection[graph.CollectionProfile] {
				return s.Collections(graph.ChainEthereum, graph.CollectionsFilterInput{})
			}),
		"ListTrendingCollections": firstPage(
			func(ctx context.Context, s *rpcfleet.GraphService) *rpcfleet.Connection[graph.Trending] {
				return s.TrendingCollections(graph.ChainEthereum, graph.TrendingParams{})
			}),
		"ListCollectionNFTs": firstPage(func(ctx context.Context, s *rpcfleet.GraphService) *rpcfleet.Connection[graph.NFT] {
			return s.CollectionNFTs(graph.ChainEthereum, a)
		}),
		"ListWalletNFTs": firstPage(
			func(ctx context.Context, s *rpcfleet.GraphService) *rpcfleet.Connection[graph.WalletNFT] {
				return s.WalletNFTs(graph.ChainEthereum, b, graph.WalletNFTsParams{})
			}),
		"ListCollectionAttributes": firstPage(
			func(ctx context.Context, s *rpcfleet.GraphService) *rpcfleet.Connection[graph.CollectionAttribute] {
				return s.CollectionAttributes(graph.ChainEthereum, a)
			}),
		"ListCollectionHolders": firstPage(
			func(ctx context.Context, s *rpcfleet.GraphService) *rpcfleet.Connection[graph.Wallet] {
				return s.CollectionHolders(graph.ChainEthereum, a)
			}),
		"ListNFTOwners": firstPage(func(ctx context.Context, s *rpcfleet.GraphService) *rpcfleet.Connection[graph.Wallet] {
			return s.NFTOwners(graph.ChainEthereum, a, one)
		}),
		"ListCollectionSales": firstPage(
			func(ctx context.Context, s *rpcfleet.GraphService) *rpcfleet.Connection[graph.Sale] {
				return s.CollectionSales(graph.ChainEthereum, a, graph.SalesParams{})
			}),
		"ListContracts": firstPage(
			func(ctx context.Context, s *rpcfleet.GraphService) *rpcfleet.Connection[graph.ContractSummary] {
				return s.Contracts(graph.ChainEthereum, graph.ContractsFilterInput{})
			}),
		"ListWalletCollections": firstPage(
			func(ctx context.Context, s *rpcfleet.GraphService) *rpcfleet.Connection[graph.WalletCollection] {
				return s.WalletCollections(graph.ChainEthereum, b, graph.WalletCollectionsParams{})
			}),
		"ListTokenBalances": firstPage(
			func(ctx context.Context, s *rpcfleet.GraphService) *rpcfleet.Connection[graph.TokenBalance] {
				return s.TokenBalances(graph.ChainEthereum, b, graph.TokenBalancesParams{})
			}),
		"ListEvents": firstPage(func(ctx context.Context, s *rpcfleet.GraphService) *rpcfleet.Connection[graph.Event] {
			return s.Events(graph.ChainEthereum, graph.TokenEventsFilterInput{})
		}),
		"ListCollectionEvents": firstPage(
			func(ctx context.Context, s *rpcfleet.GraphService) *rpcfleet.Connection[graph.Event] {
				return s.CollectionEvents(graph.ChainEthereum, a, graph.TokenEventsFilterInput{})
			}),
		"ListContractEvents": firstPage(
			func(ctx context.Context, s *rpcfleet.GraphService) *rpcfleet.Connection[graph.Event] {
				return s.ContractEvents(graph.ChainEthereum, a, graph.TokenEventsFilterInput{})
			}),
		"ListNFTEvents": firstPage(func(ctx context.Context, s *rpcfleet.GraphService) *rpcfleet.Connection[graph.Event] {
			return s.NFTEvents(graph.ChainEthereum, a, one, graph.TokenEventsFilterInput{})
		}),
		"ListWalletEvents": firstPage(func(ctx context.Context, s *rpcfleet.GraphService) *rpcfleet.Connection[graph.Event] {
			return s.WalletEvents(graph.ChainEthereum, b, graph.TokenEventsFilterInput{})
		}),
		"ListTransactions": firstPage(
			func(ctx context.Context, s *rpcfleet.GraphService) *rpcfleet.Connection[graph.Transaction] {
				return s.Transactions(graph.ChainEthereum, graph.TransactionsParams{})
			}),
		"ListWalletTransactions": firstPage(
			func(ctx context.Context, s *rpcfleet.GraphService) *rpcfleet.Connection[graph.Transaction] {
				return s.WalletTransactions(graph.ChainEthereum, b, graph.TransactionsParams{})
			}),
	}
}

// firstPage uses a connection.
func firstPage[T any](of func(context.Context, *rpcfleet.GraphService) *rpcfleet.Connection[T]) use {
	return func(ctx context.Context, c *rpcfleet.Client) error {
		_, err := of(ctx, c.Graph).Page(ctx)
		return err
	}
}

// TestGraphMethodsSendTheirOperations makes sure that no operation is without a method. Every one meets a service that
// has nothing.
func TestGraphMethodsSendTheirOperations(t *testing.T) {
	uses := graphUses()
	queries := 0
	for _, operation := range rpcfleet.Operations() {
		if operation.Area != "graph" {
			continue
		}
		queries++
		t.Run(operation.ID, func(t *testing.T) {
			require.Contains(t, uses, operation.ID)
			for body, what := range map[string]string{
				`{"data":{"chain":{}}}`:   "nothing of the chain",
				`{"data":{"chain":null}}`: "no chain",
				`{"data":{"chain":{"collection":null,"wallet":null,"nft":null,"contract":null,"transaction":null,"transactions":null}}}`: "nulls",
			} {
				client, server := scripted(t, says(200, body))
				err := uses[operation.ID](t.Context(), client)
				assert.Equal(t, operation.ID, decodeBody(t, server.Requests()[0].Body)["operationName"])
				require.ErrorIs(t, err, rpcfleet.ErrNotFound, what)
				require.NotErrorIs(t, err, rpcfleet.ErrRejected)
				assert.EqualError(t, err, "rpcfleet: "+operation.ID+": not found (POST /graphql)")
				var fault *rpcfleet.Error
				require.ErrorAs(t, err, &fault)
				assert.Equal(t, 200, fault.StatusCode)
				assert.Equal(t, 1, fault.Attempts)
			}
		})
	}
	assert.Len(t, uses, queries)
}

func TestGraphChecksArguments(t *testing.T) {
	client, server := scripted(t, says(500, ""))
	ctx, s := t.Context(), client.Graph
	minus := scalar.BigIntFrom(-1)
	for want, ask := range map[string]func() error{
		`GetCollection: contractAddress is required`: func() error {
			_,
				err := s.Collection(ctx, graph.ChainEthereum, "")
			return err
		},
		`GetContract: contractAddress is required`: func() error {
			_,
				err := s.Contract(ctx, graph.ChainEthereum, "")
			return err
		},
		`GetTransaction: hash is required`: func() error {
			_,
				err := s.Transaction(ctx, graph.ChainEthereum, "")
			return err
		},
		`GetOHLCVChart: contractAddress is required`: func() error {
			_, err := s.OHLCVChart(ctx, graph.ChainEthereum, "", graph.CollectionOHLCVChartInput{})
			return err
		},
		`GetCollectionStats: contractAddress is required`: func() error {
			_,
				err := s.CollectionStats(ctx, graph.ChainEthereum, "", graph.DateTimeInput{})
			return err
		},
		`GetOrderHistory: contractAddress is required`: func() error {
			_, err := s.OrderHistory(ctx, graph.ChainEthereum, "", graph.CollectionOrderHistoryInput{})
			return err
		},
		`GetWalletCollection: collectionAddress is required`: func() error {
			_,
				err := s.WalletCollection(ctx, graph.ChainEthereum, anyWallet, "")
			return err
		},
		`ListCollectionSales: contractAddress is required`: func() error {
			_, err := s.CollectionSales(graph.ChainEthereum, "", graph.SalesParams{}).Page(ctx)
			return err
		},
		`ListCollectionAttributes: contractAddress is required`: func() error {
			_,
				err := s.CollectionAttributes(graph.ChainEthereum, "").Page(ctx)
			return err
		},
		`ListCollectionHolders: contractAddress is required`: func() error {
			_,
				err := s.CollectionHolders(graph.ChainEthereum, "").Page(ctx)
			return err
		},
		`ListCollectionEvents: contractAddress is required`: func() error {
			_, err := s.CollectionEvents(graph.ChainEthereum, "", graph.TokenEventsFilterInput{}).Page(ctx)
			return err
		},
		`ListNFTOwners: contractAddress is required`: func() error {
			_,
				err := s.NFTOwners(graph.ChainEthereum, "", minus).Page(ctx)
			return err
		},
		`ListNFTOwners: tokenId must not be negative, not "-1"`: func() error {
			_,
				err := s.NFTOwners(graph.ChainEthereum, "a", minus).Page(ctx)
			return err
		},
		`GetNFT: contractAddress is required`: func() error {
			_,
				err := s.NFT(ctx, graph.ChainEthereum, "", minus)
			return err
		},
		`GetNFT: tokenId must not be negative, not "-1"`: func() error {
			_,
				err := s.NFT(ctx, graph.ChainEthereum, "a", minus)
			return err
		},
		`GetOwnership: wallet is required`: func() error {
			_,
				err := s.Ownership(ctx, graph.ChainEthereum, "", "a", minus)
			return err
		},
		`GetOwnership: contractAddress is required`: func() error {
			_,
				err := s.Ownership(ctx, graph.ChainEthereum, anyWallet, "", minus)
			return err
		},
		`ListCollectionNFTs: contractAddress is required`: func() error {
			_,
				err := s.CollectionNFTs(graph.ChainEthereum, "").Page(ctx)
			return err
		},
		`ListWalletNFTs: wallet is required`: func() error {
			_, err := s.WalletNFTs(graph.ChainEthereum, "", graph.WalletNFTsParams{}).Page(ctx)
			return err
		},
		`ListWalletCollections: wallet is required`: func() error {
			_, err := s.WalletCollections(graph.ChainEthereum, "", graph.WalletCollectionsParams{}).Page(ctx)
			return err
		},
		`ListTokenBalances: wallet is required`: func() error {
			_, err := s.TokenBalances(graph.ChainEthereum, "", graph.TokenBalancesParams{}).Page(ctx)
			return err
		},
		`ListContractEvents: contractAddress is required`: func() error {
			_, err := s.ContractEvents(graph.ChainEthereum, "", graph.TokenEventsFilterInput{}).Page(ctx)
			return err
		},
		`ListNFTEvents: contractAddress is required`: func() error {
			_, err := s.NFTEvents(graph.ChainEthereum, "", minus, graph.TokenEventsFilterInput{}).Page(ctx)
			return err
		},
		`ListWalletEvents: wallet is required`: func() error {
			_, err := s.WalletEvents(graph.ChainEthereum, "", graph.TokenEventsFilterInput{}).Page(ctx)
			return err
		},
		`ListWalletTransactions: wallet is required`: func() error {
			_, err := s.WalletTransactions(graph.ChainEthereum, "", graph.TransactionsParams{}).Page(ctx)
			return err
		},
		`ListGasPrices: chain must be one of the documented values (ethereum, ethereumSepolia, polygon), not "solana"`: func() error { _, err := s.GasPrices(ctx, "solana", graph.GasPricesParams{}); return err },
		`ListGasPrices: chain is required`: func() error {
			_,
				err := s.GasPrices(ctx, "", graph.GasPricesParams{})
			return err
		},
	} {
		err := ask()
		var broken *rpcfleet.ValidationError
		require.ErrorAs(t, err, &broken, want)
		assert.EqualError(t, err, "rpcfleet: "+want)
	}
	assert.Empty(t, server.Requests())
}

func TestGraphChainsNewerThanThisVersion(t *testing.T) {
	client, server := scripted(t, says(200, foundCollection))
	_, err := client.Graph.Collection(t.Context(), "base", "0xa1", rpcfleet.WithoutValidation())
	require.NoError(t, err)
	assert.Contains(t, decodeBody(t, server.Requests()[0].Body)["query"], "chain: base {")
	for _, chain := range []graph.Chain{"", "base { a } polygon"} {
		_, err = client.Graph.Collection(t.Context(), chain, "0xa1", rpcfleet.WithoutValidation())
		var broken *rpcfleet.ValidationError
		require.ErrorAs(t, err, &broken)
		assert.Equal(t, "chain", broken.Field)
	}
	assert.Len(t, server.Requests(), 1)
}

func TestGraphOwnership(t *testing.T) {
	for name, test := range map[string]struct {
		held string
		want rpcfleet.Ownership
	}{
		"none": {`null`, rpcfleet.Ownership{Count: new(0)}},
		"a count of none": {`{"nft":{"__typename":"ERC721NFT","tokenId":1},"nftsCount":0}`,
			rpcfleet.Ownership{Count: new(0)}},
		"some, but not which":   {`{"nft":null,"nftsCount":2}`, rpcfleet.Ownership{Held: true, Count: new(2)}},
		"one, but not how many": {`{"nftsCount":null}`, rpcfleet.Ownership{Held: true}},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := scripted(t, says(200, `{"data":{"chain":{"wallet":{"walletNFT":`+test.held+`}}}}`))
			ownership, err := client.Graph.Ownership(t.Context(), graph.ChainEthereum, anyWallet, "0xa1", scalar.BigIntFrom(1))
			require.NoError(t, err)
			assert.Equal(t, &test.want, ownership)
		})
	}
}
