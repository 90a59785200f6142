package acceptance

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
)

// graphFixture is a service for the graph area on one chain. It records the operations that its client sends.
type graphFixture struct {
	*fixture
	chain graph.Chain
	mu    sync.Mutex
	sent  map[string]bool
	// raw is the response to the latest call that asked for it.
	raw rpcfleet.Response
	// response is the last decoded response of this kind, and decoded its text.
	response any
	decoded  []byte

	// harbors is a large collection, notes one of tokens of which there are many each, coin an ERC-20 token.
	harbors, notes, coin string
	// wallet holds tokens of all three and has the name ens.
	wallet, ens string
}

// RoundTrip records the operation and sends the request.
func (g *graphFixture) RoundTrip(r *http.Request) (*http.Response, error) {
	if operation, ok := rpcfleet.OperationFromContext(r.Context()); ok {
		g.mu.Lock()
		g.sent[operation.ID] = true
		g.mu.Unlock()
	}
	return http.DefaultTransport.RoundTrip(r)
}

// startGraph makes a service and finds its sights with separate queries, to which the tests of the typed ones can
// compare their results.
func startGraph(t *testing.T, chain graph.Chain) *graphFixture {
	t.Helper()
	g := &graphFixture{fixture: start(t), chain: chain, sent: map[string]bool{}}
	found := must(graph.Query[map[string]any](t.Context(), g.Graph,
		`query Sights { chain: `+string(chain)+` { collections(first: 10) { edges { node { name address } } } } }`, nil))(t)
	for _, edge := range inside(t, found, "chain", "collections", "edges").([]any) {
		address := inside(t, edge, "node", "address").(string)
		switch inside(t, edge, "node", "name") {
		case "Quiet Harbors":
			g.harbors = address
		case "Field Notes":
			g.notes = address
		}
	}
	require.NotEmpty(t, g.harbors)
	require.NotEmpty(t, g.notes)
	g.findWallet(t)
	g.Client = g.client(t, rpcfleet.WithHTTPClient(&http.Client{Transport: g}))
	return g
}

// findWallet finds a wallet that has a name and holds a token of each kind.
func (g *graphFixture) findWallet(t *testing.T) {
	t.Helper()
	found, err := graph.Query[map[string]any](t.Context(), g.Graph, `query Owners($address: String!) {
		chain: `+string(g.chain)+` { collection(contractAddress: $address) { ... on ERC1155Collection {
			nfts(first: 30) { edges { node { wallets { edges { node { address ensName
				tokenBalances(first: 5) { edges { node { contract { symbol address } } } } } } } } } } } } } }`,
		map[string]any{"address": g.notes})
	require.NoError(t, err)
	for _, token := range inside(t, found, "chain", "collection", "nfts", "edges").([]any) {
		for _, owner := range inside(t, token, "node", "wallets", "edges").([]any) {
			name, named := inside(t, owner, "node", "ensName").(string)
			for _, balance := range inside(t, owner, "node", "tokenBalances", "edges").([]any) {
				if named && inside(t, balance, "node", "contract", "symbol") == "EXD" {
					g.wallet, g.ens = inside(t, owner, "node", "address").(string), name
					g.coin = inside(t, balance, "node", "contract", "address").(string)
					return
				}
			}
		}
	}
	require.Fail(t, "no wallet holds a token of each kind")
}

// inside walks into decoded JSON.
func inside(t *testing.T, value any, path ...any) any {
	t.Helper()
	for _, step := range path {
		switch step := step.(type) {
		case string:
			fields, ok := value.(map[string]any)
			require.True(t, ok, "no object at %v of %v", step, path)
			value = fields[step]
		case int:
			items, ok := value.([]any)
			require.True(t, ok && step < len(items), "no item at %v of %v", step, path)
			value = items[step]
		}
	}
	return value
}

// capture keeps the response of a call.
func (g *graphFixture) capture() rpcfleet.CallOption { return rpcfleet.WithResponse(&g.raw) }

// matches holds a record, field by field, against the place in the captured response that it was made of. Every field
// that was asked for is in the response, so that one that the record loses is found.
func (g *graphFixture) matches(t *testing.T, record any, path ...any) {
	t.Helper()
	if !bytes.Equal(g.raw.Body(), g.decoded) {
		g.decoded, g.response = g.raw.Body(), exactly(t, g.raw.Body())
	}
	want := inside(t, g.response, append([]any{"data", "chain"}, path...)...)
	require.NotNil(t, want, "nothing at %v", path)

	text := must(json.Marshal(record))(t)
	assert.Equal(t, normal(want), normal(exactly(t, text)), "at %v", path)
}

// pageOf reads the first page of a connection, which has items, and holds them against the captured response.
func pageOf[T any](t *testing.T, g *graphFixture, connection *rpcfleet.Connection[T], path string) []T {
	t.Helper()
	page := must(connection.Page(t.Context()))(t)
	require.NotEmpty(t, page.Items)
	var steps []any
	for step := range strings.SplitSeq(path, ".") {
		steps = append(steps, step)
	}
	for i, item := range page.Items {
		g.matches(t, item, slices.Concat(steps, []any{"edges", i, "node"})...)
	}
	return page.Items
}

// exactly decodes JSON without rounding its numbers.
func exactly(t *testing.T, text []byte) (value any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&value))
	return value
}

// normal spells times and numbers in one way.
func normal(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			value[name] = normal(inner)
		}
	case []any:
		for i, inner := range value {
			value[i] = normal(inner)
		}
	case string:
		if at, err := time.Parse(time.RFC3339, value); err == nil {
			return at.UTC()
		}
	case json.Number:
		if float, err := value.Float64(); err == nil && float == float64(int64(float)) && float < 1<<53 {
			return int64(float)
		}
	}
	return value
}
