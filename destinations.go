package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// DestinationsService manages the webhooks that receive alerts: see package alerts. No operation changes a destination.
// Get and Delete are observed.
type DestinationsService engine

// FindCreated compares the name, which need not be unique.
// GET /alerts/rest/v1/destinations
func (s *DestinationsService) FindCreated(ctx context.Context, destination alerts.CreateDestinationRequest,
	opts ...CallOption) (Lookup[alerts.Destination], error) {
	create := (*engine)(s).newCall(api.Request{Operation: api.CreateDestination(destination).Operation}, opts,
		required("name", destination.Name))
	return findListed(create, s.All(ctx, alerts.ListDestinationsParams{}, opts...), destinationID,
		func(d *alerts.Destination) bool { return d.Name == destination.Name },
	)
}

func destinationID(d *alerts.Destination) string { return d.ID }
