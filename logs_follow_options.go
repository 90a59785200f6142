package rpcfleet

import (
	"cmp"
	"fmt"
	"time"
)

// FollowOptions says where Follow begins and how it goes about it. A zero field has the default that its comment names.
type FollowOptions struct {
	// From is where to begin with the endpoints that the checkpoint does not know: entries from that time on come. It
	// is required, unless the checkpoint knows them all.
	From time.Time
	// Checkpoint is where to go on: that of an entry or of a [FollowError] of an earlier Follow, also one of another
	// process. What it knows of endpoints that are not followed any more is left out of further checkpoints.
	Checkpoint Checkpoint
	// MinInterval and MaxInterval bound the interval between two readings of a log: 2 seconds and 30 seconds. The
	// interval doubles with every reading that brings nothing new and returns to the least when entries arrive. The
	// wait itself is drawn evenly from the upper half of the interval, so that many followers do not fall into step.
	MinInterval, MaxInterval time.Duration
	// LateWindow is how long after its timestamp an entry may still turn up in the log and be delivered: 30 seconds. It
	// has to cover the difference between the clocks of the service and of this machine as well. Every reading begins
	// that much before the one before it, and that time's entries are remembered: a long window makes the readings and
	// the checkpoints of a busy log long.
	LateWindow time.Duration
	// IncludeDetails asks for the request and the response of each call.
	IncludeDetails bool
	// PageLimit is the number of entries on a page at most: that of [WithPageSize], of which logs take 100 at most.
	PageLimit int
	// MaxFailures is the number of failures of an endpoint's log in a row, each after the client's own retries and
	// without a new entry in between, of which the last ends the following of that log: 10.
	MaxFailures int
	// Parallel is the number of pages, each of another endpoint, that are asked for at the same time at most, and kept
	// while the loop works: 4. With [CaptureResponse] it is 1, whatever is set here.
	Parallel int
	// MaxRemembered bounds the memory, which is one for all endpoints: the number of entries that are remembered at
	// most, 250,000. Those are the entries of the late window and of the interval before the present reading; each
	// takes some 60 bytes of memory, and 11 of the text of a checkpoint. Where there are more, Follow ends with
	// [ErrFollowMemory], since it could deliver entries twice: a shorter LateWindow or a larger MaxRemembered helps.
	MaxRemembered int
	// GoOnWithout is called where the log of one endpoint can no longer be followed, because the endpoint was deleted
	// or access to it revoked, and reports whether to go on with the others. Without it, the first such failure ends
	// the loop. The endpoint keeps its place in the checkpoints that follow, so that a later Follow attempts it again.
	// The failure of the last endpoint that is left ends the loop in any case.
	GoOnWithout func(failure *FollowError) bool
}

func (o FollowOptions) withDefaults() FollowOptions {
	o.MinInterval = cmp.Or(o.MinInterval, 2*time.Second)
	o.MaxInterval = cmp.Or(o.MaxInterval, max(30*time.Second, o.MinInterval))
	o.LateWindow = cmp.Or(o.LateWindow, 30*time.Second)
	o.MaxFailures = cmp.Or(o.MaxFailures, 10)
	o.Parallel = cmp.Or(o.Parallel, 4)
	o.MaxRemembered = cmp.Or(o.MaxRemembered, 250_000)
	return o
}

// check is not about rules of the service, so that WithoutValidation has no say in it.
func (o FollowOptions) check() *ValidationError {
	for _, bound := range []struct {
		field string
		sign  int64
		value any
	}{
		{"MinInterval", int64(o.MinInterval), o.MinInterval},
		{"MaxInterval", int64(o.MaxInterval), o.MaxInterval},
		{"LateWindow", int64(o.LateWindow), o.LateWindow},
		{"PageLimit", int64(o.PageLimit), o.PageLimit},
		{"MaxFailures", int64(o.MaxFailures), o.MaxFailures},
		{"Parallel", int64(o.Parallel), o.Parallel},
		{"MaxRemembered", int64(o.MaxRemembered), o.MaxRemembered},
	} {
		if bound.sign < 0 {
			return &ValidationError{Field: bound.field, Rule: "must not be negative", Value: bound.value}
		}
	}
	if o.MaxInterval < o.MinInterval {
		return &ValidationError{Field: "MaxInterval", Rule: "must not be below MinInterval", Value: o.MaxInterval}
	}
	return nil
}

// places returns where the following of each endpoint begins.
func (o FollowOptions) places(ids []string) ([]place, *ValidationError) {
	known := map[string]place{}
	for _, p := range o.Checkpoint.places {
		known[p.endpoint] = p
	}
	places, given := make([]place, 0, len(ids)), map[string]bool{}
	for i, id := range ids {
		if given[id] {
			return nil, &ValidationError{Field: fmt.Sprintf("ids[%d]", i), Rule: "must not be there twice", Value: id}
		}
		given[id] = true
		at, found := known[id]
		if !found {
			if broken := requiredTime("From", o.From); broken != nil {
				return nil, broken
			}
			if year := o.From.UTC().Year(); year < 1 || year > 9999 {
				return nil, &ValidationError{Field: "From", Rule: "must be in the years 1 to 9999", Value: year}
			}
			at = place{endpoint: id, from: o.From.UTC()}
		}
		places = append(places, at)
	}
	return places, nil
}
