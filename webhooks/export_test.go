package webhooks

import "time"

// NewMemoryStore returns the store of a Receiver without another one.
func NewMemoryStore(limit int) DedupStore { return newMemoryStore(limit, time.Now) }
