package rpcfleet

import (
	"context"
	"iter"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// List returns one page of the account's notifications. The zero parameters stand for the service's defaults: the first 20.
// The service does not tell how many there are: [Page.Total] is -1, and a short page need not be the last one. It has
// also been seen to send all of them, whatever limit and offset; Pages and All hold for either. All of this is
// observed.
//
// GET /alerts/rest/v1/notifications
func (s *NotificationsService) List(ctx context.Context, params alerts.ListNotificationsParams, opts ...CallOption) (*Page[alerts.Notification], error) {
	return listNotifications(ctx, s.engine.with(opts), params)
}

func listNotifications(ctx context.Context, with *caller, params alerts.ListNotificationsParams) (*Page[alerts.Notification], error) {
	content, err := exchange[[]alerts.Notification](ctx, with.call(api.ListNotifications(&params)))
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
func (s *NotificationsService) Pages(ctx context.Context, params alerts.ListNotificationsParams, opts ...CallOption) iter.Seq2[*Page[alerts.Notification], error] {
	with := s.engine.with(opts)
	return untoldListing[alerts.Notification]{
		op: api.ListNotifications(nil).Operation, limit: params.Limit, offset: params.Offset,
		id: func(n *alerts.Notification) string { return n.ID },
		fetch: func(ctx context.Context, limit, offset int) (*Page[alerts.Notification], error) {
			return listNotifications(ctx, with, alerts.ListNotificationsParams{Limit: &limit, Offset: &offset})
		},
	}.pages(ctx, with)
}

// All iterates over every notification, from the offset of the parameters on. See Pages.
//
// GET /alerts/rest/v1/notifications
func (s *NotificationsService) All(ctx context.Context, params alerts.ListNotificationsParams, opts ...CallOption) iter.Seq2[alerts.Notification, error] {
	return items(s.Pages(ctx, params, opts...))
}
