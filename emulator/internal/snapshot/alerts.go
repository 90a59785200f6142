package snapshot

import (
	"net/http"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/alertsapi"
)

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
