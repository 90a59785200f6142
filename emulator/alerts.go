package emulator

import (
	"net/http"
	"net/url"
	"slices"

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
	size, first := min(valueOr(limit, defaultPage), s.pageCap), valueOr(offset, 0)
	switch {
	case size < 1:
		return nil, 0, serve.BadRequest("limit must be at least 1")
	case first < 0:
		return nil, 0, serve.BadRequest("offset must not be negative")
	}
	return pageOf(list, size, first), size, nil
}

func (r *request) CreateDestination(body *alertsapi.CreateDestinationRequest) (*alertsapi.Destination, error) {
	address, err := url.Parse(body.ToURL)
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
		return nil, serve.BadRequest("to_url must be an absolute http or https URL")
	}
	return *addTo(&r.state.destinations, &alertsapi.Destination{
		ID: r.state.ids.uuid(), CreatedAt: r.state.now(), UpdatedAt: r.state.now(), Name: body.Name, To: body.ToURL,
		WebhookType: body.WebhookType, Service: string(body.Service), Token: r.state.ids.text(32),
		PayloadType: body.PayloadType,
	}), nil
}

// ListDestinations is GET /destinations. The oldest comes first.
func (r *request) ListDestinations(params alertsapi.ListDestinationsParams) ([]alertsapi.Destination, error) {
	page, _, err := alertsPage(&r.settings, r.state.destinations, params.Limit, params.Offset)
	return each(page, func(d *alertsapi.Destination) alertsapi.Destination { return *d }), err
}

func (r *request) GetDestination() (*alertsapi.Destination, error) { return r.destination, nil }

// DeleteDestination is DELETE /destinations/{id}. Its notifications lose the destination (assumed).
func (r *request) DeleteDestination() error {
	remove(&r.state.destinations, r.destination.ID)
	for _, n := range r.state.notifications {
		remove(&n.Destinations, r.destination.ID)
	}
	return nil
}

// notification is an expression on a network with the destinations and the events of its matches.
type notification struct {
	alertsapi.Notification

	events []*alertsapi.NotificationEvent
}

// UpdateNotification is PATCH /notifications/{id}. It sets the fields that are given, or none of them if one is not
// acceptable.
func (r *request) UpdateNotification(body *alertsapi.UpdateNotificationRequest) (*alertsapi.Notification, error) {
	changed := r.notification.Notification
	changed.Name, changed.Network = valueOr(body.Name, changed.Name), valueOr(body.Network, changed.Network)
	if body.Expression != nil {
		if _, _, err := matching(*body.Expression, changed.Network, 0); err != nil {
			return nil, err
		}
		changed.Expression = *body.Expression
	}
	if body.DestinationIDs != nil {
		changed.Destinations = []alertsapi.Destination{}
		for _, id := range body.DestinationIDs {
			found, err := find(r.state.destinations, "destination", id)
			if err != nil {
				return nil, serve.BadRequest("destinationIds: there is no destination " + id)
			}
			if !slices.Contains(changed.Destinations, *found) {
				changed.Destinations = append(changed.Destinations, *found)
			}
		}
	}
	changed.UpdatedAt = new(r.state.now())
	r.notification.Notification = changed
	return &changed, nil
}

// CreateNotification is POST /notifications. A new notification is enabled (assumed).
func (r *request) CreateNotification(body *alertsapi.CreateNotificationRequest) (*alertsapi.Notification, error) {
	r.notification = &notification{Notification: alertsapi.Notification{
		ID: r.state.ids.uuid(), CreatedAt: new(r.state.now()), Enabled: new(true)}}
	created, err := r.UpdateNotification(&alertsapi.UpdateNotificationRequest{
		Name: &body.Name, Expression: &body.Expression, Network: &body.Network, DestinationIDs: body.DestinationIDs,
	})
	if err == nil {
		r.state.notifications = append(r.state.notifications, r.notification)
	}
	return created, err
}

// ListNotifications is GET /notifications. The oldest comes first.
func (r *request) ListNotifications(params alertsapi.ListNotificationsParams) ([]alertsapi.Notification, error) {
	page, _, err := alertsPage(&r.settings, r.state.notifications, params.Limit, params.Offset)
	return each(page, func(n *notification) alertsapi.Notification { return n.Notification }), err
}

func (r *request) GetNotification() (*alertsapi.Notification, error) {
	return &r.notification.Notification, nil
}

// DeleteNotification is DELETE /notifications/{id}. It deletes the events as well.
func (r *request) DeleteNotification() error {
	remove(&r.state.notifications, r.notification.ID)
	return nil
}

func (r *request) EnableNotification() error  { return r.setEnabled(true) }
func (r *request) DisableNotification() error { return r.setEnabled(false) }

func (r *request) setEnabled(on bool) error {
	if *r.notification.Enabled != on {
		r.notification.Enabled, r.notification.UpdatedAt = &on, new(r.state.now())
	}
	return nil
}

// ListNotificationEvents is GET /notifications/{id}/events. The newest event comes first. Pages count from 1 (assumed).
func (r *request) ListNotificationEvents(params alertsapi.ListNotificationEventsParams) (
	*alertsapi.NotificationEventPage, error) {
	newest := slices.Clone(r.notification.events)
	slices.Reverse(newest)
	page, limit, err := alertsPage(&r.settings, newest, params.Limit, params.Offset)
	number := valueOr(params.Offset, 0)/max(limit, 1) + 1
	return &alertsapi.NotificationEventPage{
		Data:     each(page, func(v *alertsapi.NotificationEvent) alertsapi.NotificationEvent { return *v }),
		PageInfo: &alertsapi.PageInfo{Limit: &limit, Page: &number},
	}, err
}
