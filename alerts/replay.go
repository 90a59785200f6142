package alerts

import (
	"sync"
	"time"
)

// replayGuard remembers deliveries, so that each is carried out once. A delivery is claimed before it is carried out
// and settled after it. The memory is bounded: what is settled is forgotten after some time, and beyond a limit no
// further delivery is let in.
type replayGuard struct {
	keep  time.Duration
	limit int

	mu sync.Mutex
	// known has every delivery that is remembered, under each of its marks.
	known map[mark]*remembered
	// running counts the deliveries that are carried out. settled lists those that were, oldest first.
	running int
	settled []*remembered
}

// remembered is a delivery that is being carried out, or was.
type remembered struct {
	identity identity
	standing standing
	forget   time.Time
}

// standing is where a delivery stands: the result of a claim, and of carrying it out.
type standing int

const (
	granted    standing = iota // It was not known. It is under way from now on, and settle must follow.
	underway                   // It is being carried out.
	carriedOut                 // The callback took it over.
	unwanted                   // The callback does not want to see it again.
	failed                     // The callback failed. It is forgotten, so that it can come again.
	altered                    // Another delivery has one of its marks.
	full                       // There is no room to remember it.
)

func newReplayGuard(keep time.Duration, limit int) *replayGuard {
	return &replayGuard{keep: keep, limit: limit, known: make(map[mark]*remembered)}
}

// claim asks whether a delivery may be carried out, which is granted to one that is not known. One without marks
// cannot be known.
func (g *replayGuard) claim(now time.Time, id identity) standing {
	if len(id.marks) == 0 {
		return granted
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.forgetBefore(now)
	var found *remembered
	for _, m := range id.marks {
		if earlier := g.known[m]; earlier != nil {
			found = earlier
			if earlier.identity.whole != id.whole {
				return altered
			}
		}
	}
	switch {
	case found != nil:
		return found.standing
	case g.running+len(g.settled) >= g.limit:
		return full
	}
	g.running++
	claimed := &remembered{identity: id, standing: underway}
	for _, m := range id.marks {
		g.known[m] = claimed
	}
	return granted
}

// settle ends a delivery that was granted, as carried out, unwanted or failed.
func (g *replayGuard) settle(now time.Time, id identity, outcome standing) {
	if len(id.marks) == 0 {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running--
	if outcome == failed {
		g.release(id)
		return
	}
	claimed := g.known[id.marks[0]]
	claimed.standing, claimed.forget = outcome, now.Add(g.keep)
	g.settled = append(g.settled, claimed)
}

// forgetBefore makes room for others in the place of what need not be remembered any longer.
func (g *replayGuard) forgetBefore(now time.Time) {
	for len(g.settled) > 0 && now.After(g.settled[0].forget) {
		g.release(g.settled[0].identity)
		g.settled[0] = nil
		g.settled = g.settled[1:]
	}
}

func (g *replayGuard) release(id identity) {
	for _, m := range id.marks {
		delete(g.known, m)
	}
}
