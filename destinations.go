package rpcfleet

import (
	"context"
	"iter"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// DestinationsService manages the webhooks that alerts are delivered to. Package alerts has the receiving end of them.
//
// Methods that take an id return [ErrNotFound] where there is no such destination. The service has no operation that
// changes a destination.
type DestinationsService struct{ engine *engine }

// Create creates a destination. The response carries the token by which a receiver verifies deliveries. The address
// of the webhook often carries a secret, so that it is never printed. A create is not repeated after a failure that
// leaves open whether the service acted, which is [ErrOutcomeUnknown]: FindCreated tells then whether the
// destination exists. A success without the destination's id is [ErrNoRecord].
//
// POST /alerts/rest/v1/destinations
func (s *DestinationsService) Create(
	ctx context.Context, destination alerts.CreateDestinationRequest, opts ...CallOption,
) (*alerts.Destination, error) {
	call := s.engine.call(api.CreateDestination(destination), opts, webhookURL("to_url", destination.ToURL))
	return fetch[*alerts.Destination](ctx, call)
}

// List returns one page of the account's destinations. The zero parameters stand for the service's defaults: the
// first 20. The service does not tell how many there are: [Page.Total] is -1, and a short page need not be the last
// one. It has also been seen to send all of them, whatever limit and offset; Pages and All hold for either. All of
// this is observed.
//
// GET /alerts/rest/v1/destinations
func (s *DestinationsService) List(
	ctx context.Context, params alerts.ListDestinationsParams, opts ...CallOption,
) (*Page[alerts.Destination], error) {
	return listDestinations(ctx, s.engine.with(opts), params)
}

func listDestinations(
	ctx context.Context, with *caller, params alerts.ListDestinationsParams, checks ...*ValidationError,
) (*Page[alerts.Destination], error) {
	content, err := exchange[[]alerts.Destination](ctx, with.call(api.ListDestinations(&params), checks...))
	if err != nil {
		return nil, err
	}
	return newPage(content, params.Offset), nil
}

// Pages iterates over the destinations page by page, from the offset of the parameters on. A page is asked for when the
// loop reaches it, and none after a break; nothing is fetched in advance, because no total tells which pages there are.
// No destination is delivered twice. An error is delivered once, as a [*PageError] that contains where to resume. It is
// [ErrRepeatedPage] if the service repeats a page and more may be out of reach.
//
// A service that ignores limit and offset sends the whole listing, from whichever offset. If it has as many items as the
// limit, it looks cut, which is [ErrRepeatedPage]: another page size helps. A service that ignores the offset, and lowers
// the limit as well, sends a part of its listing that looks whole.
//
// A loop that deletes what it gets moves the rest to lower offsets, and no total tells. At the end the first page is
// read again: if it ends with something new, the error is [ErrIncompleteListing], and the listing is to be read anew.
// A loop that deletes items of later pages alone is not noticed; it should gather the ids before it deletes.
//
// GET /alerts/rest/v1/destinations
func (s *DestinationsService) Pages(
	ctx context.Context, params alerts.ListDestinationsParams, opts ...CallOption,
) iter.Seq2[*Page[alerts.Destination], error] {
	with := s.engine.with(opts)
	fetch := func(ctx context.Context, limit, offset int) (*Page[alerts.Destination], error) {
		page := alerts.ListDestinationsParams{Limit: &limit, Offset: &offset}
		return listDestinations(ctx, with, page, iterable(limit, offset)...)
	}
	return offsetPages(ctx, with, params.Limit, params.Offset, destinationID, fetch)
}

// All iterates over every destination, from the offset of the parameters on. See Pages.
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

// Delete deletes a destination (observed). What becomes of the notifications that deliver to it is not known.
//
// DELETE /alerts/rest/v1/destinations/{id}
func (s *DestinationsService) Delete(ctx context.Context, id string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.DeleteDestination(id), opts))
}

// webhookURL checks that an address is an absolute http or https URL, which deliveries can be sent to. It is not shown.
func webhookURL(field string, value scalar.SecretURL) *ValidationError {
	address, err := value.URL()
	if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Hostname() == "" {
		return &ValidationError{Field: field, Rule: "must be an absolute http or https URL"}
	}
	return nil
}

// FindCreated looks for what Create was to make: the destinations of that name. A name need not be the only one of its
// kind, so that the difference to an earlier lookup tells more: see [Lookup]. It reads the whole listing; while others
// delete destinations, the service may skip one, since it does not tell how many there are.
//
// GET /alerts/rest/v1/destinations
func (s *DestinationsService) FindCreated(ctx context.Context, destination alerts.CreateDestinationRequest, opts ...CallOption) (Lookup[alerts.Destination], error) {
	create := s.engine.with(opts).call(api.Request{Operation: api.CreateDestination(destination).Operation}, required("name", destination.Name))
	if broken := create.rule; broken != nil {
		return Lookup[alerts.Destination]{}, broken
	}
	all, err := collect(s.All(ctx, alerts.ListDestinationsParams{}, opts...))
	return lookUp(all, err, destinationID,
		func(d *alerts.Destination) bool { return d.Name == destination.Name },
	)
}

func destinationID(d *alerts.Destination) string { return d.ID }
