package transport

import (
	"context"
	"log/slog"
	"time"
)

// observe logs one attempt. The path is the operation's template: ids, addresses and credentials have no place in a
// log.
func (f *state) observe(ctx context.Context, status int, failure *Failure, again bool) {
	if !f.log.Enabled(ctx, slog.LevelDebug) {
		return
	}
	attributes := []slog.Attr{
		slog.String("operation", f.call.Operation.ID),
		slog.String("method", f.call.Operation.Method),
		slog.String("path", f.call.Operation.Path),
		slog.Int("attempt", f.attempts),
		slog.Duration("duration", time.Since(f.attempt.start)),
	}
	if failure != nil {
		attributes = append(attributes, slog.String("failure", string(failure.Kind)))
	} else {
		attributes = append(attributes, slog.Int("status", status))
	}
	if again {
		attributes = append(attributes, slog.Duration("retry_in", f.wait))
	}
	if f.exhausted {
		attributes = append(attributes, slog.Bool("retry_quota_exhausted", true))
	}
	f.log.LogAttrs(ctx, slog.LevelDebug, "rpcfleet request", attributes...)
}
