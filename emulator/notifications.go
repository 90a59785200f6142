package emulator

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/alertsapi"
)

// notification is an expression on a network with the destinations of its matches.
type notification struct {
	alertsapi.Notification

	Events []*event

	expression condition
}

// event is one match of a notification on its way to one destination.
type event struct {
	alertsapi.NotificationEvent

	// Destination is kept even after it is deleted.
	Destination destination
	// Body and Header are the message. Every attempt sends the same bytes.
	Body   []byte
	Header http.Header
}

// notification finds a notification.
func (s *state) notification(id string) (*notification, error) {
	return byID(s.Notifications, "notification", id, func(n *notification) string { return n.ID })
}

// change sets the fields that are given, or none of them if one is not acceptable.
func (n *notification) change(s *state, fields *alertsapi.UpdateNotificationRequest) error {
	changed := *n
	changed.Name, changed.Network = valueOr(fields.Name, n.Name), valueOr(fields.Network, n.Network)
	if changed.Name == "" {
		return badRequest("name is required")
	}
	if !changed.Network.Valid() {
		return badNetwork
	}
	if fields.Expression != nil {
		parsed, err := parseExpression(string(*fields.Expression))
		if err != nil {
			return badRequest(err.Error())
		}
		changed.Expression, changed.expression = *fields.Expression, parsed
	}
	if fields.DestinationIDs != nil {
		changed.Destinations = []destination{}
		for _, id := range fields.DestinationIDs {
			found, err := byID(s.Destinations, "destination", id, func(d *destination) string { return d.ID })
			if err != nil {
				return badRequest("destinationIds: there is no destination " + id)
			}
			if !slices.Contains(changed.Destinations, *found) {
				changed.Destinations = append(changed.Destinations, *found)
			}
		}
	}
	changed.UpdatedAt = new(s.now().Truncate(time.Millisecond))
	*n = changed
	return nil
}

var badNetwork = badRequest("network must be one of the documented ones")

// addNotification adds a notification to the account.
func (s *state) addNotification(fields *alertsapi.UpdateNotificationRequest, enabled bool) (*notification, error) {
	added := &notification{Notification: alertsapi.Notification{Enabled: &enabled}}
	if err := added.change(s, fields); err != nil {
		return nil, err
	}
	added.ID, added.CreatedAt = s.IDs.uuid(), added.UpdatedAt
	s.Notifications = append(s.Notifications, added)
	return added, nil
}

// CreateNotification is POST /notifications. A new notification is enabled (assumed).
func (h alertsHandlers) CreateNotification(_ context.Context, r alertsapi.CreateNotificationRequestObject) (
	alertsapi.CreateNotificationResponseObject, error) {
	if r.Body.DestinationIDs == nil {
		return nil, badRequest("destinationIds is required")
	}
	created, err := h.state.addNotification(&alertsapi.UpdateNotificationRequest{
		Name: &r.Body.Name, Expression: &r.Body.Expression, Network: &r.Body.Network, DestinationIDs: r.Body.DestinationIDs,
	}, true)
	if err != nil {
		return nil, err
	}
	return alertsapi.CreateNotification200JSONResponse(created.Notification), nil
}

// ListNotifications is GET /notifications. The oldest comes first.
func (h alertsHandlers) ListNotifications(_ context.Context, r alertsapi.ListNotificationsRequestObject) (
	alertsapi.ListNotificationsResponseObject, error) {
	page, _, err := alertsPage(&h.settings, h.state.Notifications, r.Params.Limit, r.Params.Offset)
	list := make(alertsapi.ListNotifications200JSONResponse, 0, len(page))
	for _, n := range page {
		list = append(list, n.Notification)
	}
	return list, err
}

// GetNotification is GET /notifications/{id}.
func (h alertsHandlers) GetNotification(ctx context.Context, _ alertsapi.GetNotificationRequestObject) (
	alertsapi.GetNotificationResponseObject, error) {
	return alertsapi.GetNotification200JSONResponse(info(ctx).notification.Notification), nil
}

// UpdateNotification is PATCH /notifications/{id}.
func (h alertsHandlers) UpdateNotification(ctx context.Context, r alertsapi.UpdateNotificationRequestObject) (
	alertsapi.UpdateNotificationResponseObject, error) {
	found := info(ctx).notification
	if err := found.change(h.state, r.Body); err != nil {
		return nil, err
	}
	return alertsapi.UpdateNotification200JSONResponse(found.Notification), nil
}

// DeleteNotification is DELETE /notifications/{id}. It deletes the events as well.
func (h alertsHandlers) DeleteNotification(ctx context.Context, _ alertsapi.DeleteNotificationRequestObject) (
	alertsapi.DeleteNotificationResponseObject, error) {
	found := info(ctx).notification
	h.state.Notifications = slices.DeleteFunc(h.state.Notifications, func(n *notification) bool { return n == found })
	return alertsapi.DeleteNotification200Response{}, nil
}

// EnableNotification is POST /notifications/{id}/enable.
func (h alertsHandlers) EnableNotification(ctx context.Context, _ alertsapi.EnableNotificationRequestObject) (
	alertsapi.EnableNotificationResponseObject, error) {
	info(ctx).notification.enable(h.state, true)
	return alertsapi.EnableNotification200Response{}, nil
}

// DisableNotification is POST /notifications/{id}/disable.
func (h alertsHandlers) DisableNotification(ctx context.Context, _ alertsapi.DisableNotificationRequestObject) (
	alertsapi.DisableNotificationResponseObject, error) {
	info(ctx).notification.enable(h.state, false)
	return alertsapi.DisableNotification200Response{}, nil
}

func (n *notification) enable(s *state, on bool) {
	if valueOr(n.Enabled, false) != on {
		n.Enabled, n.UpdatedAt = &on, new(s.now().Truncate(time.Millisecond))
	}
}

// ListNotificationEvents is GET /notifications/{id}/events. The newest event comes first. Pages count from 1 (assumed).
func (h alertsHandlers) ListNotificationEvents(ctx context.Context, r alertsapi.ListNotificationEventsRequestObject) (
	alertsapi.ListNotificationEventsResponseObject, error) {
	newest := slices.Clone(info(ctx).notification.Events)
	slices.Reverse(newest)
	page, limit, err := alertsPage(&h.settings, newest, r.Params.Limit, r.Params.Offset)
	number := valueOr(r.Params.Offset, 0)/max(limit, 1) + 1
	response := alertsapi.ListNotificationEvents200JSONResponse{
		Data: make([]alertsapi.NotificationEvent, 0, len(page)), PageInfo: &alertsapi.PageInfo{Limit: &limit, Page: &number},
	}
	for _, v := range page {
		response.Data = append(response.Data, v.NotificationEvent)
	}
	return response, err
}
