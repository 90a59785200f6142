package graphql

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/internal/test/hostile"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// hostileEdges are the edges of pages that were made to be slow to read, n of them or of about as many parts.
var hostileEdges = map[string]func(n int) string{
	"nulls":             func(n int) string { return strings.Repeat(`null,`, n) + `null` },
	"nodes of no shape": func(n int) string { return many(n, `{"node":{"nft":7}}`) },
	"types of no schema": func(n int) string {
		return many(n, `{"node":{"nft":{"__typename":"ERC9NFT","collection":{"__typename":"ERC9Collection"}}}}`)
	},
	"the type's name last": func(n int) string {
		return many(n,
			`{"node":{"nft":{"tokenId":"1","collection":{"address":"0xa","__typename":"ERC721Collection"},"__typename":"ERC721NFT"}}}`)
	},
	"a type's name behind many members": func(n int) string {
		return `{"node":{"nft":{"collection":{` + strings.Repeat(`"x":{"__typename":1},`, n) +
			`"__typename":"ERC721Collection"},"__typename":"ERC721NFT"}}}`
	},
	"names again and again": func(n int) string {
		return `{"node":{"nft":{"__typename":"ERC721NFT",` + strings.Repeat(`"uploads":[{"url":"a"}],`, n) + `"uploads":[]}}}`
	},
	"numbers for texts": func(n int) string {
		return many(n, `{"node":{"nft":{"__typename":"ERC721NFT","name":7,"tokenId":1e2},"nftsCount":"7"}}`)
	},
	"deep metadata": func(n int) string {
		return `{"node":{"nft":{"__typename":"ERC721NFT","metadata":` + hostile.Nested(`[{"a":`, `1`, `}]`, min(n, 4000)) +
			`}}}`
	},
	"something deep beside": func(n int) string {
		return `{"node":{"nft":{"__typename":"ERC721NFT","x":` + hostile.Nested(`{"nft":`, `1`, `}`, n) + `}}}`
	},
	"a null at the end of a long list": func(n int) string {
		return `{"node":{"nft":{"__typename":"ERC721NFT","uploads":[` + strings.Repeat(`{"url":"a"},`, n) + `null]}}}`
	},
}

func many(n int, edge string) string { return strings.Repeat(edge+",", n) + edge }

// TestRead_hostilePagesAreLinear doubles hostile pages, and holds the memory that reading them takes against their
// size.
func TestRead_hostilePagesAreLinear(t *testing.T) {
	race.Skip(t)
	for name, edges := range hostileEdges {
		work := func(n int) uint64 {
			body := []byte(`{"data":{"chain":{"wallet":{"walletNFTs":{"edges":[` + edges(n) + `]}}}}}`)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _ = Read(t.Context(), "", body, OwnTypes, new(ListWalletNFTsResponse))
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		assert.Less(t, work(4000), 3*work(2000)+100_000, name)
	}
}
