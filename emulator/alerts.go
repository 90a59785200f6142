package emulator

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/alertsapi"
)

// refuseAlerts writes the response of a failed operation. The area has no envelope, and the form is assumed.
func refuseAlerts(w http.ResponseWriter, _ *http.Request, err error) {
	refused := refusalOf(err)
	writeJSON(w, refused.status,
		alertsapi.AlertsError{Message: &refused.reason, Error: new(http.StatusText(refused.status))})
}

// alertsPage returns a page of a list of the alerts area, and the limit in force. A limit below 1 and a negative offset
// are refused (assumed).
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

// CreateDestination is POST /destinations.
func (h alertsHandlers) CreateDestination(_ context.Context, body *alertsapi.CreateDestinationRequest) (
	*destination, error) {
	address, err := url.Parse(body.ToURL)
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
		return nil, badRequest("to_url must be an absolute http or https URL")
	}
	now := h.state.now().Truncate(time.Millisecond)
	created := &destination{
		ID: h.state.IDs.uuid(), CreatedAt: now, UpdatedAt: now, Name: body.Name, To: body.ToURL,
		WebhookType: body.WebhookType, Service: string(body.Service), Token: h.state.IDs.text(32),
		PayloadType: body.PayloadType,
	}
	h.state.Destinations = append(h.state.Destinations, created)
	return created, nil
}

// ListDestinations is GET /destinations. The oldest comes first.
func (h alertsHandlers) ListDestinations(_ context.Context, params alertsapi.ListDestinationsParams) (
	[]destination, error) {
	page, _, err := alertsPage(&h.settings, h.state.Destinations, params.Limit, params.Offset)
	list := make([]destination, 0, len(page))
	for _, d := range page {
		list = append(list, *d)
	}
	return list, err
}

// GetDestination is GET /destinations/{id}.
func (h alertsHandlers) GetDestination(ctx context.Context) (*destination, error) {
	return info(ctx).destination, nil
}

// DeleteDestination is DELETE /destinations/{id}. Its notifications lose the destination (assumed).
func (h alertsHandlers) DeleteDestination(ctx context.Context) error {
	deleted := info(ctx).destination
	h.state.Destinations = slices.DeleteFunc(h.state.Destinations, func(d *destination) bool { return d == deleted })
	for _, n := range h.state.Notifications {
		n.Destinations = slices.DeleteFunc(n.Destinations, func(d destination) bool { return d.ID == deleted.ID })
	}
	return nil
}
