package rpcfleet

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"time"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// follower reads a growing log again and again.
//
// A reading covers the time from a lower bound up to its own beginning. The next one's lower bound lies LateWindow
// before that beginning, however long ago it is by then: what the log did not hold yet when a reading began is newer
// than that, or later than the window allows. The ids of the entries above that bound are therefore the only ones to
// be met again, and the only ones that are remembered.
type follower struct {
	with    *caller
	id      string
	options FollowOptions

	// from and to bound the reading under way; to is zero between two readings. next is the lower bound of the one
	// after it.
	from, to, next time.Time
	// cursor is where the reading goes on after a failure.
	cursor string
	// seen holds the ids that the next reading can bring again, with the times of their entries.
	seen map[string]time.Time
	// interval is the present one between two readings.
	interval time.Duration
	failures int
}

// run reads until the loop breaks, which is no error, or until an error ends it.
func (f *follower) run(ctx context.Context, yield func(admin.LogEntry, error) bool) error {
	for {
		arrived, stopped, err := f.read(ctx, yield)
		if stopped {
			return nil
		}
		if ctx.Err() != nil {
			return transport.Ended(ctx, ctx.Err())
		}
		if err == nil || arrived {
			f.failures = 0
		}
		wait := f.wait(arrived)
		if err != nil {
			f.failures++
			wanted, mayPass := f.transient(err)
			if !mayPass || f.failures >= f.options.MaxFailures {
				return err
			}
			wait = max(wait, wanted)
		}
		if !pause(ctx, wait) {
			if err != nil {
				return fmt.Errorf("%w, after %w", transport.Ended(ctx, ctx.Err()), err)
			}
			return transport.Ended(ctx, ctx.Err())
		}
	}
}

// read begins a reading, or goes on with the one that failed, and delivers what is new.
func (f *follower) read(ctx context.Context, yield func(admin.LogEntry, error) bool) (arrived, stopped bool, err error) {
	if f.to.IsZero() && !f.begin() {
		return false, false, nil
	}
	query := LogQuery{
		From: f.from, To: f.to, Cursor: f.cursor,
		IncludeDetails: f.options.IncludeDetails, Limit: f.options.PageLimit,
	}
	for page, err := range logPages(ctx, f.with, f.id, query) {
		var failed *PageError
		if errors.As(err, &failed) {
			return arrived, false, failed.Err
		}
		for _, entry := range page.Items {
			if !f.isNew(&entry) {
				continue
			}
			arrived = true
			if !yield(entry, nil) {
				return arrived, true, nil
			}
		}
		f.cursor = page.NextAt
	}
	f.finish()
	return arrived, false, nil
}

// begin sets the bounds of a reading. There is nothing to read yet where the lower bound is in the future.
func (f *follower) begin() bool {
	now := time.Now()
	if !f.from.Before(now) {
		return false
	}
	f.to, f.next = now, f.from
	if horizon := wholeSeconds(now.Add(-f.options.LateWindow)); horizon.After(f.from) {
		f.next = horizon
	}
	return true
}

// finish makes way for the next reading and forgets what that cannot bring again.
func (f *follower) finish() {
	f.from, f.to, f.cursor = f.next, time.Time{}, ""
	bound := wholeSeconds(f.from)
	maps.DeleteFunc(f.seen, func(_ string, at time.Time) bool { return at.Before(bound) })
}

// isNew reports whether an entry is to be delivered, and remembers it if it can come again. An entry from before the
// reading's lower bound is either a known one, which a service that rounds the bound gives again, or too late. Bounds
// are compared by whole seconds, since a service may show times with fewer digits than it selects by. An entry without
// a time that can be read counts as one of the reading's end.
func (f *follower) isNew(entry *admin.LogEntry) bool {
	at, id := entry.Timestamp.Time, logIdentity(entry)
	if at.IsZero() {
		at = f.to
	}
	if _, known := f.seen[id]; known || at.Before(wholeSeconds(f.from)) {
		return false
	}
	if !at.Before(wholeSeconds(f.next)) {
		f.seen[id] = at
	}
	return true
}

func wholeSeconds(t time.Time) time.Time { return t.Truncate(time.Second) }

// wait sets the interval, and draws the wait from its upper half.
func (f *follower) wait(arrived bool) time.Duration {
	switch {
	case arrived:
		f.interval = f.options.MinInterval
	case f.interval > f.options.MaxInterval/2:
		f.interval = f.options.MaxInterval
	default:
		f.interval *= 2
	}
	return f.interval - rand.N(f.interval/2+1)
}

// transient reports whether an error may pass, and the wait that the service asks for. A page of a gateway in the place
// of a response passes like the gateway's trouble.
func (f *follower) transient(err error) (wanted time.Duration, mayPass bool) {
	var failure *Error
	if errors.As(err, &failure) {
		wanted = failure.RetryAfter
	}
	var unreadable *DecodeError
	if errors.As(err, &unreadable) && unreadable.Reason == ReasonHTML {
		return 0, true
	}
	mayPass = errors.Is(err, ErrServer) || errors.Is(err, ErrConnection) || errors.Is(err, ErrRateLimited)
	return wanted, mayPass && wanted <= f.with.settings.retry.MaxRetryAfter
}

// pause waits, and reports whether the context lasted.
func pause(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
