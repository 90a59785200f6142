package transport_test

import (
	"context"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// script reads lines: a status, a status that is cut short or stalls, a lost connection, or silence.
func script(text string) (lines []responder) {
	for _, word := range strings.Fields(text) {
		name := strings.TrimRight(word, "0123456789")
		code, _ := strconv.Atoi(word[len(name):])
		lines = append(lines, map[string]responder{"": status(code), "cut": cutShort(code), "stalled": stalls(code),
			"429after": status(429, "Retry-After", "1"), "lost": hangUp, "silent": silence}[name])
	}
	return lines
}

func TestSend_retriesByOperationAndStatus(t *testing.T) {
	for _, test := range []struct {
		op       *api.Operation
		script   string
		requests int
		status   int // 0: a failure
		acted    bool
	}{
		{read, "200", 1, 200, false}, {read, "502 502 200", 3, 200, true}, {read, "500 503 504 200", 4, 200, true},
		{read, "429 200", 2, 200, false}, {read, "cut200 200", 2, 200, true}, {read, "502", 4, 502, true},
		{read, "cut200", 4, 0, true}, {read, "silent 200", 2, 200, true}, {read, "stalled200 200", 2, 200, true},
		{create, "502 200", 1, 502, false}, {create, "429 200", 2, 200, false}, {set, "408 425 200", 3, 200, true},
		{read, "cut404 200", 1, 404, false}, {read, "stalled404 200", 1, 404, false}, {create, "cut400 200", 1, 400, false},
		{create, "cut429 200", 2, 200, false}, {set, "cut408 cut425 200", 3, 200, true}, {set, "cut425", 4, 0, true},
		{read, "502 503 lost", 4, 0, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := serve(t, script(test.script)...)
			response, result, err := h.send(t.Context(), test.op, func(c *transport.Call) { c.Timeout = 10 * time.Second })
			assert.Len(t, h.Requests(), test.requests, test.script)
			assert.Equal(t, test.requests, result.Attempts)
			assert.Equal(t, test.acted, result.MayHaveActed, test.script)
			for _, request := range h.Requests() {
				if test.op.Method != http.MethodGet {
					assert.Equal(t, `{"a":1}`, request.Body, "every attempt sends the whole body")
					assert.Empty(t, request.Header.Get("Transfer-Encoding"))
				}
				wantType := map[bool]string{true: "application/json"}[request.Body != ""]
				assert.Equal(t, wantType, request.Header.Get("Content-Type"))
				assert.Equal(t, "application/json", request.Header.Get("Accept"))
			}
			if test.status == 0 {
				failed(t, err)
				if result.Last != nil {
					assert.Equal(t, "Service Unavailable", string(result.Last.Body), "it outlives later attempts")
				}
				return
			}
			require.NoError(t, err)
			assert.Equal(t, test.status, response.Status, test.script)
			assert.Nil(t, result.Partial)
		})
	}
}

// TestSend_statusDecidesIfOutcomeIsOpen checks, by the last status, if a create may have been executed.
func TestSend_statusDecidesIfOutcomeIsOpen(t *testing.T) {
	for code, open := range map[int]bool{
		101: true, 200: false, 302: true, 400: false, 404: false, 408: true, 425: false, 429: false, 499: false,
		500: true, 501: true, 502: true, 503: true, 504: true, 599: true,
	} {
		for _, few := range []int{-1, 0, 1} {
			_, result, err := serve(t, status(code)).send(t.Context(), create, func(c *transport.Call) { c.MaxAttempts = few })
			require.NoError(t, err)
			assert.Equal(t, 1, result.Attempts)
			assert.Equal(t, open, result.Open, "%d", code)
			assert.False(t, result.MayHaveActed, "no attempt was an earlier one")
		}
	}
}

func TestRetryAfter_beyondLimitEndsAtOnce(t *testing.T) {
	for _, test := range []struct {
		header          string
		deadline, waits time.Duration
	}{
		{"60", time.Hour, time.Minute}, {"61", time.Hour, 0}, // The cap is a minute.
		{"30", 20 * time.Second, 0}, {"20", 20 * time.Second, 0}, {"Fri, 31 Dec 2100 23:59:59 GMT", time.Hour, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := serve(t, status(429, "Retry-After", test.header), status(200))
			ctx, cancel := context.WithTimeout(t.Context(), test.deadline)
			defer cancel()
			begin := time.Now()
			response, result, err := h.send(ctx, read)
			require.NoError(t, err)
			assert.Equal(t, test.waits > 0, response.Status == http.StatusOK, test)
			assert.Equal(t, test.waits > 0, result.Attempts == 2, test)
			assert.Equal(t, test.waits, time.Since(begin), test)
		})
	}
}

func TestRetryAfter_cancelInterruptsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serve(t, status(503, "Retry-After", "50"), status(200))
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(3*time.Second, cancel)
		begin := time.Now()
		_, result, err := h.send(ctx, read)
		require.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, transport.Canceled, failed(t, err).Kind)
		assert.Equal(t, 3*time.Second, time.Since(begin))
		time.Sleep(time.Second) // The handler ends.
		require.NotNil(t, result.Last, "the response before the wait is not lost")
		assert.Equal(t, http.StatusServiceUnavailable, result.Last.Status)
	})
}

func TestBackoff_growsUpToMaxDelay(t *testing.T) {
	shortest, longest := slices.Repeat([]time.Duration{time.Hour}, 5), make([]time.Duration, 5)
	for range 200 {
		synctest.Test(t, func(t *testing.T) {
			h := serve(t, status(502, "Retry-After", "0")) // The service does not ask for a wait.
			_, _, err := h.send(t.Context(), read, func(c *transport.Call) { c.MaxAttempts, c.MaxDelay = 6, time.Second/2 })
			require.NoError(t, err)
			for i, wait := range h.Gaps() {
				shortest[i], longest[i] = min(shortest[i], wait), max(longest[i], wait)
			}
		})
	}
	for i, ceiling := range []time.Duration{100, 200, 400, 500, 500} {
		assert.LessOrEqual(t, longest[i], ceiling*time.Millisecond)
		assert.Greater(t, longest[i], ceiling*time.Millisecond/2, "with 200 draws the upper half is met")
		assert.Less(t, shortest[i], ceiling*time.Millisecond/2, "and so is the lower one")
	}
}

func TestRedirects_shareTimeoutOfAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, begin := serve(t, slow(status(http.StatusFound, "Location", "/thing"))), time.Now()
		_, _, err := h.send(t.Context(), read, once, func(c *transport.Call) { c.Timeout = 3 * time.Second })
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, 3*time.Second, time.Since(begin))
		time.Sleep(time.Second) // The handler ends.
		assert.Len(t, h.Requests(), 2)
	})
}

func TestRetryAfter_readsSecondsAndDates(t *testing.T) {
	const tenYears, none = 87600 * time.Hour, -1
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"2": 2 * time.Second, " 3 ": 3 * time.Second, "0": 0, "Fri, 20 Nov 2026 10:00:05 GMT": 5 * time.Second,
		"Fri, 20 Nov 2026 09:00:00 GMT": 0, "Fri, 31 Dec 9999 23:59:59 GMT": tenYears,
		"9223372036854775807": tenYears, "18446744073709551616": tenYears,
		"": none, "-1": none, "soon": none, "1.5": none, "2 3": none, "0x10": none,
	} {
		got, ok := transport.RetryAfter(http.Header{"Retry-After": {text}}, now)
		assert.Equal(t, []any{max(want, 0), want != none}, []any{got, ok}, text)
	}
}

// calls makes calls of up to four attempts each, and returns the attempts, with a ! if the budget was exhausted.
func (h *harness) calls(t *testing.T, n int) string {
	var made []string
	for range n {
		_, result, _ := h.send(t.Context(), read)
		made = append(made, strconv.Itoa(result.Attempts)+map[bool]string{true: "!"}[result.BudgetExhausted])
	}
	return strings.Join(made, " ")
}

func TestBudget_boundsRetries(t *testing.T) {
	for name, test := range map[string]struct {
		capacity    int
		script, own string
	}{
		"a retry costs 5":                    {25, "503", "4 3! 1! 1!"},
		"so does one after 429":              {15, "429after", "4 1!"},
		"a retry of what was lost, 10":       {25, "lost", "3! 1!"},
		"and of what was cut short":          {25, "cut200", "3! 1!"},
		"less than a retry's cost is none":   {4, "503", "1!"},
		"500 by default":                     {0, "503", strings.Repeat("4 ", 33) + "2! 1!"},
		"a success gives 1":                  {5, "503 503 200 200 200 200 200 503", "2! 1 1 1 1 1 2! 1!"},
		"four and a 101 do not make a retry": {5, "503 503 200 200 200 200 101 503", "2! 1 1 1 1 1 1!"},
		"a response is a success":            {5, "503 503 404 404 404 404 404 503", "2! 1 1 1 1 1 2! 1!"},
		"a 501 is none":                      {5, "503 503 501 501 501 501 501 503", "2! 1 1 1 1 1 1!"},
		"a successful retry gives its cost back": {10, "503 200 lost 200 503 200 lost 200 lost",
			"2 2 2 2 2! 1!"},
		"but not those before it":  {10, "503 503 200 503", "3 2! 1!"},
		"never above the capacity": {10, strings.Repeat("200 ", 30) + "503", strings.Repeat("1 ", 30) + "3! 1!"},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := serve(t, script(test.script)...)
			h.config.Budget = test.capacity
			assert.Equal(t, test.own, h.calls(t, len(strings.Fields(test.own))), name)
		})
	}
}

// TestBudget_isForAttemptsThatAreDue: calls without retries and exempt calls neither take from it nor fill it.
func TestBudget_isForAttemptsThatAreDue(t *testing.T) {
	plain, exempt := func(*transport.Call) {}, func(c *transport.Call) { c.NoBudget = true }
	synctest.Test(t, func(t *testing.T) {
		h := serve(t, script(strings.Repeat("503 ", 14)+"200 200 200 200 200 503")...)
		h.config.Budget = 5
		for i, test := range []struct {
			op       *api.Operation
			change   func(*transport.Call)
			attempts int
			spent    bool
		}{
			{create, exempt, 1, false}, {create, plain, 1, false}, {read, once, 1, false}, {read, exempt, 4, false},
			{read, plain, 2, true}, {read, plain, 1, true}, {read, exempt, 4, false}, {read, exempt, 1, false},
			{read, exempt, 1, false}, {read, exempt, 1, false}, {read, exempt, 1, false}, {read, exempt, 1, false},
			{read, plain, 1, true},
		} {
			_, result, err := h.send(t.Context(), test.op, test.change)
			require.NoError(t, err)
			assert.Equal(t, []any{test.attempts, test.spent}, []any{result.Attempts, result.BudgetExhausted}, i)
		}
	})
}

// asking is a handler that asks for the context of the call.
type asking struct{ slog.Handler }

func (a asking) Enabled(ctx context.Context, level slog.Level) bool {
	return ctx.Done() != nil && a.Handler.Enabled(ctx, level)
}

// TestLogs_nameOperationWithoutSecrets has each line whole.
func TestLogs_nameOperationWithoutSecrets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serve(t,
			slow(status(502, "X-Request-Id", "r-1", "Retry-After", "3")), hangUp, // A retry of each: 5 and 10.
			status(503, "X-Request-Id", key), // There is no budget for another attempt.
			status(404))
		h.config.Budget = 16
		h.config.Logger = slog.New(asking{slog.NewTextHandler(&h.log, &slog.HandlerOptions{Level: slog.LevelDebug})})
		atOnce := func(c *transport.Call) { c.BaseDelay = 0 } // A backoff that is drawn has no certain text.
		for range 2 {
			_, _, _ = h.send(t.Context(), read, atOnce)
		}
		const call = "operation=readThing method=GET path=/thing "
		assert.Equal(t, []string{
			`level=DEBUG msg="rpcfleet request" ` + call + "attempt=1 duration=2s status=502 request_id=r-1 retry_in=3s",
			`level=DEBUG msg="rpcfleet request" ` + call + `attempt=2 duration=0s failure="connection failed" retry_in=0s`,
			`level=DEBUG msg="rpcfleet request" ` + call +
				"attempt=3 duration=0s status=503 request_id=[redacted]",
			`level=WARN msg="rpcfleet gave up retrying" ` + call +
				`attempts=3 duration=5s status=503 request_id=[redacted] reason="retry budget exhausted"`,
			`level=DEBUG msg="rpcfleet request" ` + call + "attempt=1 duration=0s status=404",
		}, strings.Split(h.logged(), "\n"))
		for _, secret := range []string{key, "made-up-bearer", "secret-id", "127.0.0.1"} {
			assert.NotContains(t, h.log.String(), secret)
		}
	})
}

// TestLogs_stateReasonForGivingUp is in the log if another attempt would have been safe, with the status and the
// headers of the last response.
func TestLogs_stateReasonForGivingUp(t *testing.T) {
	after := func(seconds string) []responder { return []responder{status(503, "Retry-After", seconds)} }
	for name, test := range map[string]struct {
		attempts int
		script   []responder
		want     string
	}{
		"one attempt":  {1, script("502"), ""},
		"two attempts": {2, script("502"), `attempts=2 duration=0s status=502 reason="no attempts left"`},
		"lost after a response": {2, []responder{status(502, "X-Request-Id", "r-1"), hangUp},
			`attempts=2 duration=0s failure="connection failed" request_id=r-1 reason="no attempts left"`},
		"lost before any": {2, script("lost"),
			`attempts=2 duration=0s failure="connection failed" reason="no attempts left"`},
		"too long a wait": {2, after("61"),
			`attempts=1 duration=0s status=503 reason="Retry-After is longer than the policy allows" retry_after=1m1s`},
		"before the end": {2, after("40"),
			`attempts=1 duration=0s status=503 reason="the deadline comes before the next attempt" retry_after=40s`},
		"a refusal cut short": {2, script("502 cut429"),
			`attempts=2 duration=0s status=429 failure="response cut short" reason="no attempts left"`},
		"canceled": {2, script("502 silent"), ""}, "nothing to repeat": {2, script("501"), ""},
		"the deadline has passed": {2, script("502 silent"), ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := serve(t, test.script...)
			h.config.Logger = slog.New(slog.NewTextHandler(&h.log, nil))
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			if name == "canceled" {
				time.AfterFunc(time.Second, cancel)
			}
			_, _, _ = h.send(ctx, read, func(c *transport.Call) { c.MaxAttempts, c.BaseDelay = test.attempts, 0 })
			if test.want != "" {
				test.want = `level=WARN msg="rpcfleet gave up retrying" operation=readThing method=GET path=/thing ` + test.want
			}
			assert.Equal(t, test.want, h.logged(), name)
		})
	}
}

// logged returns the log without its times.
func (h *harness) logged() string {
	return regexp.MustCompile(`time=\S+ `).ReplaceAllString(strings.TrimSpace(h.log.String()), "")
}
