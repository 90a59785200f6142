package emulator

import (
	"context"
	"net/url"
	"slices"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/alertsapi"
)

// destination is a webhook. Nothing changes it once it is created.
type destination struct {
	id          string
	createdAt   time.Time
	name        string
	url         string
	method      alertsapi.WebhookType
	service     alertsapi.DestinationService
	token       string
	payloadType alertsapi.PayloadType
}

func (d *destination) record() alertsapi.Destination {
	return alertsapi.Destination{
		ID: d.id, CreatedAt: d.createdAt, UpdatedAt: d.createdAt, Name: d.name, To: d.url, WebhookType: d.method,
		Service: string(d.service), Token: d.token, PayloadType: d.payloadType,
	}
}

// destination finds a destination.
func (s *alertsState) destination(id string) (*destination, error) {
	for _, d := range s.destinations {
		if d.id == id {
			return d, nil
		}
	}
	return nil, notFound("destination not found")
}

// CreateDestination is POST /destinations.
func (h alertsHandlers) CreateDestination(_ context.Context, r alertsapi.CreateDestinationRequestObject) (alertsapi.CreateDestinationResponseObject, error) {
	created, err := h.state.newDestination(r.Body)
	if err != nil {
		return nil, err
	}
	h.state.alerts.destinations = append(h.state.alerts.destinations, created)
	return alertsapi.CreateDestination200JSONResponse(created.record()), nil
}

func (s *state) newDestination(body *alertsapi.CreateDestinationRequest) (*destination, error) {
	address, err := url.Parse(body.ToURL)
	switch {
	case body.Name == "":
		return nil, badRequest("name is required")
	case err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https":
		return nil, badRequest("to_url must be an absolute http or https URL")
	case !body.WebhookType.Valid():
		return nil, badRequest("webhook_type must be POST or GET")
	case !body.Service.Valid():
		return nil, badRequest("service must be webhook")
	case !body.PayloadType.Valid():
		return nil, badRequest("payload_type must be from 1 to 7")
	}
	return &destination{
		id:          s.ids.uuid(),
		createdAt:   s.now().Truncate(time.Millisecond),
		name:        body.Name,
		url:         body.ToURL,
		method:      body.WebhookType,
		service:     body.Service,
		token:       s.ids.text(32),
		payloadType: body.PayloadType,
	}, nil
}

// ListDestinations is GET /destinations. They come in the order of their creation.
func (h alertsHandlers) ListDestinations(_ context.Context, r alertsapi.ListDestinationsRequestObject) (alertsapi.ListDestinationsResponseObject, error) {
	page, _, err := alertsPageOf(&h.settings, h.state.alerts.destinations, r.Params.Limit, r.Params.Offset)
	if err != nil {
		return nil, err
	}
	list := make(alertsapi.ListDestinations200JSONResponse, 0, len(page))
	for _, d := range page {
		list = append(list, d.record())
	}
	return list, nil
}

// GetDestination is GET /destinations/{id}.
func (h alertsHandlers) GetDestination(_ context.Context, r alertsapi.GetDestinationRequestObject) (alertsapi.GetDestinationResponseObject, error) {
	found, err := h.state.alerts.destination(r.ID)
	if err != nil {
		return nil, err
	}
	return alertsapi.GetDestination200JSONResponse(found.record()), nil
}

// DeleteDestination is DELETE /destinations/{id}. Notifications that deliver to it no longer do, which is assumed.
func (h alertsHandlers) DeleteDestination(_ context.Context, r alertsapi.DeleteDestinationRequestObject) (alertsapi.DeleteDestinationResponseObject, error) {
	found, err := h.state.alerts.destination(r.ID)
	if err != nil {
		return nil, err
	}
	same := func(d *destination) bool { return d == found }
	h.state.alerts.destinations = slices.DeleteFunc(h.state.alerts.destinations, same)
	for _, n := range h.state.alerts.notifications {
		n.destinations = slices.DeleteFunc(n.destinations, same)
	}
	return alertsapi.DeleteDestination200Response{}, nil
}
