package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
)

// store keeps how far the endpoints are: a [journal].
type store interface {
	save(entries ...*entry) error
	remove() error
}

// rotation takes endpoints through their steps, each of which can be taken again.
type rotation struct {
	client   *rpcfleet.Client
	journal  *journal
	store    store // The journal, unless a test has another one.
	handOver func(context.Context, *message) error
	overlap  time.Duration
	settle   time.Duration // After how long an open create is looked for once more.
	say      func(format string, arguments ...any)

	entries []*entry
}

// begin plans the rotation of a selection, or takes up the one that was not ended.
func (r *rotation) begin(ctx context.Context, s selection) error {
	if r.store == nil {
		r.store = r.journal
	}
	if r.entries = r.journal.entries; len(r.entries) > 0 {
		r.say("%s has an unfinished rotation of %d endpoints: it is taken up, and the selection is not looked at",
			r.journal.path, len(r.entries))
		return nil
	}
	endpoints, err := s.endpoints(ctx, r.client)
	if err != nil {
		return err
	}
	for _, endpoint := range endpoints {
		r.entries = append(r.entries, &entry{Endpoint: endpoint.ID, Step: stepPlanned})
		if err := r.old(ctx, r.entries[len(r.entries)-1]); err != nil {
			return err
		}
	}
	return nil
}

// old notes which tokens are to be removed: those that are there before the new one is created.
func (r *rotation) old(ctx context.Context, e *entry) error {
	found, err := r.client.Security.FindCreatedToken(ctx, e.Endpoint)
	if err != nil {
		return err
	}
	e.Old = found.IDs()
	if len(e.Old) < len(found.Records) {
		return fmt.Errorf("endpoint %s: the service does not tell the ids of all its tokens", e.Endpoint)
	}
	return nil
}

// run takes all endpoints to their end. One that fails does not keep the others from going on. The old tokens are
// removed when the overlap is over for each.
func (r *rotation) run(ctx context.Context) error {
	if len(r.entries) == 0 {
		return nil
	}
	if err := r.store.save(r.entries...); err != nil { // So that the next run takes up all of them.
		return err
	}
	failed := 0
	for _, part := range []func(context.Context, *entry) error{r.bringNew, r.removeOld} {
		for _, e := range r.entries {
			err := part(ctx, e)
			if ctx.Err() != nil {
				return fmt.Errorf("%w: run it again to go on", ctx.Err())
			}
			if errors.Is(err, rpcfleet.ErrNotFound) && r.gone(ctx, e.Endpoint) {
				r.say("endpoint %s is gone", e.Endpoint)
				err = r.reach(e, stepDone)
			}
			if err != nil {
				failed++
				r.say("endpoint %s: %v", e.Endpoint, err)
			}
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d endpoints are not rotated: run it again to go on", failed, len(r.entries))
	}
	return r.store.remove()
}

// gone reports whether an endpoint is surely not there.
func (r *rotation) gone(ctx context.Context, id string) bool {
	_, err := r.client.Endpoints.Get(ctx, id)
	return errors.Is(err, rpcfleet.ErrNotFound)
}

// reach notes that an endpoint has come to a step.
func (r *rotation) reach(e *entry, to step) error {
	e.Step = to
	return r.store.save(e)
}
