package rpcfleet

import (
	"context"
	"iter"
	"net/http"

	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// Events returns one page of what the notification matched and how each delivery went. Nil parameters stand for the
// service's defaults: the first 20. What is said of List holds here as well. All of this is observed.
//
// GET /alerts/rest/v1/notifications/{id}/events
func (s *NotificationsService) Events(ctx context.Context, id string, params *alerts.ListNotificationEventsParams, opts ...CallOption) (*Page[alerts.NotificationEvent], error) {
	params = cloned(params)
	answer, err := exchange[[]alerts.NotificationEvent](ctx, s.client, call{
		op: alerts.ListNotificationEventsOperation,
		build: func(base string) (*http.Request, error) {
			return alerts.NewListNotificationEventsRequest(base, id, params)
		},
		checks: []*ValidationError{segment("id", id)},
		opts:   opts,
	})
	if err != nil {
		return nil, err
	}
	return newPage(answer, params.Offset), nil
}

// EventPages iterates over a notification's events page by page, from the offset of the parameters on. What is said of
// DestinationsService.Pages holds here as well. An event that comes up meanwhile may or may not be delivered.
//
// GET /alerts/rest/v1/notifications/{id}/events
func (s *NotificationsService) EventPages(ctx context.Context, id string, params *alerts.ListNotificationEventsParams, opts ...CallOption) iter.Seq2[*Page[alerts.NotificationEvent], error] {
	params = cloned(params)
	return untoldListing[alerts.NotificationEvent]{
		op: alerts.ListNotificationEventsOperation, limit: params.Limit, offset: params.Offset,
		id: func(e *alerts.NotificationEvent) string { return e.ID },
		fetch: func(ctx context.Context, limit, offset int) (*Page[alerts.NotificationEvent], error) {
			return s.Events(ctx, id, &alerts.ListNotificationEventsParams{Limit: &limit, Offset: &offset}, opts...)
		},
	}.pages(ctx, s.client, opts)
}

// AllEvents iterates over every event of a notification, from the offset of the parameters on. See EventPages.
//
// GET /alerts/rest/v1/notifications/{id}/events
func (s *NotificationsService) AllEvents(ctx context.Context, id string, params *alerts.ListNotificationEventsParams, opts ...CallOption) iter.Seq2[alerts.NotificationEvent, error] {
	return items(s.EventPages(ctx, id, params, opts...))
}
