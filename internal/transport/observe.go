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

// observe logs the end of an attempt and reports it to the observer. The logged path is the template of the operation,
// so that it contains no ids, URLs or credentials.
func (s *callState) observe(status int, failure *Failure, again bool) {
	id := ""
	logger := s.transport.config.Logger
	debug := logger.Enabled(s.attempt.values, slog.LevelDebug)
	if s.attempt.response != nil && (debug || s.attempt.end != nil) {
		id = redact.RequestID(s.attempt.response.Header, s.result.Secrets...)
	}
	if debug {
		attributes := s.attributes("attempt", s.attempt.start, status, failure)
		if id != "" {
			attributes = append(attributes, slog.String("request_id", id))
		}
		if again {
			attributes = append(attributes, slog.Duration("retry_in", s.wait))
		}
		if s.result.BudgetExhausted {
			attributes = append(attributes, slog.Bool("retry_budget_exhausted", true))
		}
		logger.LogAttrs(s.attempt.values, slog.LevelDebug, "rpcfleet request", attributes...)
	}
	if s.attempt.end == nil {
		return
	}
	outcome := AttemptResult{
		Response: s.attempt.response, Failure: failure, RequestID: id,
		Duration: time.Since(s.attempt.start) - s.attempt.paced, PacerWait: s.attempt.paced, Retried: again,
	}
	if again {
		outcome.RetryIn = s.wait
	}
	s.attempt.end(outcome)
}

// warn logs that a retryable call failed, with the reason why it was not retried.
func (s *callState) warn(ctx context.Context, status int, failure *Failure, reason string) {
	logger := s.transport.config.Logger
	if !logger.Enabled(ctx, slog.LevelWarn) {
		return
	}
	attributes := append(s.attributes("attempts", s.start, status, failure), slog.String("reason", reason))
	if response := cmp.Or(s.attempt.response, s.result.Last); response != nil {
		if id := redact.RequestID(response.Header, s.result.Secrets...); id != "" {
			attributes = append(attributes, slog.String("request_id", id))
		}
		if wanted, ok := RetryAfter(response.Header, time.Now()); ok {
			attributes = append(attributes, slog.Duration("retry_after", wanted))
		}
	}
	logger.LogAttrs(ctx, slog.LevelWarn, "rpcfleet gave up retrying", attributes...)
}

// attributes returns the operation, the number of attempts so far, the time since then, and the result of the last
// attempt.
func (s *callState) attributes(attempts string, since time.Time, status int, failure *Failure) []slog.Attr {
	attributes := []slog.Attr{
		slog.String("operation", s.call.Operation.ID),
		slog.String("method", s.call.Operation.Method),
		slog.String("path", s.call.Operation.Path),
		slog.Int(attempts, s.result.Attempts),
		slog.Duration("duration", time.Since(since)),
	}
	if failure == nil || status != 0 {
		attributes = append(attributes, slog.Int("status", status))
	}
	if failure != nil {
		attributes = append(attributes, slog.String("failure", string(failure.Kind)))
	}
	return attributes
}
