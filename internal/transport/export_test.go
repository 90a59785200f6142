package transport

import (
	"testing"
	"time"
)

// HoldForLong lets connections be held back for a minute in a test that does not run beside others.
func HoldForLong(t *testing.T) {
	usualPatience, usualHold := patience, maxHold
	t.Cleanup(func() { patience, maxHold = usualPatience, usualHold })
	patience, maxHold = time.Minute, time.Minute
}
