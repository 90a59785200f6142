// Package replaytest tests implementations of [webhooks.DedupStore].
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

	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

// Options describe a store to test. The store must be empty.
type Options struct {
	Memory webhooks.DedupStore
	// Capacity is the maximum number of deliveries that the store remembers.
	Capacity int
	// Advance advances the store's clock. If it is nil, the tests of forgetting are skipped.
	Advance func(time.Duration)
}

// ttl is the ttl of the tests' claims and outcomes.
const ttl = time.Minute

// Run tests that a store behaves as [webhooks.DedupStore] requires. It calls subject for each of its tests.
func Run(t *testing.T, subject func(t *testing.T) Options) {
	for name, test := range map[string]func(*testing.T, Options){
		"a delivery is granted once":             grantedOnce,
		"a failed one is granted again":          grantedAgain,
		"a claim of many at once":                atOnce,
		"there is no room beyond the limit":      full,
		"the settled and the lost are forgotten": forgotten,
	} {
		t.Run(name, func(t *testing.T) { test(t, subject(t)) })
	}
}

// claim claims a delivery by the name of a claim, and compares the status.
func (s Options) claim(t *testing.T, delivery, name string, want webhooks.ClaimStatus) {
	t.Helper()
	status, err := s.Memory.Claim(t.Context(), webhooks.Claim{Delivery: delivery, Name: name}, ttl)
	if err != nil || status != want {
		t.Fatalf("the delivery is %s (error: %v), and should be %s", status, err, want)
	}
}

func (s Options) settle(t *testing.T, delivery, name string, outcome webhooks.ClaimStatus) {
	t.Helper()
	err := s.Memory.Settle(t.Context(), webhooks.Claim{Delivery: delivery, Name: name}, outcome, ttl)
	if err != nil {
		t.Fatalf("settling as %s: %v", outcome, err)
	}
}

func grantedOnce(t *testing.T, s Options) {
	for i, outcome := range []webhooks.ClaimStatus{webhooks.ClaimDone, webhooks.ClaimRejected} {
		delivery := fmt.Sprint("d", i)
		s.claim(t, delivery, "1", webhooks.ClaimGranted)
		s.claim(t, delivery, "2", webhooks.ClaimInProgress)
		s.settle(t, delivery, "1", outcome)
		s.claim(t, delivery, "3", outcome)
		s.claim(t, delivery, "4", outcome)
	}
}

func atOnce(t *testing.T, s Options) {
	var all sync.WaitGroup
	var granted atomic.Int64
	for i := range 100 {
		all.Go(func() {
			status, err := s.Memory.Claim(t.Context(), webhooks.Claim{Delivery: "d", Name: fmt.Sprint(i)}, ttl)
			switch {
			case err != nil || status != webhooks.ClaimGranted && status != webhooks.ClaimInProgress:
				t.Errorf("the delivery is %s, %v", status, err)
			case status == webhooks.ClaimGranted:
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
		s.claim(t, fmt.Sprint("d", i), "1", webhooks.ClaimGranted)
		if i%2 == 1 {
			s.settle(t, fmt.Sprint("d", i), "1", webhooks.ClaimDone)
		}
	}
	s.claim(t, "one more", "1", webhooks.ClaimStoreFull)
	s.claim(t, "d0", "2", webhooks.ClaimInProgress)
	s.settle(t, "d0", "1", webhooks.ClaimFailed)
	s.claim(t, "one more", "1", webhooks.ClaimGranted)
}

func grantedAgain(t *testing.T, s Options) {
	for range 2 * s.Capacity { // A failed delivery uses no capacity.
		s.claim(t, "d", "1", webhooks.ClaimGranted)
		s.settle(t, "d", "1", webhooks.ClaimFailed)
	}
	s.claim(t, "d", "2", webhooks.ClaimGranted)
	s.settle(t, "d", "1", webhooks.ClaimFailed) // It is settled twice if a reply is lost.
	s.claim(t, "d", "3", webhooks.ClaimInProgress)
	s.settle(t, "d", "2", webhooks.ClaimDone)
	s.settle(t, "d", "2", webhooks.ClaimFailed)
	s.claim(t, "d", "3", webhooks.ClaimDone)
}

func forgotten(t *testing.T, s Options) {
	if s.Advance == nil {
		t.Skip("no time passes")
	}
	for i := range s.Capacity {
		s.claim(t, fmt.Sprint("d", i), "1", webhooks.ClaimGranted)
	}
	s.Advance(ttl - time.Second)
	s.claim(t, "d0", "2", webhooks.ClaimInProgress)
	s.Advance(2 * time.Second)
	s.claim(t, "d0", "2", webhooks.ClaimGranted)
	s.settle(t, "d0", "1", webhooks.ClaimFailed)
	s.claim(t, "d0", "3", webhooks.ClaimInProgress)
	s.settle(t, "d0", "1", webhooks.ClaimDone) // Late, and executed nevertheless.
	s.settle(t, "d0", "2", webhooks.ClaimFailed)
	s.claim(t, "d0", "3", webhooks.ClaimDone)
	s.Advance(ttl - time.Second)
	s.claim(t, "d0", "3", webhooks.ClaimDone)
	s.Advance(ttl + 10*time.Minute) // The store may remember it for longer.
	for i := range s.Capacity {
		s.claim(t, fmt.Sprint("d", i), "4", webhooks.ClaimGranted)
	}
}
