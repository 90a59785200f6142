package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// destinations compares the webhooks. The service has no operation that changes one.
func (p *planner) destinations(made *plan) (works, removals []work) {
	declared := map[string]bool{}
	for i := range p.file.Destinations {
		want := &p.file.Destinations[i]
		declared[want.Name] = true
		same := named(p.account.destinations, want.Name, func(d *alerts.Destination) string { return d.Name })
		switch {
		case len(same) > 1:
			made.problems = append(made.problems, fmt.Errorf("the account has %d destinations called %q: delete or rename some", len(same), want.Name))
		case len(same) == 1:
			p.know("destination", want.Name, same[0].ID)
			if differs := want.differs(same[0]); differs != "" {
				made.problems = append(made.problems, fmt.Errorf(
					"destination %q has another %s, and a destination cannot be changed: give it a new name", want.Name, differs))
			}
		case want.URL.Reveal() == "":
			made.problems = append(made.problems, fmt.Errorf("destination %q: the environment variable %s is not set", want.Name, want.URLFrom))
		default:
			works = append(works, p.newDestination(want))
		}
	}
	if p.file.Destinations != nil {
		for _, have := range p.account.destinations {
			if !declared[have.Name] {
				removals = append(removals, work{steps: []step{{
					Action: actionRemove, Thing: thing("destination", have.Name),
					do: func(ctx context.Context) error { return p.client.Destinations.Delete(ctx, have.ID) },
				}}})
			}
		}
	}
	return works, removals
}

// differs names what is not as the file says. A URL that the environment does not give says nothing.
func (w *destination) differs(have *alerts.Destination) string {
	var fields []string
	if w.URL.Reveal() != "" && !have.To.Equal(w.URL) {
		fields = append(fields, "url")
	}
	if have.WebhookType != w.Method {
		fields = append(fields, "method")
	}
	if have.PayloadType != w.PayloadType {
		fields = append(fields, "payload_type")
	}
	return strings.Join(fields, ", ")
}

func (p *planner) newDestination(want *destination) work {
	request := alerts.CreateDestinationRequest{
		Name: want.Name, ToURL: want.URL, WebhookType: want.Method, PayloadType: want.PayloadType, Service: alerts.DestinationServiceWebhook,
	}
	return work{steps: []step{{
		Action: actionCreate, Thing: thing("destination", want.Name), Want: want.URL.String(),
		do: func(ctx context.Context) error {
			id, err := once(ctx, p.settle, nil,
				func(ctx context.Context) (string, error) {
					created, err := p.client.Destinations.Create(ctx, request)
					if err != nil {
						return "", err
					}
					return created.ID, nil
				},
				func(ctx context.Context) (rpcfleet.Lookup[alerts.Destination], error) {
					return p.client.Destinations.FindCreated(ctx, request)
				})
			p.know("destination", want.Name, id)
			return err
		},
	}}}
}

// notifications compares the notifications. Expressions that are new are tried at once, so that a mistake in one is found
// before anything is changed.
func (p *planner) notifications(ctx context.Context, made *plan) (works, removals []work, err error) {
	declared := map[string]bool{}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(p.parallel)
	for i := range p.file.Notifications {
		want := &p.file.Notifications[i]
		declared[want.Name] = true
		same := named(p.account.notifications, want.Name, func(n *alerts.Notification) string { return n.Name })
		if len(same) > 1 {
			made.problems = append(made.problems, fmt.Errorf("the account has %d notifications called %q: delete or rename some", len(same), want.Name))
			continue
		}
		if len(same) == 0 || same[0].Expression != want.Expression || same[0].Network != want.Network {
			group.Go(func() error {
				if err := p.client.Expressions.Validate(ctx, alerts.ValidateExpressionRequest{Expression: want.Expression, Network: want.Network}); err != nil {
					return fmt.Errorf("notification %q: %w", want.Name, err)
				}
				return nil
			})
		}
		if len(same) == 0 {
			works = append(works, p.newNotification(want))
		} else if steps := p.notification(want, same[0]); len(steps) > 0 {
			works = append(works, work{steps: steps})
		}
	}
	if p.file.Notifications != nil {
		for _, have := range p.account.notifications {
			if !declared[have.Name] {
				removals = append(removals, work{steps: []step{{
					Action: actionRemove, Thing: thing("notification", have.Name),
					do: func(ctx context.Context) error { return p.client.Notifications.Delete(ctx, have.ID) },
				}}})
			}
		}
	}
	return works, removals, group.Wait()
}

// named finds what has a name.
func named[T any](list []T, name string, nameOf func(*T) string) (same []*T) {
	for i := range list {
		if nameOf(&list[i]) == name {
			same = append(same, &list[i])
		}
	}
	return same
}

// destinationIDs are the ids of a notification's destinations, or empty for those that do not exist yet.
func (p *planner) destinationIDs(want *notification) []string {
	ids := make([]string, len(want.Destinations))
	for i, name := range want.Destinations {
		ids[i] = p.id("destination", name)
	}
	slices.Sort(ids)
	return ids
}
