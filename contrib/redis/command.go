package fleetredis

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// DefaultTimeout bounds a command if the options set no timeout.
const DefaultTimeout = time.Second

const defaultPrefix = "rpcfleet"

// keyOf returns the key of an identifier, which may be secret: the key contains its hash, in braces so that related
// keys share a cluster slot.
func keyOf(prefix, kind, identifies string) string {
	hash := sha256.Sum256([]byte(identifies))
	return cmp.Or(prefix, defaultPrefix) + ":" + kind + ":{" + hex.EncodeToString(hash[:16]) + "}"
}

// bounded runs a command and returns when it ends, when the context ends, or after the timeout. go-redis honors a
// deadline only if its client is configured to, and never a cancellation during a read. An abandoned command ends by
// the client's own timeouts.
func bounded[T any](ctx context.Context, limit time.Duration, command func(context.Context) (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	within, cancel := context.WithTimeout(ctx, cmp.Or(limit, DefaultTimeout))
	defer cancel()
	done := make(chan result, 1)
	go func() {
		value, err := command(within)
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-within.Done():
		return *new(T), within.Err()
	}
}

// sleep waits for a duration or the end of the context.
func sleep(ctx context.Context, wait time.Duration) error {
	if wait <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
