// Package snapshot is what an emulator remembers, in a form that can be written to a file.
package snapshot

import (
	"net/http"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/alertsapi"
)

// Version is that of the files which this package writes, and the only one that it reads.
const Version = 1

// Notice stands at the top of every file.
const Notice = "The state of an rpcfleet emulator. It holds the secrets of that emulator: tokens of endpoints and destinations. " +
	"Made-up ones open nothing else; those that a fleet gave are whatever the fleet gave."

// State is everything that an emulator remembers. Things that several others share are listed once, and named by their
// ids.
type State struct {
	Notice  string
	Version int

	IDs     IDs
	Started time.Time
	Account Account

	Invoices []adminapi.Invoice
	Payments []adminapi.Payment

	Tags      []Tag
	Endpoints []Endpoint
	Users     []User
	Teams     []Team
	Tooling   Tooling
	Logged    int64

	Destinations  []Destination
	Notifications []Notification
	Graph         fleet.Graph
}

// IDs is where ids come from.
type IDs struct {
	Random []byte
	Serial int64
}

// Account is the account itself.
type Account struct {
	ID        int64
	Name      string
	CreatedAt time.Time
	Plan      string
}

// Tag is a tag. One that was deleted is here where an archived endpoint still has it.
type Tag struct {
	ID      int64
	Label   string
	Deleted bool `json:",omitempty"`
}

// User is a user of the account.
type User struct {
	ID               int64
	FullName, Email  string
	Role             *adminapi.TeamRole
	CreatedAt        time.Time
	Pending, Primary bool
}

// Team is a team.
type Team struct {
	ID        int64
	Name      string
	Members   []int64
	Endpoints []string
}

// Tooling is the access for tooling. Seed is what the key was made from that signs session tokens.
type Tooling struct {
	Seed       uint64
	EnabledAt  *time.Time
	EndpointID int64
}

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

// Destination is a webhook. One that was deleted is here where an event went to it.
type Destination struct {
	ID          string
	CreatedAt   time.Time
	Name, URL   string
	Method      alertsapi.WebhookType
	Service     alertsapi.DestinationService
	Token       string
	PayloadType alertsapi.PayloadType
	Deleted     bool `json:",omitempty"`
}

// Notification is a notification with its events.
type Notification struct {
	ID                   string
	CreatedAt, UpdatedAt time.Time
	Name, Expression     string
	Network              alertsapi.AlertNetwork
	Enabled              bool
	Destinations         []string
	Events               []Event
}

// Event is a match on its way to a destination, and what travels there.
type Event struct {
	ID, Destination string
	Block           int64
	Places          []int
	CreatedAt       time.Time
	Body            []byte
	Header          http.Header
	Delivered       *bool
	DeliveredAt     *time.Time
	Failure         *string
}
