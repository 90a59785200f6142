package emulator

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/alertsapi"
)

// buildDestination makes a destination that no other of the fleet has the name of.
func (p *population) buildDestination(given fleet.Destination) error {
	if p.destination(given.Name) != nil {
		return fleet.At("name", errors.New("is that of another destination"))
	}
	built, err := p.state.newDestination(&alertsapi.CreateDestinationRequest{
		Name:        given.Name,
		ToURL:       given.URL,
		WebhookType: cmp.Or(alertsapi.WebhookType(given.WebhookType), alertsapi.WebhookTypePOST),
		Service:     alertsapi.DestinationServiceWebhook,
		PayloadType: cmp.Or(alertsapi.PayloadType(given.PayloadType), alertsapi.PayloadTypeLayout1),
	})
	if err != nil {
		return err
	}
	built.token = cmp.Or(given.Token, built.token)
	p.destinations = append(p.destinations, built)
	return nil
}

// destination finds a destination of the fleet, or returns nil.
func (p *population) destination(name string) *destination {
	for _, d := range p.destinations {
		if d.name == name {
			return d
		}
	}
	return nil
}

// buildNotification makes a notification to destinations of the fleet.
func (p *population) buildNotification(given fleet.Notification) error {
	network := alertsapi.AlertNetwork(given.Network)
	built := &notification{id: p.state.ids.uuid(), enabled: !given.Disabled}
	text := []byte(given.Expression)
	fields := &alertsapi.UpdateNotificationRequest{Name: &given.Name, Network: &network, Expression: &text}
	if err := built.change(p.state, fields); err != nil {
		return err
	}
	built.createdAt = built.updatedAt.Truncate(time.Millisecond)
	for i, name := range given.Destinations {
		to := p.destination(name)
		if to == nil {
			return fleet.Item("destinations", i, errors.New("there is no such destination in the fleet"))
		}
		if !slices.Contains(built.destinations, to) {
			built.destinations = append(built.destinations, to)
		}
	}
	p.notifications = append(p.notifications, built)
	return nil
}
