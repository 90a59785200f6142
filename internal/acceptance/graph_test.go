package acceptance

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// graphFixture is a service for the graph area on one chain.
type graphFixture struct {
	*fixture
	chain graph.Chain
	// harbors is a large collection, notes one of tokens of which there are many each, coin an ERC-20 token.
	harbors, notes, coin string
	// wallet holds tokens of all three and has the name ens.
	wallet, ens string
	// The block has two gas prices after it.
	transaction string
	block       int
}

// startGraph makes a service and finds its objects with separate queries, with which the tests of the typed ones can
// compare their results.
func startGraph(t *testing.T, chain graph.Chain) *graphFixture {
	t.Helper()
	g, ctx := &graphFixture{fixture: start(t), chain: chain}, t.Context()
	found := must(graph.Query[map[string]any](ctx, g.Graph,
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
	g.transaction = firstOf(t, g.Graph.Transactions(chain, graph.TransactionsParams{}, rpcfleet.WithPageSize(1)))[0].Hash
	prices := must(g.Graph.GasPrices(ctx, chain, graph.GasPricesParams{}))(t)
	g.block = prices[len(prices)-3].BlockNumber
	return g
}

// firstOf returns the items of the first page of a connection, which has some.
func firstOf[T any](t *testing.T, connection *rpcfleet.Connection[T]) []T {
	t.Helper()
	page := must(connection.Page(t.Context()))(t)
	require.NotEmpty(t, page.Items)
	return page.Items
}

// findWallet finds a wallet that has a name and holds a token of each kind.
func (g *graphFixture) findWallet(t *testing.T) {
	t.Helper()
	found := must(graph.Query[map[string]any](t.Context(), g.Graph, `query Owners($address: String!) {
		chain: `+string(g.chain)+` { collection(contractAddress: $address) { ... on ERC1155Collection {
			nfts(first: 30) { edges { node { wallets { edges { node { address ensName
				tokenBalances(first: 5) { edges { node { contract { symbol address } } } } } } } } } } } } } }`,
		map[string]any{"address": g.notes}))(t)
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
func inside(t *testing.T, value any, path ...string) any {
	t.Helper()
	for _, step := range path {
		fields, ok := value.(map[string]any)
		require.True(t, ok, "no object at %v of %v", step, path)
		value = fields[step]
	}
	return value
}

// TestGraph_recordsHaveEveryField executes every operation on every chain, and finds each record in the response, field
// by field: all that was asked for is in the response, so that a field that a record loses is noticed.
func TestGraph_recordsHaveEveryField(t *testing.T) {
	for i, chain := range graph.Chain("").Values() {
		t.Run(string(chain), func(t *testing.T) {
			if i > 0 {
				race.Skip(t)
			}
			t.Parallel()
			f, executed := &sampleAccount{graphFixture: startGraph(t, chain)}, map[string]bool{}
			var said []byte
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				recorded := httptest.NewRecorder()
				f.ServeHTTP(recorded, r)
				said = recorded.Body.Bytes()
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write(said)
			}))
			defer server.Close()
			client := f.client(t, rpcfleet.WithBaseURL(server.URL), rpcfleet.WithCallHook(
				func(ctx context.Context, op rpcfleet.Operation) (context.Context, func(rpcfleet.CallResult)) {
					executed[op.ID] = true
					return ctx, nil
				}))
			for _, q := range graphQueries {
				got, err := q.run(t.Context(), client, f)
				require.NoError(t, err, q.method)
				parts := map[string]bool{}
				spelled(decoded(t, said), parts)
				for _, record := range recordsOf(got) {
					text := spelled(decoded(t, must(json.Marshal(record))(t)), nil)
					assert.True(t, parts[text], "%s: %s is not in %s", q.method, text, said)
				}
			}
			for _, operation := range rpcfleet.Operations() {
				assert.True(t, executed[operation.ID] || operation.Area != "graph", operation.ID)
			}
		})
	}
}

// recordsOf are the records of a result: the items of a page or a list, or the result itself.
func recordsOf(result any) (records []any) {
	if owned, is := result.(*rpcfleet.Ownership); is {
		return []any{owned.NFT} // Or null.
	}
	list := reflect.Indirect(reflect.ValueOf(result))
	if strings.HasPrefix(list.Type().Name(), "Page[") {
		list = list.FieldByName("Items")
	}
	if list.Kind() != reflect.Slice {
		return []any{result}
	}
	for i := range list.Len() {
		records = append(records, list.Index(i).Interface())
	}
	return records
}

// decoded decodes JSON without rounding its numbers.
func decoded(t *testing.T, text []byte) (value any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&value))
	return value
}

// spelled spells a value in one way, with its times and numbers, and notes its parts.
func spelled(value any, parts map[string]bool) string {
	switch of := value.(type) {
	case map[string]any:
		for name, inner := range of {
			of[name] = json.RawMessage(spelled(inner, parts))
		}
	case []any:
		for i, inner := range of {
			of[i] = json.RawMessage(spelled(inner, parts))
		}
	case string:
		if at, err := time.Parse(time.RFC3339, of); err == nil {
			value = at.UTC()
		}
	case json.Number:
		if float, err := of.Float64(); err == nil && float == float64(int64(float)) && float < 1<<53 {
			value = int64(float)
		}
	}
	text, _ := json.Marshal(value) // It was JSON.
	if parts != nil {
		parts[string(text)] = true
	}
	return string(text)
}

func TestGraph_readsLargeTokenIDs(t *testing.T) {
	g := startGraph(t, graph.ChainPolygon)
	deep := must(scalar.ParseBigInt("1606938044258990275541962092341162602522202993782792835301376"))(t)
	page := must(g.Graph.Collections(g.chain, graph.CollectionsFilterInput{}).Page(t.Context()))(t)
	nft := must(g.Graph.NFT(t.Context(), g.chain, page.Items[2].GetAddress(), deep))(t)
	assert.True(t, deep.Equal(nft.GetTokenID()))
}
