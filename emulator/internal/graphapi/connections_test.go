package graphapi

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
)

// connections are the ways to every connection of the schema, by the names of its types, and what tells its nodes
// apart.
var connections = map[string]struct{ way, node string }{
	"EVMSchemaTypeCollectionsConnection":         {`collections`, "address"},
	"EVMSchemaTypeTokenEventsConnection":         {`tokenEvents`, "transactionHash"},
	"EVMSchemaTypeTransactionsConnection":        {`transactions`, "hash"},
	"EVMSchemaTypeTrendingCollectionsConnection": {`trendingCollections`, "collection { address }"},
	"ContractsConnection":                        {`contracts`, "address"},
	"CollectionAttributesConnection":             {`collection(contractAddress: $large) { attributes`, "name value"},
	"CollectionSalesConnection":                  {`collection(contractAddress: $large) { sales`, "estimatedConfirmedAt"},
	"CollectionTokenEventsConnection":            {`collection(contractAddress: $large) { tokenEvents`, "transactionHash"},
	"CollectionWalletsConnection":                {`collection(contractAddress: $large) { wallets`, "address"},
	"ContractTokenEventsConnection":              {`contract(contractAddress: $large) { tokenEvents`, "transactionHash"},
	"ERC721CollectionTokensConnection":           {`collection(contractAddress: $large) { ... on ERC721Collection { nfts`, "tokenId"},
	"ERC1155CollectionTokensConnection":          {`collection(contractAddress: $many) { ... on ERC1155Collection { nfts`, "tokenId"},
	"ERC1155NFTWalletsConnection":                {`nft(contractAddress: $many, tokenId: $first) { ... on ERC1155NFT { wallets`, "address"},
	"NFTTokenEventsConnection":                   {`nft(contractAddress: $many, tokenId: $moved) { tokenEvents`, "transactionHash"},
	"WalletNFTsConnection":                       {`walletByAddress(address: $wallet) { walletNFTs`, "nft { contractAddress tokenId }"},
	"WalletWalletCollectionsConnection":          {`walletByAddress(address: $wallet) { walletCollections`, "collectionAddress"},
	"WalletTokenBalancesConnection":              {`walletByAddress(address: $wallet) { tokenBalances`, "contractAddress"},
	"WalletTokenEventsConnection":                {`walletByAddress(address: $wallet) { tokenEvents`, "transactionHash"},
	"WalletTransactionsConnection":               {`walletByAddress(address: $wallet) { transactions`, "hash"},
}

// TestEveryConnectionGoesBothWays reads each connection from its beginning to its end and back, and finds the same
// items.
func TestEveryConnectionGoesBothWays(t *testing.T) {
	race.Skip(t)
	var types []string
	for line := range strings.Lines(graph.Schema) {
		if name, found := strings.CutPrefix(line, "type "); found && strings.HasSuffix(name, "Connection {\n") {
			types = append(types, strings.TrimSuffix(name, " {\n"))
		}
	}
	require.Len(t, connections, len(types))
	api, c := newAPI(t, 3), newChain("ethereum", 3, 250, fleet.GraphChain{})
	sights := strings.NewReplacer(
		"$large", strconv.Quote(c.collections[0].address), "$many", strconv.Quote(c.collections[3].address),
		"$wallet", strconv.Quote(c.wallets[1].Address), "$moved", strconv.Quote(movedOften(c.collections[3])), "$first", `"1"`)
	for _, name := range types {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, connections, name)
			at := connections[name]
			read := func(arguments string) map[string]any {
				text := "{ ethereum { " + sights.Replace(at.way) + "(" + arguments + ") { edges { cursor node { " + at.node + " } } " +
					"pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount }"
				text += strings.Repeat(" }", strings.Count(text, "{")-strings.Count(text, "}"))
				var list map[string]any
				for list = query(t, api, text, nil); list["edges"] == nil; {
					for _, inner := range list {
						list = inner.(map[string]any)
					}
				}
				return list
			}
			forwards := walk(t, read, "first", "after", "endCursor", "hasNextPage")
			backwards := walk(t, read, "last", "before", "startCursor", "hasPreviousPage")
			slices.Reverse(backwards)
			assert.Equal(t, slices.Concat(forwards...), slices.Concat(backwards...))
			require.GreaterOrEqual(t, len(forwards), 2, "more than one page")
		})
	}
}

// walk reads a connection page by page, each of which has a third of the items or two, and holds them against the
// total.
func walk(t *testing.T, read func(string) map[string]any, size, from, cursor, more string) (pages [][]any) {
	t.Helper()
	count := max(int(read("first: 1")["totalCount"].(float64))/3, 1)
	arguments, seen := fmt.Sprintf("%s: %d", size, count), 0
	for next := arguments; next != ""; {
		list := read(next)
		edges, info := list["edges"].([]any), list["pageInfo"].(map[string]any)
		require.LessOrEqual(t, len(edges), count)
		require.NotEmpty(t, edges)
		pages = append(pages, edges)
		seen += len(edges)
		next = ""
		if info[more].(bool) {
			next = fmt.Sprintf("%s %s: %q", arguments, from, info[cursor])
		} else {
			require.Equal(t, list["totalCount"], float64(seen))
		}
	}
	return pages
}

// movedOften returns the id of a token of the collection that has more than one event.
func movedOften(c *collection) string {
	seen := map[int]bool{}
	for _, e := range c.chain.events {
		if e.sent.collection == c {
			if seen[e.sent.index] {
				return c.id(e.sent.index).String()
			}
			seen[e.sent.index] = true
		}
	}
	return ""
}
