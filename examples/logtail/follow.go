package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// follow writes entries until the context ends, which is how it is meant to end.
func follow(ctx context.Context, client *rpcfleet.Client, o *options, to *output, stderr io.Writer) error {
	ids, err := followed(ctx, client, o)
	if err != nil {
		return err
	}
	saved := time.Now()
	for entry, err := range client.Logs.Follow(ctx, ids, rpcfleet.FollowOptions{
		From: to.from, Checkpoint: to.checkpoint, LateWindow: o.late, MinInterval: o.every, MaxInterval: 15 * o.every,
		IncludeDetails: o.details, GoOnWithout: func(failure *rpcfleet.FollowError) bool {
			gone := errors.Is(failure, rpcfleet.ErrNotFound)
			if gone && len(ids) > 1 {
				_, _ = fmt.Fprintf(stderr, "%s: going on without endpoint %q: %v\n", name, failure.EndpointID, failure.Err)
			}
			return gone
		},
	}) {
		if err != nil {
			return ended(ctx, err, to)
		}
		if o.filter.passes(&entry.Entry) {
			line, err := o.line(entry)
			if err != nil {
				return err
			}
			if _, err := to.Write(line); err != nil {
				return err
			}
		}
		if time.Since(saved) < o.save {
			continue
		}
		if err := to.save(ctx, entry.Checkpoint()); err != nil {
			return err
		}
		saved = time.Now()
	}
	return nil
}

// ended saves where the following ended, and reports why, unless it was meant to.
func ended(ctx context.Context, err error, to *output) error {
	var failure *rpcfleet.FollowError
	if errors.As(err, &failure) {
		if err := to.save(ctx, failure.Checkpoint); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// followed are the ids of the endpoints to follow.
func followed(ctx context.Context, client *rpcfleet.Client, o *options) ([]string, error) {
	ids := o.endpoints
	if len(ids) > 0 {
		return ids, nil
	}
	for endpoint, err := range client.Endpoints.All(ctx, admin.ListEndpointsParams{TagLabels: o.tags}) {
		if err != nil {
			return nil, err
		}
		ids = append(ids, endpoint.ID)
	}
	if len(ids) == 0 {
		return nil, errors.New("there is no endpoint to follow")
	}
	return ids, nil
}
