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

// Create creates a notification. The list of destinations is required, but may be empty.
// POST /alerts/rest/v1/notifications
func (s *NotificationsService) Create(ctx context.Context, notification alerts.CreateNotificationRequest,
	opts ...CallOption) (*alerts.Notification, error) {
	with := (*engine)(s).with(opts)
	c := with.call(api.CreateNotification(notification), with.network(&notification.Network))
	return fetchPayload[*alerts.Notification](ctx, c)
}

// Get returns one notification.
// GET /alerts/rest/v1/notifications/{id}
func (s *NotificationsService) Get(ctx context.Context, id string, opts ...CallOption) (*alerts.Notification, error) {
	return fetchPayload[*alerts.Notification](ctx, (*engine)(s).call(api.GetNotification(id), opts))
}

// Update changes the fields that are not nil. Destinations are replaced as a whole, even by an empty list.
// PATCH /alerts/rest/v1/notifications/{id}
func (s *NotificationsService) Update(ctx context.Context, id string, update alerts.UpdateNotificationRequest,
	opts ...CallOption) (*alerts.Notification, error) {
	with := (*engine)(s).with(opts)
	c := with.call(api.UpdateNotification(id, update), with.network(update.Network))
	return fetchChanged(ctx, c, alerts.Notification{
		ID: id, Name: deref(update.Name), Expression: deref(update.Expression), Network: deref(update.Network),
		DestinationIDs: slices.Clone(update.DestinationIDs),
	})
}

// Delete deletes a notification.
// DELETE /alerts/rest/v1/notifications/{id}
func (s *NotificationsService) Delete(ctx context.Context, id string, opts ...CallOption) error {
	return confirm(ctx, (*engine)(s).call(api.DeleteNotification(id), opts))
}

// Enable starts deliveries.
// POST /alerts/rest/v1/notifications/{id}/enable
func (s *NotificationsService) Enable(ctx context.Context, id string, opts ...CallOption) error {
	return confirm(ctx, (*engine)(s).call(api.EnableNotification(id), opts))
}

// Disable stops deliveries.
// POST /alerts/rest/v1/notifications/{id}/disable
func (s *NotificationsService) Disable(ctx context.Context, id string, opts ...CallOption) error {
	return confirm(ctx, (*engine)(s).call(api.DisableNotification(id), opts))
}

// List returns one page, by default of 20.
// GET /alerts/rest/v1/notifications
func (s *NotificationsService) List(ctx context.Context, params alerts.ListNotificationsParams,
	opts ...CallOption) (*Page[alerts.Notification], error) {
	return fetchPage[alerts.Notification](ctx, (*engine)(s).call(api.ListNotifications(&params), opts), params.Offset)
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

// Events returns one page of the matches, with the result of each delivery, by default the first 20.
// GET /alerts/rest/v1/notifications/{id}/events
func (s *NotificationsService) Events(ctx context.Context, id string, params alerts.ListNotificationEventsParams,
	opts ...CallOption) (*Page[alerts.NotificationEvent], error) {
	c := (*engine)(s).call(api.ListNotificationEvents(id, &params), opts)
	return fetchPage[alerts.NotificationEvent](ctx, c, params.Offset)
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

// Validate checks that the expression can be evaluated. If not, the error is [ErrInvalidRequest].
// POST /alerts/rest/v1/notifications/validate
func (s *ExpressionsService) Validate(ctx context.Context, trial alerts.ValidateExpressionRequest,
	opts ...CallOption) error {
	with := (*engine)(s).with(opts)
	return confirm(ctx, with.call(api.ValidateExpression(trial), with.network(&trial.Network)))
}

// Backtest tries up to 20 blocks.
// POST /alerts/rest/v1/notifications/backtest
func (s *ExpressionsService) Backtest(ctx context.Context, trial alerts.BacktestExpressionRequest,
	opts ...CallOption) ([]alerts.BacktestBlock, error) {
	with := (*engine)(s).with(opts)
	c := with.call(api.BacktestExpression(trial), with.network(&trial.Network))
	result, err := fetchPayload[api.BacktestResult](ctx, c)
	return result.ExpressionResult, err
}

// network checks that an optional network is documented or was added by WithExtraNetworks.
func (c callContext) network(value *alerts.AlertNetwork) *ValidationError {
	if value == nil || slices.Contains(c.settings.networks, *value) {
		return nil
	}
	return oneOf("network", *value)
}
