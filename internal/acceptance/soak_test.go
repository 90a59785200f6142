package acceptance

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
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
)

var (
	soakFor  = flag.Duration("soak", 3*time.Second, "duration of TestClient_soak")
	soakSeed = flag.Uint64("seed", 1, "seed of TestClient_soak")
)

// TestClient_soak reads and writes concurrently, through every fault of the emulator, beside a model of the account.
// Results are compared with the model, and in the end the emulator is:
//
//	go test -v -run soak ./internal/acceptance -soak 60s -seed 1
//
// Each goroutine owns the endpoints that it creates and has its own random source, so that a run can be repeated as far
// as the scheduler allows.
func TestClient_soak(t *testing.T) {
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
	faults, fired := 0, map[emulator.Effect]int{}
	for _, injection := range run.Faults() {
		faults += injection.Fired()
		fired[injection.Fault().Effect] += injection.Fired()
	}
	run.RemoveFaults()
	run.verify()
	run.close()
	t.Logf("soak of %v, seed %d: %d calls, %d faults: %v", *soakFor, *soakSeed, run.calls.Load(), faults, fired)
	assert.Empty(t, logged.String(), "the program's log")
	assert.Eventually(t, func() bool { return runtime.NumGoroutine() <= goroutines+1 }, time.Minute, 10*time.Millisecond,
		"goroutines")
}

// soak is a run: an emulator on a socket, clients, and players.
type soak struct {
	*emulator.Emulator
	t      *testing.T
	server *httptest.Server
	open   atomic.Int64 // Open connections.
	calls  atomic.Int64
	// clients have a small retry budget and none. Clean is used without faults.
	clients [2]*rpcfleet.Client
	clean   *rpcfleet.Client
	// players repeat one activity each. Those that write have a model of their endpoints.
	players []func()
	writers []*writePlayer
	over    atomic.Bool
}

// soaker is the common part of players.
type soaker struct {
	*soak
	*rand.Rand
	name   string
	client *rpcfleet.Client
}

func newSoak(t *testing.T) *soak {
	run := &soak{t: t, Emulator: emulator.New(emulator.WithSeed(*soakSeed))}
	run.server = httptest.NewUnstartedServer(run.Emulator)
	run.server.Config.ConnState = func(_ net.Conn, state http.ConnState) { // A fault closes its own.
		run.open.Add(map[http.ConnState]int64{http.StateNew: 1, http.StateClosed: -1, http.StateHijacked: -1}[state])
	}
	run.server.Start()
	counted := rpcfleet.WithCallHook(func(ctx context.Context, _ rpcfleet.Operation) (context.Context,
		func(rpcfleet.CallResult)) {
		return ctx, func(rpcfleet.CallResult) { run.calls.Add(1) }
	})
	for i, budget := range []int{30, -1} { // Short waits leave room for thousands of faults in a minute.
		run.clients[i] = run.newClient(counted, rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{
			MaxAttempts: 4, BaseDelay: time.Millisecond, MaxDelay: 10 * time.Millisecond, MaxRetryAfter: time.Second,
			Budget: budget,
		}))
	}
	run.clean = run.newClient(rpcfleet.WithoutRetries())
	run.joinWriters()
	run.joinReaders()
	for i, fault := range soakFaults() {
		require.NoError(t, second(run.Inject(fault)), i)
	}
	return run
}

// newClient returns a client. Responses above 1 MiB are too large, which bounds a body without an end.
func (run *soak) newClient(options ...rpcfleet.ClientOption) *rpcfleet.Client {
	return must(rpcfleet.New(append([]rpcfleet.ClientOption{
		rpcfleet.WithBaseURL(run.server.URL), rpcfleet.WithAPIKey(run.APIKey), rpcfleet.WithMaxBodySize(1 << 20),
	}, options...)...))(run.t)
}

// soaker makes the common part of the next player. Every other one has a client without a retry budget.
func (run *soak) soaker() *soaker {
	n := len(run.players)
	return &soaker{
		soak: run, Rand: rand.New(rand.NewPCG(*soakSeed, uint64(n))), name: fmt.Sprintf("player%d", n),
		client: run.clients[n%2],
	}
}

// play runs all players until the time is over.
func (run *soak) play() {
	time.AfterFunc(*soakFor, func() { run.over.Store(true) })
	var playing sync.WaitGroup
	for _, play := range run.players {
		playing.Go(func() {
			for !run.over.Load() {
				play()
			}
		})
	}
	playing.Wait()
}

// close stops the server, when the clients have closed their connections.
func (run *soak) close() {
	for _, client := range append(run.clients[:], run.clean) {
		client.CloseIdleConnections()
	}
	assert.Eventually(run.t, func() bool { return run.open.Load() == 0 }, time.Minute, 10*time.Millisecond,
		"open connections")
	run.server.Close()
}

// mismatch fails the test and ends the run: what comes after a first mismatch may be its consequence.
func (w *soaker) mismatch(format string, args ...any) {
	w.t.Errorf(w.name+": "+format, args...)
	w.over.Store(true)
}

// same compares a result with the model.
func (w *soaker) same(what string, want, got any) {
	if !assert.ObjectsAreEqual(want, got) {
		w.mismatch("%s:\n\twant %.300v\n\tgot  %.300v", what, want, got)
	}
}

// ok reports whether a call succeeded. An error that no fault explains is a mismatch.
func (w *soaker) ok(what string, err error) bool {
	if err != nil && !causedByFaults(err) {
		w.mismatch("%s: %v", what, err)
	}
	return err == nil
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

// insist repeats a call until it succeeds.
func (w *soaker) insist(what string, call func() error) {
	for range 200 {
		if w.ok(what, call()) {
			return
		}
		time.Sleep(time.Millisecond)
	}
	w.mismatch("%s has failed again and again", what)
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
		"getAccountInfo", "createEndpoint", "updateEndpoint")

	// If a first page was lowered and comes again in full, no client can distinguish it from another page, unless it knows
	// the items. So no listing has both.
	add(0.05, emulator.Fault{Effect: emulator.EffectLowerLimit, Limit: 7}, "listEndpoints")
	add(0.03, emulator.Fault{Effect: emulator.EffectRepeatPage}, "listLogs", "graph")
	add(0.03, emulator.Fault{Effect: emulator.EffectRepeatCursor})

	// A program can recognize each change in a record: a new member, and no record or no id.
	add(0.01, field("/data/mood", "good"))
	add(0.008, field("/data", 7))
	add(0.02, field("/data/0", 7), "listChains", "listEndpoints")
	add(0.008, without("/data"))
	add(0.04, without("/data/id"), "createEndpoint")

	for _, effect := range []emulator.Effect{
		emulator.EffectCloseConnection, emulator.EffectResetBeforeResponse, emulator.EffectLoseResponse,
		emulator.EffectResetDuringResponse, emulator.EffectResetAfterResponse, emulator.EffectTruncate,
		emulator.EffectWrongContentLength, emulator.EffectInvalidGzip, emulator.EffectWrongContentType,
		emulator.EffectHTML, emulator.EffectRedirect,
	} {
		add(0.012, emulator.Fault{Effect: effect})
	}
	add(0.006, emulator.Fault{Effect: emulator.EffectWrongContentType, ContentType: "image/png"})
	add(0.008, emulator.Fault{Effect: emulator.EffectHTML, Status: 502})
	add(0.002, emulator.Fault{Effect: emulator.EffectEndlessBody})
	for _, status := range []int{408, 425, 429, 500, 502, 503, 504} {
		add(0.006, emulator.Fault{Status: status})
	}
	for _, header := range []string{"0", "-5", "soon", "3600", "Fri, 31 Dec 9999 23:59:59 GMT"} {
		add(0.003, emulator.Fault{Status: 429, RetryAfter: header})
	}
	add(0.0005, emulator.Fault{Status: 429, RetryAfter: "1"})
	return all
}
