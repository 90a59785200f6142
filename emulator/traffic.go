package emulator

import (
	"cmp"
	"slices"
	"time"
)

// trafficState holds what went through the endpoints. Logs, metrics and usage are all read off it.
type trafficState struct {
	logs map[string]*callLog
	// logged counts the calls, which keeps their ids apart.
	logged int64
	// made holds the texts that were made up, once each: many calls have the same, and logs can be long.
	made map[string]string
}

// callLog is what went through one endpoint.
type callLog struct {
	// calls are sorted by position, so that a page and a time range are found quickly among any number.
	calls []*call
	byID  map[string]*call
	// tallies are calls that were counted and not logged, sorted by position as well.
	tallies []*call
	byTally map[tallyKey]*call
	// credits is what all the calls have cost.
	credits int64
}

// sum is what all the calls have used.
func (l *callLog) sum() used {
	sum := used{credits: l.credits, requests: int64(len(l.calls))}
	for _, tally := range l.tallies {
		sum.requests += tally.requests
	}
	return sum
}

// call is one call that went through an endpoint, or for a tally several that are alike.
type call struct {
	LoggedCall
	chain *chain
	used
	tally bool
}

// failed reports whether the call ended in an error, of HTTP or of RPC.
func (c *call) failed() bool { return c.ErrorCode != nil || c.Status >= 400 }

// newTraffic is what a fresh account has.
func newTraffic(*state) trafficState {
	return trafficState{logs: make(map[string]*callLog), made: make(map[string]string)}
}

// shared returns the one copy of a text that was made up.
func (t *trafficState) shared(text string) string {
	if made, known := t.made[text]; known {
		return made
	}
	t.made[text] = text
	return text
}

// of is the log of an endpoint, which is made when there is none.
func (t *trafficState) of(endpoint *endpoint) *callLog {
	log, known := t.logs[endpoint.id]
	if !known {
		log = &callLog{byID: make(map[string]*call), byTally: make(map[tallyKey]*call)}
		t.logs[endpoint.id] = log
	}
	return log
}

// creditsUsed is what the calls through an endpoint have cost. The listing sorts by it.
func (t *trafficState) creditsUsed(endpoint *endpoint) int64 { return t.of(endpoint).credits }

// position is the place of a call in its log. The id decides between calls of the same time.
type position struct {
	at time.Time
	id string
}

func (c *call) compare(to position) int {
	return cmp.Or(c.Timestamp.Compare(to.at), cmp.Compare(c.RequestID, to.id))
}

// add puts a call in its place.
func (l *callLog) add(added *call) {
	at := l.from(position{added.Timestamp, added.RequestID})
	l.calls = slices.Insert(l.calls, at, added)
	l.byID[added.RequestID] = added
	l.credits += added.credits
}

// from is the index of the first call at a position or behind it. No call has an empty id, so that a position without
// one is before all calls of its time.
func (l *callLog) from(place position) int { return firstFrom(l.calls, place) }

func firstFrom(calls []*call, place position) int {
	at, _ := slices.BinarySearchFunc(calls, place, (*call).compare)
	return at
}

// behind is the index of the first call behind a position.
func (l *callLog) behind(place position) int {
	at, found := slices.BinarySearchFunc(l.calls, place, (*call).compare)
	if found {
		at++
	}
	return at
}

// between returns the calls and the tallies of a time range, the start included and the end not.
func (l *callLog) between(start, end time.Time) []*call {
	return slices.Concat(callsBetween(l.calls, start, end), callsBetween(l.tallies, start, end))
}

func callsBetween(calls []*call, start, end time.Time) []*call {
	first, last := firstFrom(calls, position{at: start}), firstFrom(calls, position{at: end})
	return calls[min(first, last):last]
}
