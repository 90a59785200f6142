package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
)

// archive archives endpoints, also after an interruption. Its error names each one that is left.
func archive(ctx context.Context, client *rpcfleet.Client, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	if ctx.Err() != nil {
		fmt.Println("\nInterrupted. Archiving what was created; a second interruption leaves it behind:", ids)
	}
	ctx, cancel := uninterrupted(ctx)
	defer cancel()
	var left []error
	for _, id := range ids {
		if err := client.Endpoints.Archive(ctx, id); err != nil && !errors.Is(err, rpcfleet.ErrNotFound) {
			left = append(left, fmt.Errorf("endpoint %s is not archived: %w", id, err))
		}
	}
	fmt.Printf("Archived %d of %d endpoints\n", len(ids)-len(left), len(ids))
	return errors.Join(left...)
}

// uninterrupted is the context of what must not be left half done: an interruption does not end it, a time limit does.
func uninterrupted(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
}
