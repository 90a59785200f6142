package rpcfleet

import (
	"context"
	"iter"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// NotificationsService manages notifications: an expression that is evaluated on a network, and the destinations that
// its matches are delivered to. [ExpressionsService] tries an expression beforehand.
//
// Methods that take an id return [ErrNotFound] where there is no such notification. Those that create or change one
// return [ErrInvalidRequest] where the service does not accept the expression or a destination. A notification carries
// its destinations as ids or as records, whichever the service sent; here, DestinationIDs always has the ids.
type NotificationsService struct{ engine *engine }

// Create creates a notification. Its destinations must be given; the list of them may be empty. A create is not
// repeated after a failure that leaves open whether the service acted, which is [ErrOutcomeUnknown]: FindCreated tells
// then whether the notification exists. A success without the notification's id is [ErrNoRecord]. The route and the
// response are observed.
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

// Update changes the fields that are not nil, of which there need not be any. Destinations are replaced as a whole: an
// empty list is sent as one, and nil leaves them as they are. The route and the response are observed. Where the
// service sent no notification, the result has the id and what was sent.
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

// Enable switches a notification on (observed). Switching on one that is on changes nothing.
//
// POST /alerts/rest/v1/notifications/{id}/enable
func (s *NotificationsService) Enable(ctx context.Context, id string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.EnableNotification(id), opts))
}

// Disable switches a notification off (observed): nothing is delivered until it is on again. Switching off one that is
// off changes nothing.
//
// POST /alerts/rest/v1/notifications/{id}/disable
func (s *NotificationsService) Disable(ctx context.Context, id string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.DisableNotification(id), opts))
}

// fetchNotification carries out a call whose response is a notification.
func fetchNotification(ctx context.Context, c *call) (*alerts.Notification, error) {
	notification, err := fetch[*alerts.Notification](ctx, c)
	if err != nil {
		return nil, err
	}
	nameDestinations(notification)
	return notification, nil
}

// List returns one page of the account's notifications. The zero parameters stand for the service's defaults: the
// first 20. The service does not tell how many there are: [Page.Total] is -1, and a short page need not be the last
// one. It has also been seen to send all of them, whatever limit and offset; Pages and All hold for either. All of
// this is observed.
//
// GET /alerts/rest/v1/notifications
func (s *NotificationsService) List(
	ctx context.Context, params alerts.ListNotificationsParams, opts ...CallOption,
) (*Page[alerts.Notification], error) {
	return listNotifications(ctx, s.engine.with(opts), params)
}

func listNotifications(
	ctx context.Context, with *caller, params alerts.ListNotificationsParams, checks ...*ValidationError,
) (*Page[alerts.Notification], error) {
	content, err := exchange[[]alerts.Notification](ctx, with.call(api.ListNotifications(&params), checks...))
	if err != nil {
		return nil, err
	}
	for i := range content.Data {
		nameDestinations(&content.Data[i])
	}
	return newPage(content, params.Offset), nil
}

// Pages iterates over the notifications page by page, from the offset of the parameters on. What is said of
// [DestinationsService.Pages] holds here as well.
//
// GET /alerts/rest/v1/notifications
func (s *NotificationsService) Pages(
	ctx context.Context, params alerts.ListNotificationsParams, opts ...CallOption,
) iter.Seq2[*Page[alerts.Notification], error] {
	with := s.engine.with(opts)
	fetch := func(ctx context.Context, limit, offset int) (*Page[alerts.Notification], error) {
		page := alerts.ListNotificationsParams{Limit: &limit, Offset: &offset}
		return listNotifications(ctx, with, page, iterable(limit, offset)...)
	}
	return offsetPages(ctx, with, params.Limit, params.Offset, notificationID, fetch)
}

// All iterates over every notification, from the offset of the parameters on. See Pages.
//
// GET /alerts/rest/v1/notifications
func (s *NotificationsService) All(
	ctx context.Context, params alerts.ListNotificationsParams, opts ...CallOption,
) iter.Seq2[alerts.Notification, error] {
	return items(s.Pages(ctx, params, opts...))
}

// Events returns one page of what the notification matched and how each delivery went. The zero parameters stand for
// the service's defaults: the first 20. What is said of List holds here as well. All of this is observed.
//
// GET /alerts/rest/v1/notifications/{id}/events
func (s *NotificationsService) Events(
	ctx context.Context, id string, params alerts.ListNotificationEventsParams, opts ...CallOption,
) (*Page[alerts.NotificationEvent], error) {
	return listEvents(ctx, s.engine.with(opts), id, params)
}

func listEvents(
	ctx context.Context, with *caller, id string, params alerts.ListNotificationEventsParams, checks ...*ValidationError,
) (*Page[alerts.NotificationEvent], error) {
	content, err := exchange[[]alerts.NotificationEvent](ctx, with.call(api.ListNotificationEvents(id, &params), checks...))
	if err != nil {
		return nil, err
	}
	return newPage(content, params.Offset), nil
}

// EventPages iterates over a notification's events page by page, from the offset of the parameters on. What is said of
// [DestinationsService.Pages] holds here as well. An event that comes up meanwhile may or may not be delivered.
//
// GET /alerts/rest/v1/notifications/{id}/events
func (s *NotificationsService) EventPages(
	ctx context.Context, id string, params alerts.ListNotificationEventsParams, opts ...CallOption,
) iter.Seq2[*Page[alerts.NotificationEvent], error] {
	with := s.engine.with(opts)
	fetch := func(ctx context.Context, limit, offset int) (*Page[alerts.NotificationEvent], error) {
		page := alerts.ListNotificationEventsParams{Limit: &limit, Offset: &offset}
		return listEvents(ctx, with, id, page, iterable(limit, offset)...)
	}
	return offsetPages(ctx, with, params.Limit, params.Offset, func(e *alerts.NotificationEvent) string { return e.ID }, fetch)
}

// AllEvents iterates over every event of a notification, from the offset of the parameters on. See EventPages.
//
// GET /alerts/rest/v1/notifications/{id}/events
func (s *NotificationsService) AllEvents(
	ctx context.Context, id string, params alerts.ListNotificationEventsParams, opts ...CallOption,
) iter.Seq2[alerts.NotificationEvent, error] {
	return items(s.EventPages(ctx, id, params, opts...))
}

// FindCreated looks for what Create was to make: the notifications of that name. What is said of
// [DestinationsService.FindCreated] holds here as well.
//
// GET /alerts/rest/v1/notifications
func (s *NotificationsService) FindCreated(ctx context.Context, notification alerts.CreateNotificationRequest, opts ...CallOption) (Lookup[alerts.Notification], error) {
	create := s.engine.with(opts).call(api.Request{Operation: api.CreateNotification(notification).Operation}, required("name", notification.Name))
	if broken := create.rule; broken != nil {
		return Lookup[alerts.Notification]{}, broken
	}
	all, err := collect(s.All(ctx, alerts.ListNotificationsParams{}, opts...))
	return lookUp(all, err, notificationID,
		func(n *alerts.Notification) bool { return n.Name == notification.Name },
	)
}

func notificationID(n *alerts.Notification) string { return n.ID }

// ExpressionsService tries an expression before a notification uses it. Expressions are written in plain text; see
// [alerts.Expression].
type ExpressionsService struct{ engine *engine }

// Validate asks whether the expression can be evaluated on the network. It returns nil where it can, and otherwise an
// [*Error] of [ErrInvalidRequest] whose Message is the service's reason. The route is observed.
//
// POST /alerts/rest/v1/notifications/validate
func (s *ExpressionsService) Validate(
	ctx context.Context, trial alerts.ValidateExpressionRequest, opts ...CallOption,
) error {
	with := s.engine.with(opts)
	return confirm(ctx, with.call(api.ValidateExpression(trial), with.network("network", trial.Network)))
}

// Backtest evaluates the expression on past blocks, at most 20, and reports for each whether and what it matched. An
// expression that is not valid is [ErrInvalidRequest]. The route and the response are observed.
//
// POST /alerts/rest/v1/notifications/backtest
func (s *ExpressionsService) Backtest(
	ctx context.Context, trial alerts.BacktestExpressionRequest, opts ...CallOption,
) ([]alerts.BacktestBlock, error) {
	with := s.engine.with(opts)
	call := with.call(api.BacktestExpression(trial), with.network("network", trial.Network))
	result, err := fetch[alerts.BacktestResult](ctx, call)
	return result.ExpressionResult, err
}

// network checks that a network is a documented one, or one that WithExtraNetworks named.
func (c *caller) network(field string, value alerts.AlertNetwork) *ValidationError {
	if slices.Contains(c.settings.networks, value) {
		return nil
	}
	return oneOf(field, value)
}
