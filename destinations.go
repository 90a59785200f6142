package rpcfleet

import (
	"context"
	"iter"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// DestinationsService manages the webhooks that receive alerts. Package alerts has handlers for them.
//
// If a destination does not exist, the methods with an id return [ErrNotFound]. The service has no operation to change
// a destination.
type DestinationsService struct{ engine *engine }

// Create creates a destination. The response contains the token with which a receiver verifies deliveries. The URL of a
// webhook often contains a secret, so it is never printed. If the outcome is open, the error matches
// [ErrOutcomeUnknown]; see FindCreated.
//
// POST /alerts/rest/v1/destinations
func (s *DestinationsService) Create(
	ctx context.Context, destination alerts.CreateDestinationRequest, opts ...CallOption,
) (*alerts.Destination, error) {
	call := s.engine.call(api.CreateDestination(destination), opts, webhookURL("to_url", destination.ToURL))
	return fetch[*alerts.Destination](ctx, call)
}

// List returns one page of the account's destinations. If the parameters are zero, it is the first 20. The service does
// not return a total, so [Page.Total] is -1, and a short page need not be the last one. The service may also ignore
// limit and offset and return all destinations; Pages and All handle both. All of this is observed.
//
// GET /alerts/rest/v1/destinations
func (s *DestinationsService) List(
	ctx context.Context, params alerts.ListDestinationsParams, opts ...CallOption,
) (*Page[alerts.Destination], error) {
	return listAlerts[alerts.Destination](ctx, s.engine.call(api.ListDestinations(&params), opts), params.Offset)
}

// listAlerts executes a call that lists records of the alerts area.
func listAlerts[T any](ctx context.Context, c *call, offset *int) (*Page[T], error) {
	content, err := exchange[[]T](ctx, c)
	if err != nil {
		return nil, err
	}
	nameParts(&content.Data)
	return newPage(content, offset), nil
}

// alertPages iterates over a listing of the alerts area. It rejects a limit or offset that is valid for a single page
// but would keep the iteration from advancing.
func alertPages[T any](
	ctx context.Context, with *caller, limit, offset *int, id func(*T) string,
	request func(limit, offset *int) api.Request,
) iter.Seq2[*Page[T], error] {
	fetch := func(ctx context.Context, limit, offset int) (*Page[T], error) {
		c := with.call(request(&limit, &offset),
			errorOf(api.AtLeast("limit", 1, &limit)), errorOf(api.AtLeast("offset", 0, &offset)))
		return listAlerts[T](ctx, c, &offset)
	}
	return offsetPages(ctx, with, limit, offset, id, fetch)
}

// Pages iterates over the destinations page by page, starting at the offset in params. A page is fetched when the loop
// reaches it; since the total is unknown, pages are not prefetched. No destination is delivered twice. If a call fails,
// the iteration ends with a [*PageError], which contains the position to resume from. If the service repeats a page, so
// that destinations may be missing, the error is [ErrRepeatedPage].
//
// A service that ignores limit and offset returns the whole listing at every offset. If the number of destinations
// equals the limit, the listing may be incomplete and the error is [ErrRepeatedPage]: use another page size. If a
// service ignores the offset and also lowers the limit, part of the listing looks like all of it.
//
// If the loop deletes destinations, the rest moves to lower offsets. At the end, Pages reads the first page again: if
// the page ends with a new destination, the error is [ErrIncompleteListing], and the listing must be read again.
// Deletions from later pages alone are not detected, so collect the ids before you delete.
//
// GET /alerts/rest/v1/destinations
func (s *DestinationsService) Pages(
	ctx context.Context, params alerts.ListDestinationsParams, opts ...CallOption,
) iter.Seq2[*Page[alerts.Destination], error] {
	request := func(limit, offset *int) api.Request {
		return api.ListDestinations(&alerts.ListDestinationsParams{Limit: limit, Offset: offset})
	}
	return alertPages(ctx, s.engine.with(opts), params.Limit, params.Offset, destinationID, request)
}

// All iterates over all destinations, starting at the offset in params. See Pages.
//
// GET /alerts/rest/v1/destinations
func (s *DestinationsService) All(
	ctx context.Context, params alerts.ListDestinationsParams, opts ...CallOption,
) iter.Seq2[alerts.Destination, error] {
	return items(s.Pages(ctx, params, opts...))
}

// Get returns one destination (observed).
//
// GET /alerts/rest/v1/destinations/{id}
func (s *DestinationsService) Get(ctx context.Context, id string, opts ...CallOption) (*alerts.Destination, error) {
	return fetch[*alerts.Destination](ctx, s.engine.call(api.GetDestination(id), opts))
}

// Delete deletes a destination (observed). The API does not document the effect on notifications that use it.
//
// DELETE /alerts/rest/v1/destinations/{id}
func (s *DestinationsService) Delete(ctx context.Context, id string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.DeleteDestination(id), opts))
}

// webhookURL checks that a webhook's URL is an absolute http or https URL. The error omits the URL.
func webhookURL(field string, value scalar.SecretURL) *ValidationError {
	address, err := value.URL()
	if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Hostname() == "" {
		return &ValidationError{Field: field, Rule: "must be an absolute http or https URL"}
	}
	return nil
}

// FindCreated returns the destinations with the name that Create was called with. Names need not be unique, so compare
// the result with an earlier lookup: see [Lookup]. It reads the whole listing. If others delete destinations meanwhile,
// it may miss one, since the service returns no total.
//
// GET /alerts/rest/v1/destinations
func (s *DestinationsService) FindCreated(ctx context.Context, destination alerts.CreateDestinationRequest,
	opts ...CallOption) (Lookup[alerts.Destination], error) {
	create := s.engine.with(opts).call(api.Request{Operation: api.CreateDestination(destination).Operation},
		required("name", destination.Name))
	if broken := create.rule; broken != nil {
		return Lookup[alerts.Destination]{}, broken
	}
	all, err := collect(s.All(ctx, alerts.ListDestinationsParams{}, opts...))
	return lookUp(all, err, destinationID,
		func(d *alerts.Destination) bool { return d.Name == destination.Name },
	)
}

func destinationID(d *alerts.Destination) string { return d.ID }
