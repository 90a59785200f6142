package acceptance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/graph"
)

// joinWriters adds players that write. Each has a network to itself.
func (run *soak) joinWriters() {
	for network, chain := range map[string]string{"mainnet": "eth", "ethereum-hoodi": "eth", "matic": "matic",
		"matic-amoy": "matic", "base-mainnet": "base", "base-sepolia": "base", "arbitrum-mainnet": "arb",
		"optimism": "optimism"} {
		p := &writePlayer{soaker: run.soaker(), chain: chain, network: network, model: map[string]string{}}
		run.players, run.writers = append(run.players, p.play), append(run.writers, p)
	}
}

// writePlayer creates, labels and archives the endpoints on a network.
type writePlayer struct {
	*soaker
	chain, network string
	model          map[string]string // Labels by id.
	labels         int
}

func (p *writePlayer) play() {
	var id string
	if ids := slices.Sorted(maps.Keys(p.model)); len(ids) > 0 {
		id = ids[p.IntN(len(ids))]
	}
	ctx := p.t.Context()
	switch move := p.IntN(6); {
	case id == "" || move < 2 && len(p.model) < 4:
		p.create(ctx)
	case move == 2:
		p.labels++
		label := fmt.Sprint(p.network, " ", p.labels)
		p.insist("labelling", func() error {
			return p.client.Endpoints.Update(ctx, id, admin.UpdateEndpointRequest{Label: &label})
		})
		p.model[id] = label
	case move == 3:
		attempts := 0
		p.insist("archiving", func() error {
			attempts++
			if err := p.client.Endpoints.Archive(ctx, id); attempts == 1 || !errors.Is(err, rpcfleet.ErrNotFound) {
				return err
			}
			return nil // The first attempt has archived it.
		})
		delete(p.model, id)
	default:
		p.compare(p.client)
	}
}

// create creates an endpoint. If the outcome is open, it looks for an endpoint that is not in the model.
func (p *writePlayer) create(ctx context.Context) {
	request := admin.CreateEndpointRequest{Chain: p.chain, Network: p.network}
	created, err := p.client.Endpoints.Create(ctx, request)
	if p.ok("creating", err) {
		p.model[created.ID] = ""
		return
	}
	if !errors.Is(err, rpcfleet.ErrOutcomeUnknown) {
		return
	}
	var ids []string
	p.insist("looking up", func() error {
		ids = nil
		for found, err := range p.client.Endpoints.All(ctx, admin.ListEndpointsParams{Networks: []string{p.network}}) {
			if err != nil {
				return err
			}
			if _, known := p.model[found.ID]; !known {
				ids = append(ids, found.ID)
			}
		}
		return nil
	})
	if len(ids) > 1 || len(ids) == 0 && errors.Is(err, rpcfleet.ErrNoRecord) {
		p.mismatch("%d endpoints after %v", len(ids), err)
	}
	for _, id := range ids {
		p.model[id] = ""
	}
}

// compare compares the endpoints on the network with the model.
func (p *writePlayer) compare(client *rpcfleet.Client) {
	listed, n := map[string]string{}, 0
	for endpoint, err := range client.Endpoints.All(p.t.Context(), admin.ListEndpointsParams{Networks: []string{p.network}}) {
		if !p.ok("listing", err) {
			return
		}
		listed[endpoint.ID], n = "", n+1
		if endpoint.Label != "" {
			listed[endpoint.ID] = endpoint.Label
		}
	}
	p.same("endpoints", p.model, listed)
	p.same("number of endpoints", len(p.model), n)
}

// verify compares the endpoints of each network, and looks for endpoints that no player owns.
func (run *soak) verify() {
	owned := 1 // The one with the log.
	for _, p := range run.writers {
		p.compare(run.clean)
		owned += len(p.model)
	}
	page := must(run.clean.Endpoints.List(run.t.Context(), admin.ListEndpointsParams{}))(run.t)
	assert.Equal(run.t, owned, page.Total, "endpoints")
}

// reading reads a listing, or a single record, of data that stays the same. Want is its content as JSON.
type reading struct {
	name string
	read func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) (any, error)
	want []string
}

// joinReaders adds the players that read: an old log, the account, and two collections of the graph.
func (run *soak) joinReaders() {
	now, chain := time.Now(), graph.ChainEthereum
	var calls []emulator.LoggedCall
	for i := range 150 {
		at := now.Add(time.Duration(i)*time.Second - time.Hour)
		calls = append(calls, emulator.LoggedCall{Method: "eth_call", Timestamp: at})
	}
	endpoint := must(run.AddEndpoint(emulator.EndpointSpec{Chain: "eth", Network: "ethereum-sepolia"}))(run.t)
	ids := must(run.AppendLog(endpoint, calls...))(run.t)
	logs := admin.ListLogsParams{From: now.Add(-2 * time.Hour), To: now.Add(-time.Minute)}
	collections := firstOf(run.t, run.clean.Graph.Collections(chain, graph.CollectionsFilterInput{}))
	harbors, notes := collections[1].GetAddress(), collections[3].GetAddress() // Of 40 and of 30 tokens.
	type client = rpcfleet.Client
	type option = rpcfleet.CallOption
	readings := []reading{
		{name: "account", read: func(ctx context.Context, c *client, _ ...option) (any, error) {
			return c.Account.Info(ctx)
		}},
		{name: "chains", read: func(ctx context.Context, c *client, _ ...option) (any, error) { return c.Chains.List(ctx) }},
		{name: "log details", read: func(ctx context.Context, c *client, _ ...option) (any, error) {
			return c.Logs.Details(ctx, endpoint, ids[75])
		}},
		{name: "logs", read: func(ctx context.Context, c *client, opts ...option) (any, error) {
			return all(c.Logs.All(ctx, endpoint, logs, opts...))
		}},
		{name: "NFTs", read: func(ctx context.Context, c *client, opts ...option) (any, error) {
			return all(c.Graph.CollectionNFTs(chain, harbors, opts...).All(ctx))
		}},
		{name: "more NFTs", read: func(ctx context.Context, c *client, opts ...option) (any, error) {
			return all(c.Graph.CollectionNFTs(chain, notes, opts...).All(ctx))
		}},
	}
	for i, r := range readings {
		got, err := r.read(run.t.Context(), run.clean)
		require.NoError(run.t, err, r.name)
		readings[i].want = textsOf(got)
	}
	for range 6 {
		p := &readPlayer{run.soaker(), readings}
		run.players = append(run.players, p.play)
	}
}

// faultField is the field that a fault adds to records, which keep it.
var faultField = regexp.MustCompile(`,?"\$extra":\{"mood":"[^"]*"\}`)

// textsOf returns the items of a listing, or a single record, as JSON.
func textsOf(result any) []string {
	items, listing := result.(delivered)
	if !listing {
		items = delivered{result}
	}
	texts := []string{}
	for _, item := range items {
		data, err := json.Marshal(item)
		texts = append(texts, faultField.ReplaceAllString(fmt.Sprint(string(data), err), ""))
	}
	return texts
}

// readPlayer reads data that stays the same. The items before a failure are right, and in their place.
type readPlayer struct {
	*soaker
	readings []reading
}

func (p *readPlayer) play() {
	reading, limit := p.readings[p.IntN(len(p.readings))], time.Hour
	if p.IntN(50) == 0 { // Some end early.
		limit = time.Duration(p.IntN(3000)) * time.Microsecond
	}
	ctx, cancel := context.WithTimeout(p.t.Context(), limit)
	defer cancel()
	result, err := reading.read(ctx, p.client, rpcfleet.WithPageSize(5+p.IntN(40)), rpcfleet.WithPrefetch(p.IntN(2)))
	got := textsOf(result)
	if p.ok(reading.name, err) {
		p.same(reading.name, reading.want, got)
	} else if _, listing := result.(delivered); listing {
		p.same(reading.name+", before a failure", reading.want[:min(len(got), len(reading.want))], got)
	}
}
