package transport

import (
	"context"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/operation"
)

// AttemptObserver is told of the beginning of an attempt, and through the function that it returns, of its end. The
// context that it returns, which it has derived from the one that it is given, gives its values to the attempt's
// requests.
type AttemptObserver func(ctx context.Context, op *operation.Operation, number int) (context.Context, func(AttemptOutcome))

// AttemptOutcome is how an attempt ended.
type AttemptOutcome struct {
	StatusCode int
	Protocol   string
	RequestID  string
	Duration   time.Duration // Without what the pacer has held it back.
	Paced      time.Duration
	Failure    string // A Kind.
	Retried    bool
	RetryIn    time.Duration
}

// announce tells the observer that the attempt begins.
func (f *state) announce() {
	f.attempt.values = f
	if observe := f.transport.config.Attempted; observe != nil {
		f.attempt.values, f.attempt.end = observe(f, f.call.Operation, f.result.Attempts)
	}
}

// conclude tells the observer that the attempt has ended.
func (f *state) conclude(failure *Failure, again bool) {
	if f.attempt.end == nil {
		return
	}
	outcome := AttemptOutcome{
		Duration: time.Since(f.attempt.start) - f.attempt.paced, Paced: f.attempt.paced, RequestID: f.requestID(), Retried: again,
	}
	if response := f.attempt.response; response != nil {
		outcome.StatusCode, outcome.Protocol = response.Status, response.Protocol
	}
	if failure != nil {
		outcome.Failure = string(failure.Kind)
	}
	if again {
		outcome.RetryIn = f.wait
	}
	f.attempt.end(outcome)
}

// pace waits for the pacer, where there is one.
func (f *state) pace() error {
	pacer := f.transport.config.Pacer
	if pacer == nil {
		return nil
	}
	begun := time.Now()
	err := pacer.Wait(f)
	f.attempt.paced += time.Since(begun) // A redirect waits as well.
	if err != nil {
		return &Failure{Kind: Unsent, Err: err}
	}
	return nil
}
