package fleetredis

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"
)

// DefaultTimeout bounds a command unless the options say otherwise.
const DefaultTimeout = time.Second

const defaultPrefix = "rpcfleet"

// checkPrefix refuses braces: a cluster would take the slot from them, and not from the hash.
func checkPrefix(prefix string) error {
	if strings.ContainsAny(prefix, "{}") {
		return errors.New("fleetredis: the prefix must not contain { or }, which choose the slot of a cluster")
	}
	return nil
}

// keyOf returns the key of what a text identifies. The text may be secret: the key has a hash of it, in the braces that
// make the keys of one thing share a slot of a cluster.
func keyOf(prefix, kind, identifies string) string {
	hash := sha256.Sum256([]byte(identifies))
	return cmp.Or(prefix, defaultPrefix) + ":" + kind + ":{" + hex.EncodeToString(hash[:16]) + "}"
}

// bounded runs a command, and returns when it has ended, when the context has, or when the time is over. go-redis looks
// at deadlines only where its client was told to, and at a cancellation never while it reads. A command that is left
// behind ends by the client's own timeouts.
func bounded[T any](ctx context.Context, limit time.Duration, command func(context.Context) (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	within, cancel := context.WithTimeout(ctx, cmp.Or(limit, DefaultTimeout))
	done := make(chan result, 1)
	go func() {
		defer cancel()
		value, err := command(within)
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-within.Done():
	}
	select {
	case r := <-done: // It ended with the context.
		return r.value, r.err
	default:
		var none T
		return none, within.Err()
	}
}
