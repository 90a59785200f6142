package transport_test

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// asking is a handler that asks for the context of the call.
type asking struct{ slog.Handler }

func (a asking) Enabled(ctx context.Context, level slog.Level) bool {
	return ctx.Done() != nil && a.Handler.Enabled(ctx, level)
}

// TestLogs_nameOperationWithoutSecrets has each line whole.
func TestLogs_nameOperationWithoutSecrets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := limited(t, 16,
			slow(status(502, "X-Request-Id", "r-1", "Retry-After", "3")), hangUp, // A retry of each: 5 and 10.
			status(503, "X-Request-Id", key), // There is no budget for another attempt.
			status(404))
		h.config.Logger = slog.New(asking{slog.NewTextHandler(&h.log, &slog.HandlerOptions{Level: slog.LevelDebug})})
		atOnce := func(c *transport.Call) { c.BaseDelay = 0 } // A backoff that is drawn has no certain text.
		for range 2 {
			_, _, _ = h.send(t.Context(), read, atOnce)
		}
		log := regexp.MustCompile(`time=\S+ `).ReplaceAllString(h.log.String(), "")
		const call = "operation=readThing method=GET path=/thing "
		assert.Equal(t, []string{
			`level=DEBUG msg="rpcfleet request" ` + call + "attempt=1 duration=2s status=502 request_id=r-1 retry_in=3s",
			`level=DEBUG msg="rpcfleet request" ` + call + `attempt=2 duration=0s failure="connection failed" retry_in=0s`,
			`level=DEBUG msg="rpcfleet request" ` + call +
				"attempt=3 duration=0s status=503 request_id=[redacted] retry_budget_exhausted=true",
			`level=WARN msg="rpcfleet gave up retrying" ` + call +
				`attempts=3 duration=5s status=503 request_id=[redacted] reason="retry budget exhausted"`,
			`level=DEBUG msg="rpcfleet request" ` + call + "attempt=1 duration=0s status=404",
		}, strings.Split(strings.TrimSpace(log), "\n"))
		for _, secret := range []string{key, "made-up-bearer", "secret-id", "127.0.0.1"} {
			assert.NotContains(t, h.log.String(), secret)
		}
	})
}

// TestObserver_getsEachAttempt without a logger, and the pacer's waits apart from the duration.
func TestObserver_getsEachAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serve(t, slow(status(302, "Location", "/moved")),
			slow(status(429, "Retry-After", "3", "X-Request-Id", "r-1")), hangUp,
			status(302, "Location", "/moved", "X-Request-Id", "r-2"), hangUp, status(200))
		h.config.Logger = nil
		var got []string
		h.config.Wait = func(ctx context.Context) error {
			time.Sleep(time.Second)
			assert.Equal(t, len(got)+1, ctx.Value(h), "the values of the observer's context")
			return nil
		}
		h.config.Attempted = func(_ context.Context, op *api.Operation, number int) (context.Context,
			func(transport.AttemptResult)) {
			assert.Equal(t, []any{read, len(got) + 1}, []any{op, number})
			ctx, cancel := context.WithCancel(context.WithValue(context.Background(), h, number))
			cancel() // An observer cannot end a call.
			return ctx, func(r transport.AttemptResult) {
				response, failure := cmp.Or(r.Response, &transport.Response{}), cmp.Or(r.Failure, &transport.Failure{})
				got = append(got, fmt.Sprintln(response.Status, r.RequestID, r.Duration, r.PacerWait, failure.Kind,
					r.Retried, r.RetryIn))
			}
		}
		_, _, err := h.send(t.Context(), read, func(c *transport.Call) { c.BaseDelay = 0 })
		require.NoError(t, err)
		assert.Equal(t, []string{
			"429 r-1 4s 2s  true 3s\n",
			"0  0s 1s connection failed true 0s\n",
			"0  0s 2s connection failed true 0s\n", // The status of the redirect is not that of the attempt.
			"200  0s 1s  false 0s\n",
		}, got)
	})
}

// TestLogs_stateReasonForGivingUp is in the log if another attempt would have been safe, with the status and the
// headers of the last response.
func TestLogs_stateReasonForGivingUp(t *testing.T) {
	attempts := func(n int) func(*transport.Call) {
		return func(c *transport.Call) { c.MaxAttempts, c.BaseDelay = n, 0 }
	}
	const warning = `level=WARN msg="rpcfleet gave up retrying" operation=readThing method=GET path=/thing `
	for name, test := range map[string]struct {
		attempts int
		script   []responder
		want     string
	}{
		"one attempt":  {1, []responder{status(502)}, ""},
		"two attempts": {2, []responder{status(502)}, `attempts=2 duration=0s status=502 reason="no attempts left"`},
		"lost after a response": {
			2, []responder{status(502, "X-Request-Id", "r-1"), hangUp},
			`attempts=2 duration=0s failure="connection failed" request_id=r-1 reason="no attempts left"`,
		},
		"lost before any": {2, []responder{hangUp},
			`attempts=2 duration=0s failure="connection failed" reason="no attempts left"`},
		"too long a wait": {2, []responder{status(503, "Retry-After", "61")},
			`attempts=1 duration=0s status=503 reason="Retry-After is longer than the policy allows" retry_after=1m1s`},
		"before the end": {2, []responder{status(503, "Retry-After", "40")},
			`attempts=1 duration=0s status=503 reason="the deadline comes before the next attempt" retry_after=40s`},
		"a refusal cut short": {2, []responder{status(502), cutShort(429)},
			`attempts=2 duration=0s status=429 failure="response cut short" reason="no attempts left"`},
		"nothing to repeat":            {2, []responder{status(501)}, ""},
		"the end in the first attempt": {2, []responder{silence}, ""},
		"the end in the second attempt": {2, []responder{status(502), silence},
			`attempts=2 duration=30s failure=canceled reason="the deadline has passed"`},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := serve(t, test.script...)
			h.config.Logger = slog.New(slog.NewTextHandler(&h.log, nil))
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			_, _, _ = h.send(ctx, read, attempts(test.attempts))
			log := regexp.MustCompile(`time=\S+ `).ReplaceAllString(strings.TrimSpace(h.log.String()), "")
			if test.want != "" {
				test.want = warning + test.want
			}
			assert.Equal(t, test.want, log, name)
		})
	}
}
