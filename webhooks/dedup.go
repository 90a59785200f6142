package webhooks

import (
	"context"
	"sync"
	"time"
)

// DedupStore remembers deliveries, so that each is executed once. A Receiver claims a delivery, runs its callback if
// the claim is granted, and settles the claim afterwards. If Receivers share a store, each delivery is executed once by
// all of them together: see [WithDedupStore]. A Receiver without that option has a store in memory. A DedupStore is
// used concurrently. Package replaytest tests implementations.
type DedupStore interface {
	// Claim claims a delivery, and returns ClaimGranted if the delivery is unknown. It is then in progress until it
	// is settled. A store that can outlive the program forgets an unsettled claim after the ttl. If Claim returns an
	// error, the callback must not run.
	Claim(ctx context.Context, claim Claim, ttl time.Duration) (ClaimStatus, error)

	// Settle ends a granted claim. After ClaimDone and ClaimRejected, the delivery is remembered for at least the
	// ttl, even if the store has forgotten the claim. After any other outcome it is forgotten, unless a claim with
	// another name was granted since.
	Settle(ctx context.Context, claim Claim, outcome ClaimStatus, ttl time.Duration) error
}

// Claim is one attempt to execute a delivery.
type Claim struct {
	// Delivery identifies the delivery. It is a hash of the signature, which may be stored and logged.
	Delivery string
	// Name is a random text that distinguishes the claim from others of the same delivery.
	Name string
}

// ClaimStatus is the status of a delivery in a [DedupStore].
type ClaimStatus string

// The statuses of a delivery.
const (
	ClaimGranted    ClaimStatus = "granted"     // It was unknown. It is now in progress, and Settle must follow.
	ClaimInProgress ClaimStatus = "in progress" // It is being executed.
	ClaimDone       ClaimStatus = "done"        // A callback accepted it.
	ClaimRejected   ClaimStatus = "rejected"    // A callback rejected it permanently.
	ClaimFailed     ClaimStatus = "failed"      // A callback failed. It is forgotten, so that it can be retried.
	ClaimStoreFull  ClaimStatus = "store full"  // The store has no room for it.
)

// memoryStore is a [DedupStore] in the memory of this process. It is bounded: settled deliveries are forgotten after
// their ttl, and if the limit is reached, new deliveries are not accepted. Its claims have no ttl, since they end with
// the process.
type memoryStore struct {
	limit int
	clock func() time.Time

	mu    sync.Mutex
	known map[string]*remembered
	// settled lists the settled deliveries, oldest first.
	settled []*remembered
}

// remembered is a delivery that is in progress or settled.
type remembered struct {
	Claim
	status ClaimStatus
	forget time.Time
}

func newMemoryStore(limit int, clock func() time.Time) *memoryStore {
	return &memoryStore{limit: limit, clock: clock, known: make(map[string]*remembered)}
}

// Claim implements [DedupStore]. It ignores the context and the ttl.
func (m *memoryStore) Claim(_ context.Context, claim Claim, _ time.Duration) (ClaimStatus, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for len(m.settled) > 0 && m.clock().After(m.settled[0].forget) {
		delete(m.known, m.settled[0].Delivery)
		m.settled[0] = nil
		m.settled = m.settled[1:]
	}
	if found := m.known[claim.Delivery]; found != nil {
		return found.status, nil
	}
	if len(m.known) >= m.limit {
		return ClaimStoreFull, nil
	}
	m.known[claim.Delivery] = &remembered{Claim: claim, status: ClaimInProgress}
	return ClaimGranted, nil
}

// Settle implements [DedupStore]. It ignores the context.
func (m *memoryStore) Settle(_ context.Context, claim Claim, outcome ClaimStatus, ttl time.Duration) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	found := m.known[claim.Delivery]
	switch {
	case found == nil || found.Name != claim.Name || found.status != ClaimInProgress:
	case outcome == ClaimDone || outcome == ClaimRejected:
		found.status, found.forget = outcome, m.clock().Add(ttl)
		m.settled = append(m.settled, found)
	default:
		delete(m.known, claim.Delivery)
	}
	return nil
}
