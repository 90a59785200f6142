package transport_test

import (
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// limited starts a harness with a client that has a budget.
func limited(t *testing.T, capacity int, script ...responder) *harness {
	h := serve(t, script...)
	h.config.Budget = capacity
	h.Transport = transport.New(h.config)
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
		"and of what was cut short":        {25, []responder{cutShort}, []int{3, 1}, []bool{true, true}},
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

// repeat returns a value n times, and the values that follow.
func repeat[T any](n int, value T, rest ...T) []T {
	var list []T
	for range n {
		list = append(list, value)
	}
	return append(list, rest...)
}

func TestBudget_exemptCallRetriesWhenExhausted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := limited(t, 5, append(repeat(6, status(503)), status(200), status(503))...)
		_, result, err := h.send(t.Context(), read)
		require.NoError(t, err)
		assert.True(t, result.BudgetExhausted)
		assert.Contains(t, h.log.String(), "retry_budget_exhausted=true")
		exempt := func(c *transport.Call) { c.NoBudget = true }
		_, result, err = h.send(t.Context(), read, exempt)
		require.NoError(t, err)
		assert.Equal(t, 4, result.Attempts)
		assert.False(t, result.BudgetExhausted)
		response, _, err := h.send(t.Context(), read, exempt)
		require.NoError(t, err)
		assert.Equal(t, http.StatusOK, response.Status)
		_, result, err = h.send(t.Context(), read)
		require.NoError(t, err)
		assert.Equal(t, 1, result.Attempts, "nor does it fill the budget")
	})
}

// TestBudget_unretriedCallsCostNothing: the budget is for attempts that are due.
func TestBudget_unretriedCallsCostNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := limited(t, 5, status(503))
		for range 3 {
			_, created, err := h.send(t.Context(), create)
			require.NoError(t, err)
			_, last, err := h.send(t.Context(), read, once)
			require.NoError(t, err)
			assert.False(t, created.BudgetExhausted || last.BudgetExhausted)
		}
		_, result, err := h.send(t.Context(), read)
		require.NoError(t, err)
		assert.Equal(t, 2, result.Attempts, "the budget is still full")
	})
}
