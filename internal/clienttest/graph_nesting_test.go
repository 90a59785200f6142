package clienttest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
)

// nestedObjects is a value of that many objects, one in the other.
func nestedObjects(levels int) string {
	return strings.Repeat(`{"a":`, levels-1) + `{}` + strings.Repeat(`}`, levels-1)
}

// heldTokens is a page of a wallet with four tokens, of which the second has that metadata.
func heldTokens(typename, metadata string) string {
	var edges []string
	for i := range 4 {
		of, with := "ERC721NFT", `{"name":"a"}`
		if i == 1 {
			of, with = typename, metadata
		}
		edges = append(edges,
			fmt.Sprintf(
				`{"cursor":"%d","node":{"nftsCount":1,"nft":{"__typename":"%s","contractAddress":"0xa","tokenId":%[1]d,"metadata":%[3]s}}}`, i, of, with))
	}
	return `{"data":{"chain":{"wallet":{"walletNFTs":{"edges":[` + strings.Join(edges, ",") +
		`],"pageInfo":{"hasNextPage":true,"endCursor":"next"}}}}}}`
}

// TestTheDepthOfMetadataDoesNotMatter lists tokens, one of them with metadata nested to any depth, since anyone can
// mint such a token. It is read up to the limit of encoding/json; beyond it, only this one token cannot be read.
func TestTheDepthOfMetadataDoesNotMatter(t *testing.T) {
	ignore := rpcfleet.WithDriftHandler(func(context.Context, rpcfleet.Drift) {})
	for levels, items := range map[int]int{1: 4, 95: 4, 150: 4, 5000: 4, 8990: 4, 20_000: 3, 1_000_000: 3} {
		for _, typename := range []string{"ERC721NFT", "ERC9999NFT"} {
			_, server := scripted(t, respondJSON(200, heldTokens(typename, nestedObjects(levels))))
			for _, client := range []*rpcfleet.Client{server.client(t), server.client(t, ignore)} {
				page, err := client.Graph.WalletNFTs(graph.ChainEthereum, anyWallet, graph.WalletNFTsParams{}).Page(t.Context())
				require.NotNil(t, page, "%d levels: %v", levels, err)
				require.Len(t, page.Items, items, "%d levels: %v", levels, err)
				assert.Equal(t, "next", page.NextCursor)
				text, unwritten := json.Marshal(page)
				require.NoError(t, unwritten)
				assert.Less(t, len(fmt.Sprintf("%v%+v", page, page.Items)), 20_000)
				if items == 4 {
					require.NoError(t, err)
					assert.True(t, bytes.Contains(text, []byte(nestedObjects(levels))))
					var back rpcfleet.CursorPage[graph.WalletNFT]
					require.NoError(t, json.Unmarshal(text, &back))
					continue
				}
				unreadable := errorAs[*rpcfleet.DecodeError](t, err)
				assert.Contains(t, unreadable.Detail, `more than 9000 levels at "/data/chain/wallet/walletNFTs/edges/1/node/nft`)
			}
		}
	}
}

// TestUnknownMembersOfAnyDepth keeps unknown members as they came, in records that are read with the generated decoders
// and with the JSON library. If a member is nested too deeply, it is left out.
func TestUnknownMembersOfAnyDepth(t *testing.T) {
	ignore := rpcfleet.WithDriftHandler(func(context.Context, rpcfleet.Drift) {})
	for _, levels := range []int{95, 150, 20_000, 1_000_000} {
		for _, label := range []string{`"a"`, `7`} { // A slip is for the library.
			deep := nestedObjects(levels)
			_, server := scripted(t,
				respondJSON(200, `{"data":{"id":"1","label":`+label+`,"newer":`+deep+
					`,"tags":[{"tag_id":1,"odd":{}}]},"error":null}`))
			for _, client := range []*rpcfleet.Client{server.client(t), server.client(t, ignore)} {
				endpoint, err := client.Endpoints.Get(t.Context(), "1")
				require.NoError(t, err, levels)
				kept, is := endpoint.Extra.Get("newer")
				assert.Equal(t, levels < 9000, is)
				assert.True(t, !is || string(kept) == deep, "%d levels", levels)
				text, err := json.Marshal(endpoint)
				require.NoError(t, err)
				assert.Less(t, len(fmt.Sprintf("%s%v%+v", text, endpoint, *endpoint)), 20_000)
			}
		}
	}
}

// TestQueriesOfCallersMayNest has metadata in types of the caller's own: as it came, and decoded.
func TestQueriesOfCallersMayNest(t *testing.T) {
	for levels, decodes := range map[int]bool{50: true, 150: false, 20_000: false} {
		client, _ := scripted(t, respondJSON(200, `{"data":{"token":{"metadata":`+nestedObjects(levels)+`}}}`))
		type raw struct {
			Token struct {
				Metadata json.RawMessage `json:"metadata"`
			} `json:"token"`
		}
		got, err := graph.Query[raw](t.Context(), client.Graph, "{ token { metadata } }", nil)
		if levels < 9000 {
			require.NoError(t, err)
			assert.Equal(t, nestedObjects(levels), string(got.Token.Metadata))
		} else {
			require.ErrorContains(t, err, "nested too deeply")
		}
		_, err = graph.Query[map[string]any](t.Context(), client.Graph, "{ token { metadata } }", nil)
		if decodes {
			require.NoError(t, err)
			continue
		}
		unreadable := errorAs[*rpcfleet.DecodeError](t, err)
		assert.Equal(t, rpcfleet.ReasonTooDeep, unreadable.Reason)
	}
}
