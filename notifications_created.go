package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// FindCreated looks for what Create was to make: the notifications of that name. What is said of
// [DestinationsService.FindCreated] holds here as well.
//
// GET /alerts/rest/v1/notifications
func (s *NotificationsService) FindCreated(ctx context.Context, notification alerts.CreateNotificationRequest, opts ...CallOption) (Lookup[alerts.Notification], error) {
	create := s.engine.with(opts).call(api.Request{Operation: api.CreateNotification(notification).Operation}, required("name", notification.Name))
	if broken := create.broken(); broken != nil {
		return Lookup[alerts.Notification]{}, broken
	}
	return lookUp(s.All(ctx, alerts.ListNotificationsParams{}, opts...),
		func(n *alerts.Notification) string { return n.ID },
		func(n *alerts.Notification) bool { return n.Name == notification.Name },
	)
}
