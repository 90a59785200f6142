package rpcfleet

import (
	"context"
	"iter"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// Events returns one page of what the notification matched and how each delivery went. The zero parameters stand for the
// service's defaults: the first 20. What is said of List holds here as well. All of this is observed.
//
// GET /alerts/rest/v1/notifications/{id}/events
func (s *NotificationsService) Events(ctx context.Context, id string, params alerts.ListNotificationEventsParams, opts ...CallOption) (*Page[alerts.NotificationEvent], error) {
	return listEvents(ctx, s.engine.with(opts), id, params)
}

func listEvents(ctx context.Context, with *caller, id string, params alerts.ListNotificationEventsParams) (*Page[alerts.NotificationEvent], error) {
	content, err := exchange[[]alerts.NotificationEvent](ctx, with.call(api.ListNotificationEvents(id, &params)))
	if err != nil {
		return nil, err
	}
	return newPage(content, params.Offset), nil
}

// EventPages iterates over a notification's events page by page, from the offset of the parameters on. What is said of
// [DestinationsService.Pages] holds here as well. An event that comes up meanwhile may or may not be delivered.
//
// GET /alerts/rest/v1/notifications/{id}/events
func (s *NotificationsService) EventPages(ctx context.Context, id string, params alerts.ListNotificationEventsParams, opts ...CallOption) iter.Seq2[*Page[alerts.NotificationEvent], error] {
	with := s.engine.with(opts)
	return untoldListing[alerts.NotificationEvent]{
		op: api.ListNotificationEvents(id, nil).Operation, limit: params.Limit, offset: params.Offset,
		id: func(e *alerts.NotificationEvent) string { return e.ID },
		fetch: func(ctx context.Context, limit, offset int) (*Page[alerts.NotificationEvent], error) {
			return listEvents(ctx, with, id, alerts.ListNotificationEventsParams{Limit: &limit, Offset: &offset})
		},
	}.pages(ctx, with)
}

// AllEvents iterates over every event of a notification, from the offset of the parameters on. See EventPages.
//
// GET /alerts/rest/v1/notifications/{id}/events
func (s *NotificationsService) AllEvents(ctx context.Context, id string, params alerts.ListNotificationEventsParams, opts ...CallOption) iter.Seq2[alerts.NotificationEvent, error] {
	return items(s.EventPages(ctx, id, params, opts...))
}
