package rpcfleet

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/wire"
)

// FollowOptions says how Follow goes about it. A zero field has the default that its comment names.
type FollowOptions struct {
	// MinInterval and MaxInterval bound the interval between two readings of the log: 2 seconds and 30 seconds. The
	// interval doubles with every reading that brings nothing new and returns to the least when entries arrive. The
	// wait itself is drawn evenly from the upper half of the interval, so that many followers do not fall into step.
	MinInterval, MaxInterval time.Duration
	// LateWindow is how long after its timestamp an entry may still turn up in the log and be delivered: 30 seconds. It
	// has to cover the difference between the clocks of the service and of this machine as well. Every reading begins
	// that much before the one before it, and the ids of that time's entries are kept in memory: a long window makes
	// the readings of a busy log long.
	LateWindow time.Duration
	// IncludeDetails asks for the request and the response of each call.
	IncludeDetails bool
	// PageLimit is the number of entries on a page at most: that of [WithPageSize], of which logs take 100 at most.
	PageLimit int
	// MaxFailures is the number of failures in a row, each after the client's own retries and without a new entry in
	// between, of which the last is delivered: 10.
	MaxFailures int
}

// FollowError is the end of Follow.
type FollowError struct {
	// From is where to follow on: every entry that the log had for the time before it was delivered. Entries from
	// then on can come once more.
	From time.Time
	// Err is what ended it: the context's error, or that of a call.
	Err error
}

// Error says why following ended.
func (e *FollowError) Error() string {
	return fmt.Sprintf("rpcfleet: following the log ended, to go on from %s: %v", e.From.UTC().Format(time.RFC3339Nano), e.Err)
}

// Unwrap returns what ended it.
func (e *FollowError) Unwrap() error { return e.Err }

// Follow iterates over the endpoint's log from a time on, and goes on with it as it grows, by reading it again and
// again. Every entry comes once, identified by its request id, however many readings it appears in; an entry that turns
// up late is not missed within [FollowOptions.LateWindow]. Entries come in no order that could be relied on: that of
// the service, and late ones when they are found.
//
// It ends with the loop's break, or with one [*FollowError], which is delivered last. That wraps the context's error
// when the context ends. [ErrServer], [ErrConnection], [ErrRateLimited] and the HTML pages of gateways are waited out,
// up to [FollowOptions.MaxFailures] in a row, at the pace of the interval or that of Retry-After; a Retry-After over
// [RetryPolicy.MaxRetryAfter] and all other errors end it at once. After a failure the reading goes on with the page
// that failed.
//
//	for entry, err := range client.Logs.Follow(ctx, id, time.Now().Add(-time.Hour), rpcfleet.FollowOptions{}) {
//		if errors.Is(err, context.Canceled) {
//			break
//		} else if err != nil {
//			return err
//		}
//		fmt.Println(entry.Timestamp, entry.Method, entry.Status)
//	}
//
// GET /v0/endpoints/{id}/logs
func (s *LogsService) Follow(
	ctx context.Context, id string, from time.Time, options FollowOptions, opts ...CallOption,
) iter.Seq2[admin.LogEntry, error] {
	return func(yield func(admin.LogEntry, error) bool) {
		f, err := s.follower(id, from, options, opts)
		if err == nil {
			err = f.run(ctx, yield)
			from = f.from
		}
		if err != nil {
			yield(admin.LogEntry{}, &FollowError{From: from, Err: err})
		}
	}
}

// follower makes the state of one Follow.
func (s *LogsService) follower(id string, from time.Time, options FollowOptions, opts []CallOption) (*follower, error) {
	with := s.engine.with(opts)
	if with.err != nil {
		return nil, with.err
	}
	with.settings.prefetch = 0 // A reading goes on with the page that failed, and none is asked for before that.
	options = options.withDefaults()
	if broken := options.check(); broken != nil {
		return nil, broken.of(wire.ListLogs(id, nil).Operation)
	}
	return &follower{
		with: with, id: id, options: options, from: from, seen: map[string]time.Time{}, interval: options.MinInterval,
	}, nil
}

func (o FollowOptions) withDefaults() FollowOptions {
	o.MinInterval = cmp.Or(o.MinInterval, 2*time.Second)
	o.MaxInterval = cmp.Or(o.MaxInterval, max(30*time.Second, o.MinInterval))
	o.LateWindow = cmp.Or(o.LateWindow, 30*time.Second)
	o.MaxFailures = cmp.Or(o.MaxFailures, 10)
	return o
}

// check is not about rules of the service, so that WithoutValidation has no say in it.
func (o FollowOptions) check() *ValidationError {
	broken := func(field, rule string, value any) *ValidationError {
		return &ValidationError{Field: field, Rule: rule, Value: value}
	}
	const negative = "must not be negative"
	switch {
	case o.MinInterval < 0:
		return broken("MinInterval", negative, o.MinInterval)
	case o.MaxInterval < 0:
		return broken("MaxInterval", negative, o.MaxInterval)
	case o.MaxInterval < o.MinInterval:
		return broken("MaxInterval", "must not be below MinInterval", o.MaxInterval)
	case o.LateWindow < 0:
		return broken("LateWindow", negative, o.LateWindow)
	case o.PageLimit < 0:
		return broken("PageLimit", negative, o.PageLimit)
	case o.MaxFailures < 0:
		return broken("MaxFailures", negative, o.MaxFailures)
	}
	return nil
}
