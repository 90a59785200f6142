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

	// delivered is nil until the first try has ended. The others are of the latest try.
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

// settle records how a try ended. The record of an event that was delivered once stays that of a success.
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

// defaultEventPage is the size of a page of events. It is assumed, as is all of their paging.
const defaultEventPage = 20

// ListNotificationEvents is GET /notifications/{id}/events. The newest event comes first; pages count from 1, and 0 is
// the first one too.
func (h alertsHandlers) ListNotificationEvents(_ context.Context, r alertsapi.ListNotificationEventsRequestObject) (alertsapi.ListNotificationEventsResponseObject, error) {
	found, err := h.state.alerts.notification(r.ID)
	if err != nil {
		return nil, err
	}
	limit, page := valueOr(r.Params.Limit, defaultEventPage), valueOr(r.Params.Page, 1)
	switch {
	case limit < 1:
		return nil, badRequest("limit must be at least 1")
	case page < 0:
		return nil, badRequest("page must not be negative")
	}
	limit, page = min(limit, h.settings.pageCap), max(page, 1)
	answer := alertsapi.ListNotificationEvents200JSONResponse{
		Data: []alertsapi.NotificationEvent{}, PageInfo: &alertsapi.PageInfo{Limit: &limit, Page: &page},
	}
	if page > len(found.events)/limit+1 {
		return answer, nil // Behind the last one. Reckoning with a page that is far behind it could overflow.
	}
	newest := slices.Clone(found.events)
	slices.Reverse(newest)
	first := (page - 1) * limit
	for _, v := range newest[min(first, len(newest)):min(first+limit, len(newest))] {
		answer.Data = append(answer.Data, v.record())
	}
	return answer, nil
}
