package rpcfleet

import (
	"context"
	"net/http"
	"net/url"

	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// DestinationsService manages the webhooks that alerts are delivered to. Package alerts has the receiving end of them.
//
// Methods that take an id answer ErrNotFound where there is no such destination. The service has no operation that
// changes a destination.
type DestinationsService struct{ client *Client }

// Create creates a destination. The answer carries the token by which a receiver verifies deliveries. It is not
// repeated after a failure that leaves open whether the service acted: an *Error of ErrServer or ErrConnection can mean
// that the destination exists. A success without the destination's id is ErrCarriedOut.
//
// POST /alerts/rest/v1/destinations
func (s *DestinationsService) Create(ctx context.Context, destination alerts.CreateDestinationRequest, opts ...CallOption) (*alerts.Destination, error) {
	return fetch[*alerts.Destination](ctx, s.client, call{
		op: alerts.CreateDestinationOperation,
		build: func(base string) (*http.Request, error) {
			return alerts.NewCreateDestinationRequest(base, destination)
		},
		checks: []*ValidationError{
			required("name", destination.Name),
			webhookURL("to_url", destination.ToURL),
			oneOf("webhook_type", destination.WebhookType),
			oneOf("service", destination.Service),
			between("payload_type", 1, 7, int(destination.PayloadType)),
		},
		opts: opts,
	})
}

// List returns all destinations of the account (observed).
//
// GET /alerts/rest/v1/destinations
func (s *DestinationsService) List(ctx context.Context, opts ...CallOption) ([]alerts.Destination, error) {
	return fetch[[]alerts.Destination](ctx, s.client, call{
		op: alerts.ListDestinationsOperation, build: alerts.NewListDestinationsRequest, opts: opts,
	})
}

// Get returns one destination (observed).
//
// GET /alerts/rest/v1/destinations/{id}
func (s *DestinationsService) Get(ctx context.Context, id string, opts ...CallOption) (*alerts.Destination, error) {
	return fetch[*alerts.Destination](ctx, s.client, call{
		op:     alerts.GetDestinationOperation,
		build:  func(base string) (*http.Request, error) { return alerts.NewGetDestinationRequest(base, id) },
		checks: []*ValidationError{segment("id", id)},
		opts:   opts,
	})
}

// Delete deletes a destination (observed). What becomes of the notifications that deliver to it is not known.
//
// DELETE /alerts/rest/v1/destinations/{id}
func (s *DestinationsService) Delete(ctx context.Context, id string, opts ...CallOption) error {
	return s.client.confirmByID(ctx, alerts.DeleteDestinationOperation, alerts.NewDeleteDestinationRequest, id, opts)
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
