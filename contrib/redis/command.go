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

// DefaultTimeout bounds a command if the options set no timeout.
const DefaultTimeout = time.Second

const defaultPrefix = "rpcfleet"

// checkPrefix rejects braces: a cluster would compute the slot from them instead of the hash.
func checkPrefix(prefix string) error {
	if strings.ContainsAny(prefix, "{}") {
		return errors.New("fleetredis: the prefix must not contain { or }, which choose the slot of a cluster")
	}
	return nil
}

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
	case r := <-done: // The command ended with the context.
		return r.value, r.err
	default:
		var none T
		return none, within.Err()
	}
}
