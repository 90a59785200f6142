package emulator

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/alertsapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// rejectAlerts writes the response of a failed operation. The area has no envelope (observed).
func rejectAlerts(w http.ResponseWriter, failed *serve.Error) {
	writeJSON(w, failed.Status, alertsapi.AlertsError{
		StatusCode: &failed.Status, Message: &failed.Reason, Error: new(http.StatusText(failed.Status)),
	})
}

// alertsPage returns a page of a list of the alerts area, and the limit in force. A limit below 1 and a negative offset
// are rejected (assumed).
func alertsPage[T any](s *settings, list []T, limit, offset *int) ([]T, int, error) {
	if s.alertsUnpaged {
		return list, len(list), nil
	}
	size, first := min(valueOr(limit, defaultPage), s.pageCap), valueOr(offset, 0)
	switch {
	case size < 1:
		return nil, 0, badRequest("limit must be at least 1")
	case first < 0:
		return nil, 0, badRequest("offset must not be negative")
	}
	return pageOf(list, size, first), size, nil
}

// destination is a webhook. It never changes.
type destination = alertsapi.Destination

func (h alertsHandlers) CreateDestination(_ context.Context, body *alertsapi.CreateDestinationRequest) (
	*destination, error) {
	address, err := url.Parse(body.ToURL)
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
		return nil, badRequest("to_url must be an absolute http or https URL")
	}
	now := h.state.now().Truncate(time.Millisecond)
	created := &destination{
		ID: h.state.ids.uuid(), CreatedAt: now, UpdatedAt: now, Name: body.Name, To: body.ToURL,
		WebhookType: body.WebhookType, Service: string(body.Service), Token: h.state.ids.text(32),
		PayloadType: body.PayloadType,
	}
	h.state.destinations = append(h.state.destinations, created)
	return created, nil
}

// ListDestinations is GET /destinations. The oldest comes first.
func (h alertsHandlers) ListDestinations(_ context.Context, params alertsapi.ListDestinationsParams) (
	[]destination, error) {
	page, _, err := alertsPage(&h.settings, h.state.destinations, params.Limit, params.Offset)
	return each(page, func(d *destination) destination { return *d }), err
}

func (h alertsHandlers) GetDestination(ctx context.Context) (*destination, error) {
	return infoOf(ctx).destination, nil
}

// DeleteDestination is DELETE /destinations/{id}. Its notifications lose the destination (assumed).
func (h alertsHandlers) DeleteDestination(ctx context.Context) error {
	deleted := infoOf(ctx).destination
	h.state.destinations = without(h.state.destinations, deleted)
	for _, n := range h.state.notifications {
		n.Destinations = slices.DeleteFunc(n.Destinations, func(d destination) bool { return d.ID == deleted.ID })
	}
	return nil
}

// notification is an expression on a network with the destinations of its matches.
type notification struct {
	alertsapi.Notification

	Events []*event
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
	return byID(s.notifications, "notification", id, func(n *notification) string { return n.ID })
}

// UpdateNotification is PATCH /notifications/{id}. It sets the fields that are given, or none of them if one is not
// acceptable.
func (h alertsHandlers) UpdateNotification(ctx context.Context, body *alertsapi.UpdateNotificationRequest) (
	*alertsapi.Notification, error) {
	changed := *infoOf(ctx).notification
	changed.Name, changed.Network = valueOr(body.Name, changed.Name), valueOr(body.Network, changed.Network)
	if body.Expression != nil {
		if _, err := parseExpression(string(*body.Expression)); err != nil {
			return nil, badRequest(err.Error())
		}
		changed.Expression = *body.Expression
	}
	if body.DestinationIDs != nil {
		changed.Destinations = []destination{}
		for _, id := range body.DestinationIDs {
			found, err := byID(h.state.destinations, "destination", id, func(d *destination) string { return d.ID })
			if err != nil {
				return nil, badRequest("destinationIds: there is no destination " + id)
			}
			if !slices.Contains(changed.Destinations, *found) {
				changed.Destinations = append(changed.Destinations, *found)
			}
		}
	}
	changed.UpdatedAt = new(h.state.now().Truncate(time.Millisecond))
	*infoOf(ctx).notification = changed
	return &changed.Notification, nil
}

// CreateNotification is POST /notifications. A new notification is enabled (assumed).
func (h alertsHandlers) CreateNotification(ctx context.Context, body *alertsapi.CreateNotificationRequest) (
	*alertsapi.Notification, error) {
	created := &notification{Notification: alertsapi.Notification{Enabled: new(true)}}
	infoOf(ctx).notification = created
	_, err := h.UpdateNotification(ctx, &alertsapi.UpdateNotificationRequest{
		Name: &body.Name, Expression: &body.Expression, Network: &body.Network, DestinationIDs: body.DestinationIDs,
	})
	if err != nil {
		return nil, err
	}
	created.ID, created.CreatedAt = h.state.ids.uuid(), created.UpdatedAt
	h.state.notifications = append(h.state.notifications, created)
	return &created.Notification, nil
}

// ListNotifications is GET /notifications. The oldest comes first.
func (h alertsHandlers) ListNotifications(_ context.Context, params alertsapi.ListNotificationsParams) (
	[]alertsapi.Notification, error) {
	page, _, err := alertsPage(&h.settings, h.state.notifications, params.Limit, params.Offset)
	return each(page, func(n *notification) alertsapi.Notification { return n.Notification }), err
}

func (h alertsHandlers) GetNotification(ctx context.Context) (*alertsapi.Notification, error) {
	return &infoOf(ctx).notification.Notification, nil
}

// DeleteNotification is DELETE /notifications/{id}. It deletes the events as well.
func (h alertsHandlers) DeleteNotification(ctx context.Context) error {
	h.state.notifications = without(h.state.notifications, infoOf(ctx).notification)
	return nil
}

func (h alertsHandlers) EnableNotification(ctx context.Context) error {
	return infoOf(ctx).notification.enable(h.state, true)
}

func (h alertsHandlers) DisableNotification(ctx context.Context) error {
	return infoOf(ctx).notification.enable(h.state, false)
}

func (n *notification) enable(s *state, on bool) error {
	if valueOr(n.Enabled, false) != on {
		n.Enabled, n.UpdatedAt = &on, new(s.now().Truncate(time.Millisecond))
	}
	return nil
}

// ListNotificationEvents is GET /notifications/{id}/events. The newest event comes first. Pages count from 1 (assumed).
func (h alertsHandlers) ListNotificationEvents(ctx context.Context, params alertsapi.ListNotificationEventsParams) (
	*alertsapi.NotificationEventPage, error) {
	newest := slices.Clone(infoOf(ctx).notification.Events)
	slices.Reverse(newest)
	page, limit, err := alertsPage(&h.settings, newest, params.Limit, params.Offset)
	number := valueOr(params.Offset, 0)/max(limit, 1) + 1
	return &alertsapi.NotificationEventPage{
		Data:     each(page, func(v *event) alertsapi.NotificationEvent { return v.NotificationEvent }),
		PageInfo: &alertsapi.PageInfo{Limit: &limit, Page: &number},
	}, err
}
