package acceptance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/stretchr/testify/assert"

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

// soakTally counts the events of a run. It is safe for concurrent use.
type soakTally struct {
	mu         sync.Mutex
	operations soakCounts // Calls by operation.
	attempts   int
	errors     soakCounts // Failed calls by class.
	resolved   soakCounts // Open outcomes by the way in which they were resolved.
	fired      soakCounts // Faults by kind.
	compared   int
	mismatches []string
	took       time.Duration
}

func newSoakTally() *soakTally {
	return &soakTally{operations: soakCounts{}, errors: soakCounts{}, resolved: soakCounts{}, fired: soakCounts{}}
}

func (y *soakTally) calls() int {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.operations.total()
}

// observe is the observer of the clients.
func (y *soakTally) observe(ctx context.Context, op rpcfleet.Operation) (context.Context, func(rpcfleet.CallResult)) {
	return ctx, func(outcome rpcfleet.CallResult) {
		y.mu.Lock()
		defer y.mu.Unlock()
		y.operations[op.ID]++
		y.attempts += outcome.Attempts
		if outcome.Err != nil {
			y.errors[string(outcome.Kind())]++
		}
	}
}

func (y *soakTally) resolve(how string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.resolved[how]++
}

func (y *soakTally) mismatch(format string, args ...any) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if len(y.mismatches) < 20 {
		y.mismatches = append(y.mismatches, fmt.Sprintf(format, args...))
	}
}

// same compares a result with the model.
func (w *soaker) same(what string, want, got any) {
	w.mu.Lock()
	w.compared++
	w.mu.Unlock()
	if !assert.ObjectsAreEqual(want, got) {
		w.mismatch("%s: %s:\n\twant %.300v\n\tgot  %.300v", w.name, what, want, got)
	}
}

// report returns the table that a run prints.
func (y *soakTally) report() string {
	var text strings.Builder
	section := func(name string, counts soakCounts) {
		fmt.Fprintf(&text, "%s: %d\n", name, counts.total())
		for _, key := range slices.Sorted(maps.Keys(counts)) {
			fmt.Fprintf(&text, "  %-64s %8d\n", key, counts[key])
		}
	}
	fmt.Fprintf(&text, "soak of %v, seed %d: took %v, %d calls of %d operations, %d retries, %d results compared\n",
		*soakFor, *soakSeed,
		y.took.Round(time.Millisecond), y.operations.total(), len(y.operations), y.attempts-y.operations.total(), y.compared)
	section("faults by kind", y.fired)
	section("failed calls by class", y.errors)
	section("open outcomes by resolution", y.resolved)
	fmt.Fprintf(&text, "mismatches: %d\n%s", len(y.mismatches), strings.Join(y.mismatches, "\n"))
	return text.String()
}

// causedByFaults reports whether the faults explain an error. No fault claims that an object does not exist, or that a
// request is invalid: such an error means that the client sent the wrong request, or sent it twice.
func causedByFaults(err error) bool {
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

// ok reports whether a call succeeded. An error that no fault explains is a mismatch.
func (w *soaker) ok(what string, err error) bool {
	if err != nil && !causedByFaults(err) {
		w.mismatch("%s: %s: %v", w.name, what, err)
	}
	return err == nil
}

// soakPatience is how many attempts may fail.
const soakPatience = 200

// insist repeats a call until it succeeds.
func (w *soaker) insist(what string, call func() error) {
	for range soakPatience {
		if w.ok(what, call()) {
			return
		}
		time.Sleep(time.Millisecond)
	}
	w.mismatch("%s: %s has failed %d times", w.name, what, soakPatience)
}

// remove repeats a deletion until it succeeds, or until the object is gone after the first attempt.
func (w *soaker) remove(what string, call func() error) {
	for attempt := range soakPatience {
		err := call()
		gone := attempt > 0 && (errors.Is(err, rpcfleet.ErrNotFound) || errors.Is(err, rpcfleet.ErrRejected))
		if gone {
			w.resolve("a deletion: repeated, was gone")
		}
		if gone || w.ok(what, err) {
			return
		}
	}
	w.mismatch("%s: %s has failed %d times", w.name, what, soakPatience)
}

// create creates an object and returns its id, or an empty text if it does not exist. If the outcome is open, find
// returns the ids of the candidates that were not known before.
func (w *soaker) create(what string, create func() (string, error), find func() ([]string, error)) string {
	id, err := create()
	exists := err == nil || errors.Is(err, rpcfleet.ErrNoRecord)
	switch {
	case err == nil && id != "":
		return id
	case err != nil && !w.ok(what, err) && !errors.Is(err, rpcfleet.ErrOutcomeUnknown):
		return ""
	}
	var ids []string
	w.insist(what+", lookup", func() (err error) { ids, err = find(); return err })
	w.resolve(fmt.Sprintf("%s: exists for certain %t, found %t", what, exists, len(ids) > 0))
	switch {
	case len(ids) == 1:
		return ids[0]
	case len(ids) > 1:
		w.mismatch("%s: %s exists more than once: %v", w.name, what, ids)
	case exists:
		w.mismatch("%s: %s was created and is missing", w.name, what)
	}
	return ""
}

// hurried returns the context of a read, which sometimes ends early.
func (w *soaker) hurried() (context.Context, context.CancelFunc) {
	if w.IntN(50) > 0 {
		return context.WithCancel(w.t.Context())
	}
	return context.WithTimeout(w.t.Context(), time.Duration(w.IntN(3000))*time.Microsecond)
}

// pick draws a key of a map, the same one for the same seed. It reports whether there is any.
func pick[K cmp.Ordered, V any](from *rand.Rand, among map[K]V) (key K, ok bool) {
	keys := slices.Sorted(maps.Keys(among))
	if len(keys) == 0 {
		return key, false
	}
	return keys[from.IntN(len(keys))], true
}
