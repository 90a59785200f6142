package alerts

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// DedupStore remembers deliveries, so that each is carried out once. A Receiver claims a delivery before it runs its
// callback, and settles it after that. Receivers that share a memory carry a delivery out once over all of them: see
// [WithDedupStore]. [MemoryDedupStore] is the one of a Receiver that is given none. A DedupStore is used
// concurrently. Package replaytest tests one.
type DedupStore interface {
	// Claim asks whether a delivery may be carried out, which is granted to one that is not known. What is granted is
	// under way until it is settled, or until its lease is over: whoever claims it then is granted it. What is settled
	// is remembered for at least the time to keep it. An error means that nobody knows, and nothing was granted.
	Claim(ctx context.Context, delivery Identity, keep time.Duration) (Claim, error)

	// Settle ends a claim that was granted, as CarriedOut, Unwanted or Failed, which forgets the delivery. The error
	// matches ErrClaimLost if the delivery has been granted to another claim since. As long as that has not happened,
	// Settle succeeds after the end of the lease, and after the memory has lost the claim, as well.
	Settle(ctx context.Context, claim Claim, outcome ClaimStatus) error
}

// ErrClaimLost matches the error of settling a claim after its delivery has been granted to another one.
var ErrClaimLost = errors.New("alerts: the delivery was granted to another claim")

// Claim is what a DedupStore says about a delivery.
type Claim struct {
	// Delivery is what was claimed, and Keep for how long it is remembered.
	Delivery Identity
	TTL      time.Duration
	// Standing is Granted, Underway, CarriedOut, Unwanted, Altered or Full.
	Standing ClaimStatus
	// Fence is the number of a claim that was granted. Of two claims of one delivery, the later one has the greater.
	FencingToken int64
	// Lease is how long nobody else is granted the delivery, from the moment that Claim was called, or 0 for as long as
	// it is under way.
	Lease time.Duration
}

// Standing is where a delivery stands.
type ClaimStatus int

// The standings of a delivery.
const (
	// Granted means that it was not known. It is under way from now on, and Settle must follow.
	ClaimGranted ClaimStatus = iota + 1
	// Underway means that it is being carried out.
	ClaimInProgress
	// CarriedOut means that a callback took it over.
	ClaimDone
	// Unwanted means that a callback does not want to see it again.
	ClaimRejected
	// Failed means that a callback failed. The delivery is forgotten, so that it can come again.
	ClaimFailed
	// Altered means that another delivery has one of its marks.
	ClaimConflict
	// Full means that there is no room to remember it.
	ClaimStoreFull
)

var standingNames = [...]string{
	ClaimGranted: "granted", ClaimInProgress: "under way", ClaimDone: "carried out", ClaimRejected: "unwanted", ClaimFailed: "failed",
	ClaimConflict: "altered", ClaimStoreFull: "full",
}

// String returns the name of the standing.
func (s ClaimStatus) String() string {
	if s < ClaimGranted || s > ClaimStoreFull {
		return "unknown"
	}
	return standingNames[s]
}

// settles reports whether a claim can end this way.
func (s ClaimStatus) settles() bool { return s == ClaimDone || s == ClaimRejected || s == ClaimFailed }

// MemoryDedupStore is a [DedupStore] in the memory of this process. It is bounded: what is settled is forgotten
// after some time, and beyond a limit no further delivery is let in. What it grants has no lease: nothing but the end
// of the process comes between a claim and its end. Use [NewMemoryDedupStore] to make one.
type MemoryDedupStore struct {
	limit int
	clock func() time.Time

	mu sync.Mutex
	// known has every delivery that is remembered, under each of its marks.
	known map[Digest]*remembered
	// running counts the deliveries that are carried out. settled lists those that were, oldest first.
	running int
	settled []*remembered
	fence   int64
}

// remembered is a delivery that is being carried out, or was.
type remembered struct {
	identity Identity
	standing ClaimStatus
	fence    int64
	forget   time.Time
}

// NewMemoryDedupStore makes a memory of so many deliveries at most, each of which takes some 300 bytes.
func NewMemoryDedupStore(deliveries int) (*MemoryDedupStore, error) {
	if deliveries < 1 {
		return nil, errors.New("alerts: at least 1 delivery must be remembered")
	}
	return newLocalReplayMemory(deliveries, time.Now), nil
}

func newLocalReplayMemory(limit int, clock func() time.Time) *MemoryDedupStore {
	return &MemoryDedupStore{limit: limit, clock: clock, known: make(map[Digest]*remembered)}
}

// Claim implements [DedupStore]. It does not look at the context.
func (m *MemoryDedupStore) Claim(_ context.Context, delivery Identity, keep time.Duration) (Claim, error) {
	claim := Claim{Delivery: delivery, TTL: keep}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forgetBefore(m.clock())
	claim.Standing = m.standing(&delivery)
	if claim.Standing != ClaimGranted {
		return claim, nil
	}
	m.running++
	m.fence++
	claim.FencingToken = m.fence
	claimed := &remembered{identity: delivery, standing: ClaimInProgress, fence: m.fence}
	for _, mark := range delivery.Keys {
		m.known[mark] = claimed
	}
	return claim, nil
}

// standing returns where a delivery stands, which is Granted for one that can be claimed.
func (m *MemoryDedupStore) standing(delivery *Identity) ClaimStatus {
	standing := ClaimGranted
	for _, mark := range delivery.Keys {
		if found := m.known[mark]; found != nil {
			standing = found.standing
			if found.identity.Sum != delivery.Sum {
				return ClaimConflict
			}
		}
	}
	if standing == ClaimGranted && m.running+len(m.settled) >= m.limit {
		return ClaimStoreFull
	}
	return standing
}

// Settle implements [DedupStore]. It does not look at the context.
func (m *MemoryDedupStore) Settle(_ context.Context, claim Claim, outcome ClaimStatus) error {
	if !outcome.settles() {
		return fmt.Errorf("alerts: a claim cannot be settled as %s", outcome)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var claimed *remembered
	for _, mark := range claim.Delivery.Keys {
		claimed = m.known[mark]
	}
	if claimed == nil || claimed.fence != claim.FencingToken || claimed.standing != ClaimInProgress {
		return ErrClaimLost
	}
	m.running--
	if outcome == ClaimFailed {
		m.release(claimed.identity)
		return nil
	}
	claimed.standing, claimed.forget = outcome, m.clock().Add(claim.TTL)
	m.settled = append(m.settled, claimed)
	return nil
}

// forgetBefore makes room for others in the place of what need not be remembered any longer.
func (m *MemoryDedupStore) forgetBefore(now time.Time) {
	for len(m.settled) > 0 && now.After(m.settled[0].forget) {
		m.release(m.settled[0].identity)
		m.settled[0] = nil
		m.settled = m.settled[1:]
	}
}

func (m *MemoryDedupStore) release(id Identity) {
	for _, mark := range id.Keys {
		delete(m.known, mark)
	}
}
