package rpcfleet

import (
	"context"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// DestinationsService manages the webhooks that receive alerts: see package alerts. No operation changes a destination.
// Get and Delete are observed.
//
// Deprecated: The alerts area has ended (on 2025-07-31, observed). A destination is now a part of a webhook or a
// stream.
type DestinationsService engine

// NotificationsService manages notifications: an expression that is evaluated on a network, and the destinations of its
// matches, with their ids always in DestinationIDs. All routes are observed. If the expression or a destination is
// rejected, the error is [ErrInvalidRequest].
//
// Deprecated: The alerts area has ended (on 2025-07-31, observed). Webhooks and Streams succeed notifications; nothing
// succeeds their events.
type NotificationsService engine

// Update changes the fields that are not nil. Destinations are replaced as a whole, even by an empty list.
// PATCH /alerts/rest/v1/notifications/{id}
func (s *NotificationsService) Update(ctx context.Context, id string, update alerts.UpdateNotificationRequest,
	opts ...CallOption) (*alerts.Notification, error) {
	return fetchChanged(ctx, (*engine)(s), api.UpdateNotification(id, update), opts, alerts.Notification{
		ID: id, Name: deref(update.Name), Expression: deref(update.Expression), Network: deref(update.Network),
		DestinationIDs: slices.Clone(update.DestinationIDs),
	})
}

// ExpressionsService tests an [alerts.Expression]. All routes are observed.
//
// Deprecated: The alerts area has ended (on 2025-07-31, observed). Webhooks and Streams test filter functions instead.
type ExpressionsService engine
