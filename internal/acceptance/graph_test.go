package acceptance

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
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

// record is a hook that records the operation.
func (g *graphFixture) record(ctx context.Context, a rpcfleet.Attempt) (context.Context, func(rpcfleet.AttemptResult)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.sent[a.Operation.ID] = true
	return ctx, nil
}

// startGraph makes a service and finds its objects with separate queries, with which the tests of the typed ones can
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
	g.Client = g.client(t, rpcfleet.WithAttemptHook(g.record))
	return g
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

	assert.Equal(t, normal(want), normal(exactly(t, must(json.Marshal(record))(t))), "at %v", path)
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

func TestGraph_readsLargeTokenIDs(t *testing.T) {
	g := startGraph(t, graph.ChainPolygon)
	deep := must(scalar.ParseBigInt("1606938044258990275541962092341162602522202993782792835301376"))(t)
	page := must(g.Graph.Collections(g.chain, graph.CollectionsFilterInput{}).Page(t.Context()))(t)
	nft := must(g.Graph.NFT(t.Context(), g.chain, page.Items[2].GetAddress(), deep))(t)
	assert.True(t, deep.Equal(nft.GetTokenID()))
}

// february is the range of time that the tests of sales are about.
var february = &graph.DateTimeInput{
	Gte: new(time.Date(2025, 2, 1, 0, 0, 0, 0, time.UTC)),
	Lt:  new(time.Date(2025, 2, 8, 0, 0, 0, 0, time.UTC)),
}

// within reports whether a time is in the range.
func within(at time.Time) bool {
	return !at.Before(*february.Gte) && at.Before(*february.Lt)
}

// graphMarketTests execute the operations about sales, traits, holders and contracts.
var graphMarketTests = graphTable{
	"GetCollectionStats": func(t *testing.T, g *graphFixture) {
		for _, address := range []string{g.harbors, g.notes} {
			whole := must(g.Graph.CollectionStats(t.Context(), g.chain, address, graph.DateTimeInput{}, g.capture()))(t)
			g.matches(t, whole, "collection", "stats")
			part := must(g.Graph.CollectionStats(t.Context(), g.chain, address, *february))(t)
			assert.Less(t, *part.TotalSales, *whole.TotalSales, "the range narrows them down")
			count, volume := 0, 0.0
			filter := &graph.CollectionSaleFilterInput{TimeRange: february}
			for sale, err := range g.Graph.CollectionSales(g.chain, address, graph.SalesParams{Filter: filter}).All(
				t.Context()) {
				require.NoError(t, err)
				count++
				volume += *sale.PriceInNativeToken
			}
			assert.Equal(t, count, *part.TotalSales)
			assert.InDelta(t, volume, *part.VolumeInNativeToken, 1e-6)
		}
	},
	"ListCollectionSales": func(t *testing.T, g *graphFixture) {
		items := pageOf(t, g, g.Graph.CollectionSales(g.chain, g.notes, graph.SalesParams{
			Filter:         &graph.CollectionSaleFilterInput{TimeRange: february},
			OrderBy:        new(graph.CollectionSaleOrderByTimestamp),
			OrderDirection: new(graph.OrderDirectionDesc),
		}, g.capture()), "collection.sales")
		for _, sale := range items {
			assert.True(t, within(*sale.EstimatedConfirmedAt))
			assert.Positive(t, *sale.PriceInNativeToken)
		}
		assert.True(t, slices.IsSortedFunc(items, func(a, b graph.Sale) int {
			return b.EstimatedConfirmedAt.Compare(*a.EstimatedConfirmedAt)
		}), "the newest first")
		week := must(g.Graph.CollectionSales(g.chain, g.notes, graph.SalesParams{
			Filter: &graph.CollectionSaleFilterInput{TimePeriod: new(graph.CollectionSalePeriodSevenDays)},
		}).Page(t.Context()))(t)
		assert.NotEmpty(t, week.Items)
	},
	"GetOrderHistory": func(t *testing.T, g *graphFixture) {
		orders := must(g.Graph.OrderHistory(t.Context(), g.chain, g.harbors, graph.CollectionOrderHistoryInput{
			ConfirmedAtGte: february.Gte, ConfirmedAtLte: february.Lt,
		}, g.capture()))(t)
		require.NotEmpty(t, orders)
		for i, order := range orders {
			g.matches(t, order, "collection", "orderHistory", i)
			assert.True(t, within(order.Timestamp))
		}
		limited := must(g.Graph.OrderHistory(t.Context(), g.chain, g.harbors,
			graph.CollectionOrderHistoryInput{IsLimited: new(true)}))(t)
		assert.Len(t, limited, 20)
	},
	"ListCollectionAttributes": func(t *testing.T, g *graphFixture) {
		connection := g.Graph.CollectionAttributes(g.chain, g.harbors, rpcfleet.WithPageSize(5), g.capture())
		items := pageOf(t, g, connection, "collection.attributes")
		require.Len(t, items, 5)
	},
	"ListCollectionHolders": func(t *testing.T, g *graphFixture) {
		found := false
		for page, err := range g.Graph.CollectionHolders(g.chain, g.notes, rpcfleet.WithPageSize(5), g.capture()).Pages(
			t.Context()) {
			require.NoError(t, err)
			for i, holder := range page.Items {
				g.matches(t, holder, "collection", "wallets", "edges", i, "node")
				found = found || holder.Address == g.wallet && *holder.ENSName == g.ens
			}
		}
		assert.True(t, found)
	},
	"ListNFTOwners": func(t *testing.T, g *graphFixture) {
		held, _ := g.tokens(t)
		items := pageOf(t, g, g.Graph.NFTOwners(g.chain, g.notes, held.NFT.GetTokenID(), g.capture()), "nft.wallets")
		require.Len(t, items, 3)
		assert.Contains(t, items, graph.Wallet{Address: g.wallet, ENSName: &g.ens})

		page := must(g.Graph.NFTOwners(g.chain, g.harbors, scalar.BigIntFrom(42), g.capture()).Page(t.Context()))(t)
		require.Len(t, page.Items, 1, "an ERC-721 token has one")
		g.matches(t, page.Items[0], "nft", "wallet")
		assert.Equal(t, 1, page.Total)
	},
	"ListCollectionEvents": func(t *testing.T, g *graphFixture) {
		items := pageOf(t, g, g.Graph.CollectionEvents(g.chain, g.notes, graph.TokenEventsFilterInput{
			Type: &graph.TokenTransferTypeInput{Eq: new(graph.TokenTransferTypeSale)},
		}, g.capture()), "collection.tokenEvents")
		for _, event := range items {
			assert.Equal(t, graph.TokenTransferTypeSale, event.GetType())
		}
	},
	"ListContracts": func(t *testing.T, g *graphFixture) {
		items := pageOf(t, g, g.Graph.Contracts(g.chain, graph.ContractsFilterInput{}, g.capture()), "contracts")
		require.Len(t, items, 9)
		page := must(g.Graph.Contracts(g.chain, graph.ContractsFilterInput{
			Address: &graph.StringInput{Eq: &g.coin},
		}).Page(t.Context()))(t)
		require.Len(t, page.Items, 1)
		assert.IsType(t, &graph.ContractSummaryTokenContract{}, page.Items[0])
	},
}
