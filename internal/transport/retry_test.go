package transport_test

import (
	"context"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

func TestSend_retriesByOperationAndStatus(t *testing.T) {
	ok := status(http.StatusOK)
	for name, test := range map[string]struct {
		op       *api.Operation
		script   []responder
		requests int
		status   int // 0: a failure
		acted    bool
	}{
		"a read that works":                    {read, []responder{ok}, 1, 200, false},
		"a read, 502 twice":                    {read, []responder{status(502), status(502), ok}, 3, 200, true},
		"a read, every retryable status":       {read, []responder{status(500), status(503), status(504), ok}, 4, 200, true},
		"a read, 429":                          {read, []responder{status(429), ok}, 2, 200, false},
		"a read, response cut short":           {read, []responder{cutShort(200), ok}, 2, 200, true},
		"a read, never well":                   {read, []responder{status(502)}, 4, 502, true},
		"a read, responses cut short for good": {read, []responder{cutShort(200)}, 4, 0, true},
		"a read, no response in time":          {read, []responder{silence, ok}, 2, 200, true},
		"a read, no end of the body in time":   {read, []responder{stalls(200), ok}, 2, 200, true},
		"a create, 502":                        {create, []responder{status(502), ok}, 1, 502, false},
		"a create, 429":                        {create, []responder{status(429), ok}, 2, 200, false},
		"a set, 408 and 425":                   {set, []responder{status(408), status(425), ok}, 3, 200, true},
		"a read, 404 cut short":                {read, []responder{cutShort(404), ok}, 1, 404, false},
		"a read, no end of a 404 in time":      {read, []responder{stalls(404), ok}, 1, 404, false},
		"a create, 400 cut short":              {create, []responder{cutShort(400), ok}, 1, 400, false},
		"a create, 429 cut short":              {create, []responder{cutShort(429), ok}, 2, 200, false},
		"a set, 408 and 425 cut short":         {set, []responder{cutShort(408), cutShort(425), ok}, 3, 200, true},
		"a set, 425 cut short for good":        {set, []responder{cutShort(425)}, 4, 0, true},
		"a 503 before the connection is lost":  {read, []responder{status(502), status(503), hangUp}, 4, 0, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := serve(t, test.script...)
			response, result, err := h.send(t.Context(), test.op, func(c *transport.Call) { c.Timeout = 10 * time.Second })
			assert.Len(t, h.seen, test.requests, name)
			assert.Equal(t, test.requests, result.Attempts)
			assert.Equal(t, test.acted, result.MayHaveActed, name)
			for _, request := range h.seen {
				if test.op.Method != http.MethodGet {
					assert.Equal(t, `{"a":1}`, request.body, "every attempt sends the whole body")
					assert.Empty(t, request.header.Get("Transfer-Encoding"))
				}
				wantType := map[bool]string{true: "application/json"}[request.body != ""]
				assert.Equal(t, wantType, request.header.Get("Content-Type"))
				assert.Equal(t, "application/json", request.header.Get("Accept"))
			}
			if test.status == 0 {
				failed(t, err)
				if result.Last != nil {
					assert.Equal(t, "Service Unavailable", string(result.Last.Body), "it outlives later attempts")
				}
				return
			}
			require.NoError(t, err)
			assert.Equal(t, test.status, response.Status, name)
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
		synctest.Test(t, func(t *testing.T) {
			for _, few := range []int{-1, 0, 1} {
				_, result, err := serve(t, status(code)).send(t.Context(), create,
					func(c *transport.Call) { c.MaxAttempts = few })
				require.NoError(t, err)
				assert.Equal(t, 1, result.Attempts)
				assert.Equal(t, open, result.Open, "%d", code)
				assert.False(t, result.MayHaveActed, "no attempt was an earlier one")
			}
		})
	}
}

func TestRetryAfter_beyondLimitEndsAtOnce(t *testing.T) {
	for name, test := range map[string]struct {
		header   string
		deadline time.Duration
		waits    time.Duration
	}{
		"exactly the cap":              {"60", time.Hour, time.Minute},
		"beyond the cap":               {"61", time.Hour, 0},
		"beyond the context's end":     {"30", 20 * time.Second, 0},
		"a date beyond the cap":        {"Fri, 31 Dec 2100 23:59:59 GMT", time.Hour, 0},
		"exactly at the context's end": {"20", 20 * time.Second, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := serve(t, status(429, "Retry-After", test.header), status(200))
			ctx, cancel := context.WithTimeout(t.Context(), test.deadline)
			defer cancel()
			begin := time.Now()
			response, result, err := h.send(ctx, read)
			require.NoError(t, err)
			assert.Equal(t, test.waits > 0, response.Status == http.StatusOK, name)
			assert.Equal(t, test.waits > 0, result.Attempts == 2, name)
			assert.Equal(t, test.waits, time.Since(begin), name)
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
			for i := range longest {
				wait := h.seen[i+1].at.Sub(h.seen[i].at)
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
		slowly := func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-time.After(6 * time.Second):
				status(http.StatusFound, "Location", "/thing")(w, r)
			case <-r.Context().Done():
			}
		}
		h := serve(t, slowly)
		begin := time.Now()
		_, _, err := h.send(t.Context(), read, func(c *transport.Call) { c.Timeout, c.MaxAttempts = 10*time.Second, 1 })
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, 10*time.Second, time.Since(begin))
		synctest.Wait() // The handler has ended.
		assert.Len(t, h.seen, 2)
	})
}

func TestRetryAfter_readsSecondsAndDates(t *testing.T) {
	const tenYears = 87600 * time.Hour
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"2": 2 * time.Second, " 3 ": 3 * time.Second, "0": 0,
		"Fri, 20 Nov 2026 10:00:05 GMT": 5 * time.Second,
		"Fri, 20 Nov 2026 09:00:00 GMT": 0,
		"Fri, 31 Dec 9999 23:59:59 GMT": tenYears,
		"9223372036854775807":           tenYears,
		"18446744073709551616":          tenYears,
	} {
		got, ok := transport.RetryAfter(http.Header{"Retry-After": {text}}, now)
		assert.True(t, ok, text)
		assert.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "-1", "soon", "1.5", "2 3", "0x10"} {
		_, ok := transport.RetryAfter(http.Header{"Retry-After": {text}}, now)
		assert.False(t, ok, text)
	}
}

func limited(t *testing.T, capacity int, script ...responder) *harness {
	h := serve(t, script...)
	h.config.Budget = capacity
	return h
}

func TestBudget_boundsRetries(t *testing.T) {
	for name, test := range map[string]struct {
		capacity int
		script   []responder
		attempts []int // Of calls one after another, of up to four attempts each.
		spent    []bool
	}{
		"a retry costs 5":                  {25, []responder{status(503)}, []int{4, 3, 1, 1}, []bool{false, true, true, true}},
		"so does one after 429":            {15, []responder{status(429, "Retry-After", "1")}, []int{4, 1}, []bool{false, true}},
		"a retry of what was lost, 10":     {25, []responder{hangUp}, []int{3, 1}, []bool{true, true}},
		"and of what was cut short":        {25, []responder{cutShort(200)}, []int{3, 1}, []bool{true, true}},
		"less than a retry's cost is none": {4, []responder{status(503)}, []int{1}, []bool{true}},
		"500 by default": {0, []responder{status(503)}, repeat(33, 4, 2, 1),
			append(repeat(33, false), true, true)},
		"none": {-1, []responder{status(503)}, repeat(40, 4), repeat(40, false)},
		"a success gives 1": {5,
			append(append([]responder{status(503), status(503)}, repeat(5, status(200))...), status(503)),
			[]int{2, 1, 1, 1, 1, 1, 2, 1}, []bool{true, false, false, false, false, false, true, true}},
		"four and a 101 do not make a retry": {5,
			append(append([]responder{status(503), status(503)}, repeat(4, status(200))...), status(101), status(503)),
			[]int{2, 1, 1, 1, 1, 1, 1}, []bool{true, false, false, false, false, false, true}},
		"what the service has responded to is a success": {5,
			append(append([]responder{status(503), status(503)}, repeat(5, status(404))...), status(503)),
			[]int{2, 1, 1, 1, 1, 1, 2, 1}, []bool{true, false, false, false, false, false, true, true}},
		"a 501 is none": {5, append(append([]responder{status(503), status(503)}, repeat(5, status(501))...), status(503)),
			[]int{2, 1, 1, 1, 1, 1, 1}, []bool{true, false, false, false, false, false, true}},
		"a successful retry gives its cost back": {10, []responder{
			status(503), status(200), hangUp, status(200), status(503), status(200), hangUp, status(200), hangUp,
		}, []int{2, 2, 2, 2, 2, 1}, []bool{false, false, false, false, true, true}},
		"but not those before it": {10, []responder{status(503), status(503), status(200), status(503)},
			[]int{3, 2, 1}, []bool{false, true, true}},
		"never above the capacity": {10, append(repeat(30, status(200)), status(503)),
			append(repeat(30, 1), 3, 1), append(repeat(30, false), true, true)},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := limited(t, test.capacity, test.script...)
			var attempts []int
			var spent []bool
			for range test.attempts {
				_, result, _ := h.send(t.Context(), read)
				attempts, spent = append(attempts, result.Attempts), append(spent, result.BudgetExhausted)
			}
			assert.Equal(t, test.attempts, attempts, name)
			assert.Equal(t, test.spent, spent, name)
		})
	}
}

func repeat[T any](n int, value T, rest ...T) []T {
	var list []T
	for range n {
		list = append(list, value)
	}
	return append(list, rest...)
}

// TestBudget_isForAttemptsThatAreDue: calls without retries and exempt calls neither take from it nor fill it.
func TestBudget_isForAttemptsThatAreDue(t *testing.T) {
	plain, exempt := func(*transport.Call) {}, func(c *transport.Call) { c.NoBudget = true }
	synctest.Test(t, func(t *testing.T) {
		h := limited(t, 5, repeat(14, status(503), repeat(5, status(200), status(503))...)...)
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
			assert.Equal(t, test.attempts, result.Attempts, i)
			assert.Equal(t, test.spent, result.BudgetExhausted, i)
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
