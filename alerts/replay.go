package alerts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// DedupStore remembers deliveries, so that each is executed once. A Receiver claims a delivery before it runs its
// callback and settles the claim afterwards. If Receivers share a store, each delivery is executed once by all of them
// together: see [WithDedupStore]. A Receiver without that option uses a [MemoryDedupStore]. A DedupStore is used
// concurrently. Package replaytest tests implementations.
type DedupStore interface {
	// Claim claims a delivery, which is granted if the delivery is unknown. A granted claim is in progress until it is
	// settled or its lease ends; after that, the next claim is granted. A settled delivery is remembered for at least the
	// keep time. If Claim returns an error, the callback must not run; the delivery may be
	// in progress until its lease ends.
	Claim(ctx context.Context, delivery Identity, keep time.Duration) (Claim, error)

	// Settle ends a granted claim with ClaimDone, ClaimRejected or ClaimFailed, which forgets the delivery. The error
	// matches ErrClaimLost if the delivery has since been granted to another claim. Otherwise Settle succeeds, even if the
	// lease has ended or the store has lost the claim.
	Settle(ctx context.Context, claim Claim, outcome ClaimStatus) error
}

// ErrClaimLost matches the error of settling a claim if its delivery has been granted to another claim.
var ErrClaimLost = errors.New("alerts: the delivery was granted to another claim")

// Claim is the result of claiming a delivery.
type Claim struct {
	// Delivery is the claimed delivery, and TTL is how long it is remembered.
	Delivery Identity
	TTL      time.Duration
	// Status is ClaimGranted, ClaimInProgress, ClaimDone, ClaimRejected, ClaimConflict or ClaimStoreFull.
	Status ClaimStatus
	// FencingToken is the number of a granted claim. Of two claims of one delivery, the later has the greater number.
	FencingToken int64
	// Lease is the time, from the call of Claim, during which no other claim is granted for the delivery. It is 0 if the
	// claim has no time limit.
	Lease time.Duration
}

// ClaimStatus is the status of a delivery in a [DedupStore].
type ClaimStatus int

// The statuses of a delivery.
const (
	// ClaimGranted means that the delivery was unknown. It is now in progress, and Settle must follow.
	ClaimGranted ClaimStatus = iota + 1
	// ClaimInProgress means that the delivery is being executed.
	ClaimInProgress
	// ClaimDone means that a callback accepted the delivery.
	ClaimDone
	// ClaimRejected means that a callback rejected the delivery permanently.
	ClaimRejected
	// ClaimFailed means that a callback failed. The delivery is forgotten, so that it can be retried.
	ClaimFailed
	// ClaimConflict means that another delivery has one of the same keys.
	ClaimConflict
	// ClaimStoreFull means that the store has no room for the delivery.
	ClaimStoreFull
)

var claimStatuses = map[ClaimStatus]string{
	ClaimGranted: "granted", ClaimInProgress: "in progress", ClaimDone: "done", ClaimRejected: "rejected",
	ClaimFailed: "failed", ClaimConflict: "conflict", ClaimStoreFull: "store full",
}

// String returns the name of the status.
func (s ClaimStatus) String() string { return cmp.Or(claimStatuses[s], "unknown") }

// MemoryDedupStore is a [DedupStore] in the memory of this process. It is bounded: settled deliveries are forgotten
// after their keep time, and if the limit is reached, new deliveries are not accepted. Its claims have no lease, since
// they end with the process. Use [NewMemoryDedupStore] to make one.
type MemoryDedupStore struct {
	limit int
	clock func() time.Time

	mu sync.Mutex
	// known contains each delivery under each of its keys.
	known map[Digest]*remembered
	// running counts the deliveries in progress. settled lists the settled ones, oldest first.
	running int
	settled []*remembered
	fence   int64
}

// remembered is a delivery that is in progress or settled.
type remembered struct {
	Claim
	forget time.Time
}

// NewMemoryDedupStore returns a store of at most the given number of deliveries, each of about 300 bytes.
func NewMemoryDedupStore(deliveries int) (*MemoryDedupStore, error) {
	if deliveries < 1 {
		return nil, errors.New("alerts: the store must have room for at least 1 delivery")
	}
	return newMemoryDedupStore(deliveries, time.Now), nil
}

func newMemoryDedupStore(limit int, clock func() time.Time) *MemoryDedupStore {
	return &MemoryDedupStore{limit: limit, clock: clock, known: make(map[Digest]*remembered)}
}

// Claim implements [DedupStore]. It ignores the context.
func (m *MemoryDedupStore) Claim(_ context.Context, delivery Identity, keep time.Duration) (Claim, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for len(m.settled) > 0 && m.clock().After(m.settled[0].forget) {
		m.release(m.settled[0])
		m.settled[0] = nil
		m.settled = m.settled[1:]
	}
	claim := Claim{Delivery: delivery, TTL: keep, Status: m.status(&delivery)}
	if claim.Status == ClaimGranted {
		m.running++
		m.fence++
		claim.FencingToken = m.fence
		claimed := &remembered{Claim: claim}
		claimed.Status = ClaimInProgress
		for _, key := range delivery.Keys {
			m.known[key] = claimed
		}
	}
	return claim, nil
}

// status returns the status of a delivery, which is ClaimGranted if it can be claimed.
func (m *MemoryDedupStore) status(delivery *Identity) ClaimStatus {
	status := ClaimGranted
	for _, key := range delivery.Keys {
		if found := m.known[key]; found != nil {
			status = found.Status
			if found.Delivery.Sum != delivery.Sum {
				return ClaimConflict
			}
		}
	}
	if status == ClaimGranted && m.running+len(m.settled) >= m.limit {
		return ClaimStoreFull
	}
	return status
}

// Settle implements [DedupStore]. It ignores the context.
func (m *MemoryDedupStore) Settle(_ context.Context, claim Claim, outcome ClaimStatus) error {
	if outcome != ClaimDone && outcome != ClaimRejected && outcome != ClaimFailed {
		return fmt.Errorf("alerts: a claim cannot be settled as %s", outcome)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var claimed *remembered
	for _, key := range claim.Delivery.Keys {
		claimed = m.known[key]
	}
	if claimed == nil || claimed.FencingToken != claim.FencingToken || claimed.Status != ClaimInProgress {
		return ErrClaimLost
	}
	m.running--
	if outcome == ClaimFailed {
		m.release(claimed)
		return nil
	}
	claimed.Status, claimed.forget = outcome, m.clock().Add(claim.TTL)
	m.settled = append(m.settled, claimed)
	return nil
}

func (m *MemoryDedupStore) release(claimed *remembered) {
	for _, key := range claimed.Delivery.Keys {
		delete(m.known, key)
	}
}
