package acceptance

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// TestEveryFaultHasItsOutcome injects each fault into a call of the client and compares the outcome of the call with
// faultRows: over pipes in a bubble, in which waiting costs nothing, and over sockets.
func TestEveryFaultHasItsOutcome(t *testing.T) {
	for _, row := range faultRows {
		for _, outcome := range row.outcomes.byCall() {
			call, want := outcome[0], outcome[1]
			if want == "" {
				continue
			}
			t.Run(row.title+", "+call+" in memory", func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					e := emulator.New()
					defer e.Close()
					row.play(t, call, want, e, emulator.ClientURL, rpcfleet.WithHTTPClient(e.Client()))
				})
			})
			if row.waits > 0 {
				continue
			}
			t.Run(row.title+", "+call+" over a socket", func(t *testing.T) {
				t.Parallel()
				server := emulator.Start()
				t.Cleanup(server.Close)
				row.play(t, call, want, server.Emulator, server.URL)
			})
		}
	}
}

// play injects the fault into one call of a client, and compares the outcome.
func (row faultRow) play(t *testing.T, name, want string, e *emulator.Emulator, address string,
	options ...rpcfleet.ClientOption,
) {
	client := must(rpcfleet.New(append([]rpcfleet.ClientOption{
		rpcfleet.WithBaseURL(address), rpcfleet.WithAPIKey(e.APIKey), rpcfleet.WithMaxBodySize(1 << 20),
		rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{
			MaxAttempts: 3, BaseDelay: time.Millisecond, MaxDelay: time.Millisecond, MaxRetryAfter: time.Minute,
		}),
	}, options...)...))(t)
	account := newFaultyAccount(t, e)
	call, fault := faultCalls[name], row.fault
	fault.Operation = call.operation
	if row.retryAfter != nil {
		fault.RetryAfter = row.retryAfter()
	}
	injection := must(e.Inject(fault))(t)
	e.ResetCalls()
	began := time.Now()
	err := call.carryOut(t.Context(), client, account)
	assert.GreaterOrEqual(t, time.Since(began), row.waits)
	assert.Equal(t, want, outcomeOf(err)+attemptsOf(e.Calls(call.operation), call.writes), "%v", err)
	assert.Positive(t, injection.Fired())
	injection.Remove()
	require.NoError(t, second(client.Chains.List(t.Context())), "the client goes on")
}

// outcomeOf returns the result of a call for the caller.
func outcomeOf(err error) string {
	var decode *rpcfleet.DecodeError
	var failed *rpcfleet.Error
	switch {
	case err == nil:
		return "succeeds"
	case errors.Is(err, rpcfleet.ErrRepeatedPage):
		return "`ErrRepeatedPage`"
	case errors.As(err, &decode):
		text := "`DecodeError`, " + string(decode.Reason)
		if errors.Is(err, rpcfleet.ErrNoRecord) {
			text += ", `ErrNoRecord`"
		}
		return text
	case errors.As(err, &failed) && failed.StatusCode == 0:
		return "`Error` without a status, `ErrConnection`"
	case errors.As(err, &failed):
		return fmt.Sprintf("`Error`, status %d", failed.StatusCode)
	}
	return err.Error()
}

// attemptsOf returns the attempts that arrived, and for writes how often the write was executed and not refused.
func attemptsOf(calls []emulator.Call, writes bool) string {
	var text strings.Builder
	fmt.Fprintf(&text, "; %d request", len(calls))
	if len(calls) != 1 {
		text.WriteString("s")
	}
	if !writes {
		return text.String()
	}
	done := 0
	for _, call := range calls {
		if call.Executed && call.Status < 400 {
			done++
		}
	}
	switch done {
	case 0:
		text.WriteString(", not executed")
	case 1:
		text.WriteString(", executed once")
	default:
		fmt.Fprintf(&text, ", executed %d times", done)
	}
	return text.String()
}
