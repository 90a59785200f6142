package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// bringNew creates the new token of an endpoint and hands it over.
func (r *rotation) bringNew(ctx context.Context, e *entry) error {
	switch e.Step {
	case stepPlanned:
		if err := r.old(ctx, e); err != nil { // The plan may be of another day.
			return err
		}
		if err := r.reach(e, stepCreating); err != nil {
			return err
		}
		if err := r.create(ctx, e); err != nil {
			return err
		}
	case stepCreating:
		// An earlier run does not tell whether it has created it.
		found, err := r.look(ctx, e)
		if err == nil && e.New == "" && found.Outcome() == rpcfleet.LookupNotFound {
			err = r.create(ctx, e)
		}
		if err != nil {
			return err
		}
	}
	if e.Step == stepCreating {
		if err := r.reach(e, stepCreated); err != nil {
			return err
		}
	}
	if e.Step != stepCreated {
		return nil
	}
	message, err := r.message(ctx, e)
	if err != nil {
		return err
	}
	if err := r.handOver(ctx, message); err != nil {
		return fmt.Errorf("the hook: %w", err)
	}
	e.Handed = time.Now().UTC()
	return r.reach(e, stepHanded)
}

// create creates the new token. Where it is open whether that happened, or the service does not tell the id, it looks
// for it. It does not create it again: the next run does, where it has not come up by then.
func (r *rotation) create(ctx context.Context, e *entry) error {
	created, err := r.client.Security.CreateToken(ctx, e.Endpoint)
	switch {
	case errors.Is(err, rpcfleet.ErrMaybeCarriedOut):
	case err != nil:
		return err
	default:
		e.New = *created.ID
	}
	if e.New != "" {
		return nil
	}
	if _, findErr := r.look(ctx, e); findErr != nil {
		return errors.Join(err, findErr)
	}
	if e.New == "" {
		return errors.Join(err, errors.New("the new token has not come up"))
	}
	return nil
}

// look looks for the new token, and again after a while: a request that was given up may still be on its way.
func (r *rotation) look(ctx context.Context, e *entry) (rpcfleet.Lookup[admin.EndpointToken], error) {
	for first := true; ; first = false {
		found, err := r.client.Security.FindCreatedToken(ctx, e.Endpoint)
		if err != nil {
			return found, err
		}
		found = found.Without(e.Old...)
		switch {
		case found.Outcome() == rpcfleet.LookupSeveral:
			return found, fmt.Errorf("one of the tokens %v is the new one, and the others are somebody else's: remove those", found.IDs())
		case found.Outcome() == rpcfleet.LookupFound && len(found.IDs()) == 0:
			return found, errors.New("the service does not tell the id of the new token")
		case found.Outcome() == rpcfleet.LookupFound:
			e.New = found.IDs()[0]
			return found, nil
		case !first:
			return found, nil
		}
		if err := pause(ctx, r.settle); err != nil {
			return found, err
		}
	}
}

// removeOld removes the old tokens of an endpoint that was handed its new one, after the overlap. It removes none where
// the new one is not there.
func (r *rotation) removeOld(ctx context.Context, e *entry) error {
	if e.Step != stepHanded {
		return nil
	}
	if left := time.Until(e.Handed.Add(r.overlap)); left > 0 {
		r.say("the old tokens of endpoint %s stay for another %s", e.Endpoint, left.Round(time.Second))
		if err := pause(ctx, left); err != nil {
			return err
		}
	}
	found, err := r.client.Security.FindCreatedToken(ctx, e.Endpoint)
	if err != nil {
		return err
	}
	there := found.IDs()
	if !slices.Contains(there, e.New) {
		return fmt.Errorf("its new token %s is not there any more, and the old ones are left alone", e.New)
	}
	for _, id := range e.Old {
		if !slices.Contains(there, id) {
			continue
		}
		if err := r.client.Security.DeleteToken(ctx, e.Endpoint, id); err != nil {
			return err
		}
	}
	return r.reach(e, stepDone)
}

// pause waits, unless the context ends.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
