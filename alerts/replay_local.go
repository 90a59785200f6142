package alerts

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// LocalReplayMemory is a [ReplayMemory] in the memory of this process. It is bounded: what is settled is forgotten
// after some time, and beyond a limit no further delivery is let in. What it grants has no lease: nothing but the end of
// the process comes between a claim and its end. Use [NewLocalReplayMemory] to make one.
type LocalReplayMemory struct {
	limit int
	clock func() time.Time

	mu sync.Mutex
	// known has every delivery that is remembered, under each of its marks.
	known map[Mark]*remembered
	// running counts the deliveries that are carried out. settled lists those that were, oldest first.
	running int
	settled []*remembered
	fence   int64
}

// remembered is a delivery that is being carried out, or was.
type remembered struct {
	identity Identity
	standing Standing
	fence    int64
	forget   time.Time
}

// NewLocalReplayMemory makes a memory of so many deliveries at most, each of which takes some 300 bytes.
func NewLocalReplayMemory(deliveries int) (*LocalReplayMemory, error) {
	if deliveries < 1 {
		return nil, errors.New("alerts: at least 1 delivery must be remembered")
	}
	return newLocalReplayMemory(deliveries, time.Now), nil
}

func newLocalReplayMemory(limit int, clock func() time.Time) *LocalReplayMemory {
	return &LocalReplayMemory{limit: limit, clock: clock, known: make(map[Mark]*remembered)}
}

// Claim implements [ReplayMemory]. It does not look at the context.
func (m *LocalReplayMemory) Claim(_ context.Context, delivery Identity, keep time.Duration) (Claim, error) {
	claim := Claim{Delivery: delivery, Keep: keep}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forgetBefore(m.clock())
	claim.Standing = m.standing(&delivery)
	if claim.Standing != Granted {
		return claim, nil
	}
	m.running++
	m.fence++
	claim.Fence = m.fence
	claimed := &remembered{identity: delivery, standing: Underway, fence: m.fence}
	for _, mark := range delivery.Marks {
		m.known[mark] = claimed
	}
	return claim, nil
}

// standing returns where a delivery stands, which is Granted for one that can be claimed.
func (m *LocalReplayMemory) standing(delivery *Identity) Standing {
	standing := Granted
	for _, mark := range delivery.Marks {
		if found := m.known[mark]; found != nil {
			standing = found.standing
			if found.identity.Whole != delivery.Whole {
				return Altered
			}
		}
	}
	if standing == Granted && m.running+len(m.settled) >= m.limit {
		return Full
	}
	return standing
}

// Settle implements [ReplayMemory]. It does not look at the context.
func (m *LocalReplayMemory) Settle(_ context.Context, claim Claim, outcome Standing) error {
	if !outcome.settles() {
		return fmt.Errorf("alerts: a claim cannot be settled as %s", outcome)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var claimed *remembered
	for _, mark := range claim.Delivery.Marks {
		claimed = m.known[mark]
	}
	if claimed == nil || claimed.fence != claim.Fence || claimed.standing != Underway {
		return ErrClaimLost
	}
	m.running--
	if outcome == Failed {
		m.release(claimed.identity)
		return nil
	}
	claimed.standing, claimed.forget = outcome, m.clock().Add(claim.Keep)
	m.settled = append(m.settled, claimed)
	return nil
}

// forgetBefore makes room for others in the place of what need not be remembered any longer.
func (m *LocalReplayMemory) forgetBefore(now time.Time) {
	for len(m.settled) > 0 && now.After(m.settled[0].forget) {
		m.release(m.settled[0].identity)
		m.settled[0] = nil
		m.settled = m.settled[1:]
	}
}

func (m *LocalReplayMemory) release(id Identity) {
	for _, mark := range id.Marks {
		delete(m.known, mark)
	}
}
