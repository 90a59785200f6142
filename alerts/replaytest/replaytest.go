// Package replaytest tests implementations of [alerts.ReplayMemory].
//
//	func TestReplayMemory(t *testing.T) {
//		replaytest.Run(t, func(t *testing.T) replaytest.Subject {
//			return replaytest.Subject{Memory: newMemory(t, 3), Room: 3}
//		})
//	}
package replaytest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// Subject is a memory to test. It remembers nothing yet.
type Subject struct {
	Memory alerts.ReplayMemory
	// Room is how many deliveries it remembers at most.
	Room int
	// Pass lets time pass for the memory. It is nil where nothing can, which leaves out the tests of what is forgotten
	// and of leases.
	Pass func(time.Duration)
}

// keep is how long the tests have deliveries remembered.
const keep = time.Minute

// Run tests that a memory does what [alerts.ReplayMemory] says. It makes a subject for each of its tests.
func Run(t *testing.T, subject func(t *testing.T) Subject) {
	for name, test := range map[string]func(*testing.T, Subject){
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

func claim(t *testing.T, s Subject, id alerts.Identity, want alerts.Standing) alerts.Claim {
	t.Helper()
	claim, err := s.Memory.Claim(t.Context(), id, keep)
	if err != nil {
		t.Fatalf("claiming: %v", err)
	}
	if claim.Standing != want {
		t.Fatalf("the delivery is %s, and should be %s", claim.Standing, want)
	}
	if want == alerts.Granted && (claim.Fence <= 0 || claim.Keep != keep || claim.Delivery.Whole != id.Whole) {
		t.Fatalf("what is granted says what was claimed, under a number above 0: %+v", claim)
	}
	return claim
}

func settle(t *testing.T, s Subject, claim alerts.Claim, outcome alerts.Standing) {
	t.Helper()
	if err := s.Memory.Settle(t.Context(), claim, outcome); err != nil {
		t.Fatalf("settling as %s: %v", outcome, err)
	}
}

func grantedOnce(t *testing.T, s Subject) {
	for i, outcome := range []alerts.Standing{alerts.CarriedOut, alerts.Unwanted} {
		id := delivery(fmt.Sprint("n", i), "h")
		granted := claim(t, s, id, alerts.Granted)
		claim(t, s, id, alerts.Underway)
		settle(t, s, granted, outcome)
		claim(t, s, id, outcome)
		claim(t, s, id, outcome)
	}
}

func grantedAgain(t *testing.T, s Subject) {
	var fence int64
	for range 2 * s.Room { // A failed delivery takes no room.
		granted := claim(t, s, delivery("n", "h"), alerts.Granted)
		if granted.Fence <= fence {
			t.Fatalf("the later claim has the number %d, after %d", granted.Fence, fence)
		}
		fence = granted.Fence
		settle(t, s, granted, alerts.Failed)
	}
}

func altered(t *testing.T, s Subject) {
	granted := claim(t, s, delivery("n", "h"), alerts.Granted)
	claim(t, s, delivery("n", "another h"), alerts.Altered)
	settle(t, s, granted, alerts.CarriedOut)
	claim(t, s, delivery("n", "another h"), alerts.Altered)
	claim(t, s, delivery("n", "h"), alerts.CarriedOut)
	half := alerts.Identity{Marks: delivery("n", "h").Marks[1:], Whole: delivery("m", "h").Whole}
	claim(t, s, half, alerts.Altered)
}

func atOnce(t *testing.T, s Subject) {
	var all sync.WaitGroup
	var granted atomic.Int64
	for range 20 {
		all.Go(func() {
			claim, err := s.Memory.Claim(t.Context(), delivery("n", "h"), keep)
			switch {
			case err != nil || claim.Standing != alerts.Granted && claim.Standing != alerts.Underway:
				t.Errorf("the delivery is %s, %v", claim.Standing, err)
			case claim.Standing == alerts.Granted:
				granted.Add(1)
			}
		})
	}
	all.Wait()
	if granted.Load() != 1 {
		t.Errorf("granted %d times", granted.Load())
	}
}

func full(t *testing.T, s Subject) {
	var last alerts.Claim
	for i := range s.Room {
		last = claim(t, s, delivery(fmt.Sprint("n", i), "h"), alerts.Granted)
		if i%2 == 0 && i < s.Room-1 {
			settle(t, s, last, alerts.CarriedOut)
		}
	}
	claim(t, s, delivery("one more", "h"), alerts.Full)
	claim(t, s, last.Delivery, alerts.Underway)
	settle(t, s, last, alerts.Failed)
	claim(t, s, delivery("one more", "h"), alerts.Granted)
}

func fenced(t *testing.T, s Subject) {
	first := claim(t, s, delivery("n", "h"), alerts.Granted)
	settle(t, s, first, alerts.Failed)
	second := claim(t, s, delivery("n", "h"), alerts.Granted)
	lost := func(outcome alerts.Standing) {
		t.Helper()
		if err := s.Memory.Settle(t.Context(), first, outcome); !errors.Is(err, alerts.ErrClaimLost) {
			t.Errorf("settling what was settled: %v", err)
		}
	}
	lost(alerts.CarriedOut)
	lost(alerts.Failed)
	claim(t, s, delivery("n", "h"), alerts.Underway)
	settle(t, s, second, alerts.CarriedOut)
	lost(alerts.Failed)
	claim(t, s, delivery("n", "h"), alerts.CarriedOut)
	if err := s.Memory.Settle(context.Background(), second, alerts.Granted); err == nil {
		t.Error("a claim cannot be settled as granted")
	}
}

func forgotten(t *testing.T, s Subject) {
	if s.Pass == nil {
		t.Skip("no time passes")
	}
	for i := range s.Room {
		settle(t, s, claim(t, s, delivery(fmt.Sprint("n", i), "h"), alerts.Granted), alerts.CarriedOut)
	}
	s.Pass(keep - time.Second)
	claim(t, s, delivery("n0", "h"), alerts.CarriedOut)
	claim(t, s, delivery("one more", "h"), alerts.Full)
	s.Pass(keep + 10*time.Minute) // It may be remembered for longer than asked.
	claim(t, s, delivery("one more", "h"), alerts.Granted)
	claim(t, s, delivery("n0", "h"), alerts.Granted)
}

func leased(t *testing.T, s Subject) {
	if s.Pass == nil {
		t.Skip("no time passes")
	}
	first := claim(t, s, delivery("n", "h"), alerts.Granted)
	if first.Lease == 0 {
		s.Pass(24 * time.Hour)
		claim(t, s, delivery("n", "h"), alerts.Underway)
		return
	}
	s.Pass(first.Lease - time.Second)
	claim(t, s, delivery("n", "h"), alerts.Underway)
	s.Pass(2 * time.Second)
	second := claim(t, s, delivery("n", "h"), alerts.Granted)
	if second.Fence <= first.Fence {
		t.Errorf("the claim that takes over has the number %d, after %d", second.Fence, first.Fence)
	}
	for _, outcome := range []alerts.Standing{alerts.CarriedOut, alerts.Failed} {
		if err := s.Memory.Settle(t.Context(), first, outcome); !errors.Is(err, alerts.ErrClaimLost) {
			t.Errorf("the first claim is settled after the second was granted: %v", err)
		}
	}
	s.Pass(second.Lease + time.Second)
	settle(t, s, second, alerts.CarriedOut) // Late, and nobody else was granted it.
	claim(t, s, delivery("n", "h"), alerts.CarriedOut)
}
