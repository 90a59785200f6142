package rpcfleet

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"iter"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// followedLog is one of the logs that a Follow reads.
type followedLog struct {
	logPosition

	// known has the marks of the sightings of the place.
	known map[uint64]bool
	// pages and stop are of the reading under way, or nil.
	pages func() (*LogPage, error, bool)
	stop  func()
	// fetching is the page that is asked for at present, or nil.
	fetching *pending[*LogPage]
	// due is when the next page is to be asked for, and interval the present one between two readings.
	due      time.Time
	interval time.Duration
	// sawNew is set where an entry was new since the last wait.
	sawNew bool
	// failures counts those in a row, and failure is the last of them, nil after a success.
	failures int
	failure  error
	// abandoned is set where following goes on without this log.
	abandoned bool
}

// newFollowedLog follows a log from a place. Others may follow it from the same one.
func newFollowedLog(at logPosition, interval time.Duration) *followedLog {
	at.seen, at.page = slices.Concat(at.seen, at.page), nil
	l := &followedLog{logPosition: at, known: make(map[uint64]bool, len(at.seen)), interval: interval}
	for _, s := range at.seen {
		l.known[s.mark] = true
	}
	return l
}

// fetch returns the next page of the reading under way that has entries, or nil after the last one.
func (l *followedLog) fetch(ctx context.Context, with *caller, options *FollowOptions) (*LogPage, error) {
	if l.pages == nil {
		l.pages, l.stop = iter.Pull2(logPages(ctx, with, l.endpoint, admin.ListLogsParams{
			From: scalar.NewTime(l.from), To: scalar.NewTime(l.to), NextAt: &l.cursor,
			IncludeDetails: unlessZero(options.IncludeDetails), Limit: unlessZero(options.PageLimit),
		}))
	}
	page, err, _ := l.pages()
	return page, err
}

// close ends the iteration over the pages of a reading.
func (l *followedLog) close() {
	if l.stop != nil {
		l.stop()
	}
	l.pages, l.stop = nil, nil
}

// isNew reports whether an entry is to be delivered. One from before the reading's lower bound is either a known one,
// which a service that rounds the bound gives again, or too late.
func (l *followedLog) isNew(entry *admin.LogEntry) (seenEntry, bool) {
	s := l.seenEntryOf(entry)
	return s, !l.known[s.mark] && s.second >= l.from.Unix()
}

// remember adds an entry that is about to be delivered.
func (l *followedLog) remember(s seenEntry) {
	if s.second >= l.next.Unix() {
		l.seen = append(l.seen, s)
	} else {
		l.page = append(l.page, s)
	}
	l.known[s.mark] = true
	l.sawNew = true
}

// nextPage goes on to another page of the reading, and forgets what that cannot bring again.
func (l *followedLog) nextPage(cursor string) {
	for _, s := range l.page {
		delete(l.known, s.mark)
	}
	l.cursor, l.page = cursor, nil
	l.due = time.Now()
}

// finish makes way for the next reading, and forgets what that cannot bring again.
func (l *followedLog) finish() {
	l.close()
	l.nextPage("")
	l.from, l.to, l.next = l.next, time.Time{}, time.Time{}
	var seen []seenEntry
	for _, s := range l.seen {
		if s.second >= l.from.Unix() {
			seen = append(seen, s)
		} else {
			delete(l.known, s.mark)
		}
	}
	l.seen = seen
	l.failures, l.failure = 0, nil
}

// failed takes note of a failed page, with which the reading is to go on, and returns what has failed.
func (l *followedLog) failed(err error) error {
	l.close()
	if at := (*PageError)(nil); errors.As(err, &at) {
		l.cursor, err = at.Cursor, at.Err
	}
	if l.sawNew {
		l.failures = 0
	}
	l.failures++
	l.failure = err
	return err
}

// wait puts the next page off: by the interval, of which the wait is drawn from the upper half, or longer where the
// service has asked for that.
func (l *followedLog) wait(options *FollowOptions, wanted time.Duration) {
	if l.sawNew {
		l.interval = options.MinInterval
	} else {
		l.interval += min(l.interval, options.MaxInterval-l.interval)
	}
	l.sawNew = false
	l.due = time.Now().Add(max(l.interval-rand.N(l.interval/2+1), wanted))
}

// logPosition is where the following of one log stands: all that a checkpoint keeps of it.
//
// A reading covers the time from a lower bound up to its own beginning. The next one's lower bound lies the late window
// before that beginning, however long ago it is by then: what the log did not hold yet when a reading began is newer
// than that, or later than the window allows. The entries above that bound are therefore the only ones to be met again,
// and with those of the page under way, which is read again after a crash, the only ones that are remembered.
//
// A copy of a place stays what it is while the following goes on: its lists are appended to or replaced as a whole.
type logPosition struct {
	endpoint string
	// from and to bound the reading under way; to is zero between two readings. next is the lower bound of the one
	// after it.
	from, to, next time.Time
	// cursor is that of the page under way, or of the one to read next.
	cursor string
	// seen are the entries that another page can bring again.
	seen []seenEntry
	// page are the entries of the page under way that no other page can bring.
	page []seenEntry
}

// seenEntry is an entry that was delivered.
type seenEntry struct {
	// mark stands for the entry's identity: 64 bits of its hash. Among 100,000 entries that are remembered, a new one
	// is taken for one of them once in 1.8e14 times.
	mark uint64
	// second is the whole second, in unix time, of the entry's timestamp. Bounds are compared by whole seconds, since a
	// service may show times with fewer digits than it selects by.
	second int64
}

// seenEntryOf returns what is remembered of an entry. One without a time that can be read counts as one of the reading's end.
func (p *logPosition) seenEntryOf(entry *admin.LogEntry) seenEntry {
	at := entry.Timestamp.Time
	if at.IsZero() {
		at = p.to
	}
	digest := sha256.Sum256([]byte(logIdentity(entry)))
	return seenEntry{mark: binary.BigEndian.Uint64(digest[:]), second: at.Unix()}
}

// begin sets the bounds of a reading, unless one is under way, and reports whether one is then: there is nothing to
// read yet if the lower bound is in the future.
func (p *logPosition) begin(window time.Duration) bool {
	if now := time.Now().UTC(); p.to.IsZero() && p.from.Before(now) {
		p.to, p.next = now, p.from
		if horizon := now.Add(-window).Truncate(time.Second); horizon.After(p.from) {
			p.next = horizon
		}
	}
	return !p.to.IsZero()
}
