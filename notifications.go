package rpcfleet

import (
	"context"
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
// repeated after a failure that leaves open whether the service acted, which is [ErrMaybeCarriedOut]: FindCreated tells
// then whether the notification exists. A success without the notification's id is [ErrCarriedOut]. The route and the
// response are observed.
//
// POST /alerts/rest/v1/notifications
func (s *NotificationsService) Create(ctx context.Context, notification alerts.CreateNotificationRequest, opts ...CallOption) (*alerts.Notification, error) {
	with := s.engine.with(opts)
	return fetchNotification(ctx, with.call(api.CreateNotification(notification), with.network("network", notification.Network)))
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
func (s *NotificationsService) Update(ctx context.Context, id string, update alerts.UpdateNotificationRequest, opts ...CallOption) (*alerts.Notification, error) {
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
