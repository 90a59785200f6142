package rpcfleet

import (
	"fmt"
	"time"
)

// FollowError is the end of Follow, or of the log of one endpoint: see [FollowOptions.GoOnWithout].
type FollowError struct {
	// EndpointID is the endpoint whose log failed. It is empty where the following of all ended, as with the context.
	EndpointID string
	// Checkpoint is where to follow on: the entries that were delivered are done, and nothing else is.
	Checkpoint Checkpoint
	// From is where to follow on without the checkpoint: every entry that the log, or the logs, had for the time before
	// it was delivered. Entries from then on can come once more.
	From time.Time
	// Err is what ended it: the context's error, or that of a call.
	Err error
}

// Error says why following ended.
func (e *FollowError) Error() string {
	of := ""
	if e.EndpointID != "" {
		of = fmt.Sprintf(" of endpoint %q", shown(e.EndpointID))
	}
	return fmt.Sprintf("rpcfleet: following the log%s ended, to go on from %s: %v", of, e.From.UTC().Format(time.RFC3339Nano), e.Err)
}

// Unwrap returns what ended it.
func (e *FollowError) Unwrap() error { return e.Err }
