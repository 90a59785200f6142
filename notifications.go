package rpcfleet

import (
	"context"
	"iter"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// NotificationsService manages notifications. A notification is an expression that is evaluated on a network, and the
// destinations to which its matches are delivered. [ExpressionsService] tests an expression first.
//
// If a notification does not exist, methods that take its id return [ErrNotFound]. If the service rejects the
// expression or a destination, Create and Update return [ErrInvalidRequest]. The service sends destinations as ids or
// as records; DestinationIDs always contains the ids.
type NotificationsService struct{ engine *engine }

// Create creates a notification. Its destinations are required; the list may be empty. If the outcome is open, the
// error matches [ErrOutcomeUnknown]; see FindCreated. The route and the response are observed.
//
// POST /alerts/rest/v1/notifications
func (s *NotificationsService) Create(
	ctx context.Context, notification alerts.CreateNotificationRequest, opts ...CallOption,
) (*alerts.Notification, error) {
	with := s.engine.with(opts)
	call := with.call(api.CreateNotification(notification), with.network("network", notification.Network))
	return fetchNotification(ctx, call)
}

// Get returns one notification (observed).
//
// GET /alerts/rest/v1/notifications/{id}
func (s *NotificationsService) Get(ctx context.Context, id string, opts ...CallOption) (*alerts.Notification, error) {
	return fetchNotification(ctx, s.engine.call(api.GetNotification(id), opts))
}

// Update changes the fields that are not nil; all may be nil. Destinations are replaced as a whole: an empty list is
// sent, and nil leaves them unchanged. The route and the response are observed. If the service sends no notification,
// the result contains the id and the values that were sent.
//
// PATCH /alerts/rest/v1/notifications/{id}
func (s *NotificationsService) Update(
	ctx context.Context, id string, update alerts.UpdateNotificationRequest, opts ...CallOption,
) (*alerts.Notification, error) {
	with := s.engine.with(opts)
	var checks []*ValidationError
	if update.Network != nil {
		checks = append(checks, with.network("network", *update.Network))
	}
	notification, err := change(ctx, with.call(api.UpdateNotification(id, update), checks...), alerts.Notification{
		ID: id, Name: orZero(update.Name), Expression: orZero(update.Expression), Network: orZero(update.Network),
		DestinationIDs: slices.Clone(update.DestinationIDs),
	})
	if err != nil {
		return nil, err
	}
	nameDestinations(notification)
	return notification, nil
}

// Delete deletes a notification (observed).
//
// DELETE /alerts/rest/v1/notifications/{id}
func (s *NotificationsService) Delete(ctx context.Context, id string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.DeleteNotification(id), opts))
}

// Enable turns a notification on (observed). It has no effect if the notification is already on.
//
// POST /alerts/rest/v1/notifications/{id}/enable
func (s *NotificationsService) Enable(ctx context.Context, id string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.EnableNotification(id), opts))
}

// Disable turns a notification off (observed): nothing is delivered until it is on again. It has no effect if the
// notification is already off.
//
// POST /alerts/rest/v1/notifications/{id}/disable
func (s *NotificationsService) Disable(ctx context.Context, id string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.DisableNotification(id), opts))
}

// fetchNotification executes a call that responds with a notification.
func fetchNotification(ctx context.Context, c *call) (*alerts.Notification, error) {
	notification, err := fetch[*alerts.Notification](ctx, c)
	if err != nil {
		return nil, err
	}
	nameDestinations(notification)
	return notification, nil
}

// List returns one page of the account's notifications. With zero parameters the service returns the first 20. The
// service does not report the total: [Page.Total] is -1, and a short page may not be the last. It may also ignore limit
// and offset and return all notifications; Pages and All handle both. All of this is observed.
//
// GET /alerts/rest/v1/notifications
func (s *NotificationsService) List(
	ctx context.Context, params alerts.ListNotificationsParams, opts ...CallOption,
) (*Page[alerts.Notification], error) {
	return listAlerts[alerts.Notification](ctx, s.engine.call(api.ListNotifications(&params), opts), params.Offset)
}

// Pages iterates over the notifications page by page, starting at the offset of the parameters. See
// [DestinationsService.Pages], which also applies here.
//
// GET /alerts/rest/v1/notifications
func (s *NotificationsService) Pages(
	ctx context.Context, params alerts.ListNotificationsParams, opts ...CallOption,
) iter.Seq2[*Page[alerts.Notification], error] {
	request := func(limit, offset *int) api.Request {
		return api.ListNotifications(&alerts.ListNotificationsParams{Limit: limit, Offset: offset})
	}
	return alertPages(ctx, s.engine.with(opts), params.Limit, params.Offset, notificationID, request)
}

// All iterates over every notification, starting at the offset of the parameters. See Pages.
//
// GET /alerts/rest/v1/notifications
func (s *NotificationsService) All(
	ctx context.Context, params alerts.ListNotificationsParams, opts ...CallOption,
) iter.Seq2[alerts.Notification, error] {
	return items(s.Pages(ctx, params, opts...))
}

// Events returns one page of the notification's matches and the result of each delivery. With zero parameters the
// service returns the first 20. The notes on List also apply here. All of this is observed.
//
// GET /alerts/rest/v1/notifications/{id}/events
func (s *NotificationsService) Events(
	ctx context.Context, id string, params alerts.ListNotificationEventsParams, opts ...CallOption,
) (*Page[alerts.NotificationEvent], error) {
	call := s.engine.call(api.ListNotificationEvents(id, &params), opts)
	return listAlerts[alerts.NotificationEvent](ctx, call, params.Offset)
}

// EventPages iterates over a notification's events page by page, starting at the offset of the parameters. See
// [DestinationsService.Pages], which also applies here. An event that occurs during the iteration may or may not be
// delivered.
//
// GET /alerts/rest/v1/notifications/{id}/events
func (s *NotificationsService) EventPages(
	ctx context.Context, id string, params alerts.ListNotificationEventsParams, opts ...CallOption,
) iter.Seq2[*Page[alerts.NotificationEvent], error] {
	request := func(limit, offset *int) api.Request {
		return api.ListNotificationEvents(id, &alerts.ListNotificationEventsParams{Limit: limit, Offset: offset})
	}
	eventID := func(e *alerts.NotificationEvent) string { return e.ID }
	return alertPages(ctx, s.engine.with(opts), params.Limit, params.Offset, eventID, request)
}

// AllEvents iterates over every event of a notification, starting at the offset of the parameters. See EventPages.
//
// GET /alerts/rest/v1/notifications/{id}/events
func (s *NotificationsService) AllEvents(
	ctx context.Context, id string, params alerts.ListNotificationEventsParams, opts ...CallOption,
) iter.Seq2[alerts.NotificationEvent, error] {
	return items(s.EventPages(ctx, id, params, opts...))
}

// FindCreated searches for the result of Create: the notifications with that name. See
// [DestinationsService.FindCreated], which also applies here.
//
// GET /alerts/rest/v1/notifications
func (s *NotificationsService) FindCreated(ctx context.Context, notification alerts.CreateNotificationRequest,
	opts ...CallOption) (Lookup[alerts.Notification], error) {
	create := s.engine.with(opts).call(api.Request{Operation: api.CreateNotification(notification).Operation},
		required("name", notification.Name))
	if broken := create.rule; broken != nil {
		return Lookup[alerts.Notification]{}, broken
	}
	all, err := collect(s.All(ctx, alerts.ListNotificationsParams{}, opts...))
	return lookUp(all, err, notificationID,
		func(n *alerts.Notification) bool { return n.Name == notification.Name },
	)
}

func notificationID(n *alerts.Notification) string { return n.ID }

// ExpressionsService tests an expression before a notification uses it. Expressions are plain text; see
// [alerts.Expression].
type ExpressionsService struct{ engine *engine }

// Validate checks that the expression can be evaluated on the network. If it cannot, the error is an [*Error] that
// matches [ErrInvalidRequest], with the service's reason in Message. The route is observed.
//
// POST /alerts/rest/v1/notifications/validate
func (s *ExpressionsService) Validate(
	ctx context.Context, trial alerts.ValidateExpressionRequest, opts ...CallOption,
) error {
	with := s.engine.with(opts)
	return confirm(ctx, with.call(api.ValidateExpression(trial), with.network("network", trial.Network)))
}

// Backtest evaluates the expression on past blocks, at most 20, and reports the matches of each. If the expression is
// not valid, the error is [ErrInvalidRequest]. The route and the response are observed.
//
// POST /alerts/rest/v1/notifications/backtest
func (s *ExpressionsService) Backtest(
	ctx context.Context, trial alerts.BacktestExpressionRequest, opts ...CallOption,
) ([]alerts.BacktestBlock, error) {
	with := s.engine.with(opts)
	call := with.call(api.BacktestExpression(trial), with.network("network", trial.Network))
	result, err := fetch[api.BacktestResult](ctx, call)
	return result.ExpressionResult, err
}

// network checks that a network is documented or was added by WithExtraNetworks.
func (c *caller) network(field string, value alerts.AlertNetwork) *ValidationError {
	if slices.Contains(c.settings.networks, value) {
		return nil
	}
	return oneOf(field, value)
}
