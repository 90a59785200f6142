package emulator

import (
	"net/http"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/alertsapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// rejectAlerts writes the response of a failed operation.
func rejectAlerts(w http.ResponseWriter, failed *serve.Error) {
	rejectPlainly(w, failed.Status, failed.Reason)
}

func (r *request) CreateDestination(body *alertsapi.CreateDestinationRequest) (*alertsapi.Destination, error) {
	if err := checkAddress("to_url", body.ToURL); err != nil {
		return nil, err
	}
	return *addTo(&r.state.destinations, &alertsapi.Destination{
		ID: r.state.ids.uuid(), CreatedAt: r.state.now(), UpdatedAt: r.state.now(), Name: body.Name, To: body.ToURL,
		WebhookType: body.WebhookType, Service: string(body.Service), Token: r.state.ids.text(32),
		PayloadType: body.PayloadType,
	}), nil
}

// ListDestinations is GET /destinations. The oldest comes first.
func (r *request) ListDestinations(params alertsapi.ListDestinationsParams) ([]alertsapi.Destination, error) {
	page, _, _, err := offsetPage(&r.settings, r.state.destinations, params.Limit, params.Offset)
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

// CreateNotification is POST /notifications. A new notification is enabled (assumed).
func (r *request) CreateNotification(body *alertsapi.CreateNotificationRequest) (*alertsapi.Notification, error) {
	r.notification = &notification{Notification: alertsapi.Notification{
		ID: r.state.ids.uuid(), CreatedAt: new(r.state.now()), Enabled: new(true)}}
	created, err := r.setNotification(body, body.DestinationIDs)
	if err == nil {
		r.state.notifications = append(r.state.notifications, r.notification)
	}
	return created, err
}

func (r *request) UpdateNotification(body *alertsapi.UpdateNotificationRequest) (*alertsapi.Notification, error) {
	return r.setNotification(body, body.DestinationIDs)
}

// setNotification sets the fields that are given, or none of them if one is not acceptable.
func (r *request) setNotification(body any, destinations []string) (*alertsapi.Notification, error) {
	changed := merged(r.notification.Notification, body)
	if _, _, err := matching(changed.Expression, changed.Network, 0); err != nil {
		return nil, err
	}
	if changed.DestinationIDs = nil; destinations != nil {
		changed.Destinations = nil
		for _, id := range destinations {
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

// ListNotifications is GET /notifications. The oldest comes first.
func (r *request) ListNotifications(params alertsapi.ListNotificationsParams) ([]alertsapi.Notification, error) {
	page, _, _, err := offsetPage(&r.settings, r.state.notifications, params.Limit, params.Offset)
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
	page, limit, offset, err := offsetPage(&r.settings, newest, params.Limit, params.Offset)
	number := offset/max(limit, 1) + 1
	return &alertsapi.NotificationEventPage{
		Data:     each(page, func(v *alertsapi.NotificationEvent) alertsapi.NotificationEvent { return *v }),
		PageInfo: &alertsapi.PageInfo{Limit: &limit, Page: &number},
	}, err
}
