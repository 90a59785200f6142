// Package replaytest tests implementations of [alerts.DedupStore].
//
//	func TestDedupStore(t *testing.T) {
//		replaytest.Run(t, func(t *testing.T) replaytest.Options {
//			return replaytest.Options{Memory: newStore(t, 3), Capacity: 3}
//		})
//	}
package replaytest

import (
	"errors"
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
	// Advance advances the store's clock. If it is nil, the tests of leases and of forgetting are skipped.
	Advance func(time.Duration)
}

// keep is the keep time of the tests' claims.
const keep = time.Minute

// Run tests that a store behaves as [alerts.DedupStore] requires. It calls subject for each of its tests.
func Run(t *testing.T, subject func(t *testing.T) Options) {
	for name, test := range map[string]func(*testing.T, Options){
		"a delivery is granted once":           grantedOnce,
		"a failed one is granted again":        grantedAgain,
		"a delivery that shares a mark":        altered,
		"a claim of many at once":              atOnce,
		"there is no room beyond the limit":    full,
		"only the holder of a claim settles":   fenced,
		"what is settled is forgotten in time": forgotten,
		"a lease ends":                         leased,
	} {
		t.Run(name, func(t *testing.T) { test(t, subject(t)) })
	}
}

// delivery returns the identity of a made-up delivery.
func delivery(nonce, hash string) alerts.Identity {
	headers := alerts.Headers{Nonce: nonce, ContentHash: hash, Signature: "signature of " + nonce}
	return headers.Identity()
}

func claim(t *testing.T, s Options, id alerts.Identity, want alerts.ClaimStatus) alerts.Claim {
	t.Helper()
	got, err := s.Memory.Claim(t.Context(), id, keep)
	if err != nil || got.Status != want {
		t.Fatalf("the delivery is %s (error: %v), and should be %s", got.Status, err, want)
	}
	if want == alerts.ClaimGranted && (got.FencingToken <= 0 || got.TTL != keep || got.Delivery.Sum != id.Sum) {
		t.Fatalf("a granted claim must have the delivery, the keep time and a fencing token above 0: %+v", got)
	}
	return got
}

func settle(t *testing.T, s Options, granted alerts.Claim, outcome alerts.ClaimStatus) {
	t.Helper()
	if err := s.Memory.Settle(t.Context(), granted, outcome); err != nil {
		t.Fatalf("settling as %s: %v", outcome, err)
	}
}

// lost checks that a claim cannot be settled any more.
func lost(t *testing.T, s Options, granted alerts.Claim, outcome alerts.ClaimStatus) {
	t.Helper()
	if err := s.Memory.Settle(t.Context(), granted, outcome); !errors.Is(err, alerts.ErrClaimLost) {
		t.Errorf("settling a lost claim as %s: %v", outcome, err)
	}
}

func grantedOnce(t *testing.T, s Options) {
	for i, outcome := range []alerts.ClaimStatus{alerts.ClaimDone, alerts.ClaimRejected} {
		id := delivery(fmt.Sprint("n", i), "h")
		granted := claim(t, s, id, alerts.ClaimGranted)
		claim(t, s, id, alerts.ClaimInProgress)
		settle(t, s, granted, outcome)
		claim(t, s, id, outcome)
		claim(t, s, id, outcome)
	}
}

func grantedAgain(t *testing.T, s Options) {
	var fence int64
	for range 2 * s.Capacity { // A failed delivery uses no capacity.
		granted := claim(t, s, delivery("n", "h"), alerts.ClaimGranted)
		if granted.FencingToken <= fence {
			t.Fatalf("the later claim has the number %d, after %d", granted.FencingToken, fence)
		}
		fence = granted.FencingToken
		settle(t, s, granted, alerts.ClaimFailed)
	}
}

func altered(t *testing.T, s Options) {
	granted := claim(t, s, delivery("n", "h"), alerts.ClaimGranted)
	claim(t, s, delivery("n", "another h"), alerts.ClaimConflict)
	settle(t, s, granted, alerts.ClaimDone)
	claim(t, s, delivery("n", "another h"), alerts.ClaimConflict)
	claim(t, s, delivery("n", "h"), alerts.ClaimDone)
	half := alerts.Identity{Keys: delivery("n", "h").Keys[1:], Sum: delivery("m", "h").Sum}
	claim(t, s, half, alerts.ClaimConflict)
}

func atOnce(t *testing.T, s Options) {
	var all sync.WaitGroup
	var granted atomic.Int64
	for range 20 {
		all.Go(func() {
			got, err := s.Memory.Claim(t.Context(), delivery("n", "h"), keep)
			switch {
			case err != nil || got.Status != alerts.ClaimGranted && got.Status != alerts.ClaimInProgress:
				t.Errorf("the delivery is %s, %v", got.Status, err)
			case got.Status == alerts.ClaimGranted:
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
	var last alerts.Claim
	for i := range s.Capacity {
		last = claim(t, s, delivery(fmt.Sprint("n", i), "h"), alerts.ClaimGranted)
		if i%2 == 0 && i < s.Capacity-1 {
			settle(t, s, last, alerts.ClaimDone)
		}
	}
	claim(t, s, delivery("one more", "h"), alerts.ClaimStoreFull)
	claim(t, s, last.Delivery, alerts.ClaimInProgress)
	settle(t, s, last, alerts.ClaimFailed)
	claim(t, s, delivery("one more", "h"), alerts.ClaimGranted)
}

func fenced(t *testing.T, s Options) {
	first := claim(t, s, delivery("n", "h"), alerts.ClaimGranted)
	settle(t, s, first, alerts.ClaimFailed)
	second := claim(t, s, delivery("n", "h"), alerts.ClaimGranted)
	lost(t, s, first, alerts.ClaimDone)
	lost(t, s, first, alerts.ClaimFailed)
	if err := s.Memory.Settle(t.Context(), second, alerts.ClaimGranted); err == nil {
		t.Error("a claim cannot be settled as granted")
	}
	claim(t, s, delivery("n", "h"), alerts.ClaimInProgress)
	settle(t, s, second, alerts.ClaimDone)
	lost(t, s, first, alerts.ClaimFailed)
	claim(t, s, delivery("n", "h"), alerts.ClaimDone)
}

func forgotten(t *testing.T, s Options) {
	if s.Advance == nil {
		t.Skip("no time passes")
	}
	for i := range s.Capacity {
		settle(t, s, claim(t, s, delivery(fmt.Sprint("n", i), "h"), alerts.ClaimGranted), alerts.ClaimDone)
	}
	s.Advance(keep - time.Second)
	claim(t, s, delivery("n0", "h"), alerts.ClaimDone)
	claim(t, s, delivery("one more", "h"), alerts.ClaimStoreFull)
	s.Advance(keep + 10*time.Minute) // The store may remember it for longer.
	claim(t, s, delivery("one more", "h"), alerts.ClaimGranted)
	claim(t, s, delivery("n0", "h"), alerts.ClaimGranted)
}

func leased(t *testing.T, s Options) {
	if s.Advance == nil {
		t.Skip("no time passes")
	}
	first := claim(t, s, delivery("n", "h"), alerts.ClaimGranted)
	if first.Lease == 0 {
		s.Advance(24 * time.Hour)
		claim(t, s, delivery("n", "h"), alerts.ClaimInProgress)
		return
	}
	s.Advance(first.Lease - time.Second)
	claim(t, s, delivery("n", "h"), alerts.ClaimInProgress)
	s.Advance(2 * time.Second)
	second := claim(t, s, delivery("n", "h"), alerts.ClaimGranted)
	if second.FencingToken <= first.FencingToken {
		t.Errorf("the claim that takes over has the number %d, after %d", second.FencingToken, first.FencingToken)
	}
	lost(t, s, first, alerts.ClaimDone)
	lost(t, s, first, alerts.ClaimFailed)
	s.Advance(second.Lease + time.Second)
	settle(t, s, second, alerts.ClaimDone) // Late, but not granted to another claim.
	claim(t, s, delivery("n", "h"), alerts.ClaimDone)
}
