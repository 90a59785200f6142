// Package trigger decides which of many events are the ones: not the first few, each nth, so many at most, with a
// probability.
package trigger

import "math/rand/v2"

// Trigger counts events. It is not safe for concurrent use.
type Trigger struct {
	// After is how many events go by at first.
	After int
	// Every picks each nth of the events after these. Both 0 and 1 pick each one.
	Every int
	// Times is how many events are picked at most. 0 is no bound.
	Times int
	// Probability is that of each event which the other rules pick. 0 stands for 1.
	Probability float64
	// Seed is the seed of what is drawn.
	Seed uint64

	seen, fired int
	random      *rand.Rand
}

// Fires counts an event and reports whether it is one of those.
func (t *Trigger) Fires() bool {
	t.seen++
	n := t.seen - t.After
	if n <= 0 || t.Every > 1 && n%t.Every != 0 || t.Times > 0 && t.fired >= t.Times || !t.drawn() {
		return false
	}
	t.fired++
	return true
}

func (t *Trigger) drawn() bool {
	if t.Probability == 0 {
		return true
	}
	if t.random == nil {
		t.random = rand.New(rand.NewPCG(t.Seed, 0x6661756c74))
	}
	return t.random.Float64() < t.Probability
}

// GiveBack takes back that an event was picked.
func (t *Trigger) GiveBack() { t.fired-- }

// Fired returns how many events were picked.
func (t *Trigger) Fired() int { return t.fired }
