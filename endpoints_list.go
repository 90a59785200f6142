package rpcfleet

import (
	"context"
	"iter"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/wire"
)

// List returns one page of the account's endpoints. The zero parameters stand for the service's defaults: the first 20
// (observed). The service lowers a limit above its own, 250 as observed; the page tells the limit in force.
//
// GET /v0/endpoints
func (s *EndpointsService) List(ctx context.Context, params admin.ListEndpointsParams, opts ...CallOption) (*Page[admin.Endpoint], error) {
	return listEndpoints(ctx, s.engine.with(opts), params)
}

func listEndpoints(ctx context.Context, with *caller, params admin.ListEndpointsParams) (*Page[admin.Endpoint], error) {
	content, err := exchange[[]admin.Endpoint](ctx, with.call(wire.ListEndpoints(&params),
		optionalOneOf("sort_by", params.SortBy),
		optionalOneOf("sort_direction", params.SortDirection),
		allOf("statuses", params.Statuses),
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

// All iterates over every endpoint that the parameters select. See Pages.
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
