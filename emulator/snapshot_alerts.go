package emulator

import (
	"fmt"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/snapshot"
)

func (s *state) snapshotAlerts(taken *snapshot.State) {
	known := make(map[*destination]bool)
	note := func(d *destination, deleted bool) {
		if !known[d] {
			known[d] = true
			taken.Destinations = append(taken.Destinations, snapshot.Destination{
				ID: d.id, CreatedAt: d.createdAt, Name: d.name, URL: d.url, Method: d.method, Service: d.service,
				Token: d.token, PayloadType: d.payloadType, Deleted: deleted,
			})
		}
	}
	for _, d := range s.alerts.destinations {
		note(d, false)
	}
	for _, n := range s.alerts.notifications {
		saved := snapshot.Notification{
			ID: n.id, CreatedAt: n.createdAt, UpdatedAt: n.updatedAt, Name: n.name, Expression: string(n.text),
			Network: n.network, Enabled: n.enabled,
		}
		for _, d := range n.destinations {
			saved.Destinations = append(saved.Destinations, d.id)
		}
		for _, v := range n.events {
			note(v.to, true)
			saved.Events = append(saved.Events, snapshot.Event{
				ID: v.id, Destination: v.to.id, Block: v.block, Places: slices.Clone(v.places), CreatedAt: v.createdAt,
				Body: v.message.body, Header: v.message.header, Delivered: v.delivered, DeliveredAt: v.deliveredAt,
				Failure: v.failure,
			})
		}
		taken.Notifications = append(taken.Notifications, saved)
	}
}

func (s *state) restoreAlerts(saved *snapshot.State) error {
	known := make(map[string]*destination)
	for _, d := range saved.Destinations {
		restored := &destination{
			id: d.ID, createdAt: d.CreatedAt, name: d.Name, url: d.URL, method: d.Method, service: d.Service,
			token: d.Token, payloadType: d.PayloadType,
		}
		known[d.ID] = restored
		if !d.Deleted {
			s.alerts.destinations = append(s.alerts.destinations, restored)
		}
	}
	for _, n := range saved.Notifications {
		expression, err := parseExpression(n.Expression)
		if err != nil {
			return fmt.Errorf("notification %s: %w", n.ID, err)
		}
		restored := &notification{
			id: n.ID, createdAt: n.CreatedAt, updatedAt: n.UpdatedAt, name: n.Name, text: []byte(n.Expression),
			expression: expression, network: n.Network, enabled: n.Enabled,
		}
		for _, id := range n.Destinations {
			if known[id] == nil {
				return fmt.Errorf("notification %s: there is no destination %s", n.ID, id)
			}
			restored.destinations = append(restored.destinations, known[id])
		}
		for _, v := range n.Events {
			if known[v.Destination] == nil {
				return fmt.Errorf("event %s: there is no destination %s", v.ID, v.Destination)
			}
			restored.events = append(restored.events, &event{
				id: v.ID, notificationID: n.ID, to: known[v.Destination], block: v.Block, places: v.Places,
				createdAt: v.CreatedAt, message: message{v.Body, v.Header}, delivered: v.Delivered,
				deliveredAt: v.DeliveredAt, failure: v.Failure,
			})
		}
		s.alerts.notifications = append(s.alerts.notifications, restored)
	}
	return nil
}
