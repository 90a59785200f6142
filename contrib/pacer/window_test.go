package pacer

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go"
)

// TestWindow_learnsFromResponses gives responses to a window that is known to end in 30 seconds with 5 of 8 requests
// left, and to an unknown window.
func TestWindow_learnsFromResponses(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	at := func(after time.Duration) time.Time { return now.Add(after) }
	const second = time.Second
	for name, test := range map[string]struct {
		known         bool
		told          [2]int // The limit and the remaining requests.
		end, date     time.Duration
		limit, remain int
		reset         time.Duration // From now on.
	}{
		"the first":                          {false, [2]int{8, 7}, 20 * second, 0, 8, 7, 20 * second},
		"the first, and over":                {false, [2]int{8, 7}, -20 * second, 0, 8, 7, -20 * second},
		"the first, by its own clock":        {false, [2]int{8, 7}, 20 * second, -2*second - 1, 8, 7, 22*second + 1},
		"the first, two seconds under way":   {false, [2]int{8, 7}, 20 * second, -2 * second, 8, 7, 20 * second},
		"the first, a moment ahead":          {false, [2]int{8, 7}, 20 * second, 1, 8, 7, 20*second - 1},
		"the first, over for an hour":        {false, [2]int{8, 7}, -time.Hour, 0, 8, 7, -time.Hour},
		"over for more than that":            {false, [2]int{8, 7}, -time.Hour - 1, 0, 0, 0, 0},
		"longer than a window, just so":      {false, [2]int{8, 7}, 65 * second, 0, 8, 7, time.Minute},
		"longer than that":                   {false, [2]int{8, 7}, 65*second + 1, 0, 0, 0, 0},
		"without a reset":                    {true, [2]int{8, 7}, none, 0, 8, 5, 30 * second},
		"the same, less left":                {true, [2]int{8, 4}, 30 * second, 0, 8, 4, 30 * second},
		"the same, more left":                {true, [2]int{8, 6}, 30 * second, 0, 8, 5, 30 * second},
		"the same, another limit":            {true, [2]int{9, 5}, 30 * second, 0, 9, 5, 30 * second},
		"the same, and nearer than thought":  {true, [2]int{8, 5}, 30 * second, 9 * second, 8, 5, 21 * second},
		"the same, and farther":              {true, [2]int{8, 5}, 30 * second, -9 * second, 8, 5, 30 * second},
		"the next":                           {true, [2]int{8, 8}, 31 * second, 0, 8, 8, 31 * second},
		"the next, by its number, and over":  {true, [2]int{8, 8}, 31 * second, 40 * second, 8, 5, 30 * second},
		"an earlier one":                     {true, [2]int{8, 1}, second, 0, 8, 5, 30 * second},
		"earlier by all that may be":         {true, [2]int{8, 1}, -35 * second, -40 * second, 8, 5, 30 * second},
		"earlier still, the clock went back": {true, [2]int{8, 1}, -35*second - 1, -40 * second, 8, 1, 5*second - 1},
		"earlier still, and at its end":      {true, [2]int{8, 1}, -40 * second, -40 * second, 8, 5, 30 * second},
		"earlier still, in one moment":       {true, [2]int{8, 1}, -40*second + 1, -40 * second, 8, 1, 1},
	} {
		w := window{length: time.Minute}
		if test.known {
			w.limit, w.remaining, w.id, w.reset = 8, 5, at(30*second), at(30*second)
		}
		told := rpcfleet.RateLimitWindow{Limit: test.told[0], Remaining: test.told[1]}
		if test.end != none {
			told.Reset = at(test.end)
		}
		w.learn(told, at(test.date), now)
		assert.Equal(t, []int{test.limit, test.remain}, []int{w.limit, w.remaining}, name)
		if test.limit > 0 {
			assert.Equal(t, test.reset, w.reset.Sub(now), name)
		}
		w.learn(rpcfleet.RateLimitWindow{}, now, now)
		assert.Equal(t, test.limit > 0 && test.end != none, w.limit > 0, "what was mentioned is not forgotten yet")
	}
}

const none = 1 << 62 // No reset.

// TestWindow_spreadsLastQuarter spreads the last quarter.
func TestWindow_spreadsLastQuarter(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	w := window{length: time.Minute, limit: 8, remaining: 4, id: now.Add(30 * time.Second),
		reset: now.Add(30 * time.Second)}
	assert.Zero(t, w.wait(now))
	w.take(now)
	assert.Zero(t, w.wait(now), "three are more than a quarter")
	w.take(now)
	assert.Equal(t, 10*time.Second, w.wait(now), "in thirds: two are left, and the end")
	w.take(now.Add(10 * time.Second))
	assert.Equal(t, 10*time.Second, w.wait(now.Add(10*time.Second)))
	w.take(now.Add(20 * time.Second))
	assert.Equal(t, 10*time.Second, w.wait(now.Add(20*time.Second)), "none is left")
	assert.Zero(t, w.wait(now.Add(30*time.Second)), "and here is the next window")
	assert.Equal(t, 8, w.remaining)
	assert.Equal(t, now.Add(90*time.Second), w.reset)
}
