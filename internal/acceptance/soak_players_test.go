package acceptance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
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

// thing is a kind of object that players create, change and remove. Values are labels.
type thing struct {
	name    string
	unnamed bool // New ones have no value.
	create  func(c *rpcfleet.Client, value string) (id string, err error)
	find    func(c *rpcfleet.Client, value string) (ids []string, err error)
	set     func(c *rpcfleet.Client, id, value string) error
	remove  func(c *rpcfleet.Client, id string) error
	list    func(c *rpcfleet.Client) (values map[string]string, err error) // By id.
	// shared is for a list of all players' objects without a total. It is write-locked for deletions and read-locked for
	// listings: a deletion can move an item across the border of two pages.
	shared *sync.RWMutex
}

// valuesOf returns the values of the records of a listing by their ids. A duplicate is marked.
func valuesOf[T any](items iter.Seq2[T, error], of func(T) (id, value string)) (map[string]string, error) {
	values := map[string]string{}
	for item, err := range items {
		if err != nil {
			return nil, err
		}
		id, value := of(item)
		if _, duplicate := values[id]; duplicate {
			value += " duplicate"
		}
		values[id] = value
	}
	return values, nil
}

// soakEndpoints are the endpoints on a network by a slug that begins with its chain's, or all endpoints.
func soakEndpoints(ctx context.Context, network string) thing {
	chain, _, _ := strings.Cut(network, "-")
	request := admin.CreateEndpointRequest{Chain: chain, Network: network}
	return thing{
		name: "endpoint", unnamed: true, shared: new(sync.RWMutex),
		create: func(c *rpcfleet.Client, _ string) (string, error) {
			created, err := c.Endpoints.Create(ctx, request)
			if err != nil {
				return "", err
			}
			return created.ID, nil
		},
		find: func(c *rpcfleet.Client, _ string) ([]string, error) {
			found, err := c.Endpoints.FindCreated(ctx, request, rpcfleet.WithPageSize(250))
			return found.IDs(), err
		},
		set: func(c *rpcfleet.Client, id, value string) error {
			return c.Endpoints.Update(ctx, id, admin.UpdateEndpointRequest{Label: &value})
		},
		remove: func(c *rpcfleet.Client, id string) error { return c.Endpoints.Archive(ctx, id) },
		list: func(c *rpcfleet.Client) (map[string]string, error) {
			all := c.Endpoints.All(ctx, admin.ListEndpointsParams{Networks: strings.Fields(network)})
			return valuesOf(all, func(e admin.Endpoint) (string, string) {
				if e.Label == nil {
					return e.ID, ""
				}
				return e.ID, *e.Label
			})
		},
	}
}

// soakNotifications are all notifications.
func soakNotifications(ctx context.Context) thing {
	request := func(name string) alerts.CreateNotificationRequest {
		return alerts.CreateNotificationRequest{
			Name: name, Expression: everyBlock, Network: alerts.AlertNetworkEthereumMainnet, DestinationIDs: []string{},
		}
	}
	return thing{
		name: "notification", shared: new(sync.RWMutex),
		create: func(c *rpcfleet.Client, value string) (string, error) {
			created, err := c.Notifications.Create(ctx, request(value))
			if err != nil {
				return "", err
			}
			return created.ID, nil
		},
		find: func(c *rpcfleet.Client, value string) ([]string, error) {
			found, err := c.Notifications.FindCreated(ctx, request(value))
			return found.IDs(), err
		},
		set: func(c *rpcfleet.Client, id, value string) error {
			return second(c.Notifications.Update(ctx, id, alerts.UpdateNotificationRequest{Name: &value}))
		},
		remove: func(c *rpcfleet.Client, id string) error { return c.Notifications.Delete(ctx, id) },
		list: func(c *rpcfleet.Client) (map[string]string, error) {
			return valuesOf(c.Notifications.All(ctx, alerts.ListNotificationsParams{}),
				func(n alerts.Notification) (string, string) { return n.ID, n.Name })
		},
	}
}

// joinThings adds the players of things. A player of endpoints has a network to itself.
func (run *soak) joinThings() {
	notifications := soakNotifications(run.t.Context())
	for _, network := range []string{"ethereum-mainnet", "ethereum-hoodi", "polygon-mainnet", "polygon-amoy",
		"base-mainnet", "base-sepolia"} {
		for _, kind := range []thing{soakEndpoints(run.t.Context(), network), notifications} {
			run.join(func(w *soaker) soakPlayer { return &thingPlayer{soaker: w, thing: kind, model: map[string]string{}} })
		}
	}
}

// thingPlayer creates, changes and removes things of one kind.
type thingPlayer struct {
	*soaker
	thing  thing
	model  map[string]string // Values by id.
	serial int
}

func (p *thingPlayer) nextName() string {
	p.serial++
	return fmt.Sprintf("%s-%d", p.name, p.serial)
}

func (p *thingPlayer) play() {
	var id string
	if ids := slices.Sorted(maps.Keys(p.model)); len(ids) > 0 {
		id = ids[p.IntN(len(ids))]
	}
	switch move := p.IntN(6); {
	case id == "" || move < 2 && len(p.model) < 4:
		p.add(p.model[id])
	case move == 2:
		value := p.nextName()
		p.insist("changing "+p.thing.name, false, func() error { return p.thing.set(p.client, id, value) })
		p.model[id] = value
	case move == 3:
		p.thing.shared.Lock()
		defer p.thing.shared.Unlock()
		p.insist("removing "+p.thing.name, true, func() error { return p.thing.remove(p.client, id) })
		delete(p.model, id)
	default:
		p.compare(p.client)
	}
}

// add creates a thing, sometimes with the value of another one. If the outcome is open, it looks for the thing among
// those that are not in the model.
func (p *thingPlayer) add(other string) {
	value := p.nextName()
	switch {
	case p.thing.unnamed:
		value = ""
	case other != "" && p.IntN(5) == 0:
		value = other
	}
	id, err := p.thing.create(p.client, value)
	switch {
	case err == nil && id != "":
		p.model[id] = value
		return
	case !p.ok("creating "+p.thing.name, err) && !errors.Is(err, rpcfleet.ErrOutcomeUnknown):
		return
	}
	var ids []string
	p.insist("looking up "+p.thing.name, false, func() (err error) {
		p.thing.shared.RLock()
		defer p.thing.shared.RUnlock()
		ids, err = p.thing.find(p.client, value)
		return err
	})
	ids = slices.DeleteFunc(ids, func(id string) bool { _, known := p.model[id]; return known })
	exists := err == nil || errors.Is(err, rpcfleet.ErrNoRecord)
	switch {
	case len(ids) == 1:
		p.model[ids[0]] = value
	case len(ids) > 1:
		p.mismatch("%s exists more than once: %v", p.thing.name, ids)
	case exists:
		p.mismatch("%s was created and is missing", p.thing.name)
	}
}

func (p *thingPlayer) verify() { p.compare(p.clean) }

// compare compares the player's part of the list with the model.
func (p *thingPlayer) compare(client *rpcfleet.Client) {
	p.thing.shared.RLock()
	defer p.thing.shared.RUnlock()
	list, err := p.thing.list(client)
	if !p.thing.unnamed { // The list has the things of all players.
		maps.DeleteFunc(list, func(_, value string) bool { return !strings.HasPrefix(value, p.name+"-") })
	}
	if p.ok("listing "+p.thing.name, err) {
		p.same(p.thing.name, p.model, list)
	}
}

// verifyTotals looks for objects that no player owns.
func (run *soak) verifyTotals() {
	owned := map[string]int{"endpoint": len(run.fixed)}
	for _, player := range run.players {
		if p, ok := player.(*thingPlayer); ok {
			owned[p.thing.name] += len(p.model)
		}
	}
	for _, kind := range []thing{soakEndpoints(run.t.Context(), ""), soakNotifications(run.t.Context())} {
		assert.Len(run.t, must(kind.list(run.clean))(run.t), owned[kind.name], kind.name)
	}
}

const soakCollection, soakNotes = "0x00000000000000000000000000000000000000c1", "0x00000000000000000000000000000000000000c2"

var soakGraph = seeded.Graph{Ethereum: seeded.GraphChain{Collections: []seeded.GraphCollection{
	{Address: soakCollection, Name: "Soaked Harbors", Size: 90},
	{Address: soakNotes, Name: "Soaked Notes", Standard: "ERC1155", Size: 30},
}}}

// soakUsage lies some days back, so that no log changes it.
var soakUsage = []seeded.Usage{
	{DaysAgo: 3, Method: "eth_call", Requests: 1_000_000, Bytes: 5_000_000},
	{DaysAgo: 2, Method: "eth_call", Requests: 17, Bytes: 100, Status: 503, ErrorCode: new(-32000)},
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

// readings returns the readings of an endpoint with usage and an old log, and of the account and the graph.
func readings(endpoint, request string, now time.Time) []reading {
	days := admin.GetUsageParams{StartTime: now.AddDate(0, 0, -10), EndTime: now.Add(-25 * time.Hour)}
	logs := admin.ListLogsParams{From: scalar.NewTime(now.Add(-2 * time.Hour)), To: scalar.NewTime(now.Add(-time.Minute))}
	chain := graph.ChainEthereum
	return []reading{
		{name: "account", read: func(q *spot) { q.got, q.err = q.Account.Info(q.ctx) }},
		{name: "chains", read: func(q *spot) { q.got, q.err = q.Chains.List(q.ctx) }},
		{name: "usage", read: func(q *spot) { q.got, q.err = q.Usage.Total(q.ctx, days) }},
		{name: "log details", read: func(q *spot) { q.got, q.err = q.Logs.Details(q.ctx, endpoint, request) }},
		{name: "logs", read: func(q *spot) { q.got, q.err = all(q.Logs.All(q.ctx, endpoint, logs, q.opts...)) }},
		{name: "NFTs", read: func(q *spot) {
			q.got, q.err = all(q.Graph.CollectionNFTs(chain, soakCollection, q.opts...).All(q.ctx))
		}},
		{name: "NFTs, backwards", read: func(q *spot) {
			q.got, q.err = all(q.Graph.CollectionNFTs(chain, soakNotes, q.opts...).Before("").All(q.ctx))
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
	all := readings(run.fixed[0], ids[75], now)
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
