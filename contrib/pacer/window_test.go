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
	says := func(limit, remaining int, reset time.Time) *rpcfleet.RateLimitWindow {
		return &rpcfleet.RateLimitWindow{Limit: limit, Remaining: remaining, Reset: reset}
	}
	const second = time.Second
	for name, test := range map[string]struct {
		known  bool
		told   *rpcfleet.RateLimitWindow
		date   time.Time
		limit  int
		remain int
		reset  time.Duration // From now on.
	}{
		"the first":                         {false, says(8, 7, at(20*second)), now, 8, 7, 20 * second},
		"the first, and over":               {false, says(8, 7, at(-20*second)), now, 8, 7, -20 * second},
		"the first, over for an hour":       {false, says(8, 7, at(-time.Hour)), now, 8, 7, -time.Hour},
		"over for more than that":           {false, says(8, 7, at(-time.Hour-1)), now, 0, 0, 0},
		"longer than a window, just so":     {false, says(8, 7, at(65*second)), now, 8, 7, time.Minute},
		"longer than that":                  {false, says(8, 7, at(65*second+1)), now, 0, 0, 0},
		"without a reset":                   {true, says(8, 7, time.Time{}), now, 8, 5, 30 * second},
		"the same, less left":               {true, says(8, 4, at(30*second)), now, 8, 4, 30 * second},
		"the same, more left":               {true, says(8, 6, at(30*second)), now, 8, 5, 30 * second},
		"the same, another limit":           {true, says(9, 5, at(30*second)), now, 9, 5, 30 * second},
		"the same, and nearer than thought": {true, says(8, 5, at(30*second)), at(9 * second), 8, 5, 21 * second},
		"the same, and farther":             {true, says(8, 5, at(30*second)), at(-9 * second), 8, 5, 30 * second},
		"the next":                          {true, says(8, 8, at(31*second)), now, 8, 8, 31 * second},
		"the next, by its number, and over": {true, says(8, 8, at(31*second)), at(40 * second), 8, 5, 30 * second},
		"an earlier one":                    {true, says(8, 1, at(second)), now, 8, 5, 30 * second},
		"earlier by all that may be":        {true, says(8, 1, at(-35*second)), at(-40 * second), 8, 5, 30 * second},
		"earlier still, the clock went back": {true, says(8, 1, at(-35*second-1)), at(-40 * second), 8, 1,
			5*second - 1},
		"earlier still, and at its end": {true, says(8, 1, at(-40*second)), at(-40 * second), 8, 5, 30 * second},
		"earlier still, in one moment":  {true, says(8, 1, at(-40*second+1)), at(-40 * second), 8, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := window{length: time.Minute}
			if test.known {
				w.limit, w.remaining, w.id, w.reset = 8, 5, at(30*second), at(30*second)
			}
			w.learn(test.told, test.date, now)
			assert.Equal(t, test.limit, w.limit)
			assert.Equal(t, test.remain, w.remaining)
			if test.limit > 0 {
				assert.Equal(t, test.reset, w.reset.Sub(now))
			}
			w.learn(nil, now, now)
			told := test.limit > 0 && !test.told.Reset.IsZero()
			assert.Equal(t, told, w.limit > 0, "what was mentioned in this window is not forgotten in it")
		})
	}
}

// TestWindow_timeLeftByEitherClock is computed by this machine's clock, or by the service's clock if they differ.
func TestWindow_timeLeftByEitherClock(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	w := rpcfleet.RateLimitWindow{Reset: now.Add(time.Minute)}
	for late, want := range map[time.Duration]time.Duration{
		-time.Second: 59 * time.Second, -1: time.Minute - 1, 0: time.Minute, 1: time.Minute, 2 * time.Second: time.Minute,
		2*time.Second + 1: 62*time.Second + 1, time.Hour: 61 * time.Minute,
	} {
		assert.Equal(t, want, left(&w, now.Add(-late), now), "%v late", late)
	}
	assert.Equal(t, time.Minute, left(&w, time.Time{}, now), "without a date")
}

func TestAdaptive_hasSecondAndMinuteWindows(t *testing.T) {
	var p Adaptive
	p.init()
	assert.Equal(t, [2]window{{length: time.Second}, {length: time.Minute}}, p.windows)
}

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
