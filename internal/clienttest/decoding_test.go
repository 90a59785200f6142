package clienttest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/test/hostile"
)

func anyRequest(path string) rpcfleet.Request { return rpcfleet.Request{Method: "GET", Path: path} }

// TestDecoding_nestingLimitIsExact nests values of every kind 9,000 levels deep, counting their own, and one level deeper.
func TestDecoding_nestingLimitIsExact(t *testing.T) {
	for body, call := range map[string]func(client *rpcfleet.Client) (any, error){
		`{"data":{"id":"a","x":%s}}`: func(client *rpcfleet.Client) (any, error) {
			record, err := client.Endpoints.Get(t.Context(), "a")
			value, is := record.Extra.Get("x")
			if !is {
				return nil, &rpcfleet.DecodeError{Reason: rpcfleet.ReasonTooDeep}
			}
			return value, err
		},
		`{"data":{"x":%s}}`: func(client *rpcfleet.Client) (any, error) {
			got, err := rpcfleet.Do[map[string]json.RawMessage](t.Context(), client, anyRequest("/v0/a"))
			return got["x"], err
		},
		`{"data":{"x":%s},"id":1,"id":2}`: func(client *rpcfleet.Client) (any, error) {
			got, err := rpcfleet.Do[map[string]any](t.Context(), client, anyRequest("/v0/a"))
			return got["x"], err
		},
		`{"data":{"x":{"y":%s}}}`: func(client *rpcfleet.Client) (any, error) {
			got, err := graph.Query[map[string]map[string]any](t.Context(), client.Graph, "{ x { y } }", nil)
			return got["x"]["y"], err
		},
		`{"data":{"chain":{"nft":{"__typename":"ERC721NFT","metadata":%s}}}}`: func(client *rpcfleet.Client) (any, error) {
			got, err := client.Graph.NFT(t.Context(), graph.ChainEthereum, "0xa1", one)
			if err != nil {
				return nil, err
			}
			return got.(*graph.NFTERC721NFT).Metadata, nil
		},
	} {
		for _, inner := range []string{`1`, `"a"`, `[]`, `{}`, `[1]`, `{"a":1}`} {
			for levels, reason := range map[int]rpcfleet.DecodeReason{8999: "", 9000: "", 9001: rpcfleet.ReasonTooDeep} {
				around := strings.Count(body[:strings.Index(body, "%s")], "{") + strings.Count(inner[:1], "{") +
					strings.Count(inner[:1], "[")
				deep := hostile.Nested(`[`, inner, `]`, levels-around)
				client, _ := scripted(t, respondJSON(200, fmt.Sprintf(body, deep)))
				got, err := call(client)
				if reason != "" {
					assert.Equal(t, reason, errorAs[*rpcfleet.DecodeError](t, err, body, inner).Reason)
					continue
				}
				text, unwritten := json.Marshal(got)
				require.NoError(t, errors.Join(err, unwritten), "%s: %s in %d levels", body, inner, levels)
				assert.True(t, deep == string(text), "%s: %s in %d levels", body, inner, levels)
			}
		}
	}
}
