package contract_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/contract"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

const (
	nftPage = `{"data":{"chain":{"collection":{"__typename":"ERC721Collection","nfts":{"edges":[%s],` +
		`"pageInfo":{"hasNextPage":false,"endCursor":null,"hasPreviousPage":false,"startCursor":null},"totalCount":%s}}}}%s}`
	nftEdge = `{"cursor":"a","node":{%s"contractAddress":"0x1","tokenId":1,"name":null,"collectionSlug":null,"uploads":[%s],"description":null,` +
		`"externalUrl":null,"animationUrl":null,"metadata":null,"attributes":[],"wallet":null,` +
		`"collection":{"__typename":"ERC721Collection","address":"0x1","name":null,"symbol":null,"slug":null,"totalSupply":1,"circulatingSupply":null}}}`
)

func edge(typename, uploads string) string { return fmt.Sprintf(nftEdge, typename, uploads) }

var graphWalks = []struct {
	body   string
	drifts []contract.Drift
	mended string // The mended body, if it differs from the body.
}{
	{fmt.Sprintf(nftPage, edge(`"__typename":"ERC721NFT",`, ""), "1", ""), nil, ""},
	{fmt.Sprintf(nftPage, edge("", ""), "1", `,"errors":null`), []contract.Drift{
		drift(contract.Missing, "/data/chain/collection/nfts/edges/0/node/__typename", "string", "nothing")}, ""},
	{fmt.Sprintf(nftPage, edge(`"__typename":"ERC721NFT",`, "null,null"), `{}`, ""), []contract.Drift{
		drift(contract.Null, "/data/chain/collection/nfts/edges/0/node/uploads/0", "object", "null"),
		drift(contract.Null, "/data/chain/collection/nfts/edges/0/node/uploads/1", "object", "null"),
		drift(contract.Unread, "/data/chain/collection/nfts/totalCount", "integer", "object"),
	}, `{"data":{"chain":{"collection":{"__typename":"ERC721Collection","nfts":{"edges":[{"cursor":"a","node":{` +
		`"$unread:uploads/0":null,"$unread:uploads/1":null,"__typename":"ERC721NFT","contractAddress":"0x1","tokenId":1,` +
		`"name":null,"collectionSlug":null,"uploads":[],"description":null,` +
		`"externalUrl":null,"animationUrl":null,"metadata":null,"attributes":[],"wallet":null,` +
		`"collection":{"__typename":"ERC721Collection","address":"0x1","name":null,"symbol":null,"slug":null,"totalSupply":1,"circulatingSupply":null}}}],"pageInfo":{"hasNextPage":false,"endCursor":null,"hasPreviousPage":false,"startCursor":null},"$unread:totalCount":{}}}}}}`},
	{fmt.Sprintf(nftPage, "null", "1", `,"errors":[{"message":"a.b","path":["chain","collection","nfts","edges",0]}]`),
		nil, ""},
	{`{"errors":[{"message":"no"}]}`, nil, ""},
	{`{"data":null,"errors":"no"}`, []contract.Drift{drift(contract.Type, "/errors", "array", "string")}, ""},
	{`{"data":{"chain":{"collection":{"__typename":7}}`, nil, ""}, // No JSON.
}

func TestWalkGraph_reportsDrift(t *testing.T) {
	for _, test := range graphWalks {
		report := contract.WalkGraph("ListCollectionNFTs", []byte(test.body))
		assert.Equal(t, test.drifts, report.Drifts, test.body)
		mended := test.mended
		if mended == "" {
			mended = test.body
		}
		assert.Equal(t, mended, string(report.Body), test.body)
	}
}

// TestWalkGraph_isLinear doubles bodies of several forms.
func TestWalkGraph_isLinear(t *testing.T) {
	race.Skip(t)
	for name, build := range map[string]func(n int) string{
		"names of types at the end": func(n int) string {
			return fmt.Sprintf(nftPage, strings.Repeat(`{"node":{"tokenId":1,"__typename":"ERC721NFT"}},`, n)+"{}", "1", "")
		},
		"names of types at the beginning": func(n int) string {
			return fmt.Sprintf(nftPage, strings.Repeat(`{"node":{"__typename":"ERC721NFT","tokenId":1}},`, n)+"{}", "1", "")
		},
		"nulls": func(n int) string {
			return fmt.Sprintf(nftPage, edge(`"__typename":"ERC721NFT",`, strings.Repeat("null,", n)+"null"), "1", "")
		},
		"errors": func(n int) string {
			return fmt.Sprintf(nftPage, strings.Repeat("null,", n)+"null", "1", `,"errors":[`+
				strings.Repeat(`{"path":["chain","x"]},`, n)+`7]`)
		},
	} {
		work := func(n int) uint64 {
			body := []byte(build(n))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			contract.WalkGraph("ListCollectionNFTs", body)
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		assert.Less(t, work(8000), 3*work(4000), name)
	}
}

// FuzzWalkGraph walks through any body of the graph area as FuzzWalk does.
func FuzzWalkGraph(f *testing.F) {
	for _, test := range graphWalks {
		f.Add([]byte(test.body))
	}
	f.Add([]byte(`{"data":{"chain":{"collection":{"__typename":{},"nfts":[]}}},"errors":[{"path":["a~/b",1e9]}],"x":1}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		report := contract.WalkGraph("ListCollectionNFTs", body)
		if string(body) == string(report.Body) {
			return
		}
		require.True(t, jsontext.Value(report.Body).IsValid(contract.Liberal...), "%s", report.Body)
		again := contract.WalkGraph("ListCollectionNFTs", report.Body)
		unread := slices.ContainsFunc(again.Drifts, func(d contract.Drift) bool { return d.Kind == contract.Unread })
		require.False(t, unread && report.More == 0, "%s", report.Body)
	})
}
