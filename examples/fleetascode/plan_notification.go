package main

import (
	"context"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// notification compares one notification that exists.
func (p *planner) notification(want *notification, have *alerts.Notification) (steps []step) {
	add := func(field, were, to string, change func() alerts.UpdateNotificationRequest) {
		steps = append(steps, step{actionSet, thing("notification", want.Name), field, were, to, func(ctx context.Context) error {
			_, err := p.client.Notifications.Update(ctx, have.ID, change())
			return err
		}})
	}
	if have.Network != want.Network {
		add("network", string(have.Network), string(want.Network), func() alerts.UpdateNotificationRequest {
			return alerts.UpdateNotificationRequest{Network: &want.Network}
		})
	}
	if have.Expression != want.Expression {
		add("expression", string(have.Expression), string(want.Expression), func() alerts.UpdateNotificationRequest {
			return alerts.UpdateNotificationRequest{Expression: &want.Expression}
		})
	}
	if !slices.Equal(slices.Sorted(slices.Values(have.DestinationIDs)), p.destinationIDs(want)) {
		add("destinations", p.destinationNames(have), strings.Join(want.Destinations, ", "), func() alerts.UpdateNotificationRequest {
			return alerts.UpdateNotificationRequest{DestinationIDs: p.destinationIDs(want)}
		})
	}
	if on(have.Enabled) != on(want.Enabled) {
		steps = append(steps, step{
			actionSet, thing("notification", want.Name), "enabled", onOff(on(have.Enabled)), onOff(on(want.Enabled)),
			func(ctx context.Context) error { return p.toggle(ctx, have.ID, on(want.Enabled)) },
		})
	}
	return steps
}

func (p *planner) toggle(ctx context.Context, id string, on bool) error {
	if on {
		return p.client.Notifications.Enable(ctx, id)
	}
	return p.client.Notifications.Disable(ctx, id)
}

// destinationNames are the names of the destinations that a notification has.
func (p *planner) destinationNames(have *alerts.Notification) string {
	var names []string
	for _, d := range p.account.destinations {
		if slices.Contains(have.DestinationIDs, d.ID) {
			names = append(names, d.Name)
		}
	}
	return strings.Join(names, ", ")
}

// newNotification plans a notification that the account does not have. The service creates it enabled.
func (p *planner) newNotification(want *notification) work {
	what := thing("notification", want.Name)
	id := ""
	steps := []step{{
		Action: actionCreate, Thing: what, Want: string(want.Network) + ": " + string(want.Expression),
		do: func(ctx context.Context) (err error) {
			request := alerts.CreateNotificationRequest{
				Name: want.Name, Network: want.Network, Expression: want.Expression, DestinationIDs: p.destinationIDs(want),
			}
			id, err = once(ctx, p.settle, nil,
				func(ctx context.Context) (string, error) {
					created, err := p.client.Notifications.Create(ctx, request)
					if err != nil {
						return "", err
					}
					return created.ID, nil
				},
				func(ctx context.Context) (rpcfleet.Lookup[alerts.Notification], error) {
					return p.client.Notifications.FindCreated(ctx, request)
				})
			return err
		},
	}}
	if !on(want.Enabled) {
		steps = append(steps, step{actionSet, what, "enabled", "on", "off", func(ctx context.Context) error { return p.toggle(ctx, id, false) }})
	}
	return work{steps: steps}
}
