package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// FindCreated looks for what Create was to make: the destinations of that name. A name need not be the only one of its
// kind, so that the difference to an earlier lookup tells more: see [Lookup]. It reads the whole listing; while others
// delete destinations, the service may skip one, since it does not tell how many there are.
//
// GET /alerts/rest/v1/destinations
func (s *DestinationsService) FindCreated(ctx context.Context, destination alerts.CreateDestinationRequest, opts ...CallOption) (Lookup[alerts.Destination], error) {
	create := s.engine.with(opts).call(api.Request{Operation: api.CreateDestination(destination).Operation}, required("name", destination.Name))
	if broken := create.broken(); broken != nil {
		return Lookup[alerts.Destination]{}, broken
	}
	return lookUp(s.All(ctx, alerts.ListDestinationsParams{}, opts...),
		func(d *alerts.Destination) string { return d.ID },
		func(d *alerts.Destination) bool { return d.Name == destination.Name },
	)
}
