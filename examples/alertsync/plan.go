package main

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// planner compares the file with the account.
type planner struct {
	client *rpcfleet.Client
	// ids are the ids of the file's destinations by name. One that is yet to be created gets in when it is.
	ids map[string]string
}

// compare returns a step for each destination and notification of the file, in its order.
func compare(ctx context.Context, client *rpcfleet.Client, want *file) ([]step, error) {
	destinations, err := collect(client.Destinations.All(ctx, alerts.ListDestinationsParams{}))
	if err != nil {
		return nil, err
	}
	notifications, err := collect(client.Notifications.All(ctx, alerts.ListNotificationsParams{}))
	if err != nil {
		return nil, err
	}
	p := planner{client: client, ids: make(map[string]string)}
	var steps []step
	for _, d := range want.Destinations {
		have, err := named(destinations, "destination", d.Name, func(d *alerts.Destination) string { return d.Name })
		if err != nil {
			return nil, err
		}
		s, err := p.destination(d, have)
		if err != nil {
			return nil, err
		}
		steps = append(steps, s)
	}
	for _, n := range want.Notifications {
		have, err := named(notifications, "notification", n.Name, func(n *alerts.Notification) string { return n.Name })
		if err != nil {
			return nil, err
		}
		steps = append(steps, p.notification(n, have))
	}
	return steps, nil
}

// collect returns all of what an iteration brings.
func collect[T any](all iter.Seq2[T, error]) ([]T, error) {
	var list []T
	for item, err := range all {
		if err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	return list, nil
}

// named finds the thing with a name, or nil. Two of them are an error: the name does not tell which one is meant.
func named[T any](list []T, kind, name string, nameOf func(*T) string) (*T, error) {
	var found *T
	for i := range list {
		if nameOf(&list[i]) != name {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("the account has two %ss called %q: names are the keys", kind, name)
		}
		found = &list[i]
	}
	return found, nil
}

// destination plans one destination.
func (p *planner) destination(want destination, have *alerts.Destination) (step, error) {
	what := fmt.Sprintf("destination %q", want.Name)
	if have == nil {
		return step{verb: "create", what: what, change: func(ctx context.Context) error {
			created, err := p.client.Destinations.Create(ctx, alerts.CreateDestinationRequest{
				Name: want.Name, ToURL: want.URL, WebhookType: want.Method, PayloadType: want.PayloadType,
				Service: alerts.DestinationServiceWebhook,
			})
			if err == nil {
				p.ids[want.Name] = created.ID
			}
			return err
		}}, nil
	}
	differs := differences{
		"url": !have.To.Equal(want.URL), "method": have.WebhookType != want.Method, "payload_type": have.PayloadType != want.PayloadType,
	}.fields()
	if len(differs) > 0 {
		return step{}, fmt.Errorf("%s is there with another %s, and a destination cannot be changed: give it a new name",
			what, strings.Join(differs, ", "))
	}
	p.ids[want.Name] = have.ID
	return step{verb: "keep", what: what}, nil
}

// notification plans one notification.
func (p *planner) notification(want notification, have *alerts.Notification) step {
	what := fmt.Sprintf("notification %q", want.Name)
	if have == nil {
		return step{verb: "create", what: what, change: func(ctx context.Context) error {
			created, err := p.client.Notifications.Create(ctx, alerts.CreateNotificationRequest{
				Name: want.Name, Expression: want.Expression, Network: want.Network, DestinationIDs: p.destinationIDs(want),
			})
			if err != nil {
				return err
			}
			return p.toggle(ctx, want, created)
		}}
	}
	differs := differences{
		"expression": have.Expression != want.Expression, "network": have.Network != want.Network,
		"destinations": !sameItems(have.DestinationIDs, p.destinationIDs(want)), "enabled": !asEnabled(want, have),
	}
	fields := differs.fields()
	if len(fields) == 0 {
		return step{verb: "keep", what: what}
	}
	return step{verb: "update", what: what, fields: fields, change: func(ctx context.Context) error {
		var change alerts.UpdateNotificationRequest
		if differs["expression"] {
			change.Expression = &want.Expression
		}
		if differs["network"] {
			change.Network = &want.Network
		}
		if differs["destinations"] {
			change.DestinationIDs = p.destinationIDs(want)
		}
		if !slices.Equal(fields, []string{"enabled"}) {
			if _, err := p.client.Notifications.Update(ctx, have.ID, change); err != nil {
				return err
			}
		}
		return p.toggle(ctx, want, have)
	}}
}

// toggle switches a notification on or off where it is not as it should be.
func (p *planner) toggle(ctx context.Context, want notification, have *alerts.Notification) error {
	switch {
	case asEnabled(want, have):
		return nil
	case want.enabled():
		return p.client.Notifications.Enable(ctx, have.ID)
	}
	return p.client.Notifications.Disable(ctx, have.ID)
}

// asEnabled reports whether a notification is on or off as it should be. One that does not say is taken to be on.
func asEnabled(want notification, have *alerts.Notification) bool {
	return want.enabled() == (have.Enabled == nil || *have.Enabled)
}

// destinationIDs returns the ids of a notification's destinations. One that is yet to be created has an empty id, which
// no notification of the account has.
func (p *planner) destinationIDs(want notification) []string {
	ids := make([]string, len(want.Destinations))
	for i, name := range want.Destinations {
		ids[i] = p.ids[name]
	}
	return ids
}

func sameItems(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// differences reports by the name of a field whether it differs.
type differences map[string]bool

// fields returns the names of the fields that differ.
func (d differences) fields() []string {
	var names []string
	for name, differs := range d {
		if differs {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
