package acceptance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sync"
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
		run.join(func(w *soaker) soakPlayer {
			return &writePlayer{soaker: w, chain: chain, network: network, model: map[string]string{}}
		})
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

func (p *writePlayer) verify() { p.compare(p.clean) }

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

// verifyTotal looks for endpoints that no player owns.
func (run *soak) verifyTotal() {
	owned := len(run.fixed)
	for _, player := range run.players {
		if p, ok := player.(*writePlayer); ok {
			owned += len(p.model)
		}
	}
	page := must(run.clean.Endpoints.List(run.t.Context(), admin.ListEndpointsParams{}))(run.t)
	assert.Equal(run.t, owned, page.Total, "endpoints")
}

// spot is a call with options.
type spot struct {
	call
	opts []rpcfleet.CallOption
}

// reading reads a listing, or a single record, of data that stays the same. Want is its content as JSON.
type reading struct {
	name string
	read func(q *spot)
	want []string
}

// readings returns the readings of an endpoint with an old log, and of the account and two collections of the graph.
func readings(endpoint, request string, now time.Time, harbors, notes string) []reading {
	logs := admin.ListLogsParams{From: now.Add(-2 * time.Hour), To: now.Add(-time.Minute)}
	chain := graph.ChainEthereum
	return []reading{
		{name: "account", read: func(q *spot) { q.got, q.err = q.Account.Info(q.ctx) }},
		{name: "chains", read: func(q *spot) { q.got, q.err = q.Chains.List(q.ctx) }},
		{name: "log details", read: func(q *spot) { q.got, q.err = q.Logs.Details(q.ctx, endpoint, request) }},
		{name: "logs", read: func(q *spot) { q.got, q.err = all(q.Logs.All(q.ctx, endpoint, logs, q.opts...)) }},
		{name: "NFTs", read: func(q *spot) {
			q.got, q.err = all(q.Graph.CollectionNFTs(chain, harbors, q.opts...).All(q.ctx))
		}},
		{name: "more NFTs", read: func(q *spot) {
			q.got, q.err = all(q.Graph.CollectionNFTs(chain, notes, q.opts...).All(q.ctx))
		}},
	}
}

// joinReaders adds the players that read.
func (run *soak) joinReaders() {
	now := time.Now()
	var calls []emulator.LoggedCall
	for i := range 150 {
		at := now.Add(time.Duration(i)*time.Second - time.Hour)
		calls = append(calls, emulator.LoggedCall{Method: "eth_call", Timestamp: at})
	}
	ids := must(run.AppendLog(run.fixed[0], calls...))(run.t)
	collections := must(run.clean.Graph.Collections(graph.ChainEthereum, graph.CollectionsFilterInput{}).
		Page(run.t.Context()))(run.t).Items // The second has 40 tokens and the fourth 30.
	all := readings(run.fixed[0], ids[75], now, collections[1].GetAddress(), collections[3].GetAddress())
	for i, r := range all {
		q := &spot{call: call{ctx: run.t.Context(), Client: run.clean}}
		r.read(q)
		require.NoError(run.t, q.err, r.name)
		all[i].want = textsOf(q.got)
	}
	for range 6 {
		run.join(func(w *soaker) soakPlayer { return &readPlayer{w, all} })
	}
	logs := &logPlayer{endpoints: run.fixed[1:3], begin: now, entries: map[string]int{}}
	run.join(func(w *soaker) soakPlayer { logs.soaker = w; return logs })
	for range 2 {
		run.join(func(w *soaker) soakPlayer { return &followPlayer{soaker: w, logs: logs, entries: map[string]int{}} })
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
	q := &spot{call: call{ctx: ctx, Client: p.client}}
	q.opts = []rpcfleet.CallOption{rpcfleet.WithPageSize(5 + p.IntN(40)), rpcfleet.WithPrefetch(p.IntN(2))}
	reading.read(q)
	got := textsOf(q.got)
	if p.ok(reading.name, q.err) {
		p.same(reading.name, reading.want, got)
	} else if _, listing := q.got.(delivered); listing {
		p.same(reading.name+", before a failure", reading.want[:min(len(got), len(reading.want))], got)
	}
}

// logPlayer logs calls, some of them late.
type logPlayer struct {
	*soaker
	endpoints []string
	begin     time.Time

	mu      sync.Mutex
	entries map[string]int // 1 for each endpoint and request id.
}

// late is the largest delay of a log entry.
const late = time.Second

func (p *logPlayer) play() {
	endpoint := p.endpoints[p.IntN(len(p.endpoints))]
	at := max(time.Now().UnixNano()-int64(p.IntN(int(late))), p.begin.UnixNano())
	ids, err := p.AppendLog(endpoint, emulator.LoggedCall{Method: "getblock", Timestamp: time.Unix(0, at)})
	assert.NoError(p.t, err, "logging calls")
	p.mu.Lock()
	for _, id := range ids {
		p.entries[endpoint+" "+id] = 1
	}
	p.mu.Unlock()
	time.Sleep(25 * time.Millisecond)
}

// followPlayer follows the logs, and is interrupted again and again.
type followPlayer struct {
	*soaker
	logs    *logPlayer
	from    rpcfleet.Checkpoint
	entries map[string]int // The number of deliveries of each entry.
}

func (p *followPlayer) play() {
	ctx, cancel := context.WithTimeout(p.t.Context(), time.Duration(100+p.IntN(1000))*time.Millisecond)
	defer cancel()
	p.follow(ctx, p.IntN(100))
}

// follow reads up to a number of entries, from the end of the last time.
func (p *followPlayer) follow(ctx context.Context, most int) {
	options := rpcfleet.FollowOptions{
		From: p.logs.begin.Add(-time.Minute), Checkpoint: p.from, MinInterval: 5 * time.Millisecond,
		MaxInterval: 50 * time.Millisecond, LateWindow: 10 * late, PageLimit: 25,
	}
	for followed, err := range p.client.Logs.Follow(ctx, p.logs.endpoints, options) {
		if failure, is := errors.AsType[*rpcfleet.FollowError](err); is {
			p.from = failure.Checkpoint
		}
		if err != nil {
			if ctx.Err() == nil {
				p.ok("following", err)
			}
			return
		}
		p.entries[followed.EndpointID+" "+followed.Entry.RequestID]++
		p.from = followed.Checkpoint
		if most--; most < 0 {
			return
		}
	}
}

// verify follows the logs to their end: every entry was delivered once.
func (p *followPlayer) verify() {
	ctx, cancel := context.WithTimeout(p.t.Context(), 20*time.Second)
	defer cancel()
	for len(p.entries) < len(p.logs.entries) && ctx.Err() == nil {
		p.follow(ctx, len(p.logs.entries)-len(p.entries)-1)
	}
	p.same("followed entries", p.logs.entries, p.entries)
}
