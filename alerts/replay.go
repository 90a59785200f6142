package alerts

import (
	"context"
	"errors"
	"time"
)

// ReplayMemory remembers deliveries, so that each is carried out once. A Receiver claims a delivery before it runs its
// callback, and settles it after that. Receivers that share a memory carry a delivery out once over all of them: see
// [WithReplayMemory]. [LocalReplayMemory] is the one of a Receiver that is given none. A ReplayMemory is used
// concurrently. Package replaytest tests one.
type ReplayMemory interface {
	// Claim asks whether a delivery may be carried out, which is granted to one that is not known. What is granted is
	// under way until it is settled, or until its lease is over: whoever claims it then is granted it. What is settled
	// is remembered for at least the time to keep it. An error means that nobody knows, and nothing was granted.
	Claim(ctx context.Context, delivery Identity, keep time.Duration) (Claim, error)

	// Settle ends a claim that was granted, as CarriedOut, Unwanted or Failed, which forgets the delivery. The error
	// matches ErrClaimLost if the delivery has been granted to another claim since. As long as that has not happened,
	// Settle succeeds after the end of the lease, and after the memory has lost the claim, as well.
	Settle(ctx context.Context, claim Claim, outcome Standing) error
}

// ErrClaimLost matches the error of settling a claim after its delivery has been granted to another one.
var ErrClaimLost = errors.New("alerts: the delivery was granted to another claim")

// Claim is what a ReplayMemory says about a delivery.
type Claim struct {
	// Delivery is what was claimed, and Keep for how long it is remembered.
	Delivery Identity
	Keep     time.Duration
	// Standing is Granted, Underway, CarriedOut, Unwanted, Altered or Full.
	Standing Standing
	// Fence is the number of a claim that was granted. Of two claims of one delivery, the later one has the greater.
	Fence int64
	// Lease is how long nobody else is granted the delivery, from the moment that Claim was called, or 0 for as long as
	// it is under way.
	Lease time.Duration
}

// Standing is where a delivery stands.
type Standing int

// The standings of a delivery.
const (
	// Granted means that it was not known. It is under way from now on, and Settle must follow.
	Granted Standing = iota + 1
	// Underway means that it is being carried out.
	Underway
	// CarriedOut means that a callback took it over.
	CarriedOut
	// Unwanted means that a callback does not want to see it again.
	Unwanted
	// Failed means that a callback failed. The delivery is forgotten, so that it can come again.
	Failed
	// Altered means that another delivery has one of its marks.
	Altered
	// Full means that there is no room to remember it.
	Full
)

// String returns the name of the standing.
func (s Standing) String() string {
	switch s {
	case Granted:
		return "granted"
	case Underway:
		return "under way"
	case CarriedOut:
		return "carried out"
	case Unwanted:
		return "unwanted"
	case Failed:
		return "failed"
	case Altered:
		return "altered"
	case Full:
		return "full"
	}
	return "unknown"
}

// settles reports whether a claim can end this way.
func (s Standing) settles() bool { return s == CarriedOut || s == Unwanted || s == Failed }
