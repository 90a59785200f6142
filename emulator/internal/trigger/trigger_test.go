package trigger_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/trigger"
)

// fired returns which of the first n events are picked, from 1.
func fired(t *trigger.Trigger, n int) (events []int) {
	for i := 1; i <= n; i++ {
		if t.Fires() {
			events = append(events, i)
		}
	}
	return events
}

func TestFires(t *testing.T) {
	for name, c := range map[string]struct {
		trigger trigger.Trigger
		want    []int
	}{
		"always":                  {trigger.Trigger{}, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}},
		"certain":                 {trigger.Trigger{Probability: 1}, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}},
		"the first two":           {trigger.Trigger{Times: 2}, []int{1, 2}},
		"after six":               {trigger.Trigger{After: 6}, []int{7, 8, 9}},
		"the third":               {trigger.Trigger{After: 2, Times: 1}, []int{3}},
		"every":                   {trigger.Trigger{Every: 1}, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}},
		"every third":             {trigger.Trigger{Every: 3}, []int{3, 6, 9}},
		"two of each second":      {trigger.Trigger{After: 1, Every: 2, Times: 2}, []int{3, 5}},
		"times counts what fires": {trigger.Trigger{Probability: 0.5, Seed: 1, Times: 9}, fired(&trigger.Trigger{Probability: 0.5, Seed: 1}, 9)},
	} {
		assert.Equal(t, c.want, fired(&c.trigger, 9), name)
	}
}

func TestProbability(t *testing.T) {
	one := fired(&trigger.Trigger{Probability: 0.25, Seed: 7}, 4000)
	assert.InDelta(t, 1000, len(one), 100)
	assert.Equal(t, one, fired(&trigger.Trigger{Probability: 0.25, Seed: 7}, 4000), "a seed says all")
	assert.NotEqual(t, one, fired(&trigger.Trigger{Probability: 0.25, Seed: 8}, 4000))
}

func TestGiveBack(t *testing.T) {
	once := &trigger.Trigger{Times: 1}
	assert.True(t, once.Fires())
	once.GiveBack()
	assert.Equal(t, 0, once.Fired())
	assert.Equal(t, []int{1}, fired(once, 3))
	assert.Equal(t, 1, once.Fired())
}
