package fleetprometheus

import (
	"sync"

	"github.com/rpcfleet/rpcfleet-go"
)

// operations holds the names that become labels.
type operations struct {
	mu    sync.Mutex
	known map[string]bool
	left  int // Remaining names of the caller's own operations.
}

func newOperations(own int) *operations {
	o := &operations{known: map[string]bool{}, left: own}
	for _, op := range rpcfleet.Operations() {
		o.known[op.ID] = true
	}
	return o
}

// label returns the label of an operation, by its id.
func (o *operations) label(id string) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.known[id] {
		if o.left <= 0 {
			return "other"
		}
		o.left--
		o.known[id] = true
	}
	return id
}
