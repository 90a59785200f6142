package acceptance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"math/big"
	"regexp"
	"sync"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
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

// reading is a listing, or a single record, of data that stays the same, and its content as JSON.
type reading struct {
	name string
	read func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) iter.Seq2[any, error]
	want []string
}

// single returns the reading of a single record.
func single(name string, read func(context.Context, *rpcfleet.Client) (any, error)) reading {
	return reading{name: name,
		read: func(ctx context.Context, c *rpcfleet.Client, _ ...rpcfleet.CallOption) iter.Seq2[any, error] {
			return func(yield func(any, error) bool) { yield(read(ctx, c)) }
		}}
}

// listing returns the reading of a listing.
func listing[T any](name string,
	list func(context.Context, *rpcfleet.Client, ...rpcfleet.CallOption) iter.Seq2[T, error],
) reading {
	return reading{name: name,
		read: func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) iter.Seq2[any, error] {
			return func(yield func(any, error) bool) {
				for item, err := range list(ctx, c, opts...) {
					if !yield(item, err) {
						return
					}
				}
			}
		}}
}

// readings returns the readings of an endpoint with usage and an old log, and of the account and the graph.
func readings(endpoint, request string, now time.Time) []reading {
	type client = *rpcfleet.Client
	days := admin.GetUsageParams{StartTime: new(now.AddDate(0, 0, -10).Unix()),
		EndTime: new(now.Add(-25 * time.Hour).Unix())}
	logs := admin.ListLogsParams{From: scalar.NewTime(now.Add(-2 * time.Hour)), To: scalar.NewTime(now.Add(-time.Minute))}
	one := scalar.NewBigInt(big.NewInt(1))
	return []reading{
		single("account", func(ctx context.Context, c client) (any, error) { return c.Account.Info(ctx) }),
		single("chains", func(ctx context.Context, c client) (any, error) { return c.Chains.List(ctx) }),
		single("usage", func(ctx context.Context, c client) (any, error) { return c.Usage.Total(ctx, days) }),
		single("log details",
			func(ctx context.Context, c client) (any, error) { return c.Logs.Details(ctx, endpoint, request) }),
		single("expression", func(ctx context.Context, c client) (any, error) {
			return nil, c.Expressions.Validate(ctx, alerts.ValidateExpressionRequest{
				Expression: everyBlock, Network: alerts.AlertNetworkEthereumMainnet,
			})
		}),
		single("NFT", func(ctx context.Context, c client) (any, error) {
			return c.Graph.NFT(ctx, graph.Ethereum, soakNotes, one)
		}),
		single("wallet", func(ctx context.Context, c client) (any, error) {
			return c.Graph.Wallet(ctx, graph.Ethereum, "soak.eth")
		}),
		listing("logs", func(ctx context.Context, c client, opts ...rpcfleet.CallOption) iter.Seq2[admin.LogEntry, error] {
			return c.Logs.All(ctx, endpoint, logs, opts...)
		}),
		listing("NFTs", func(ctx context.Context, c client, opts ...rpcfleet.CallOption) iter.Seq2[graph.NFT, error] {
			return c.Graph.CollectionNFTs(graph.Ethereum, soakCollection, opts...).All(ctx)
		}),
		listing("NFTs, backwards",
			func(ctx context.Context, c client, opts ...rpcfleet.CallOption) iter.Seq2[graph.NFT, error] {
				return c.Graph.CollectionNFTs(graph.Ethereum, soakNotes, opts...).Before("").All(ctx)
			}),
		listing("holders", func(ctx context.Context, c client, opts ...rpcfleet.CallOption) iter.Seq2[graph.Wallet, error] {
			return c.Graph.CollectionHolders(graph.Ethereum, soakNotes, opts...).All(ctx)
		}),
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
		all[i].want = []string{}
		for item, err := range r.read(run.t.Context(), run.clean) {
			require.NoError(run.t, err, r.name)
			all[i].want = append(all[i].want, jsonOf(item))
		}
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
var faultField = regexp.MustCompile(`"\$extra":\{"mood":"[^"]*"\},?`)

// jsonOf returns a record as JSON with sorted names.
func jsonOf(record any) string {
	data, err := json.Marshal(record)
	if err != nil {
		return err.Error()
	}
	var value any
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return err.Error()
	}
	data, _ = json.Marshal(value) // It was decoded a moment ago.
	return faultField.ReplaceAllString(string(data), "")
}

// readPlayer reads data that stays the same. The items before a failure are right, and in their place.
type readPlayer struct {
	*soaker
	readings []reading
}

func (p *readPlayer) play() {
	reading := p.readings[p.IntN(len(p.readings))]
	ctx, cancel := p.hurried()
	defer cancel()
	got := []string{}
	for item, err := range reading.read(ctx, p.client, rpcfleet.WithPageSize(5+p.IntN(40)),
		rpcfleet.WithPrefetch(p.IntN(2))) {
		if !p.ok(reading.name, err) {
			p.same(reading.name+", before a failure", reading.want[:min(len(got), len(reading.want))], got)
			return
		}
		got = append(got, jsonOf(item))
	}
	p.same(reading.name, reading.want, got)
}

func (p *readPlayer) verify() {}

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
		at := time.Now().Add(-time.Duration(p.IntN(int(late))))
		if at.Before(p.begin) {
			at = p.begin
		}
		calls = append(calls, emulator.LoggedCall{Method: "getblock", Timestamp: at})
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

func (p *logPlayer) verify() {}

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
		var failure *rpcfleet.FollowError
		switch {
		case errors.As(err, &failure):
			p.from = failure.Checkpoint
			if ctx.Err() == nil {
				p.ok("following", err)
			}
			return
		case err != nil:
			assert.NoError(p.t, err, "following")
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
