package rpcfleet

import (
	"context"
	"iter"
	"net/http"

	"github.com/rpcfleet/rpcfleet-go/admin"
)

// List returns one page of the account's endpoints. Nil parameters stand for the service's defaults: the first 20
// (observed). The service lowers a limit above its own, 250 as observed; the page tells the limit in force.
//
// GET /v0/endpoints
func (s *EndpointsService) List(ctx context.Context, params *admin.ListEndpointsParams, opts ...CallOption) (*Page[admin.Endpoint], error) {
	params = cloned(params)
	answer, err := exchange[[]admin.Endpoint](ctx, s.client, call{
		op: admin.ListEndpointsOperation,
		build: func(base string) (*http.Request, error) {
			return admin.NewListEndpointsRequest(base, params)
		},
		checks: []*ValidationError{
			optionalOneOf("sort_by", params.SortBy),
			optionalOneOf("sort_direction", params.SortDirection),
			allOf("statuses", params.Statuses),
			exclusive("tag_ids", "tag_labels", len(params.TagIDs) > 0 && len(params.TagLabels) > 0),
		},
		opts: opts,
	})
	if err != nil {
		return nil, err
	}
	return newPage(answer, params.Offset), nil
}

// Pages iterates over the listing page by page, from the offset of the parameters on. A page is asked for when the
// loop reaches it, and none after a break. An error is delivered once, as a *PageError that tells where to resume.
//
// GET /v0/endpoints
func (s *EndpointsService) Pages(ctx context.Context, params *admin.ListEndpointsParams, opts ...CallOption) iter.Seq2[*Page[admin.Endpoint], error] {
	params = cloned(params)
	settings, err := s.client.callSettings(opts)
	if err != nil {
		return failedPages[admin.Endpoint](err)
	}
	if params.Limit == nil {
		params.Limit = &settings.pageSize
	}
	start := 0
	if params.Offset != nil {
		start = *params.Offset
	}
	fetch := func(ctx context.Context, offset int) (*Page[admin.Endpoint], error) {
		at := *params
		at.Offset = &offset
		return s.List(ctx, &at, opts...)
	}
	return offsetPages(ctx, start, settings.pagesAhead(), func(e *admin.Endpoint) string { return e.ID }, fetch)
}

// All iterates over every endpoint that the parameters select. See Pages.
//
//	for endpoint, err := range client.Endpoints.All(ctx, nil) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(endpoint.Name, endpoint.Status)
//	}
//
// GET /v0/endpoints
func (s *EndpointsService) All(ctx context.Context, params *admin.ListEndpointsParams, opts ...CallOption) iter.Seq2[admin.Endpoint, error] {
	return items(s.Pages(ctx, params, opts...))
}
