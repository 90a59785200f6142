// Package snapshot is what an emulator remembers, in a form that can be written to a file.
package snapshot

import (
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
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
