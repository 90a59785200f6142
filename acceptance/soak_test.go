package acceptance

import (
	"bytes"
	"flag"
	"log"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

var (
	soakFor  = flag.Duration("soak", 3*time.Second, "how long TestSoak uses the client")
	soakSeed = flag.Uint64("seed", 1, "what TestSoak draws from")
)

// TestSoak uses all of the client at once, through every fault that the emulator has, with a model beside it that knows
// what the account should hold. What a call brought is held against the model, and so is the emulator in the end:
//
//	go test -v -run Soak ./acceptance -soak 60s -seed 1
//
// Each goroutine owns what it creates, and draws from a source of its own, so that a run can be repeated as far as the
// scheduler lets it.
func TestSoak(t *testing.T) {
	t.Setenv("RPCFLEET_EMULATOR_RECORD", "") // A minute of traffic is too much to keep.
	var logged bytes.Buffer                  // Where net/http would tell of bodies that are too long.
	log.SetOutput(&logged)
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	before := settledResources()
	tally, faults, connections := playedSoak(t)
	after := settledResources()
	after.connections = connections
	t.Log("\n" + report(tally, faults, before, after))

	assert.Empty(t, tally.mismatches, "mismatches")
	for line := range strings.Lines(logged.String()) { // net/http's own: see the limits in SECURITY.md.
		assert.Contains(t, line, "Unsolicited response received on idle HTTP channel", "the program's log")
	}
	assert.Zero(t, connections, "connections that are left open")
	assert.LessOrEqual(t, after.goroutines, before.goroutines, "goroutines that are left")
	if *soakFor >= time.Minute {
		assert.GreaterOrEqual(t, tally.calls(), enoughCalls, "calls")
		assert.GreaterOrEqual(t, faults.total(), enoughFaults, "faults")
		for _, effect := range emulator.Effects() {
			assert.Positive(t, faults[string(effect)], effect)
		}
	}
}

// playedSoak is what has come of one run. What the run itself remembers is gone then, and is no leak.
func playedSoak(t *testing.T) (tally *soakTally, faults soakCounts, connections int) {
	run := newSoak(t)
	run.play()
	run.service.RemoveFaults()
	run.verify()
	connections = run.close()
	return run.tally, run.service.faults(), connections
}

// soak is one run.
type soak struct {
	t       *testing.T
	service *soakService
	tally   *soakTally
	// hasty is a client with a retry quota that is used up now and then, and patient one without any.
	hasty, patient *rpcfleet.Client
	// clean is a client that is used where there are no faults.
	clean *rpcfleet.Client

	players []soakPlayer
	over    atomic.Bool
	// fixed is how many endpoints there are that nobody changes.
	fixed int
}

// soakPlayer does one thing again and again, and in the end holds what it knows against the emulator.
type soakPlayer interface {
	// play does something, once.
	play()
	// verify compares the model with the emulator, when there are no faults any more.
	verify(state *soakState)
}

func newSoak(t *testing.T) *soak {
	run := &soak{t: t, tally: newSoakTally()}
	run.service = startSoakService(t)
	observed := rpcfleet.WithObserver(run.tally.observe)
	run.hasty = run.service.client(t, observed, rpcfleet.WithRetryPolicy(soakPolicy(30)))
	run.patient = run.service.client(t, observed, rpcfleet.WithRetryPolicy(soakPolicy(-1)))
	run.clean = run.service.client(t, rpcfleet.WithoutRetries())
	run.gather()
	run.service.inject(t, *soakSeed)
	return run
}

// soakPolicy waits as little as a minute of four thousand faults allows.
func soakPolicy(quota int) rpcfleet.RetryPolicy {
	return rpcfleet.RetryPolicy{
		MaxAttempts: 4, BaseDelay: time.Millisecond, MaxDelay: 10 * time.Millisecond, MaxRetryAfter: time.Second, Quota: quota,
	}
}

// soaker is what every player has: a client, a source to draw from, and the run's account.
type soaker struct {
	*soak
	*rand.Rand
	// name is in the labels of what the player creates, so that no other player has them.
	name   string
	client *rpcfleet.Client
	serial int
}

// play lets all players play at once, until the time is over. A run of a minute goes on where a machine under load has
// not made enough of it.
func (run *soak) play() {
	began := time.Now()
	time.AfterFunc(*soakFor, func() {
		for *soakFor >= time.Minute && !run.enough() && time.Since(began) < 10*time.Minute {
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
	run.tally.took = time.Since(began)
}

// The calls and faults that a run of a minute is to have.
const enoughCalls, enoughFaults = 20_000, 4_000

func (run *soak) enough() bool {
	return run.tally.calls() >= enoughCalls && run.service.faults().total() >= enoughFaults
}

// verify holds the models against the emulator, and closes what it needed for that.
func (run *soak) verify() {
	state := run.state()
	for _, player := range run.players {
		player.verify(state)
	}
	state.verifyTotals(run)
}

// close ends the service, and returns how many connections of its clients are left.
func (run *soak) close() int {
	for _, player := range run.players {
		if closer, is := player.(interface{ close() }); is {
			closer.close()
		}
	}
	return run.service.close()
}
