package rpcfleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"time"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// FollowedEntry is an entry of a log that is followed.
type FollowedEntry struct {
	// EndpointID is the endpoint whose log it is from.
	EndpointID string `json:"endpoint_id"`
	// Entry is what the log says.
	Entry admin.LogEntry `json:"entry"`

	at *logPositions
}

// logPositions is where all logs stood when an entry was delivered.
type logPositions struct {
	// all are the logs before the page of the entry, of which the one with the index now stands at place.
	all      []logPosition
	index    int
	position logPosition
}

// Checkpoint returns the place in the logs behind this entry: all entries that the loop was given up to and including
// this one are done, and nothing else is. It can be taken at any time, also when the loop has gone on, and takes time
// in proportion to the number of endpoints; its text takes time and length in proportion to the entries that are
// remembered, see [Checkpoint]. An entry that is kept keeps what its checkpoint needs in memory.
func (e FollowedEntry) Checkpoint() Checkpoint {
	if e.at == nil {
		return Checkpoint{}
	}
	positions := slices.Clone(e.at.all)
	positions[e.at.index] = e.at.position
	return Checkpoint{positions: positions}
}

// Follow iterates over the logs of endpoints from a time on, and goes on with them as they grow, by reading them again
// and again. Every entry comes once, identified by its endpoint and its request id, however many readings it appears
// in; an entry that turns up late is not missed within [FollowOptions.LateWindow]. Entries come in no order that could
// be relied on: that of the service, page by page, and late ones when they are found. The endpoints take turns by page,
// so that a busy one does not hold up the others; at most [FollowOptions.Parallel] pages are asked for at a time.
//
// [FollowedEntry.Checkpoint] is a place to go on from, in another process as well: what was delivered up to it does not
// come again, and nothing else is left out. A [CheckpointStore] keeps it. How to have every entry in a program's output
// once, whenever the program is killed, is described at [Checkpoint].
//
// It ends with the loop's break, or with one [*FollowError], which is delivered last. That wraps the context's error
// when the context ends. [ErrServer], [ErrConnection], [ErrRateLimited], the statuses 408 and 425 and the HTML pages of
// gateways are waited out, up to [FollowOptions.MaxFailures] of an endpoint in a row, at the pace of the interval or
// that of Retry-After. A Retry-After over [RetryPolicy.MaxRetryAfter] and all other errors end it at once: also where
// they are of one endpoint only, as [ErrNotFound] of a deleted one, unless [FollowOptions.OnEndpointError] says otherwise.
// After a failure the reading goes on with the page that failed. A service that no longer takes the cursor of an old
// checkpoint responds with [ErrInvalidRequest], which ends it too: [FollowError] then says from when on to begin anew.
//
//	options := rpcfleet.FollowOptions{From: time.Now().Add(-time.Hour)}
//	for followed, err := range client.Logs.Follow(ctx, []string{id}, options) {
//		if errors.Is(err, context.Canceled) {
//			break
//		} else if err != nil {
//			return err
//		}
//		fmt.Println(followed.EndpointID, followed.Entry.Timestamp, followed.Entry.Method)
//	}
//
// GET /v0/endpoints/{id}/logs
func (s *LogsService) Follow(
	ctx context.Context, ids []string, options FollowOptions, opts ...CallOption,
) iter.Seq2[FollowedEntry, error] {
	ids = slices.Clone(ids)
	return func(yield func(FollowedEntry, error) bool) {
		f, err := s.follower(ctx, ids, options.withDefaults(), opts)
		if err != nil {
			yield(FollowedEntry{}, &FollowError{Checkpoint: options.Checkpoint, From: options.From, Err: err})
			return
		}
		f.yield = yield
		if failure := f.run(ctx); failure != nil {
			yield(FollowedEntry{}, failure)
		}
	}
}

// follower makes the state of one Follow, unless the arguments are wrong.
func (s *LogsService) follower(
	ctx context.Context, ids []string, options FollowOptions, opts []CallOption,
) (*follower, error) {
	with := s.engine.with(opts)
	if with.err != nil {
		return nil, with.err
	}
	with.own().prefetch = 0 // A reading goes on with the page that failed, and none is asked for before that.
	if with.settings.capture != nil {
		options.Parallel = 1 // Nothing is under way while the loop looks at what was captured.
	}
	positions, broken := options.positions(ids)
	if broken = cmp.Or(checkFollowed(ctx, ids), options.check(), broken); broken != nil {
		return nil, broken.of(api.ListLogs("", nil).Operation)
	}
	f := &follower{with: with, options: options, fetched: make(chan *followedLog, options.Parallel)}
	for _, at := range positions {
		f.logs = append(f.logs, newFollowedLog(at, options.MinInterval))
	}
	if remembered := f.remembered(); remembered > options.MaxTracked {
		return nil, fmt.Errorf("%w: the checkpoint has %d", ErrFollowLimit, remembered)
	}
	return f, nil
}

// checkFollowed checks which logs to follow.
func checkFollowed(ctx context.Context, ids []string) *ValidationError {
	if ctx == nil {
		return &ValidationError{Field: "context", Rule: "must not be nil"}
	}
	if len(ids) == 0 {
		return &ValidationError{Field: "ids", Rule: "must have at least one item"}
	}
	for i, id := range ids {
		if broken := errorOf(api.ListLogs(id, nil).Broken); broken != nil {
			broken.Field = fmt.Sprintf("ids[%d]", i)
			return broken
		}
	}
	return nil
}

// FollowOptions says where Follow begins and how it goes about it. A zero field has the default that its comment names.
type FollowOptions struct {
	// From is where to begin with the endpoints that the checkpoint does not know: entries from that time on come. It
	// is required, unless the checkpoint knows them all.
	From time.Time
	// Checkpoint is where to go on: that of an entry or of a [FollowError] of an earlier Follow, also one of another
	// process. What it knows of endpoints that are not followed any more is left out of further checkpoints.
	Checkpoint Checkpoint
	// MinInterval and MaxInterval bound the interval between two readings of a log: 2 seconds and 30 seconds. The
	// interval doubles with every reading that brings nothing new and returns to the least when entries arrive. The
	// wait itself is drawn evenly from the upper half of the interval, so that many followers do not fall into step.
	MinInterval, MaxInterval time.Duration
	// LateWindow is how long after its timestamp an entry may still turn up in the log and be delivered: 30 seconds. It
	// has to cover the difference between the clocks of the service and of this machine as well. Every reading begins
	// that much before the one before it, and that time's entries are remembered: a long window makes the readings and
	// the checkpoints of a busy log long.
	LateWindow time.Duration
	// IncludeDetails asks for the request and the response of each call.
	IncludeDetails bool
	// PageLimit is the number of entries on a page at most: that of [WithPageSize], of which logs take 100 at most.
	PageLimit int
	// MaxFailures is the number of failures of an endpoint's log in a row, each after the client's own retries and
	// without a new entry in between, of which the last ends the following of that log: 10.
	MaxFailures int
	// Parallel is the number of pages, each of another endpoint, that are asked for at the same time at most, and kept
	// while the loop works: 4. With [WithResponse] it is 1, whatever is set here.
	Parallel int
	// MaxTracked bounds the memory, which is one for all endpoints: the number of entries that are remembered at
	// most, 250,000. Those are the entries of the late window and of the interval before the present reading; each
	// takes some 60 bytes of memory, and 11 of the text of a checkpoint. Where there are more, Follow ends with
	// [ErrFollowLimit], since it could deliver entries twice: a shorter LateWindow or a larger MaxTracked helps.
	MaxTracked int
	// OnEndpointError is called where the log of one endpoint can no longer be followed, because the endpoint was deleted
	// or access to it revoked, and reports whether to go on with the others. Without it, the first such failure ends
	// the loop. The endpoint keeps its place in the checkpoints that follow, so that a later Follow attempts it again.
	// The failure of the last endpoint that is left ends the loop in any case.
	OnEndpointError func(failure *FollowError) bool
}

func (o FollowOptions) withDefaults() FollowOptions {
	o.MinInterval = cmp.Or(o.MinInterval, 2*time.Second)
	o.MaxInterval = cmp.Or(o.MaxInterval, max(30*time.Second, o.MinInterval))
	o.LateWindow = cmp.Or(o.LateWindow, 30*time.Second)
	o.MaxFailures = cmp.Or(o.MaxFailures, 10)
	o.Parallel = cmp.Or(o.Parallel, 4)
	o.MaxTracked = cmp.Or(o.MaxTracked, 250_000)
	return o
}

// check is not about rules of the service, so that WithoutValidation has no say in it.
func (o FollowOptions) check() *ValidationError {
	broken := cmp.Or(
		atLeast("MinInterval", o.MinInterval, 0),
		atLeast("MaxInterval", o.MaxInterval, 0),
		atLeast("LateWindow", o.LateWindow, 0),
		atLeast("PageLimit", o.PageLimit, 0),
		atLeast("MaxFailures", o.MaxFailures, 0),
		atLeast("Parallel", o.Parallel, 0),
		atLeast("MaxTracked", o.MaxTracked, 0),
	)
	if broken == nil && o.MaxInterval < o.MinInterval {
		broken = &ValidationError{Field: "MaxInterval", Rule: "must not be below MinInterval", Value: o.MaxInterval}
	}
	return broken
}

// positions returns where the following of each endpoint begins.
func (o FollowOptions) positions(ids []string) ([]logPosition, *ValidationError) {
	known := map[string]logPosition{}
	for _, p := range o.Checkpoint.positions {
		known[p.endpoint] = p
	}
	positions, given := make([]logPosition, 0, len(ids)), map[string]bool{}
	for i, id := range ids {
		if given[id] {
			return nil, &ValidationError{Field: fmt.Sprintf("ids[%d]", i), Rule: "must not be there twice", Value: id}
		}
		given[id] = true
		at, found := known[id]
		if !found {
			if broken := requiredTime("From", o.From); broken != nil {
				return nil, broken
			}
			if year := o.From.UTC().Year(); year < 1 || year > 9999 {
				return nil, &ValidationError{Field: "From", Rule: "must be in the years 1 to 9999", Value: year}
			}
			at = logPosition{endpoint: id, from: o.From.UTC()}
		}
		positions = append(positions, at)
	}
	return positions, nil
}

// ErrFollowLimit is the end of Follow where the logs have more entries within their late windows than
// [FollowOptions.MaxTracked].
var ErrFollowLimit = errors.New("rpcfleet: more log entries are to be remembered than MaxTracked allows")

// follower reads growing logs again and again. Pages are fetched on other goroutines, FollowOptions.Parallel at a time;
// all else happens on that of the loop.
type follower struct {
	with    *caller
	options FollowOptions
	logs    []*followedLog
	yield   func(FollowedEntry, error) bool
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
		timer := f.startFetches(background)
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

// startFetches asks for the pages that are due, the one that is due longest first, as many as may be asked for at a
// time. It returns a timer for the next one, or nil if a page has to come first.
func (f *follower) startFetches(background *background) <-chan time.Time {
	for f.running < f.options.Parallel {
		l := f.nextDue()
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
		l.fetching = begin(background, fetch, func() { f.fetched <- l })
	}
	return nil
}

// nextDue returns the log of which a page is due first, or nil where pages of all are asked for.
func (f *follower) nextDue() (first *followedLog) {
	for _, l := range f.logs {
		if l.fetching == nil && !l.abandoned && (first == nil || l.due.Before(first.due)) {
			first = l
		}
	}
	return first
}

// take goes on with a log of which a page has come, or failed to. It reports whether that ends the following, which is
// a failure unless it was the loop's break.
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
		l.finish()
		l.wait(&f.options, 0)
	} else {
		l.nextPage(page.NextCursor)
	}
	return false, nil
}

// deliver hands the loop what is new on a page, and reports like take.
func (f *follower) deliver(l *followedLog, page *LogPage) (ends bool, failure *FollowError) {
	var all []logPosition // The other logs stand still meanwhile.
	index := slices.Index(f.logs, l)
	room := f.options.MaxTracked - f.remembered()
	for i := range page.Items {
		entry := &page.Items[i]
		s, isNew := l.isNew(entry)
		if !isNew {
			continue
		}
		if room == 0 {
			return true, f.failure(nil, ErrFollowLimit)
		}
		if all == nil {
			all = f.positions()
		}
		l.remember(s)
		room--
		at := &logPositions{all: all, index: index, position: l.logPosition}
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
	if f.options.OnEndpointError == nil || !f.options.OnEndpointError(failure) {
		return failure
	}
	l.abandoned = true
	if slices.ContainsFunc(f.logs, func(l *followedLog) bool { return !l.abandoned }) {
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
		if l.failure != nil && !l.abandoned {
			err = fmt.Errorf("%w, after %w", err, l.failure)
			break
		}
	}
	return f.failure(nil, err)
}

// failure describes the end of one log, or of all.
func (f *follower) failure(l *followedLog, err error) *FollowError {
	failure := &FollowError{Err: err, Checkpoint: Checkpoint{positions: f.positions()}}
	if l != nil {
		failure.EndpointID, failure.From = l.endpoint, l.from
		return failure
	}
	failure.From = slices.MinFunc(f.logs, func(a, b *followedLog) int { return a.from.Compare(b.from) }).from
	return failure
}

// remembered counts the sightings of all logs.
func (f *follower) remembered() (count int) {
	for _, l := range f.logs {
		count += len(l.known)
	}
	return count
}

// positions copies where all logs stand.
func (f *follower) positions() []logPosition {
	positions := make([]logPosition, len(f.logs))
	for i, l := range f.logs {
		positions[i] = l.logPosition
	}
	return positions
}

// FollowError is the end of Follow, or of the log of one endpoint: see [FollowOptions.OnEndpointError].
type FollowError struct {
	// EndpointID is the endpoint whose log failed. It is empty where the following of all ended, as with the context.
	EndpointID string
	// Checkpoint is where to follow on: the entries that were delivered are done, and nothing else is.
	Checkpoint Checkpoint
	// From is where to follow on without the checkpoint: every entry that the log, or the logs, had for the time before
	// it was delivered. Entries from then on can come once more.
	From time.Time
	// Err is what ended it: the context's error, or that of a call.
	Err error
}

// Error says why following ended.
func (e *FollowError) Error() string {
	of := ""
	if e.EndpointID != "" {
		of = fmt.Sprintf(" of endpoint %q", shown(e.EndpointID))
	}
	from := e.From.UTC().Format(time.RFC3339Nano)
	return fmt.Sprintf("rpcfleet: following the log%s ended, to go on from %s: %v", of, from, e.Err)
}

// Unwrap returns what ended it.
func (e *FollowError) Unwrap() error { return e.Err }
