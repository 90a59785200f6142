package rpcfleet

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// ErrFollowMemory is the end of Follow where the logs have more entries within their late windows than
// [FollowOptions.MaxRemembered].
var ErrFollowMemory = errors.New("rpcfleet: more log entries are to be remembered than MaxRemembered allows")

// follower reads growing logs again and again. Pages are fetched on other goroutines, FollowOptions.Parallel at a time;
// all else happens on that of the loop.
type follower struct {
	with    *caller
	options FollowOptions
	logs    []*followedLog
	yield   func(FollowedEntry, error) bool
	// remembered counts the sightings of all logs.
	remembered int
	// running counts the pages that are asked for at present, and fetched hands over the logs of those that came.
	running int
	fetched chan *followedLog
}

// run reads until the loop breaks, which is no error, or until an error ends it.
func (f *follower) run(ctx context.Context) *FollowError {
	background := newBackground(ctx)
	defer func() {
		background.stop()
		for _, l := range f.logs {
			l.close()
		}
	}()
	for {
		timer := f.launch(background)
		select {
		case <-timer: // A page is due.
		case <-ctx.Done():
			return f.ended(ctx)
		case l := <-f.fetched:
			if ends, failure := f.take(ctx, l); ends {
				return failure
			}
		}
	}
}

// launch asks for the pages that are due, the one that is due longest first, as many as may be asked for at a time. It
// returns a timer for the next one, or nil where a page has to come first.
func (f *follower) launch(background *background) <-chan time.Time {
	for f.running < f.options.Parallel {
		l := f.longestDue()
		if l == nil {
			return nil
		}
		if wait := time.Until(l.due); wait > 0 {
			return time.After(wait)
		}
		if !l.begin(f.options.LateWindow) {
			l.due = l.from.Add(1)
			continue
		}
		f.running++
		fetch := func(ctx context.Context) (*LogPage, error) { return l.fetch(ctx, f.with, &f.options) }
		l.fetching = begin(background, fetch, func(*LogPage, error) { f.fetched <- l })
	}
	return nil
}

// longestDue returns the log of which a page is due first, or nil where pages of all are asked for.
func (f *follower) longestDue() (first *followedLog) {
	for _, l := range f.logs {
		if l.fetching == nil && !l.givenUp && (first == nil || l.due.Before(first.due)) {
			first = l
		}
	}
	return first
}

// take goes on with a log of which a page has come, or failed to. It reports whether that ends the following, which is a
// failure unless it was the loop's break.
func (f *follower) take(ctx context.Context, l *followedLog) (ends bool, failure *FollowError) {
	f.running--
	page, err := l.fetching.wait()
	l.fetching = nil
	switch {
	case err != nil && ctx.Err() != nil:
		return true, f.ended(ctx)
	case err != nil:
		failure := f.failed(l, l.failed(err))
		return failure != nil, failure
	case page != nil:
		l.failure = nil
		if ends, failure := f.deliver(l, page); ends {
			return true, failure
		}
	}
	if page == nil || page.Last() {
		l.close()
		f.remembered -= l.forget(l.finish())
		l.failures, l.failure = 0, nil
		l.wait(&f.options, 0)
	} else {
		f.remembered -= l.forget(l.turn(page.NextAt))
		l.due = time.Now()
	}
	return false, nil
}

// deliver hands the loop what is new on a page, and reports like take.
func (f *follower) deliver(l *followedLog, page *LogPage) (ends bool, failure *FollowError) {
	var all []place // The other logs stand still meanwhile.
	index := slices.Index(f.logs, l)
	for i := range page.Items {
		entry := &page.Items[i]
		s, isNew := l.isNew(entry)
		if !isNew {
			continue
		}
		if f.remembered == f.options.MaxRemembered {
			return true, f.failure(nil, ErrFollowMemory)
		}
		if all == nil {
			all = f.places()
		}
		l.remember(s)
		f.remembered++
		at := &standing{all: all, index: index, place: l.place}
		if !f.yield(FollowedEntry{EndpointID: l.endpoint, Entry: *entry, at: at}, nil) {
			return true, nil
		}
	}
	return false, nil
}

// failed puts a page off that may come later, and otherwise ends the following, unless it can go on without the log.
func (f *follower) failed(l *followedLog, err error) *FollowError {
	wanted, mayPass := f.transient(err)
	if mayPass && l.failures < f.options.MaxFailures {
		l.wait(&f.options, wanted)
		return nil
	}
	failure := f.failure(l, err)
	if f.options.GoOnWithout == nil || !f.options.GoOnWithout(failure) {
		return failure
	}
	l.givenUp = true
	if slices.ContainsFunc(f.logs, func(l *followedLog) bool { return !l.givenUp }) {
		return nil
	}
	return failure
}

// transient reports whether an error may pass, and the wait that the service asks for. A page of a gateway in the place
// of a response passes like the gateway's trouble.
func (f *follower) transient(err error) (wanted time.Duration, mayPass bool) {
	mayPass = errors.Is(err, ErrServer) || errors.Is(err, ErrConnection) || errors.Is(err, ErrRateLimited)
	if unreadable := (*DecodeError)(nil); errors.As(err, &unreadable) {
		mayPass = mayPass || unreadable.Reason == ReasonHTML
	}
	if failure := (*Error)(nil); errors.As(err, &failure) {
		wanted = failure.RetryAfter
		mayPass = mayPass || failure.StatusCode == http.StatusRequestTimeout || failure.StatusCode == http.StatusTooEarly
	}
	return wanted, mayPass && wanted <= f.with.settings.retry.MaxRetryAfter
}

// ended describes the end of the context, and what was waited out at the time.
func (f *follower) ended(ctx context.Context) *FollowError {
	err := withCause(ctx, ctx.Err())
	for _, l := range f.logs {
		if l.failure != nil && !l.givenUp {
			err = fmt.Errorf("%w, after %w", err, l.failure)
			break
		}
	}
	return f.failure(nil, err)
}

// failure describes the end of one log, or of all.
func (f *follower) failure(l *followedLog, err error) *FollowError {
	failure := &FollowError{Err: err, Checkpoint: Checkpoint{places: f.places()}}
	if l != nil {
		failure.EndpointID, failure.From = l.endpoint, l.from
		return failure
	}
	failure.From = slices.MinFunc(f.logs, func(a, b *followedLog) int { return a.from.Compare(b.from) }).from
	return failure
}

// places copies where all logs stand.
func (f *follower) places() []place {
	places := make([]place, len(f.logs))
	for i, l := range f.logs {
		places[i] = l.place
	}
	return places
}
