package transport

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// AttemptHook is called at the beginning of an attempt, and the function that it returns at its end. The attempt's
// requests carry the values of the context that it returns, which it has derived from its argument.
type AttemptHook func(ctx context.Context, op *api.Operation, number int) (context.Context, func(AttemptResult))

// AttemptResult is how an attempt ended.
type AttemptResult struct {
	StatusCode int
	Protocol   string
	RequestID  string
	Duration   time.Duration // Without the time that the pacer has held it back.
	PacerWait  time.Duration
	Failure    string // A Kind.
	Retried    bool
	RetryIn    time.Duration
}

// observation begins an attempt and announces it to the observer.
type observation struct {
	next     http.RoundTripper
	observer AttemptHook // Or nil.
}

func (o *observation) RoundTrip(req *http.Request) (*http.Response, error) {
	s := stateOf(req)
	if req.Response == nil { // It is not a redirect.
		s.result.Attempts++
		s.result.Partial = nil
		s.attempt = attempt{start: time.Now(), values: req.Context()}
		if o.observer != nil {
			s.attempt.values, s.attempt.end = o.observer(req.Context(), s.call.Operation, s.result.Attempts)
		}
	}
	if o.observer != nil {
		req = req.WithContext(withValues{req.Context(), s.attempt.values})
	}
	return o.next.RoundTrip(req)
}

// withValues is a context with the values of another one: an observer must not end a call.
type withValues struct {
	context.Context
	values context.Context
}

func (c withValues) Value(key any) any {
	if value := c.values.Value(key); value != nil {
		return value
	}
	return c.Context.Value(key)
}

// observe logs an attempt that has ended, and announces it to the observer. The path in the log is the operation's
// template: ids, addresses and credentials have no place there.
func (s *state) observe(status int, failure *Failure, again bool) {
	id := ""
	logger := s.transport.config.Logger
	debug := logger.Enabled(s.attempt.values, slog.LevelDebug)
	if s.attempt.response != nil && (debug || s.attempt.end != nil) {
		id = redact.RequestID(s.attempt.response.Header, s.secrets()...)
	}
	if debug {
		attributes := s.attributes("attempt", s.attempt.start, status, failure)
		if id != "" {
			attributes = append(attributes, slog.String("request_id", id))
		}
		if again {
			attributes = append(attributes, slog.Duration("retry_in", s.retries.RetryWaitMin))
		}
		if s.result.QuotaExhausted {
			attributes = append(attributes, slog.Bool("retry_quota_exhausted", true))
		}
		logger.LogAttrs(s.attempt.values, slog.LevelDebug, "rpcfleet request", attributes...)
	}
	if s.attempt.end == nil {
		return
	}
	outcome := AttemptResult{
		Duration: time.Since(s.attempt.start) - s.attempt.paced, PacerWait: s.attempt.paced, RequestID: id, Retried: again,
	}
	if response := s.attempt.response; response != nil {
		outcome.StatusCode, outcome.Protocol = response.Status, response.Protocol
	}
	if failure != nil {
		outcome.Failure = string(failure.Kind)
	}
	if again {
		outcome.RetryIn = s.retries.RetryWaitMin
	}
	s.attempt.end(outcome)
}

// warn logs that a call fails that another attempt might have saved, and the reason why there is none.
func (s *state) warn(ctx context.Context, status int, failure *Failure, reason string) {
	logger := s.transport.config.Logger
	if !logger.Enabled(ctx, slog.LevelWarn) {
		return
	}
	attributes := append(s.attributes("attempts", s.start, status, failure), slog.String("reason", reason))
	if response := cmp.Or(s.attempt.response, s.result.Last); response != nil {
		if id := redact.RequestID(response.Header, s.secrets()...); id != "" {
			attributes = append(attributes, slog.String("request_id", id))
		}
		if wanted, ok := RetryAfter(response.Header, time.Now()); ok {
			attributes = append(attributes, slog.Duration("retry_after", wanted))
		}
	}
	logger.LogAttrs(ctx, slog.LevelWarn, "rpcfleet gave up retrying", attributes...)
}

// attributes describe the operation, the number of attempts so far, the time since then, and how the last one ended.
func (s *state) attributes(attempts string, since time.Time, status int, failure *Failure) []slog.Attr {
	attributes := []slog.Attr{
		slog.String("operation", s.call.Operation.ID),
		slog.String("method", s.call.Operation.Method),
		slog.String("path", s.call.Operation.Path),
		slog.Int(attempts, s.result.Attempts),
		slog.Duration("duration", time.Since(since)),
	}
	if failure != nil {
		return append(attributes, slog.String("failure", string(failure.Kind)))
	}
	return append(attributes, slog.Int("status", status))
}

// secrets are the credentials of the attempts so far.
func (s *state) secrets() (secrets []string) {
	for _, credentials := range s.result.Credentials {
		secrets = append(secrets, credentials.APIKey.Reveal(), credentials.BearerToken.Reveal())
	}
	return secrets
}
