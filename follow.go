package rpcfleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"math"
	"net/http"
	"slices"
	"time"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// FollowedEntry is a log entry from Follow. Its JSON contains the checkpoint.
type FollowedEntry struct {
	EndpointID string         `json:"endpoint_id"`
	Entry      admin.LogEntry `json:"entry"`
	Checkpoint Checkpoint     `json:"checkpoint,omitzero"` // The position after this entry.
}

// Follow iterates over the logs of endpoints from a time on, and polls them for new entries. Each entry is delivered
// once, identified by endpoint and request id, in the service's order within a page; late entries, if they appear
// within [FollowOptions.LateWindow]. Another Follow can continue from [FollowedEntry.Checkpoint], also in another
// process: see [Checkpoint].
//
// If the Date of a response differs from this machine's clock by more than LateWindow, the iteration ends with
// [ErrClock], since entries would be lost. Clocks are not compared if the service sends no Date.
//
// n endpoints cost about n/22 requests a second if nothing is new, n/1.5 if all logs grow, and one for each further
// page. If that may exceed 20 a second, from 31 endpoints on, a client without [WithPacer] logs one warning.
//
// The iteration ends if the loop breaks, or with one [*FollowError], also if the context ends. [ErrServer],
// [ErrConnection], [ErrRateLimited], status 408 and 425, and HTML pages are retried until they are MaxFailures in a
// row. Any other error ends it, unless it is of one endpoint and OnEndpointError continues. If an old checkpoint's
// cursor is rejected ([ErrInvalidRequest]), start from the FollowError's From.
// GET /v0/endpoints/{id}/logs
func (s *LogsService) Follow(ctx context.Context, ids []string, options FollowOptions,
	opts ...CallOption) iter.Seq2[FollowedEntry, error] {
	ids = slices.Clone(ids)
	return func(yield func(FollowedEntry, error) bool) {
		f, err := s.follower(ctx, ids, options.withDefaults(), opts)
		if err != nil {
			yield(FollowedEntry{}, &FollowError{Checkpoint: options.Checkpoint, From: options.From, Err: err})
			return
		}
		f.yield = yield
		(*engine)(s).warnOfRate(ctx, len(ids), f.options.MinInterval)
		if failure := f.run(ctx); failure != nil {
			yield(FollowedEntry{}, failure)
		}
	}
}

// follower validates the arguments and returns the state of one Follow.
func (s *LogsService) follower(
	ctx context.Context, ids []string, options FollowOptions, opts []CallOption,
) (*follower, error) {
	settings, err := (*engine)(s).settings(opts)
	if err != nil {
		return nil, err
	}
	op := api.ListLogs("", nil).Operation
	if ctx == nil {
		return nil, &ValidationError{Operation: op.ID, Field: "context", Rule: "must not be nil"}
	}
	if settings.capture != nil {
		options.Parallel = 1 // No request is in progress while the loop reads the captured response.
	}
	positions, violation := options.positions(ids)
	if violation = cmp.Or(options.validate(), violation); violation != nil {
		return nil, violation.withOperation(op)
	}
	options.PageLimit = cmp.Or(options.PageLimit, settings.logLimit())
	f := &follower{
		service: s, opts: opts, settings: settings, options: options,
		fetched: make(chan fetchedPage, options.Parallel),
	}
	for _, at := range positions {
		f.logs = append(f.logs, newFollowedLog(at, options.MinInterval))
	}
	if remembered := f.remembered(); remembered > options.MaxTracked {
		return nil, fmt.Errorf("%w: the checkpoint has %d", ErrFollowLimit, remembered)
	}
	return f, nil
}

// warnOfRate warns if a client without a pacer may send more requests than most plans allow. A log with new entries is
// read after three quarters of the interval, on average.
func (e *engine) warnOfRate(ctx context.Context, endpoints int, interval time.Duration) {
	rate := float64(endpoints) / (0.75 * interval.Seconds())
	if !e.paced && rate > PlanBuild.PerSecond {
		e.logger.WarnContext(ctx, "rpcfleet follows logs without a pacer, and may exceed the plan's limit",
			"endpoints", endpoints, "requests_per_second", math.Round(rate))
	}
}

// FollowOptions configures Follow. Zero fields have the stated defaults.
type FollowOptions struct {
	From                     time.Time     // The start time, not in the future, of endpoints not in the checkpoint.
	Checkpoint               Checkpoint    // The position to continue from, of an entry or of a [FollowError].
	MinInterval, MaxInterval time.Duration // Between readings of a log: 2 and 30 seconds. Doubles if nothing is new.
	LateWindow               time.Duration // An entry's maximum delay plus the clocks' difference: 30 seconds.
	IncludeDetails           bool          // IncludeDetails includes the request and the response of each call.
	PageLimit                int           // The maximum number of entries on a page: [WithPageSize], at most 100.
	MaxFailures              int           // The number of consecutive failures after which following a log ends: 10.
	Parallel                 int           // The maximum number of concurrent requests: 4, or 1 with [WithResponse].
	MaxTracked               int           // The maximum number of entries in LateWindow, of 60 bytes each: 250,000.
	// OnEndpointError is called if one endpoint cannot be followed any more, and reports whether to go on. Nil does not.
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

// validate applies even with WithoutValidation, since these are not rules of the service.
func (o FollowOptions) validate() *ValidationError {
	violation := cmp.Or(
		atLeast("MinInterval", o.MinInterval, 0),
		atLeast("MaxInterval", o.MaxInterval, 0),
		atLeast("LateWindow", o.LateWindow, 0),
		atLeast("PageLimit", o.PageLimit, 0),
		atLeast("MaxFailures", o.MaxFailures, 0),
		atLeast("Parallel", o.Parallel, 0),
		atLeast("MaxTracked", o.MaxTracked, 0),
	)
	if violation == nil && o.MaxInterval < o.MinInterval {
		violation = &ValidationError{Field: "MaxInterval", Rule: "must be at least MinInterval", Value: o.MaxInterval}
	}
	return violation
}

// positions validates the ids and returns the start position of each endpoint.
func (o FollowOptions) positions(ids []string) ([]logPosition, *ValidationError) {
	if len(ids) == 0 {
		return nil, &ValidationError{Field: "ids", Rule: "must have at least one item"}
	}
	known := map[string]logPosition{}
	for _, p := range o.Checkpoint.positions() {
		known[p.Endpoint] = p
	}
	positions, given := make([]logPosition, len(ids)), map[string]bool{}
	for i, id := range ids {
		violation := errorOf(api.ListLogs(id, nil).Violation)
		if violation == nil && given[id] {
			violation = &ValidationError{Rule: "must be unique", Value: id}
		}
		if violation != nil {
			violation.Field = fmt.Sprintf("ids[%d]", i)
			return nil, violation
		}
		given[id] = true
		at, found := known[id]
		field := "Checkpoint"
		if !found {
			field = "From"
			if o.From.IsZero() || o.From.UTC().Year() < 1 { // An earlier year cannot be written.
				return nil, &ValidationError{Field: "From", Rule: "is required"}
			}
			at = logPosition{Endpoint: id, From: o.From.UTC()}
		}
		for _, end := range []time.Time{at.From, at.To} {
			if end.After(time.Now().Add(o.LateWindow)) {
				const rule = "must not be after the present by more than LateWindow"
				return nil, &ValidationError{Field: field, Rule: rule, Value: end.UTC().Format(time.RFC3339Nano)}
			}
		}
		positions[i] = at
	}
	return positions, nil
}

// follower polls logs. Pages are fetched in other goroutines, FollowOptions.Parallel at a time; everything else runs in
// the goroutine of the loop.
type follower struct {
	service  *LogsService
	opts     []CallOption
	settings *callSettings // The settings of opts.
	options  FollowOptions
	logs     []*followedLog
	yield    func(FollowedEntry, error) bool
	stopped  bool // The loop broke.
	running  int  // The number of pages being fetched.
	fetched  chan fetchedPage
}

// fetchedPage is the page of a log, or the failure to fetch it.
type fetchedPage struct {
	log  *followedLog
	page *logPage
	err  error
}

// run polls until the loop breaks, which is not an error, or an error ends it.
func (f *follower) run(ctx context.Context) *FollowError {
	fetches, cancel := context.WithCancel(ctx)
	defer func() {
		cancel()
		for range f.running {
			<-f.fetched
		}
	}()
	for {
		timer := f.startFetches(fetches)
		select {
		case <-timer: // A page is due.
		case <-ctx.Done():
			return f.ended(ctx)
		case fetched := <-f.fetched:
			if failure := f.take(ctx, fetched); failure != nil || f.stopped {
				return failure
			}
		}
	}
}

// startFetches fetches the pages that are due, the longest overdue first, within the limit of Parallel. It returns a
// timer for the next page, or nil if another page must arrive first.
func (f *follower) startFetches(ctx context.Context) <-chan time.Time {
	for f.running < f.options.Parallel {
		l := f.nextDue()
		if l == nil {
			return nil
		}
		if wait := time.Until(l.due); wait > 0 {
			return time.After(min(wait, f.options.MaxInterval)) // The clock may be corrected meanwhile.
		}
		if !l.begin(f.options.LateWindow) {
			l.due = l.From.Add(1)
			continue
		}
		if l.reading == nil {
			l.reading = logsFrom(l.Cursor).begin()
		}
		f.running++
		l.fetching = true
		go f.fetch(ctx, l)
	}
	return nil
}

// fetch fetches the next page of a reading.
func (f *follower) fetch(ctx context.Context, l *followedLog) {
	fetched := fetchedPage{log: l, err: errFetchEnded}
	defer func() { f.fetched <- fetched }()
	sent := time.Now()
	fetched.page, fetched.err = f.service.List(ctx, l.Endpoint, admin.ListLogsParams{
		From: l.From, To: l.To, NextAt: &l.Cursor,
		IncludeDetails: ptrOrNil(f.options.IncludeDetails), Limit: &f.options.PageLimit,
	}, f.opts...)
	if fetched.err != nil {
		return
	}
	if date, err := http.ParseTime(fetched.page.date); err == nil {
		fetched.err = f.checkClocks(sent, date, time.Now())
	}
}

// checkClocks compares the Date of a response, which has whole seconds, with the times of its request and its arrival.
// If it returns nil, entries that the response lacks are not older than the lower bound of the next reading, which has
// whole seconds too.
func (f *follower) checkClocks(sent, date, received time.Time) error {
	window := f.options.LateWindow
	if date.Add(time.Second).After(sent.Add(-window)) && !date.After(received.Add(window)) {
		return nil
	}
	return fmt.Errorf("%w: it is %s here and %s at the service", ErrClock, received.UTC().Format(time.RFC3339),
		date.Format(time.RFC3339))
}

// nextDue returns the log with the earliest due page, or nil if all logs are being fetched.
func (f *follower) nextDue() (first *followedLog) {
	for _, l := range f.logs {
		if !l.fetching && !l.abandoned && (first == nil || l.due.Before(first.due)) {
			first = l
		}
	}
	return first
}

// take handles the arrival or failure of a page of a log. It returns the error that ends the iteration, if any.
func (f *follower) take(ctx context.Context, fetched fetchedPage) *FollowError {
	l, page, err, last := fetched.log, fetched.page, fetched.err, false
	f.running--
	l.fetching = false
	if err == nil {
		last, err = l.reading.take(page)
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return f.ended(ctx)
	case errors.Is(err, ErrClock):
		return f.failure(nil, err)
	case err != nil:
		l.failed(err)
		return f.failed(l, err)
	}
	l.failure = nil
	if failure := f.deliver(ctx, l, page); failure != nil || f.stopped {
		return failure
	}
	if last {
		l.finish()
		l.wait(&f.options, 0)
	} else {
		l.nextPage(page.NextCursor)
	}
	return nil
}

// deliver yields the new entries of a page, until the context ends.
func (f *follower) deliver(ctx context.Context, l *followedLog, page *logPage) *FollowError {
	var all []logPosition // The other logs do not change meanwhile.
	index := slices.Index(f.logs, l)
	room := f.options.MaxTracked - f.remembered()
	for i := range page.Items {
		entry := &page.Items[i]
		s, isNew := l.isNew(entry)
		if !isNew {
			continue
		}
		switch {
		case ctx.Err() != nil:
			return f.ended(ctx)
		case room == 0:
			return f.failure(nil, ErrFollowLimit)
		}
		if all == nil {
			all = f.positions()
		}
		l.remember(s)
		room--
		at := l.logPosition
		if !f.yield(FollowedEntry{l.Endpoint, *entry, Checkpoint{all: all, index: index, at: &at}}, nil) {
			f.stopped = true
			return nil
		}
	}
	return nil
}

// failed schedules a retry if the error is transient. Otherwise it ends the iteration, unless the iteration can
// continue without the log.
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

// transient reports whether an error is temporary, and the wait that the service asks for. An HTML page of a gateway
// counts as temporary.
func (f *follower) transient(err error) (wanted time.Duration, mayPass bool) {
	mayPass = errors.Is(err, ErrServer) || errors.Is(err, ErrConnection) || errors.Is(err, ErrRateLimited)
	if unreadable, ok := errors.AsType[*DecodeError](err); ok {
		mayPass = mayPass || unreadable.Reason == ReasonHTML
	}
	if failure, ok := errors.AsType[*Error](err); ok {
		wanted = failure.RetryAfter
		mayPass = mayPass || failure.StatusCode == http.StatusRequestTimeout || failure.StatusCode == http.StatusTooEarly
	}
	return wanted, mayPass && wanted <= f.settings.retry.MaxRetryAfter
}

// ended returns the error for the end of the context, including the failure of a log that was being retried.
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

// failure returns the error for the end of one log, or of all if l is nil.
func (f *follower) failure(l *followedLog, err error) *FollowError {
	failure := &FollowError{Err: err, Checkpoint: Checkpoint{all: f.positions()}}
	if l != nil {
		failure.EndpointID, failure.From = l.Endpoint, l.From
		return failure
	}
	failure.From = slices.MinFunc(f.logs, func(a, b *followedLog) int { return a.From.Compare(b.From) }).From
	return failure
}

// remembered returns the number of tracked entries of all logs.
func (f *follower) remembered() (count int) {
	for _, l := range f.logs {
		count += len(l.known)
	}
	return count
}

// positions returns a copy of the positions of all logs.
func (f *follower) positions() []logPosition {
	positions := make([]logPosition, len(f.logs))
	for i, l := range f.logs {
		positions[i] = l.logPosition
	}
	return positions
}

// FollowError is the error that ends Follow, or the log of one endpoint.
type FollowError struct {
	EndpointID string     // EndpointID is empty if all logs ended.
	Checkpoint Checkpoint // The position to continue from.
	From       time.Time  // The time to continue from without the checkpoint: later entries may be delivered again.
	Err        error
}

// Error describes the failure in one line.
func (e *FollowError) Error() string {
	of := noteIf(e.EndpointID != "", " of endpoint %q", redactArg(e.EndpointID))
	from := e.From.UTC().Format(time.RFC3339Nano)
	return fmt.Sprintf("rpcfleet: following the log%s ended, resume from %s: %v", of, from, e.Err)
}

// Unwrap returns Err.
func (e *FollowError) Unwrap() error { return e.Err }

// LogValue returns the error as a group.
func (e *FollowError) LogValue() slog.Value {
	return logValue(e, "endpoint_id", e.EndpointID, "from", e.From, "cause", e.Err)
}
