package transport

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// AttemptHook is called when an attempt begins, and the function that it returns when the attempt ends. The context
// that it returns must be derived from its argument; the requests of the attempt contain its values.
type AttemptHook func(ctx context.Context, op *api.Operation, number int) (context.Context, func(AttemptResult))

// AttemptResult describes the end of an attempt.
type AttemptResult struct {
	Response  *Response     // The response, its beginning if reading it failed, or nil.
	Failure   *Failure      // Nil if the response is complete.
	RequestID string        // The redacted id in the response.
	Duration  time.Duration // Excluding PacerWait.
	PacerWait time.Duration
	Retried   bool
	RetryIn   time.Duration
}

// observe logs the end of an attempt and reports it to the hook. If a retryable call failed, it warns with the reason
// why it was not retried.
func (s *callState) observe(status int, failure *Failure, again bool, wait time.Duration, reason string) {
	response := cmp.Or(s.attempt.response, &Response{})
	var more []slog.Attr
	if again {
		more = append(more, slog.Duration("retry_in", wait))
	}
	s.log(slog.LevelDebug, "rpcfleet request", "attempt", s.attempt.start, response, status, failure, more...)
	if s.attempt.end != nil {
		s.attempt.end(AttemptResult{
			Response: s.attempt.response, Failure: failure, RequestID: s.requestID(response),
			Duration: time.Since(s.attempt.start) - s.attempt.paced, PacerWait: s.attempt.paced,
			Retried: again, RetryIn: wait,
		})
	}
	if reason != "" && s.call.MaxAttempts > 1 {
		last := cmp.Or(s.attempt.response, s.result.Last, &Response{})
		more = []slog.Attr{slog.String("reason", reason)}
		if wanted, ok := RetryAfter(last.Header, time.Now()); ok {
			more = append(more, slog.Duration("retry_after", wanted))
		}
		s.log(slog.LevelWarn, "rpcfleet gave up retrying", "attempts", s.start, last, status, failure, more...)
	}
}

// log logs the operation, the number of attempts so far, the time since then, and a result. The path is the template of
// the operation, so that no record contains ids, URLs or credentials.
func (s *callState) log(level slog.Level, message, attempts string, since time.Time, response *Response, status int,
	failure *Failure, more ...slog.Attr) {
	logger, ctx, op := s.transport.config.Logger, s.attempt.values, s.call.Operation
	if logger == nil || !logger.Enabled(ctx, level) {
		return
	}
	attributes := []slog.Attr{
		slog.String("operation", op.ID), slog.String("method", op.Method), slog.String("path", op.Path),
		slog.Int(attempts, s.result.Attempts), slog.Duration("duration", time.Since(since)),
	}
	if failure == nil || status != 0 {
		attributes = append(attributes, slog.Int("status", status))
	}
	if failure != nil {
		attributes = append(attributes, slog.String("failure", string(failure.Kind)))
	}
	if id := s.requestID(response); id != "" {
		attributes = append(attributes, slog.String("request_id", id))
	}
	logger.LogAttrs(ctx, level, message, append(attributes, more...)...)
}

// requestID returns the redacted id in a response, or "" if there is none.
func (s *callState) requestID(response *Response) string {
	return redact.RequestID(response.Header, s.result.Secrets...)
}
