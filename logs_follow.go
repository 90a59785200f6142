package rpcfleet

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// FollowedEntry is an entry of a log that is followed.
type FollowedEntry struct {
	// EndpointID is the endpoint whose log it is from.
	EndpointID string `json:"endpoint_id"`
	// Entry is what the log says.
	Entry admin.LogEntry `json:"entry"`

	at *standing
}

// standing is where all logs stood when an entry was delivered.
type standing struct {
	// all are the logs before the page of the entry, of which the one with the index now stands at place.
	all   []place
	index int
	place place
}

// Checkpoint returns the place in the logs behind this entry: all entries that the loop was given up to and including
// this one are done, and nothing else is. It can be taken at any time, also when the loop has gone on, and takes time in
// proportion to the number of endpoints; its text takes time and length in proportion to the entries that are
// remembered, see [Checkpoint]. An entry that is kept keeps what its checkpoint needs in memory.
func (e FollowedEntry) Checkpoint() Checkpoint {
	if e.at == nil {
		return Checkpoint{}
	}
	places := slices.Clone(e.at.all)
	places[e.at.index] = e.at.place
	return Checkpoint{places: places}
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
// they are of one endpoint only, as [ErrNotFound] of a deleted one, unless [FollowOptions.GoOnWithout] says otherwise.
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
func (s *LogsService) follower(ctx context.Context, ids []string, options FollowOptions, opts []CallOption) (*follower, error) {
	with := s.engine.with(opts)
	if with.err != nil {
		return nil, with.err
	}
	with.own().prefetch = 0 // A reading goes on with the page that failed, and none is asked for before that.
	if with.settings.capture != nil {
		options.Parallel = 1 // Nothing is under way while the loop looks at what was captured.
	}
	op := api.ListLogs("", nil).Operation
	places, broken := options.places(ids)
	for _, check := range []*ValidationError{checkFollowed(ctx, ids), options.check(), broken} {
		if check != nil {
			return nil, check.of(op)
		}
	}
	f := &follower{with: with, options: options, fetched: make(chan *followedLog, options.Parallel)}
	for _, at := range places {
		l := newFollowedLog(at, options.MinInterval)
		f.remembered += len(l.seen)
		f.logs = append(f.logs, l)
	}
	if f.remembered > options.MaxRemembered {
		return nil, fmt.Errorf("%w: the checkpoint has %d", ErrFollowMemory, f.remembered)
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
