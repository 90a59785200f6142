package emulator_test

import (
	"sync"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// clock is a time that a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: start} }

func (c *clock) option() emulator.Option {
	return emulator.WithClock(func() time.Time {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.now
	})
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
