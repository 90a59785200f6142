package snapshot

import (
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// Endpoint is an endpoint with what went through it.
type Endpoint struct {
	Number         int64
	Name           string
	Label          *string
	Chain, Network string
	Status         adminapi.EndpointStatus
	Token          string
	CreatedAt      time.Time

	Dedicated, FlatRate, Multichain, Archived bool

	Tags     []int64
	Security Security
	Limits   []Limit
	Methods  []adminapi.MethodRateLimiter
	Calls    []Call
	Tallies  []Call
}

// Entry is an entry of one of an endpoint's lists.
type Entry[T any] struct {
	ID    string
	Value T
}

// Security is what guards an endpoint.
type Security struct {
	Tokens, Referrers, IPs, DomainMasks []Entry[string]

	JWTs           []Entry[PublicKey]
	RequestFilters []Entry[[]string]
	On             map[adminapi.SecurityOptionName]bool
	IPHeader       *string
}

// PublicKey is what JWTs are checked with.
type PublicKey struct{ Key, Kid, Name string }

// Limit is an override of a limit of the plan.
type Limit struct {
	Bucket adminapi.RateLimitBucket
	ID     string
	Rate   int
}

// Call is a call that went through an endpoint, or for a tally several. A log's request and response are left out of a
// tally, and the sums out of a log, which follow from the rest.
type Call struct {
	Timestamp         time.Time
	RequestID         string `json:",omitempty"`
	Method, Network   string
	HTTPMethod        string `json:",omitempty"`
	Status            int
	ErrorCode         *int          `json:",omitempty"`
	URL               string        `json:",omitempty"`
	Request, Response string        `json:",omitempty"`
	ResponseTime      time.Duration `json:",omitempty"`
	Archive           bool          `json:",omitempty"`
	Requests, Bytes   int64         `json:",omitempty"`
}
