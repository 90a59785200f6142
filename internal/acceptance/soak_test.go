package acceptance

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	seeded "github.com/rpcfleet/rpcfleet-go/emulator/fleet"
)

var (
	soakFor  = flag.Duration("soak", 3*time.Second, "duration of TestSoak")
	soakSeed = flag.Uint64("seed", 1, "seed of TestSoak")
)

// The calls and faults of a run of a minute.
const enoughCalls, enoughFaults = 20_000, 4_000

// TestSoak uses the whole client concurrently, through every fault of the emulator, beside a model of the account.
// Results are compared with the model, and in the end the emulator is:
//
//	go test -v -run Soak ./internal/acceptance -soak 60s -seed 1
//
// Each goroutine owns the objects that it creates and has its own random source, so that a run can be repeated as far
// as the scheduler allows.
func TestSoak(t *testing.T) {
	t.Setenv("RPCFLEET_EMULATOR_RECORD", "") // A minute of traffic is too much to keep.
	var logged bytes.Buffer
	log.SetOutput(&logged)
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	goroutines := settledGoroutines()
	run := newSoak(t)
	run.play()
	for _, injection := range run.injections {
		run.fired[injection.kind] += injection.Fired()
	}
	run.RemoveFaults()
	for _, player := range run.players {
		player.verify()
	}
	run.verifyTotals()
	connections := run.close()
	t.Log("\n" + run.report())

	assert.Empty(t, run.mismatches, "mismatches")
	for line := range strings.Lines(logged.String()) { // Of net/http: see the limits in SECURITY.md.
		assert.Contains(t, line, "Unsolicited response received on idle HTTP channel", "the program's log")
	}
	assert.Zero(t, connections, "open connections")
	assert.LessOrEqual(t, settledGoroutines(), goroutines, "goroutines")
	if *soakFor >= time.Minute {
		assert.GreaterOrEqual(t, run.operations.total(), enoughCalls, "calls")
		assert.GreaterOrEqual(t, run.fired.total(), enoughFaults, "faults")
		for _, effect := range emulator.Effects() {
			assert.Positive(t, run.fired[string(effect)], effect)
		}
	}
}

// soak is a run: an emulator on a socket, clients, and players.
type soak struct {
	*soakTally
	*emulator.Emulator
	t          *testing.T
	server     *httptest.Server
	open       atomic.Int64 // Open connections.
	clients    []*rpcfleet.Client
	injections []soakInjection

	// hasty has a small retry quota, patient has none, and clean is used without faults.
	hasty, patient, clean *rpcfleet.Client
	players               []soakPlayer
	over                  atomic.Bool
	// fixed are endpoints that stay as they are.
	fixed []string
}

// soakInjection is an active fault.
type soakInjection struct {
	kind string
	*emulator.Injection
}

// soakPlayer repeats one activity, and in the end compares its model with the emulator.
type soakPlayer interface {
	play()
	verify()
}

// soaker is the common part of players.
type soaker struct {
	*soak
	*rand.Rand
	name   string // The prefix of all labels that the player creates.
	client *rpcfleet.Client
	serial int
}

func newSoak(t *testing.T) *soak {
	run := &soak{t: t, soakTally: newSoakTally(), Emulator: emulator.New(
		emulator.WithSeed(*soakSeed), emulator.WithMaxUsers(1_000_000), emulator.WithCallHistory(0),
	)}
	run.server = httptest.NewUnstartedServer(run.Emulator)
	run.server.Config.ConnState = run.countConnections
	run.server.Start()
	t.Cleanup(run.server.Close)
	run.hasty = run.newClient(rpcfleet.WithCallHook(run.observe), rpcfleet.WithRetryPolicy(soakPolicy(30)))
	run.patient = run.newClient(rpcfleet.WithCallHook(run.observe), rpcfleet.WithRetryPolicy(soakPolicy(-1)))
	run.clean = run.newClient(rpcfleet.WithoutRetries())
	populated, err := run.Populate(seeded.Fleet{Graph: soakGraph, Endpoints: []seeded.Endpoint{
		{Chain: "ethereum", Network: "ethereum-sepolia", Label: "fixed", Usage: soakUsage},
		{Chain: "bitcoin", Network: "bitcoin-mainnet"}, {Chain: "bitcoin", Network: "bitcoin-mainnet"},
	}})
	require.NoError(t, err)
	run.fixed = populated.Endpoints
	run.joinThings()
	run.joinReaders()
	for i, fault := range soakFaults() {
		fault.Seed = *soakSeed*1000 + uint64(i) + 1
		injection, err := run.Inject(fault.Fault)
		require.NoError(t, err, fault.kind)
		run.injections = append(run.injections, soakInjection{fault.kind, injection})
	}
	return run
}

// newClient returns a client. Responses above 1 MiB are too large, which bounds a body without an end.
func (run *soak) newClient(options ...rpcfleet.ClientOption) *rpcfleet.Client {
	client, err := rpcfleet.New(append([]rpcfleet.ClientOption{
		rpcfleet.WithBaseURL(run.server.URL), rpcfleet.WithAPIKey(run.APIKey), rpcfleet.WithMaxBodySize(1 << 20),
	}, options...)...)
	require.NoError(run.t, err)
	run.clients = append(run.clients, client)
	return client
}

// soakPolicy has short waits, so that a minute has room for thousands of faults.
func soakPolicy(quota int) rpcfleet.RetryPolicy {
	return rpcfleet.RetryPolicy{
		MaxAttempts: 4, BaseDelay: time.Millisecond, MaxDelay: 10 * time.Millisecond, MaxRetryAfter: time.Second,
		Budget: quota,
	}
}

// join adds a player. Every other player has a client without a retry quota.
func (run *soak) join(kind string, player func(*soaker) soakPlayer) {
	n := len(run.players)
	w := &soaker{
		soak: run, Rand: rand.New(rand.NewPCG(*soakSeed, uint64(n))), name: fmt.Sprintf("%s%d", kind, n),
		client: []*rpcfleet.Client{run.hasty, run.patient}[n%2],
	}
	run.players = append(run.players, player(w))
}

// play runs all players until the time is over. A run of a minute lasts longer on a machine under load.
func (run *soak) play() {
	began := time.Now()
	time.AfterFunc(*soakFor, func() {
		for *soakFor >= time.Minute && run.calls() < enoughCalls && time.Since(began) < 10*time.Minute {
			time.Sleep(100 * time.Millisecond)
		}
		run.over.Store(true)
	})
	var playing sync.WaitGroup
	for _, player := range run.players {
		playing.Go(func() {
			for !run.over.Load() {
				player.play()
			}
		})
	}
	playing.Wait()
	run.took = time.Since(began)
}

// close stops the server, and returns the number of connections that the clients left open.
func (run *soak) close() int {
	for _, client := range run.clients {
		client.CloseIdleConnections()
	}
	eventually(func() bool { return run.open.Load() == 0 })
	left := int(run.open.Load())
	run.server.Close()
	run.Close()
	return left
}

// countConnections counts open connections. A fault closes the connection that it takes over.
func (run *soak) countConnections(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		run.open.Add(1)
	case http.StateClosed, http.StateHijacked:
		run.open.Add(-1)
	}
}

// eventually waits until a condition holds, for a few seconds at most.
func eventually(holds func() bool) {
	for range 500 {
		if holds() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// settledGoroutines returns the number of goroutines when it no longer changes.
func settledGoroutines() int {
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	last, same := runtime.NumGoroutine(), 0
	eventually(func() bool {
		now := runtime.NumGoroutine()
		same++
		if now != last {
			last, same = now, 0
		}
		return same >= 20
	})
	return last
}
