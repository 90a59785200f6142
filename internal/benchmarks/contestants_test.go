package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// TestContestants_returnAllThatWasSent compares the result of each call with the body that the server sent.
func TestContestants_returnAllThatWasSent(t *testing.T) {
	race.Skip(t)
	eachCall(t, func(f field, c contestant, p payload, call call) {
		makes := c.name != "ogen" && c.name != "genqlient" || (p.name == listNFTs) == (c.name == "genqlient")
		require.Equal(t, makes, call != nil, "%s %s", c.name, p.name)
		if !makes {
			return
		}
		got, err := call(t.Context())
		require.NoError(t, err, "%s, %s, %s", f.title, c.name, p.name)
		got.data = plain(t, got.data)
		require.Equal(t, sent(t, p), got, "%s, %s, %s", f.title, c.name, p.name)
	})
}

// sent reads a body without a contestant's types.
func sent(t *testing.T, p payload) result {
	var read struct {
		Data       any
		Pagination struct{ Total int }
		NextAt     string `json:"next_at"`
	}
	require.NoError(t, json.Unmarshal([]byte(p.body()), &read))
	if p.name != listNFTs {
		return result{plain(t, read.Data), read.Pagination.Total, read.NextAt}
	}
	nfts := read.Data.(map[string]any)["chain"].(map[string]any)["collection"].(map[string]any)["nfts"].(map[string]any)
	return result{plain(t, nfts["edges"]), int(nfts["totalCount"].(float64)),
		nfts["pageInfo"].(map[string]any)["endCursor"].(string)}
}

// plain returns a value as JSON has it, with its secrets.
func plain(t *testing.T, value any) any {
	text, err := json.Marshal(scalar.WithSecrets[any]{Value: value})
	require.NoError(t, err)
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var tree any
	require.NoError(t, decoder.Decode(&tree))
	return prune(tree)
}

// prune removes empty values, fields that the contract does not know, and the cursors of edges, which contestants may
// leave out. A time is made a number of seconds: ogen writes no more.
func prune(tree any) any {
	unknown := []string{"hosts", "client_ip", "region", "response_time_ms"}
	switch value := tree.(type) {
	case []any:
		for i := range value {
			value[i] = prune(value[i])
		}
		if len(value) == 0 {
			return nil
		}
	case map[string]any:
		if node, is := value["node"]; is {
			return prune(node)
		}
		for name := range value {
			if value[name] = prune(value[name]); value[name] == nil || slices.Contains(unknown, name) {
				delete(value, name)
			}
		}
		if len(value) == 0 {
			return nil
		}
	case string:
		if at, err := time.Parse(time.RFC3339, value); err == nil {
			return strconv.FormatInt(at.Unix(), 10)
		}
	case json.Number: // Some numbers are texts.
		tree = value.String()
	}
	if tree == false || tree == "" || tree == "0" {
		return nil
	}
	return tree
}
