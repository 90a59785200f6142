package rpcfleet

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/rpcfleet/rpcfleet-go/admin"
)

// followedLog is the state of one log of a Follow.
type followedLog struct {
	logPosition

	known     map[uint64]bool          // The hashes of the tracked entries.
	reading   position[admin.LogEntry] // It detects repeated pages, and is nil between two readings and after a failure.
	fetching  bool                     // A page is being fetched.
	due       time.Time                // The time to fetch the next page.
	interval  time.Duration            // The current interval between two readings.
	sawNew    bool                     // An entry was new since the last wait.
	failures  int                      // The number of consecutive failures.
	failure   error                    // The last failure, or nil after a success.
	abandoned bool                     // Follow continues without this log.
}

// newFollowedLog returns a log at a position, which other logs may share.
func newFollowedLog(at logPosition, interval time.Duration) *followedLog {
	at.Seen, at.page = slices.Concat(at.Seen, at.page), nil
	l := &followedLog{logPosition: at, known: make(map[uint64]bool, len(at.Seen)), interval: interval}
	for _, s := range at.Seen {
		l.known[s.mark] = true
	}
	return l
}

// isNew reports whether an entry must be delivered. An entry before the reading's lower bound is too late, or known if
// the service rounds the bound.
func (l *followedLog) isNew(entry *admin.LogEntry) (seenEntry, bool) {
	s := l.seenEntryOf(entry)
	return s, !l.known[s.mark] && s.second >= l.From.Unix()
}

// remember tracks an entry that is about to be delivered.
func (l *followedLog) remember(s seenEntry) {
	if s.second >= l.Next.Unix() {
		l.Seen = append(l.Seen, s)
	} else {
		l.page = append(l.page, s)
	}
	l.known[s.mark] = true
	l.sawNew = true
}

// nextPage continues with another page of the reading and drops entries that cannot appear again.
func (l *followedLog) nextPage(cursor string) {
	for _, s := range l.page {
		delete(l.known, s.mark)
	}
	l.Cursor, l.page = cursor, nil
	l.due = time.Now()
}

// finish ends the reading and drops entries that the next reading cannot return.
func (l *followedLog) finish() {
	l.reading = nil
	l.nextPage("")
	l.From, l.To, l.Next = l.Next, time.Time{}, time.Time{}
	var seen seenEntries
	for _, s := range l.Seen {
		if s.second >= l.From.Unix() {
			seen = append(seen, s)
		} else {
			delete(l.known, s.mark)
		}
	}
	l.Seen = seen
	l.failures, l.failure = 0, nil
}

// failed records the failure of a page, which is retried.
func (l *followedLog) failed(err error) {
	l.reading = nil
	if l.sawNew {
		l.failures = 0
	}
	l.failures++
	l.failure = err
}

// wait schedules the next page: after a random time in the upper half of the interval, or longer if the service asks
// for it.
func (l *followedLog) wait(options *FollowOptions, wanted time.Duration) {
	if l.sawNew {
		l.interval = options.MinInterval
	} else {
		l.interval += min(l.interval, options.MaxInterval-l.interval)
	}
	l.sawNew = false
	l.due = time.Now().Add(max(l.interval-rand.N(l.interval/2+1), wanted))
}

// logPosition is the position in one log, as a checkpoint stores it.
//
// A reading covers the time from a lower bound to its own start. The lower bound of the next reading is the start minus
// the late window: entries that were missing when a reading started are newer than that, or later than the window
// allows. So only entries above that bound can appear again. They are tracked, together with the entries of the current
// page, which is read again after a crash.
//
// A copy of a position does not change while Follow continues: its lists are only appended to or replaced.
type logPosition struct {
	Endpoint string `json:"endpoint"`
	// From and To are the bounds of the current reading; To is zero between two readings. Next is the lower bound of the
	// next reading.
	From time.Time `json:"from"`
	To   time.Time `json:"to,omitzero"`
	Next time.Time `json:"next,omitzero"`
	// Cursor is the cursor of the current page, or of the next page to read.
	Cursor string `json:"cursor,omitempty"`
	// Seen contains the entries that can appear on another page.
	Seen seenEntries `json:"seen,omitempty"`
	// page contains the entries of the current page that cannot appear on another page.
	page seenEntries
}

// seenEntry identifies a delivered entry.
type seenEntry struct {
	// mark is 64 bits of the hash of the entry's identity. With 100,000 tracked entries, the probability that a new entry
	// equals one of them is 1 in 1.8e14.
	mark uint64
	// second is the timestamp of the entry in whole unix seconds. Bounds are compared in whole seconds, since a service
	// may return times with less precision than it selects by.
	second int64
}

// seenEntryOf returns the tracking data of an entry. If the entry has no valid timestamp, the end of the reading is
// used.
func (p *logPosition) seenEntryOf(entry *admin.LogEntry) seenEntry {
	at := entry.Timestamp
	if at.IsZero() {
		at = p.To
	}
	digest := sha256.Sum256([]byte(logIdentity(entry)))
	return seenEntry{mark: binary.BigEndian.Uint64(digest[:]), second: at.Unix()}
}

// begin sets the bounds of a reading, unless one is in progress. It reports whether one is in progress: if the lower
// bound is in the future, there is nothing to read yet.
func (p *logPosition) begin(window time.Duration) bool {
	if now := time.Now().UTC(); p.To.IsZero() && p.From.Before(now) {
		p.To, p.Next = now, p.From
		if horizon := now.Add(-window).Truncate(time.Second); horizon.After(p.From) {
			p.Next = horizon
		}
	}
	return !p.To.IsZero()
}
