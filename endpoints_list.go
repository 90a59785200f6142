package rpcfleet

import (
	"context"
	"iter"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// List returns one page of the account's endpoints. The zero parameters stand for the service's defaults: the first 20
// (observed). The service lowers a limit above its own, 250 as observed; the page tells the limit in force.
//
// GET /v0/endpoints
func (s *EndpointsService) List(ctx context.Context, params admin.ListEndpointsParams, opts ...CallOption) (*Page[admin.Endpoint], error) {
	return listEndpoints(ctx, s.engine.with(opts), params)
}

func listEndpoints(ctx context.Context, with *caller, params admin.ListEndpointsParams) (*Page[admin.Endpoint], error) {
	content, err := exchange[[]admin.Endpoint](ctx, with.call(api.ListEndpoints(&params),
		exclusive("tag_ids", "tag_labels", len(params.TagIDs) > 0 && len(params.TagLabels) > 0),
	))
	if err != nil {
		return nil, err
	}
	return newPage(content, params.Offset), nil
}

// Pages iterates over the listing page by page, from the offset of the parameters on. A page is asked for when the loop
// reaches it, or earlier with [WithPrefetch], and none after a break. An error is delivered once, as a [*PageError]
// that tells where to resume.
//
// A loop may take endpoints out of the listing, as by archiving them, or by pausing them where only active ones are
// listed. If a page's total is lower than the total of the page before, the iteration goes back by as much and reads
// that part again, so that each endpoint is delivered once: a page leaves out what was delivered before, and does not
// come if nothing remains. If the iteration cannot go back as far, because it began behind that place, or if the total
// goes up and down, the error is [ErrIncompleteListing]. The total does not show that as many endpoints have come as
// have gone between two pages, nor that the order has changed, as where a loop pauses what is sorted by status: that
// may hide an endpoint.
//
// GET /v0/endpoints
func (s *EndpointsService) Pages(ctx context.Context, params admin.ListEndpointsParams, opts ...CallOption) iter.Seq2[*Page[admin.Endpoint], error] {
	params, with := deepCopy(params), s.engine.with(opts)
	if params.Limit == nil {
		params.Limit = &with.settings.pageSize
	}
	fetch := func(ctx context.Context, offset int) (*Page[admin.Endpoint], error) {
		at := params
		at.Offset = &offset
		return listEndpoints(ctx, with, at)
	}
	return offsetPages(ctx, orZero(params.Offset), with.settings.pagesAhead(), func(e *admin.Endpoint) string { return e.ID }, fetch)
}

// All iterates over every endpoint that the parameters select, each once. A loop may archive or pause what it gets, and
// reaches the rest all the same. See Pages.
//
//	for endpoint, err := range client.Endpoints.All(ctx, admin.ListEndpointsParams{}) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(endpoint.Name, endpoint.Status)
//	}
//
// GET /v0/endpoints
func (s *EndpointsService) All(ctx context.Context, params admin.ListEndpointsParams, opts ...CallOption) iter.Seq2[admin.Endpoint, error] {
	return items(s.Pages(ctx, params, opts...))
}
