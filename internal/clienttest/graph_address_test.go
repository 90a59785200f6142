package clienttest

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// TestWalletsAreAddressesOrNames names the wallet in every method that takes one, in both ways.
func TestWalletsAreAddressesOrNames(t *testing.T) {
	lookups := map[string]string{
		anyWallet: "walletByAddress(address: $wallet)", strings.ToUpper(anyWallet): "walletByAddress(address: $wallet)",
		"name.eth": "walletByENS(ensName: $wallet)", "a.b.example.eth": "walletByENS(ensName: $wallet)",
		"0xb2.eth": "walletByENS(ensName: $wallet)", "名前.eth": "walletByENS(ensName: $wallet)",
		"⛵.eth": "walletByENS(ensName: $wallet)",
	}
	for name, ask := range walletUses() {
		for wallet, lookup := range lookups {
			client, server := scripted(t, says(200, `{"data":{"chain":{}}}`))
			require.ErrorIs(t, ask(t.Context(), client.Graph, wallet), rpcfleet.ErrNotFound, name)
			body := decodeBody(t, server.Requests()[0].Body)
			assert.Equal(t, name, body["operationName"])
			assert.Contains(t, body["query"], "wallet: "+lookup+" {")
			assert.Equal(t, wallet, variables(t, server.Requests()[0])["wallet"])
		}
	}
}

func TestWalletsThatAreNeither(t *testing.T) {
	client, server := scripted(t, says(200, `{"data":{"chain":{}}}`))
	const rule = ": wallet must be an address (0x and 40 hexadecimal digits) or an ENS name (such as name.eth), not "
	for name, ask := range walletUses() {
		for _, wallet := range []string{"0xb2", anyWallet[2:], anyWallet + "0", anyWallet[:41] + "g", "name", ".eth", "name.",
			"a..eth", "a b.eth", "a.eth\n", "\xff.eth"} {
			err := ask(t.Context(), client.Graph, wallet)
			var broken *rpcfleet.ValidationError
			require.ErrorAs(t, err, &broken, "%s of %q", name, wallet)
			assert.Equal(t, "wallet", broken.Field)
			assert.Contains(t, err.Error(), "rpcfleet: "+name+rule)
		}
		assert.EqualError(t, ask(t.Context(), client.Graph, ""), "rpcfleet: "+name+": wallet is required")
	}
	assert.Empty(t, server.Requests())

	_, err := client.Graph.Wallet(t.Context(), graph.ChainEthereum, "0xb2", rpcfleet.WithoutValidation())
	require.ErrorIs(t, err, rpcfleet.ErrNotFound, "it is for the service to judge")
}

// walletUses are all methods that take a wallet.
func walletUses() map[string]func(ctx context.Context, s *rpcfleet.GraphService, wallet string) error {
	return map[string]func(ctx context.Context, s *rpcfleet.GraphService, wallet string) error{
		"GetWallet": func(ctx context.Context, s *rpcfleet.GraphService, wallet string) error {
			_, err := s.Wallet(ctx, graph.ChainEthereum, wallet)
			return err
		},
		"GetOwnership": func(ctx context.Context, s *rpcfleet.GraphService, wallet string) error {
			_, err := s.Ownership(ctx, graph.ChainEthereum, wallet, "0xa1", scalar.BigIntFrom(1))
			return err
		},
		"ListOwnerships": func(ctx context.Context, s *rpcfleet.GraphService, wallet string) error {
			_, err := s.Ownerships(ctx, graph.ChainEthereum, wallet, refs("0xa1", 1))
			return err
		},
		"GetWalletCollection": func(ctx context.Context, s *rpcfleet.GraphService, wallet string) error {
			_, err := s.WalletCollection(ctx, graph.ChainEthereum, wallet, "0xa1")
			return err
		},
		"ListWalletNFTs": func(ctx context.Context, s *rpcfleet.GraphService, wallet string) error {
			_, err := s.WalletNFTs(graph.ChainEthereum, wallet, graph.WalletNFTsParams{}).Page(ctx)
			return err
		},
		"ListWalletCollections": func(ctx context.Context, s *rpcfleet.GraphService, wallet string) error {
			_, err := s.WalletCollections(graph.ChainEthereum, wallet, graph.WalletCollectionsParams{}).Page(ctx)
			return err
		},
		"ListTokenBalances": func(ctx context.Context, s *rpcfleet.GraphService, wallet string) error {
			_, err := s.TokenBalances(graph.ChainEthereum, wallet, graph.TokenBalancesParams{}).Page(ctx)
			return err
		},
		"ListWalletTransactions": func(ctx context.Context, s *rpcfleet.GraphService, wallet string) error {
			_, err := s.WalletTransactions(graph.ChainEthereum, wallet, graph.TransactionsParams{}).Page(ctx)
			return err
		},
		"ListWalletEvents": func(ctx context.Context, s *rpcfleet.GraphService, wallet string) error {
			_, err := s.WalletEvents(graph.ChainEthereum, wallet, graph.TokenEventsFilterInput{}).Page(ctx)
			return err
		},
	}
}
