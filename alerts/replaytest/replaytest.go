// Package replaytest tests implementations of [alerts.DedupStore].
//
//	func TestDedupStore(t *testing.T) {
//		replaytest.Run(t, func(t *testing.T) replaytest.Options {
//			return replaytest.Options{Memory: newStore(t, 3), Capacity: 3}
//		})
//	}
package replaytest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// Options describe a store to test. The store must be empty.
type Options struct {
	Memory alerts.DedupStore
	// Capacity is the maximum number of deliveries that the store remembers.
	Capacity int
	// Advance advances the store's clock. If it is nil, the tests of forgetting are skipped.
	Advance func(time.Duration)
}

// ttl is the ttl of the tests' claims and outcomes.
const ttl = time.Minute

// Run tests that a store behaves as [alerts.DedupStore] requires. It calls subject for each of its tests.
func Run(t *testing.T, subject func(t *testing.T) Options) {
	for name, test := range map[string]func(*testing.T, Options){
		"a delivery is granted once":             grantedOnce,
		"a failed one is granted again":          grantedAgain,
		"a delivery that shares a key":           altered,
		"a claim of many at once":                atOnce,
		"there is no room beyond the limit":      full,
		"the settled and the lost are forgotten": forgotten,
	} {
		t.Run(name, func(t *testing.T) { test(t, subject(t)) })
	}
}

// delivery returns a claim of a made-up delivery.
func delivery(nonce, hash, claim string) alerts.Claim {
	headers := alerts.Headers{Nonce: nonce, ContentHash: hash, Signature: "signature of " + nonce}
	return alerts.Claim{Identity: headers.Identity(), Name: claim}
}

func claim(t *testing.T, s Options, c alerts.Claim, want alerts.ClaimStatus) {
	t.Helper()
	if status, err := s.Memory.Claim(t.Context(), c, ttl); err != nil || status != want {
		t.Fatalf("the delivery is %s (error: %v), and should be %s", status, err, want)
	}
}

func settle(t *testing.T, s Options, c alerts.Claim, outcome alerts.ClaimStatus) {
	t.Helper()
	if err := s.Memory.Settle(t.Context(), c, outcome, ttl); err != nil {
		t.Fatalf("settling as %s: %v", outcome, err)
	}
}

func grantedOnce(t *testing.T, s Options) {
	for i, outcome := range []alerts.ClaimStatus{alerts.ClaimDone, alerts.ClaimRejected} {
		nonce := fmt.Sprint("n", i)
		claim(t, s, delivery(nonce, "h", "1"), alerts.ClaimGranted)
		claim(t, s, delivery(nonce, "h", "2"), alerts.ClaimInProgress)
		settle(t, s, delivery(nonce, "h", "1"), outcome)
		claim(t, s, delivery(nonce, "h", "3"), outcome)
		claim(t, s, delivery(nonce, "h", "4"), outcome)
	}
}

func altered(t *testing.T, s Options) {
	claim(t, s, delivery("n", "h", "1"), alerts.ClaimGranted)
	claim(t, s, delivery("n", "another h", "2"), alerts.ClaimConflict)
	settle(t, s, delivery("n", "h", "1"), alerts.ClaimDone)
	claim(t, s, delivery("n", "another h", "2"), alerts.ClaimConflict)
	claim(t, s, delivery("n", "h", "2"), alerts.ClaimDone)
	half := delivery("m", "h", "2")
	half.Keys = delivery("n", "h", "").Keys[1:]
	claim(t, s, half, alerts.ClaimConflict)
}

func atOnce(t *testing.T, s Options) {
	var all sync.WaitGroup
	var granted atomic.Int64
	for i := range 100 {
		all.Go(func() {
			status, err := s.Memory.Claim(t.Context(), delivery("n", "h", fmt.Sprint(i)), ttl)
			switch {
			case err != nil || status != alerts.ClaimGranted && status != alerts.ClaimInProgress:
				t.Errorf("the delivery is %s, %v", status, err)
			case status == alerts.ClaimGranted:
				granted.Add(1)
			}
		})
	}
	all.Wait()
	if granted.Load() != 1 {
		t.Errorf("granted %d times", granted.Load())
	}
}

func full(t *testing.T, s Options) {
	for i := range s.Capacity {
		claim(t, s, delivery(fmt.Sprint("n", i), "h", "1"), alerts.ClaimGranted)
		if i%2 == 1 {
			settle(t, s, delivery(fmt.Sprint("n", i), "h", "1"), alerts.ClaimDone)
		}
	}
	claim(t, s, delivery("one more", "h", "1"), alerts.ClaimStoreFull)
	claim(t, s, delivery("n0", "h", "2"), alerts.ClaimInProgress)
	settle(t, s, delivery("n0", "h", "1"), alerts.ClaimFailed)
	claim(t, s, delivery("one more", "h", "1"), alerts.ClaimGranted)
}

func grantedAgain(t *testing.T, s Options) {
	for range 2 * s.Capacity { // A failed delivery uses no capacity.
		claim(t, s, delivery("n", "h", "1"), alerts.ClaimGranted)
		settle(t, s, delivery("n", "h", "1"), alerts.ClaimFailed)
	}
	claim(t, s, delivery("n", "h", "2"), alerts.ClaimGranted)
	settle(t, s, delivery("n", "h", "1"), alerts.ClaimFailed) // It is settled twice if a reply is lost.
	claim(t, s, delivery("n", "h", "3"), alerts.ClaimInProgress)
	settle(t, s, delivery("n", "h", "2"), alerts.ClaimDone)
	settle(t, s, delivery("n", "h", "2"), alerts.ClaimFailed)
	claim(t, s, delivery("n", "h", "3"), alerts.ClaimDone)
}

func forgotten(t *testing.T, s Options) {
	if s.Advance == nil {
		t.Skip("no time passes")
	}
	for i := range s.Capacity {
		claim(t, s, delivery(fmt.Sprint("n", i), "h", "1"), alerts.ClaimGranted)
	}
	s.Advance(ttl - time.Second)
	claim(t, s, delivery("n0", "h", "2"), alerts.ClaimInProgress)
	s.Advance(2 * time.Second)
	claim(t, s, delivery("n0", "h", "2"), alerts.ClaimGranted)
	settle(t, s, delivery("n0", "h", "1"), alerts.ClaimFailed)
	claim(t, s, delivery("n0", "h", "3"), alerts.ClaimInProgress)
	settle(t, s, delivery("n0", "h", "1"), alerts.ClaimDone) // Late, and executed nevertheless.
	settle(t, s, delivery("n0", "h", "2"), alerts.ClaimFailed)
	claim(t, s, delivery("n0", "h", "3"), alerts.ClaimDone)
	s.Advance(ttl - time.Second)
	claim(t, s, delivery("n0", "h", "3"), alerts.ClaimDone)
	s.Advance(ttl + 10*time.Minute) // The store may remember it for longer.
	for i := range s.Capacity {
		claim(t, s, delivery(fmt.Sprint("n", i), "h", "4"), alerts.ClaimGranted)
	}
}
