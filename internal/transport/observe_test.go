package transport_test

import (
	"context"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

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
		"canceled":                     {2, []responder{status(502), silence}, ""},
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
			if name == "canceled" {
				time.AfterFunc(time.Second, cancel)
			}
			_, _, _ = h.send(ctx, read, attempts(test.attempts))
			log := regexp.MustCompile(`time=\S+ `).ReplaceAllString(strings.TrimSpace(h.log.String()), "")
			if test.want != "" {
				test.want = warning + test.want
			}
			assert.Equal(t, test.want, log, name)
		})
	}
}
