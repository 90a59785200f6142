package rpcfleet

import (
	"context"
	"iter"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// DestinationsService manages the webhooks that receive alerts: see package alerts. No operation changes a destination.
// Get and Delete are observed.
type DestinationsService engine

// alertPages iterates over a listing of the alerts area. It rejects a limit or offset that is valid for a single page
// but would keep the iteration from advancing.
func alertPages[T any](
	ctx context.Context, with callContext, limit, offset *int, id func(*T) string,
	request func(limit, offset *int) api.Request,
) iter.Seq2[*Page[T], error] {
	fetch := func(ctx context.Context, limit, offset int) (*Page[T], error) {
		c := with.call(request(&limit, &offset),
			errorOf(api.AtLeast("limit", 1, &limit)), errorOf(api.AtLeast("offset", 0, &offset)))
		return fetchPage[T](ctx, c, &offset)
	}
	return offsetPages(ctx, with, limit, offset, id, fetch)
}

// Pages iterates over the pages from the offset in params, each destination once. If the service repeats a page, the
// error is [ErrRepeatedPage]: if it ignores limit and offset, and has as many destinations as the limit, use another
// page size. Destinations may be created or deleted meanwhile: a page is requested from one destination earlier, and if
// it does not begin with one that was delivered, the iteration goes back. If it cannot, the error is
// [ErrIncompleteListing]. If destinations change their order, some may be missed.
// GET /alerts/rest/v1/destinations
func (s *DestinationsService) Pages(ctx context.Context, params alerts.ListDestinationsParams,
	opts ...CallOption) iter.Seq2[*Page[alerts.Destination], error] {
	request := func(limit, offset *int) api.Request {
		return api.ListDestinations(&alerts.ListDestinationsParams{Limit: limit, Offset: offset})
	}
	return alertPages(ctx, (*engine)(s).with(opts), params.Limit, params.Offset, destinationID, request)
}

// All yields every destination: see Pages.
// GET /alerts/rest/v1/destinations
func (s *DestinationsService) All(ctx context.Context, params alerts.ListDestinationsParams,
	opts ...CallOption) iter.Seq2[alerts.Destination, error] {
	return itemsOf(s.Pages(ctx, params, opts...))
}

// FindCreated compares the name, which need not be unique.
// GET /alerts/rest/v1/destinations
func (s *DestinationsService) FindCreated(ctx context.Context, destination alerts.CreateDestinationRequest,
	opts ...CallOption) (Lookup[alerts.Destination], error) {
	create := (*engine)(s).call(api.Request{Operation: api.CreateDestination(destination).Operation}, opts,
		required("name", destination.Name))
	return findListed(create, s.All(ctx, alerts.ListDestinationsParams{}, opts...), destinationID,
		func(d *alerts.Destination) bool { return d.Name == destination.Name },
	)
}

func destinationID(d *alerts.Destination) string { return d.ID }
