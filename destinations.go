package rpcfleet

import (
	"context"
	"net/url"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/wire"
)

// DestinationsService manages the webhooks that alerts are delivered to. Package alerts has the receiving end of them.
//
// Methods that take an id answer ErrNotFound where there is no such destination. The service has no operation that
// changes a destination.
type DestinationsService struct{ engine *engine }

// Create creates a destination. The answer carries the token by which a receiver verifies deliveries. It is not
// repeated after a failure that leaves open whether the service acted: an *Error of ErrServer or ErrConnection can mean
// that the destination exists.
//
// POST /alerts/rest/v1/destinations
func (s *DestinationsService) Create(ctx context.Context, destination alerts.CreateDestinationRequest, opts ...CallOption) (*alerts.Destination, error) {
	return fetch[*alerts.Destination](ctx, s.engine.call(wire.CreateDestination(destination), opts,
		required("name", destination.Name),
		webhookURL("to_url", destination.ToURL),
		oneOf("webhook_type", destination.WebhookType),
		oneOf("service", destination.Service),
		between("payload_type", 1, 7, int(destination.PayloadType)),
	))
}

// List returns all destinations of the account (observed).
//
// GET /alerts/rest/v1/destinations
func (s *DestinationsService) List(ctx context.Context, opts ...CallOption) ([]alerts.Destination, error) {
	return fetch[[]alerts.Destination](ctx, s.engine.call(wire.ListDestinations(), opts))
}

// Get returns one destination (observed).
//
// GET /alerts/rest/v1/destinations/{id}
func (s *DestinationsService) Get(ctx context.Context, id string, opts ...CallOption) (*alerts.Destination, error) {
	return fetch[*alerts.Destination](ctx, s.engine.call(wire.GetDestination(id), opts))
}

// Delete deletes a destination (observed). What becomes of the notifications that deliver to it is not known.
//
// DELETE /alerts/rest/v1/destinations/{id}
func (s *DestinationsService) Delete(ctx context.Context, id string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(wire.DeleteDestination(id), opts))
}

// webhookURL checks that a text is an absolute http or https URL. The address of a webhook often carries a secret, so
// that it is not shown.
func webhookURL(field, value string) *ValidationError {
	if err := required(field, value); err != nil {
		return err
	}
	address, err := url.Parse(value)
	if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Hostname() == "" {
		return &ValidationError{Field: field, Rule: "must be an absolute http or https URL"}
	}
	return nil
}
