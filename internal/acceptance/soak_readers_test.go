package acceptance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"sync"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	seeded "github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

const (
	soakCollection = "0x00000000000000000000000000000000000000c1"
	soakNotes      = "0x00000000000000000000000000000000000000c2"
	soakWallet     = "0x00000000000000000000000000000000000000c4"
)

var soakGraph = seeded.Graph{Ethereum: seeded.GraphChain{
	Wallets: []seeded.GraphWallet{{Address: soakWallet, ENSName: "soak.eth"}},
	Collections: []seeded.GraphCollection{
		{Address: soakCollection, Name: "Soaked Harbors", Size: 90},
		{Address: soakNotes, Name: "Soaked Notes", Standard: "ERC1155", Size: 30},
	},
}}

// soakUsage lies some days back, so that no log changes it.
var soakUsage = []seeded.Usage{
	{DaysAgo: 3, Method: "eth_call", Requests: 1_000_000, Bytes: 5_000_000},
	{DaysAgo: 2, Method: "eth_call", Requests: 17, Bytes: 100, Status: 503, ErrorCode: new(-32000)},
}

// reading reads a listing, or a single record, of data that stays the same. Want is its content as JSON.
type reading struct {
	name string
	read func(q spot) (any, error)
	want []string
}

// readings returns the readings of an endpoint with usage and an old log, and of the account and the graph.
func readings(endpoint, request string, now time.Time) []reading {
	days := admin.GetUsageParams{StartTime: now.AddDate(0, 0, -10), EndTime: now.Add(-25 * time.Hour)}
	logs := admin.ListLogsParams{From: scalar.NewTime(now.Add(-2 * time.Hour)), To: scalar.NewTime(now.Add(-time.Minute))}
	chain, one := graph.ChainEthereum, scalar.BigIntFrom(1)
	return []reading{
		{name: "account", read: func(q spot) (any, error) { return got(q.Account.Info(q.ctx)) }},
		{name: "chains", read: func(q spot) (any, error) { return got(q.Chains.List(q.ctx)) }},
		{name: "usage", read: func(q spot) (any, error) { return got(q.Usage.Total(q.ctx, days)) }},
		{name: "log details", read: func(q spot) (any, error) { return got(q.Logs.Details(q.ctx, endpoint, request)) }},
		{name: "NFT", read: func(q spot) (any, error) { return got(q.Graph.NFT(q.ctx, chain, soakNotes, one)) }},
		{name: "wallet", read: func(q spot) (any, error) { return got(q.Graph.Wallet(q.ctx, chain, "soak.eth")) }},
		{name: "logs", read: func(q spot) (any, error) { return all(q.Logs.All(q.ctx, endpoint, logs, q.opts...)) }},
		{name: "NFTs", read: func(q spot) (any, error) {
			return all(q.Graph.CollectionNFTs(chain, soakCollection, q.opts...).All(q.ctx))
		}},
		{name: "NFTs, backwards", read: func(q spot) (any, error) {
			return all(q.Graph.CollectionNFTs(chain, soakNotes, q.opts...).Before("").All(q.ctx))
		}},
		{name: "holders", read: func(q spot) (any, error) {
			return all(q.Graph.CollectionHolders(chain, soakNotes, q.opts...).All(q.ctx))
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
	ids, err := run.AppendLog(run.fixed[0], calls...)
	require.NoError(run.t, err)
	all := readings(run.fixed[0], ids[75], now)
	for i, r := range all {
		result, err := r.read(spot{ctx: run.t.Context(), Client: run.clean})
		require.NoError(run.t, err, r.name)
		all[i].want = textsOf(result)
	}
	for range 6 {
		run.join("read", func(w *soaker) soakPlayer { return &readPlayer{w, all} })
	}
	logs := &logPlayer{endpoints: run.fixed[1:3], begin: now, entries: map[string]int{}}
	run.join("log", func(w *soaker) soakPlayer { logs.soaker = w; return logs })
	for range 2 {
		run.join("follow", func(w *soaker) soakPlayer {
			return &followPlayer{soaker: w, logs: logs, entries: map[string]int{}}
		})
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
	q := spot{ctx: ctx, Client: p.client}
	q.opts = []rpcfleet.CallOption{rpcfleet.WithPageSize(5 + p.IntN(40)), rpcfleet.WithPrefetch(p.IntN(2))}
	result, err := reading.read(q)
	got := textsOf(result)
	if p.ok(reading.name, err) {
		p.same(reading.name, reading.want, got)
	} else if _, listing := result.(delivered); listing {
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
	var calls []emulator.LoggedCall
	for range 1 + p.IntN(3) {
		at := max(time.Now().UnixNano()-int64(p.IntN(int(late))), p.begin.UnixNano())
		calls = append(calls, emulator.LoggedCall{Method: "getblock", Timestamp: time.Unix(0, at)})
	}
	ids, err := p.AppendLog(endpoint, calls...)
	assert.NoError(p.t, err, "logging calls")
	p.mu.Lock()
	for _, id := range ids {
		p.entries[endpoint+" "+id] = 1
	}
	p.mu.Unlock()
	time.Sleep(50 * time.Millisecond)
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
	if p.IntN(2) == 0 {
		text, err := p.from.MarshalText()
		assert.NoError(p.t, err, "writing a checkpoint")
		p.from = rpcfleet.Checkpoint{}
		assert.NoError(p.t, p.from.UnmarshalText(text), "reading a checkpoint")
	}
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
		p.from = followed.Checkpoint()
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

// soakFaults are faults of every kind. Together they hit about a quarter of the requests. The rarer ones of an
// operation come first, since the first fault that a request meets decides.
func soakFaults() (all []emulator.Fault) {
	add := func(probability float64, fault emulator.Fault, operations ...string) {
		fault.Probability = probability
		if len(operations) == 0 {
			all = append(all, fault)
		}
		for _, fault.Operation = range operations {
			all = append(all, fault)
		}
	}
	add(0.05, emulator.Fault{Latency: 2 * time.Millisecond})

	// Slow ones are for operations with short responses, reads and writes.
	add(0.01, emulator.Fault{Effect: emulator.EffectSlowBody, Interval: time.Microsecond},
		"getEndpoint", "createEndpoint", "updateEndpoint", "listTeams")

	// If a first page was lowered and comes again in full, no client can distinguish it from another page, unless it knows
	// the items. So only listings with items known by their ids have both.
	add(0.05, emulator.Fault{Effect: emulator.EffectLowerLimit, Limit: 7}, "listNotifications", "listEndpoints")
	add(0.03, emulator.Fault{Effect: emulator.EffectRepeatPage}, "listNotifications", "listLogs", "graph")
	add(0.03, emulator.Fault{Effect: emulator.EffectRepeatCursor})

	// A program can recognize each change in a record: a new member, and no record or no id.
	add(0.01, emulator.Fault{Effect: emulator.EffectSetField, Pointer: "/data/mood", Value: "good"})
	add(0.01, emulator.Fault{Effect: emulator.EffectSetField, Pointer: "/mood", Value: "good"})
	add(0.008, emulator.Fault{Effect: emulator.EffectSetField, Pointer: "/data", Value: 7})
	add(0.02, emulator.Fault{Effect: emulator.EffectSetField, Pointer: "/data/0", Value: 7},
		"listTeams", "listChains", "listEndpoints")
	add(0.008, emulator.Fault{Effect: emulator.EffectRemoveField, Pointer: "/data"})
	add(0.04, emulator.Fault{Effect: emulator.EffectRemoveField, Pointer: "/data/id"}, "createEndpoint", "createTeam")
	add(0.04, emulator.Fault{Effect: emulator.EffectRemoveField, Pointer: "/id"}, "createNotification")

	for _, effect := range []emulator.Effect{
		emulator.EffectCloseConnection, emulator.EffectResetBeforeResponse, emulator.EffectLoseResponse,
		emulator.EffectResetDuringResponse, emulator.EffectResetAfterResponse,
		emulator.EffectTruncate, emulator.EffectWrongContentLength, emulator.EffectInvalidGzip,
	} {
		add(0.012, emulator.Fault{Effect: effect})
	}
	for _, contentType := range []string{"", "image/png"} {
		add(0.006, emulator.Fault{Effect: emulator.EffectWrongContentType, ContentType: contentType})
	}
	add(0.008, emulator.Fault{Effect: emulator.EffectHTML})
	add(0.008, emulator.Fault{Effect: emulator.EffectHTML, Status: 502})
	add(0.008, emulator.Fault{Effect: emulator.EffectRedirect})
	add(0.002, emulator.Fault{Effect: emulator.EffectEndlessBody})

	for _, status := range []int{408, 425, 429, 500, 502, 503, 504} {
		add(0.006, emulator.Fault{Status: status})
	}
	for _, retryAfter := range []string{"0", "-5", "soon", "99999999999999999999", "3600"} {
		add(0.002, emulator.Fault{Status: 429, RetryAfter: retryAfter})
	}
	add(0.0005, emulator.Fault{Status: 429, RetryAfter: "1"})
	for _, retryAfter := range []string{"Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"} {
		add(0.003, emulator.Fault{Status: 503, RetryAfter: retryAfter})
	}
	return all
}
