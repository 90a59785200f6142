package acceptance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
)

// soakCounts counts things by name.
type soakCounts map[string]int

func (c soakCounts) total() (sum int) {
	for _, n := range c {
		sum += n
	}
	return sum
}

// soakTally counts what happened in a run. It is safe for concurrent use.
type soakTally struct {
	mu sync.Mutex
	// operations counts the calls of each operation, and attempts how many attempts were made of all.
	operations soakCounts
	attempts   int
	// exhausted counts the calls that the retry quota has ended.
	exhausted int
	// errors counts failures by class, resolved the open outcomes by the way in which they were settled, and done other
	// things that were held against the model.
	errors, resolved, done soakCounts
	// mismatches are the differences between model and emulator, the first ones of them.
	mismatches []string
	// took is how long the players played.
	took time.Duration
}

func newSoakTally() *soakTally {
	return &soakTally{operations: soakCounts{}, errors: soakCounts{}, resolved: soakCounts{}, done: soakCounts{}}
}

func (y *soakTally) calls() int {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.operations.total()
}

// observe is an observer of the clients that are under fire.
func (y *soakTally) observe(ctx context.Context, op rpcfleet.Operation) (context.Context, func(rpcfleet.Outcome)) {
	return ctx, func(outcome rpcfleet.Outcome) {
		y.mu.Lock()
		defer y.mu.Unlock()
		y.operations[op.ID]++
		y.attempts += outcome.Attempts
		if outcome.Err == nil {
			return
		}
		y.errors[errorClass(outcome.Err)]++
		var failed *rpcfleet.Error
		if errors.As(outcome.Err, &failed) && failed.RetryQuotaExhausted {
			y.exhausted++
		}
	}
}

// resolve counts an outcome that was open.
func (y *soakTally) resolve(how string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.resolved[how]++
}

// note counts something else.
func (y *soakTally) note(what string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.done[what]++
}

// maxMismatches are as many as anybody reads.
const maxMismatches = 30

// mismatch notes a difference between the model and what came.
func (y *soakTally) mismatch(format string, args ...any) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if len(y.mismatches) < maxMismatches {
		y.mismatches = append(y.mismatches, fmt.Sprintf(format, args...))
	}
}

// errorClass says what kind of failure a call ended with.
func errorClass(err error) string {
	var decode *rpcfleet.DecodeError
	var failed *rpcfleet.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return "the caller gave up"
	case errors.Is(err, rpcfleet.ErrRepeatedPage):
		return "ErrRepeatedPage"
	case errors.Is(err, rpcfleet.ErrIncompleteListing):
		return "ErrIncompleteListing"
	case errors.As(err, &failed) && failed.StatusCode == 0:
		return "ErrConnection"
	case errors.As(err, &failed):
		return fmt.Sprintf("status %d", failed.StatusCode)
	case errors.As(err, &decode) && errors.Is(err, rpcfleet.ErrCarriedOut):
		return "DecodeError, ErrCarriedOut"
	case errors.As(err, &decode):
		return "DecodeError, " + string(decode.Reason)
	}
	return err.Error()
}

// fromFaults reports whether a failure is one that the faults explain. No fault says that something is not there, or
// that a request is wrong: where an error does, the client has asked for the wrong thing, or twice.
func fromFaults(err error) bool {
	var decode *rpcfleet.DecodeError
	var failed *rpcfleet.Error
	switch {
	case errors.As(err, &failed):
		return slices.Contains([]int{0, 307, 408, 425, 429, 500, 502, 503, 504}, failed.StatusCode)
	case errors.Is(err, rpcfleet.ErrRepeatedPage), errors.Is(err, rpcfleet.ErrIncompleteListing):
		return true
	}
	return errors.As(err, &decode)
}
