package acceptance

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
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
	soakFor  = flag.Duration("soak", 3*time.Second, "duration of TestClient_soak")
	soakSeed = flag.Uint64("seed", 1, "seed of TestClient_soak")
)

// The calls and faults of a run of a minute.
const enoughCalls, enoughFaults = 20_000, 4_000

// TestClient_soak uses the whole client concurrently, through every fault of the emulator, beside a model of the
// account. Results are compared with the model, and in the end the emulator is:
//
//	go test -v -run soak ./internal/acceptance -soak 60s -seed 1
//
// Each goroutine owns the objects that it creates and has its own random source, so that a run can be repeated as far
// as the scheduler allows.
func TestClient_soak(t *testing.T) {
	t.Setenv("RPCFLEET_EMULATOR_RECORD", "") // A minute of traffic is too much to keep.
	var logged bytes.Buffer
	log.SetOutput(&logged)
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	goroutines := 0
	for goroutines != runtime.NumGoroutine() { // Those of other tests end.
		goroutines = runtime.NumGoroutine()
		time.Sleep(100 * time.Millisecond)
	}
	run := newSoak(t)
	run.play()
	for _, injection := range run.injections {
		fault := injection.Fault()
		kind := cmp.Or(string(fault.Effect), map[bool]string{true: "latency"}[fault.Latency > 0], fmt.Sprint(fault.Status))
		run.count(faultsFired, kind, injection.Fired())
	}
	run.RemoveFaults()
	for _, player := range run.players {
		player.verify()
	}
	run.verifyTotals()
	run.close()
	for _, mismatch := range run.mismatches { // Before the report, which is long.
		t.Error("mismatch: " + mismatch)
	}
	t.Log("\n" + run.report())
	assert.Empty(t, logged.String(), "the program's log")
	assert.Eventually(t, func() bool { return runtime.NumGoroutine() <= goroutines+1 }, time.Minute, 10*time.Millisecond,
		"goroutines")
	if *soakFor >= time.Minute {
		assert.GreaterOrEqual(t, run.total(calls), enoughCalls, "calls")
		assert.GreaterOrEqual(t, run.total(faultsFired), enoughFaults, "faults")
		for _, effect := range emulator.Effects() {
			assert.Positive(t, run.counts[[2]string{faultsFired, string(effect)}], effect)
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
	injections []*emulator.Injection

	// hasty has a small retry budget, patient has none, and clean is used without faults.
	hasty, patient, clean *rpcfleet.Client
	players               []soakPlayer
	over                  atomic.Bool
	// fixed are endpoints that stay as they are.
	fixed []string
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

// verify is for players without a model.
func (*soaker) verify() {}

func (w *soaker) nextName() string {
	w.serial++
	return fmt.Sprintf("%s-%d", w.name, w.serial)
}

func newSoak(t *testing.T) *soak {
	run := &soak{t: t, soakTally: &soakTally{counts: map[[2]string]int{}}}
	run.Emulator = emulator.New(
		emulator.WithSeed(*soakSeed), emulator.WithMaxUsers(1_000_000), emulator.WithCallHistory(0))
	run.server = httptest.NewUnstartedServer(run.Emulator)
	run.server.Config.ConnState = func(_ net.Conn, state http.ConnState) { // A fault closes what it takes over.
		run.open.Add(map[http.ConnState]int64{http.StateNew: 1, http.StateClosed: -1, http.StateHijacked: -1}[state])
	}
	run.server.Start()
	run.hasty = run.newClient(rpcfleet.WithCallHook(run.observe), rpcfleet.WithRetryPolicy(soakPolicy(30)))
	run.patient = run.newClient(rpcfleet.WithCallHook(run.observe), rpcfleet.WithRetryPolicy(soakPolicy(-1)))
	run.clean = run.newClient(rpcfleet.WithoutRetries())
	populated := must(run.Populate(seeded.Fleet{Graph: soakGraph, Endpoints: []seeded.Endpoint{
		{Chain: "ethereum", Network: "ethereum-sepolia", Label: "fixed", Usage: soakUsage},
		{Chain: "bitcoin", Network: "bitcoin-mainnet"}, {Chain: "bitcoin", Network: "bitcoin-mainnet"},
	}}))(t)
	run.fixed = populated.Endpoints
	run.joinThings()
	run.joinReaders()
	for i, fault := range soakFaults() {
		fault.Seed = *soakSeed*1000 + uint64(i) + 1
		injection, err := run.Inject(fault)
		require.NoError(t, err, i)
		run.injections = append(run.injections, injection)
	}
	return run
}

// newClient returns a client. Responses above 1 MiB are too large, which bounds a body without an end.
func (run *soak) newClient(options ...rpcfleet.ClientOption) *rpcfleet.Client {
	client, err := rpcfleet.New(append([]rpcfleet.ClientOption{
		rpcfleet.WithBaseURL(run.server.URL), rpcfleet.WithAPIKey(run.APIKey), rpcfleet.WithMaxBodySize(1 << 20),
	}, options...)...)
	require.NoError(run.t, err)
	return client
}

// soakPolicy has short waits, so that a minute has room for thousands of faults.
func soakPolicy(budget int) rpcfleet.RetryPolicy {
	return rpcfleet.RetryPolicy{
		MaxAttempts: 4, BaseDelay: time.Millisecond, MaxDelay: 10 * time.Millisecond, MaxRetryAfter: time.Second,
		Budget: budget,
	}
}

// join adds a player. Every other player has a client without a retry budget.
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
		for *soakFor >= time.Minute && run.total(calls) < enoughCalls && time.Since(began) < 10*time.Minute {
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
}

// close stops the server, when the clients have closed their connections.
func (run *soak) close() {
	for _, client := range []*rpcfleet.Client{run.hasty, run.patient, run.clean} {
		client.CloseIdleConnections()
	}
	assert.Eventually(run.t, func() bool { return run.open.Load() == 0 }, time.Minute, 10*time.Millisecond,
		"open connections")
	run.server.Close()
}

// soakTally counts the events of a run by section and name. It is safe for concurrent use.
type soakTally struct {
	mu         sync.Mutex
	counts     map[[2]string]int // By section and name.
	mismatches []string
}

// The sections.
const (
	calls, retries, failures = "calls by operation", "attempts after the first", "failed calls by class"
	faultsFired, resolutions = "faults by kind", "open outcomes by resolution"
	compared                 = "results compared"
)

func (y *soakTally) count(section, name string, n int) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.counts[[2]string{section, name}] += n
}

func (y *soakTally) total(section string) (sum int) {
	y.mu.Lock()
	defer y.mu.Unlock()
	for key, n := range y.counts {
		if key[0] == section {
			sum += n
		}
	}
	return sum
}

// observe is the observer of the clients.
func (y *soakTally) observe(ctx context.Context, op rpcfleet.Operation) (context.Context, func(rpcfleet.CallResult)) {
	return ctx, func(outcome rpcfleet.CallResult) {
		y.count(calls, op.ID, 1)
		y.count(retries, "", outcome.Response.Attempts-1)
		if outcome.Err != nil {
			y.count(failures, string(outcome.Kind()), 1)
		}
	}
}

func (y *soakTally) mismatch(format string, args ...any) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if len(y.mismatches) < 20 {
		y.mismatches = append(y.mismatches, fmt.Sprintf(format, args...))
	}
}

// same compares a result with the model.
func (w *soaker) same(what string, want, got any) {
	w.count(compared, "", 1)
	if !assert.ObjectsAreEqual(want, got) {
		w.mismatch("%s: %s:\n\twant %.300v\n\tgot  %.300v", w.name, what, want, got)
	}
}

// report returns the table that a run prints.
func (y *soakTally) report() string {
	text := fmt.Sprintf("soak of %v, seed %d: %d calls, %d faults\n",
		*soakFor, *soakSeed, y.total(calls), y.total(faultsFired))
	for _, key := range slices.SortedFunc(maps.Keys(y.counts),
		func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		text += fmt.Sprintf("%-24s %-64s %8d\n", key[0], key[1], y.counts[key])
	}
	return text
}

// causedByFaults reports whether the faults explain an error. No fault claims that an object does not exist, or that a
// request is invalid: such an error means that the client sent the wrong request, or sent it twice.
func causedByFaults(err error) bool {
	if failed, is := errors.AsType[*rpcfleet.Error](err); is {
		return slices.Contains([]int{0, 307, 408, 425, 429, 500, 502, 503, 504}, failed.StatusCode)
	}
	_, unreadable := errors.AsType[*rpcfleet.DecodeError](err)
	return unreadable || errors.Is(err, rpcfleet.ErrRepeatedPage) || errors.Is(err, rpcfleet.ErrIncompleteListing)
}

// ok reports whether a call succeeded. An error that no fault explains is a mismatch.
func (w *soaker) ok(what string, err error) bool {
	if err != nil && !causedByFaults(err) {
		w.mismatch("%s: %s: %v", w.name, what, err)
	}
	return err == nil
}

// insist repeats a call until it succeeds, or a deletion until the object is gone after the first attempt.
func (w *soaker) insist(what string, deletes bool, call func() error) {
	for attempt := range 200 {
		err := call()
		if deletes && attempt > 0 && (errors.Is(err, rpcfleet.ErrNotFound) || errors.Is(err, rpcfleet.ErrRejected)) {
			w.count(resolutions, "a deletion: repeated, was gone", 1)
			return
		}
		if w.ok(what, err) {
			return
		}
		time.Sleep(time.Millisecond)
	}
	w.mismatch("%s: %s has failed again and again", w.name, what)
}

// create creates an object and returns its id, or an empty text if it does not exist. If the outcome is open, find
// returns the ids of the candidates that were not known before.
func (w *soaker) create(what string, create func() (string, error), find func() ([]string, error)) string {
	id, err := create()
	exists := err == nil || errors.Is(err, rpcfleet.ErrNoRecord)
	switch {
	case err == nil && id != "":
		return id
	case err != nil && !w.ok(what, err) && !errors.Is(err, rpcfleet.ErrOutcomeUnknown):
		return ""
	}
	var ids []string
	w.insist(what+", lookup", false, func() (err error) { ids, err = find(); return err })
	w.count(resolutions, fmt.Sprintf("%s: exists for certain %t, found %t", what, exists, len(ids) > 0), 1)
	switch {
	case len(ids) == 1:
		return ids[0]
	case len(ids) > 1:
		w.mismatch("%s: %s exists more than once: %v", w.name, what, ids)
	case exists:
		w.mismatch("%s: %s was created and is missing", w.name, what)
	}
	return ""
}
