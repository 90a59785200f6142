package graph_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"testing"

	"github.com/Khan/genqlient/graphql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// canned is a client that keeps the request and hands out data.
type canned struct {
	asked graphql.Request
	data  string
	err   error
}

func (c *canned) MakeRequest(_ context.Context, request *graphql.Request, response *graphql.Response) error {
	c.asked = *request
	if err := json.Unmarshal([]byte(c.data), response.Data); err != nil {
		return err
	}
	return c.err
}

func TestQuery_returnsDataBesideError(t *testing.T) {
	type response struct{ Name string }
	partial := errors.New("partial")
	client := &canned{data: `{"name":"a"}`, err: partial}
	got, err := graph.Query[response](t.Context(), client, "{ name }", map[string]any{"a": 1})
	assert.Equal(t, response{"a"}, got, "data that came beside the error")
	assert.Same(t, partial, err)
	assert.Equal(t, graphql.Request{Query: "{ name }", Variables: map[string]any{"a": 1}}, client.asked)
	_, err = graph.Query[response](t.Context(), nil, "{ name }", nil)
	require.EqualError(t, err, "graph: the client must not be nil")
}

func TestTokenBalance_amountInUnits(t *testing.T) {
	for name, test := range map[string]struct {
		contract *graph.Token
		want     string
		known    bool
	}{
		"six decimals":       {&graph.Token{Decimals: new(scalar.BigIntFrom(6))}, "-1.5", true},
		"none":               {&graph.Token{Decimals: new(scalar.BigIntFrom(0))}, "-1500000", true},
		"no contract":        {nil, "", false},
		"decimals not told":  {&graph.Token{}, "", false},
		"less than none":     {&graph.Token{Decimals: new(scalar.BigIntFrom(-1))}, "", false},
		"more than can be":   {&graph.Token{Decimals: new(scalar.BigIntFrom(256))}, "", false},
		"more than any size": {&graph.Token{Decimals: new(scalar.NewBigInt(new(big.Int).Lsh(big.NewInt(1), 64)))}, "", false},
	} {
		balance := graph.TokenBalance{TotalBalance: scalar.BigIntFrom(-1_500_000), Contract: test.contract}
		amount, known := balance.Amount()
		assert.Equal(t, test.want, amount, name)
		assert.Equal(t, test.known, known, name)
	}
}

// FuzzUnmarshal makes sure that whatever can be read can be written, and is the same when it is read once more.
func FuzzUnmarshal(f *testing.F) {
	for _, seed := range []string{
		`[{"__typename":"TokenMintEvent","nft":{"__typename":"ERC721NFT","tokenId":1,"uploads":[null,{"url":"a"}]}},null]`,
		`[{"rays":[1.50],"__typename":"Newer","nft":7}]`, `[{"__TYPENAME":"TokenSaleEvent"}]`, `[{"__typename":7}]`, `[[]]`,
		`{}`, `[`, ``,
		`[{"__typename":"Newer","__typename":"TokenSwapEvent","timestamp":"2024-05-14T12:34:56Z"}]`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var events, again []graph.Event
		if graph.Unmarshal([]byte(text), &events) != nil {
			return
		}
		written, err := json.Marshal(events)
		require.NoError(t, err)
		require.NoError(t, graph.Unmarshal(written, &again), "%s", written)
		rewritten, err := json.Marshal(again)
		require.NoError(t, err)
		require.Equal(t, string(written), string(rewritten))
		for i, event := range events {
			require.IsType(t, event, again[i])
		}
	})
}
