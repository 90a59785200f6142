package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/wire"
)

// NotificationsService manages notifications: an expression that is evaluated on a network, and the destinations that
// its matches are delivered to. ExpressionsService tries an expression beforehand.
//
// Methods that take an id answer ErrNotFound where there is no such notification. Those that create or change one
// answer ErrInvalidRequest where the service does not accept the expression or a destination. A notification carries
// its destinations as ids or as records, whichever the service sent; here, DestinationIDs always has the ids.
type NotificationsService struct{ engine *engine }

// Create creates a notification. It is not repeated after a failure that leaves open whether the service acted: an
// *Error of ErrServer or ErrConnection can mean that the notification exists. The route and the answer are observed.
//
// POST /alerts/rest/v1/notifications
func (s *NotificationsService) Create(ctx context.Context, notification alerts.CreateNotificationRequest, opts ...CallOption) (*alerts.Notification, error) {
	with := s.engine.with(opts)
	return fetchNotification(ctx, with.call(wire.CreateNotification(notification),
		required("name", notification.Name),
		expression("expression", notification.Expression),
		with.network("network", notification.Network),
		requiredList("destinationIds", notification.DestinationIDs),
	))
}

// List returns all notifications of the account (observed).
//
// GET /alerts/rest/v1/notifications
func (s *NotificationsService) List(ctx context.Context, opts ...CallOption) ([]alerts.Notification, error) {
	list, err := fetch[[]alerts.Notification](ctx, s.engine.call(wire.ListNotifications(), opts))
	for i := range list {
		nameDestinations(&list[i])
	}
	return list, err
}

// Get returns one notification (observed).
//
// GET /alerts/rest/v1/notifications/{id}
func (s *NotificationsService) Get(ctx context.Context, id string, opts ...CallOption) (*alerts.Notification, error) {
	return fetchNotification(ctx, s.engine.call(wire.GetNotification(id), opts))
}

// Update changes the fields that are not nil, of which there must be one; destinations are replaced as a whole. The
// route and the answer are observed.
//
// PATCH /alerts/rest/v1/notifications/{id}
func (s *NotificationsService) Update(ctx context.Context, id string, change alerts.UpdateNotificationRequest, opts ...CallOption) (*alerts.Notification, error) {
	with := s.engine.with(opts)
	checks := []*ValidationError{
		anyOf("change", []string{"name", "expression", "network", "destinationIds"},
			change.Name != nil || change.Expression != nil || change.Network != nil || change.DestinationIDs != nil),
	}
	if change.Name != nil {
		checks = append(checks, required("name", *change.Name))
	}
	if change.Expression != nil {
		checks = append(checks, expression("expression", *change.Expression))
	}
	if change.Network != nil {
		checks = append(checks, with.network("network", *change.Network))
	}
	if change.DestinationIDs != nil {
		checks = append(checks, requiredList("destinationIds", change.DestinationIDs))
	}
	return fetchNotification(ctx, with.call(wire.UpdateNotification(id, change), checks...))
}

// Delete deletes a notification (observed).
//
// DELETE /alerts/rest/v1/notifications/{id}
func (s *NotificationsService) Delete(ctx context.Context, id string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(wire.DeleteNotification(id), opts))
}

// Enable switches a notification on (observed). Switching on one that is on changes nothing.
//
// POST /alerts/rest/v1/notifications/{id}/enable
func (s *NotificationsService) Enable(ctx context.Context, id string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(wire.EnableNotification(id), opts))
}

// Disable switches a notification off (observed): nothing is delivered until it is on again. Switching off one that is
// off changes nothing.
//
// POST /alerts/rest/v1/notifications/{id}/disable
func (s *NotificationsService) Disable(ctx context.Context, id string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(wire.DisableNotification(id), opts))
}

// Events returns a page of what the notification matched and how each delivery went (observed). Nil parameters stand
// for the service's defaults. The parameters are assumed: the answer names a page and a limit, so they are taken to be
// what is asked for.
//
// GET /alerts/rest/v1/notifications/{id}/events
func (s *NotificationsService) Events(ctx context.Context, id string, params *alerts.ListNotificationEventsParams, opts ...CallOption) (*alerts.NotificationEventPage, error) {
	params = cloned(params)
	return fetch[*alerts.NotificationEventPage](ctx, s.engine.call(wire.ListNotificationEvents(id, params), opts, atLeast("limit", 1, params.Limit), atLeast("page", 0, params.Page)))
}

// fetchNotification carries out a call whose answer is a notification.
func fetchNotification(ctx context.Context, c *call) (*alerts.Notification, error) {
	notification, err := fetch[*alerts.Notification](ctx, c)
	if err != nil {
		return nil, err
	}
	nameDestinations(notification)
	return notification, nil
}

// nameDestinations fills in the ids of the destinations where the service sent the destinations themselves.
func nameDestinations(notification *alerts.Notification) {
	if len(notification.DestinationIDs) > 0 {
		return
	}
	for _, destination := range notification.Destinations {
		notification.DestinationIDs = append(notification.DestinationIDs, destination.ID)
	}
}
