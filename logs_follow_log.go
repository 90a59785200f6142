package rpcfleet

import (
	"context"
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
	place

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
	// arrived is set where an entry was new since the last wait.
	arrived bool
	// failures counts those in a row, and failure is the last of them, nil after a success.
	failures int
	failure  error
	// givenUp is set where following goes on without this log.
	givenUp bool
}

// newFollowedLog follows a log from a place. Others may follow it from the same one.
func newFollowedLog(at place, interval time.Duration) *followedLog {
	at.seen, at.page = slices.Concat(at.seen, at.page), nil
	l := &followedLog{place: at, known: make(map[uint64]bool, len(at.seen)), interval: interval}
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
func (l *followedLog) isNew(entry *admin.LogEntry) (sighting, bool) {
	s := l.sight(entry)
	return s, !l.known[s.mark] && s.second >= l.from.Unix()
}

// remember adds an entry that is about to be delivered.
func (l *followedLog) remember(s sighting) {
	l.note(s)
	l.known[s.mark] = true
	l.arrived = true
}

// forget takes entries out of what is known, and returns how many.
func (l *followedLog) forget(forgotten []sighting) int {
	for _, s := range forgotten {
		delete(l.known, s.mark)
	}
	return len(forgotten)
}

// failed takes note of a failed page, with which the reading is to go on, and returns what has failed.
func (l *followedLog) failed(err error) error {
	l.close()
	if at := (*PageError)(nil); errors.As(err, &at) {
		l.cursor, err = at.Cursor, at.Err
	}
	if l.arrived {
		l.failures = 0
	}
	l.failures++
	l.failure = err
	return err
}

// wait puts the next page off: by the interval, of which the wait is drawn from the upper half, or longer where the
// service has asked for that.
func (l *followedLog) wait(options *FollowOptions, wanted time.Duration) {
	if l.arrived {
		l.interval = options.MinInterval
	} else {
		l.interval += min(l.interval, options.MaxInterval-l.interval)
	}
	l.arrived = false
	l.due = time.Now().Add(max(l.interval-rand.N(l.interval/2+1), wanted))
}
