package emulator

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/alertsapi"
)

// notification is an expression on a network, and where its matches go.
type notification struct {
	id           string
	createdAt    time.Time
	updatedAt    time.Time
	name         string
	text         []byte
	expression   condition
	network      alertsapi.AlertNetwork
	enabled      bool
	destinations []*destination
	events       []*event
}

// record shows the destinations as a whole, as the service was observed to.
func (n *notification) record() alertsapi.Notification {
	record := alertsapi.Notification{
		ID: n.id, CreatedAt: &n.createdAt, UpdatedAt: &n.updatedAt, Name: n.name, Expression: n.text, Network: n.network,
		Enabled: &n.enabled, Destinations: make([]alertsapi.Destination, 0, len(n.destinations)),
	}
	for _, d := range n.destinations {
		record.Destinations = append(record.Destinations, d.record())
	}
	return record
}

// notification finds a notification.
func (s *alertsState) notification(id string) (*notification, error) {
	for _, n := range s.notifications {
		if n.id == id {
			return n, nil
		}
	}
	return nil, notFound("notification not found")
}

// change sets the fields that are given, or none of them where one is not acceptable.
func (n *notification) change(s *state, fields *alertsapi.UpdateNotificationRequest) error {
	changed := *n
	if fields.Name != nil {
		if *fields.Name == "" {
			return badRequest("name is required")
		}
		changed.name = *fields.Name
	}
	if fields.Network != nil {
		if err := checkNetwork(*fields.Network); err != nil {
			return err
		}
		changed.network = *fields.Network
	}
	if fields.Expression != nil {
		parsed, err := parseExpression(string(*fields.Expression))
		if err != nil {
			return badRequest(err.Error())
		}
		changed.text, changed.expression = *fields.Expression, parsed
	}
	if fields.DestinationIDs != nil {
		changed.destinations = nil
		for _, id := range fields.DestinationIDs {
			found, err := s.alerts.destination(id)
			if err != nil {
				return badRequest("destinationIds: there is no destination " + id)
			}
			if !slices.Contains(changed.destinations, found) {
				changed.destinations = append(changed.destinations, found)
			}
		}
	}
	changed.updatedAt = s.now().Truncate(time.Millisecond)
	*n = changed
	return nil
}

func checkNetwork(network alertsapi.AlertNetwork) error {
	if !network.Valid() {
		return badRequest("network must be one of the documented ones")
	}
	return nil
}

// CreateNotification is POST /notifications. A new notification is on, which is assumed.
func (h alertsHandlers) CreateNotification(_ context.Context, r alertsapi.CreateNotificationRequestObject) (alertsapi.CreateNotificationResponseObject, error) {
	if r.Body.DestinationIDs == nil {
		return nil, badRequest("destinationIds is required")
	}
	created := &notification{enabled: true}
	if err := created.change(h.state, &alertsapi.UpdateNotificationRequest{
		Name: &r.Body.Name, Expression: &r.Body.Expression, Network: &r.Body.Network, DestinationIDs: r.Body.DestinationIDs,
	}); err != nil {
		return nil, err
	}
	created.id, created.createdAt = h.state.ids.uuid(), created.updatedAt
	h.state.alerts.notifications = append(h.state.alerts.notifications, created)
	return alertsapi.CreateNotification200JSONResponse(created.record()), nil
}

// ListNotifications is GET /notifications. They come in the order of their creation.
func (h alertsHandlers) ListNotifications(_ context.Context, r alertsapi.ListNotificationsRequestObject) (alertsapi.ListNotificationsResponseObject, error) {
	page, _, err := alertsPageOf(&h.settings, h.state.alerts.notifications, r.Params.Limit, r.Params.Offset)
	if err != nil {
		return nil, err
	}
	list := make(alertsapi.ListNotifications200JSONResponse, 0, len(page))
	for _, n := range page {
		list = append(list, n.record())
	}
	return list, nil
}

// GetNotification is GET /notifications/{id}.
func (h alertsHandlers) GetNotification(_ context.Context, r alertsapi.GetNotificationRequestObject) (alertsapi.GetNotificationResponseObject, error) {
	found, err := h.state.alerts.notification(r.ID)
	if err != nil {
		return nil, err
	}
	return alertsapi.GetNotification200JSONResponse(found.record()), nil
}

// UpdateNotification is PATCH /notifications/{id}.
func (h alertsHandlers) UpdateNotification(_ context.Context, r alertsapi.UpdateNotificationRequestObject) (alertsapi.UpdateNotificationResponseObject, error) {
	found, err := h.state.alerts.notification(r.ID)
	if err != nil {
		return nil, err
	}
	if err := found.change(h.state, r.Body); err != nil {
		return nil, err
	}
	return alertsapi.UpdateNotification200JSONResponse(found.record()), nil
}

// DeleteNotification is DELETE /notifications/{id}. Its events go with it.
func (h alertsHandlers) DeleteNotification(_ context.Context, r alertsapi.DeleteNotificationRequestObject) (alertsapi.DeleteNotificationResponseObject, error) {
	found, err := h.state.alerts.notification(r.ID)
	if err != nil {
		return nil, err
	}
	h.state.alerts.notifications = slices.DeleteFunc(h.state.alerts.notifications, func(n *notification) bool { return n == found })
	return alertsapi.DeleteNotification200Response{}, nil
}

// EnableNotification is POST /notifications/{id}/enable.
func (h alertsHandlers) EnableNotification(_ context.Context, r alertsapi.EnableNotificationRequestObject) (alertsapi.EnableNotificationResponseObject, error) {
	if err := h.switchNotification(r.ID, true); err != nil {
		return nil, err
	}
	return alertsapi.EnableNotification200Response{}, nil
}

// DisableNotification is POST /notifications/{id}/disable.
func (h alertsHandlers) DisableNotification(_ context.Context, r alertsapi.DisableNotificationRequestObject) (alertsapi.DisableNotificationResponseObject, error) {
	if err := h.switchNotification(r.ID, false); err != nil {
		return nil, err
	}
	return alertsapi.DisableNotification200Response{}, nil
}

func (h alertsHandlers) switchNotification(id string, on bool) error {
	found, err := h.state.alerts.notification(id)
	if err != nil || found.enabled == on {
		return err
	}
	found.enabled, found.updatedAt = on, h.state.now().Truncate(time.Millisecond)
	return nil
}

// event is one match of a notification on its way to one destination.
type event struct {
	id             string
	notificationID string
	to             *destination
	block          int64
	places         []int
	createdAt      time.Time
	message        message

	// delivered is nil until the first attempt has ended. The others are of the latest try.
	delivered   *bool
	deliveredAt *time.Time
	failure     *string
}

func (v *event) record() alertsapi.NotificationEvent {
	places := make([]string, len(v.places))
	for i, place := range v.places {
		places[i] = strconv.Itoa(place)
	}
	return alertsapi.NotificationEvent{
		ID: v.id, DestinationID: v.to.id, NotificationID: v.notificationID, BlockNumber: strconv.FormatInt(v.block, 10),
		TxMatchedIndexes: new(strings.Join(places, ",")), CreatedAt: &v.createdAt, To: &v.to.url,
		Delivered: v.delivered, DeliveredAt: v.deliveredAt, DeliveredError: v.failure,
	}
}

// settle records how an attempt ended. The record of an event that was delivered once stays that of a success.
func (v *event) settle(now time.Time, failure error) {
	if v.deliveredAt != nil {
		return
	}
	v.delivered, v.failure = new(failure == nil), nil
	if failure != nil {
		v.failure = new(failure.Error())
		return
	}
	v.deliveredAt = new(now.Truncate(time.Millisecond))
}

// ListNotificationEvents is GET /notifications/{id}/events. The newest event comes first. That the page's number counts
// from 1 is assumed.
func (h alertsHandlers) ListNotificationEvents(_ context.Context, r alertsapi.ListNotificationEventsRequestObject) (alertsapi.ListNotificationEventsResponseObject, error) {
	found, err := h.state.alerts.notification(r.ID)
	if err != nil {
		return nil, err
	}
	newest := slices.Clone(found.events)
	slices.Reverse(newest)
	page, limit, err := alertsPageOf(&h.settings, newest, r.Params.Limit, r.Params.Offset)
	if err != nil {
		return nil, err
	}
	number := valueOr(r.Params.Offset, 0)/max(limit, 1) + 1
	response := alertsapi.ListNotificationEvents200JSONResponse{
		Data: make([]alertsapi.NotificationEvent, 0, len(page)), PageInfo: &alertsapi.PageInfo{Limit: &limit, Page: &number},
	}
	for _, v := range page {
		response.Data = append(response.Data, v.record())
	}
	return response, nil
}
