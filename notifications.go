package rpcfleet

import (
	"context"
	"iter"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// NotificationsService manages notifications: an expression that is evaluated on a network, and the destinations of its
// matches, with their ids always in DestinationIDs. All routes are observed. If the expression or a destination is
// rejected, the error is [ErrInvalidRequest].
type NotificationsService engine

// Update changes the fields that are not nil. Destinations are replaced as a whole, even by an empty list.
// PATCH /alerts/rest/v1/notifications/{id}
func (s *NotificationsService) Update(ctx context.Context, id string, update alerts.UpdateNotificationRequest,
	opts ...CallOption) (*alerts.Notification, error) {
	c := (*engine)(s).call(api.UpdateNotification(id, update), opts)
	return fetchChanged(ctx, c, alerts.Notification{
		ID: id, Name: deref(update.Name), Expression: deref(update.Expression), Network: deref(update.Network),
		DestinationIDs: slices.Clone(update.DestinationIDs),
	})
}

// Pages iterates from the offset in params.
// GET /alerts/rest/v1/notifications
func (s *NotificationsService) Pages(ctx context.Context, params alerts.ListNotificationsParams,
	opts ...CallOption) iter.Seq2[*Page[alerts.Notification], error] {
	request := func(limit, offset *int) api.Request {
		return api.ListNotifications(&alerts.ListNotificationsParams{Limit: limit, Offset: offset})
	}
	return alertPages(ctx, (*engine)(s).with(opts), params.Limit, params.Offset, notificationID, request)
}

// All yields every notification: see Pages.
// GET /alerts/rest/v1/notifications
func (s *NotificationsService) All(ctx context.Context, params alerts.ListNotificationsParams,
	opts ...CallOption) iter.Seq2[alerts.Notification, error] {
	return itemsOf(s.Pages(ctx, params, opts...))
}

// EventPages iterates over the pages from the offset in params. It may miss an event that occurs meanwhile.
// GET /alerts/rest/v1/notifications/{id}/events
func (s *NotificationsService) EventPages(ctx context.Context, id string, params alerts.ListNotificationEventsParams,
	opts ...CallOption) iter.Seq2[*Page[alerts.NotificationEvent], error] {
	request := func(limit, offset *int) api.Request {
		return api.ListNotificationEvents(id, &alerts.ListNotificationEventsParams{Limit: limit, Offset: offset})
	}
	eventID := func(e *alerts.NotificationEvent) string { return e.ID }
	return alertPages(ctx, (*engine)(s).with(opts), params.Limit, params.Offset, eventID, request)
}

// AllEvents yields every event.
// GET /alerts/rest/v1/notifications/{id}/events
func (s *NotificationsService) AllEvents(ctx context.Context, id string, params alerts.ListNotificationEventsParams,
	opts ...CallOption) iter.Seq2[alerts.NotificationEvent, error] {
	return itemsOf(s.EventPages(ctx, id, params, opts...))
}

// FindCreated compares the name.
// GET /alerts/rest/v1/notifications
func (s *NotificationsService) FindCreated(ctx context.Context, notification alerts.CreateNotificationRequest,
	opts ...CallOption) (Lookup[alerts.Notification], error) {
	create := (*engine)(s).call(api.Request{Operation: api.CreateNotification(notification).Operation}, opts,
		required("name", notification.Name))
	return findListed(create, s.All(ctx, alerts.ListNotificationsParams{}, opts...), notificationID,
		func(n *alerts.Notification) bool { return n.Name == notification.Name },
	)
}

func notificationID(n *alerts.Notification) string { return n.ID }

// ExpressionsService tests an [alerts.Expression]. All routes are observed.
type ExpressionsService engine
