package emulator

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/alertsapi"
)

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
