package transport

import (
	"context"
	"log/slog"
	"time"
)

// observe logs one attempt. The path is the operation's template: ids, addresses and credentials have no place in a
// log. The one id in it is that of the request.
func (f *state) observe(ctx context.Context, status int, failure *Failure, again bool) {
	if !f.transport.config.Logger.Enabled(ctx, slog.LevelDebug) {
		return
	}
	attributes := f.described("attempt", f.attempt.start, status, failure)
	if id := f.requestID(); id != "" {
		attributes = append(attributes, slog.String("request_id", id))
	}
	if again {
		attributes = append(attributes, slog.Duration("retry_in", f.wait))
	}
	if f.result.QuotaExhausted {
		attributes = append(attributes, slog.Bool("retry_quota_exhausted", true))
	}
	f.transport.config.Logger.LogAttrs(ctx, slog.LevelDebug, "rpcfleet request", attributes...)
}

// warn logs that a call fails which another attempt might have saved, and why there is none. The request id is that of
// the last response, as in the error.
func (f *state) warn(ctx context.Context, status int, failure *Failure, reason string) {
	if !f.transport.config.Logger.Enabled(ctx, slog.LevelWarn) {
		return
	}
	attributes := append(f.described("attempts", f.start, status, failure), slog.String("reason", reason))
	response := f.attempt.response
	if response == nil {
		response = f.result.Last
	}
	if response != nil {
		if id := RequestID(response.Header, f.secrets()...); id != "" {
			attributes = append(attributes, slog.String("request_id", id))
		}
		if wanted, ok := RetryAfter(response.Header, time.Now()); ok {
			attributes = append(attributes, slog.Duration("retry_after", wanted))
		}
	}
	f.transport.config.Logger.LogAttrs(ctx, slog.LevelWarn, "rpcfleet gave up retrying", attributes...)
}

// described is the operation, the number of attempts so far, the time since then, and how the last one ended.
func (f *state) described(attempts string, since time.Time, status int, failure *Failure) []slog.Attr {
	attributes := []slog.Attr{
		slog.String("operation", f.call.Operation.ID),
		slog.String("method", f.call.Operation.Method),
		slog.String("path", f.call.Operation.Path),
		slog.Int(attempts, f.result.Attempts),
		slog.Duration("duration", time.Since(since)),
	}
	if failure != nil {
		return append(attributes, slog.String("failure", string(failure.Kind)))
	}
	return append(attributes, slog.Int("status", status))
}

// requestID is the id of the attempt's request, or empty.
func (f *state) requestID() string {
	if f.attempt.response == nil {
		return ""
	}
	return RequestID(f.attempt.response.Header, f.secrets()...)
}

// secrets are the credentials of the attempts so far.
func (f *state) secrets() (secrets []string) {
	for _, credentials := range f.result.Credentials {
		secrets = append(secrets, credentials.APIKey.Reveal(), credentials.BearerToken.Reveal())
	}
	return secrets
}
