package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
)

// creates is how often something is created at most where it does not come into being.
const creates = 3

// once creates something, once: where the response leaves open whether it was created, it looks for it, and creates it
// again only where it has not come up after a while. known are the ids of what looks the same and was there before. It
// returns the id, or an empty one where the service has not told it.
func once[T any](
	ctx context.Context, settle time.Duration, known []string,
	create func(context.Context) (string, error), find func(context.Context) (rpcfleet.Lookup[T], error),
) (string, error) {
	for attempt := 1; ; attempt++ {
		id, err := create(ctx)
		if !errors.Is(err, rpcfleet.ErrMaybeCarriedOut) {
			return id, err
		}
		found, findErr := look(ctx, settle, known, find)
		switch {
		case findErr != nil:
			return "", errors.Join(err, findErr)
		case found.Outcome() == rpcfleet.LookupFound:
			return strings.Join(found.IDs(), ""), nil
		case found.Outcome() == rpcfleet.LookupSeveral:
			return "", fmt.Errorf("one of %v may have been created, and the others by somebody else: %w", found.IDs(), err)
		case attempt == creates:
			return "", err
		}
	}
}

// look looks for something, and again after a while: a request that was given up may still be on its way.
func look[T any](
	ctx context.Context, settle time.Duration, known []string, find func(context.Context) (rpcfleet.Lookup[T], error),
) (rpcfleet.Lookup[T], error) {
	for first := true; ; first = false {
		found, err := find(ctx)
		found = found.Without(known...)
		if err != nil || found.Outcome() != rpcfleet.LookupNotFound || !first {
			return found, err
		}
		if err := pause(ctx, settle); err != nil {
			return found, err
		}
	}
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
