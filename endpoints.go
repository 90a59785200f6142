package rpcfleet

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// EndpointsService creates, lists, changes and archives endpoints.
type EndpointsService engine

// Pause is SetStatus with paused.
// PATCH /v0/endpoints/{id}/status
func (s *EndpointsService) Pause(ctx context.Context, id string, opts ...CallOption) error {
	return s.SetStatus(ctx, id, admin.EndpointStatusPaused, opts...)
}

// Activate is SetStatus with active.
// PATCH /v0/endpoints/{id}/status
func (s *EndpointsService) Activate(ctx context.Context, id string, opts ...CallOption) error {
	return s.SetStatus(ctx, id, admin.EndpointStatusActive, opts...)
}

// Pages iterates over the pages from the offset in params, each endpoint once. Endpoints may be created, archived or
// paused meanwhile: a page is requested from one endpoint earlier, and if it does not begin with one that was delivered,
// the iteration goes back. If fewer came than the total, the listing is read again. If neither helps, the error is
// [ErrIncompleteListing]. If endpoints change their order while others are archived, some may be missed.
// GET /v0/endpoints
func (s *EndpointsService) Pages(ctx context.Context, params admin.ListEndpointsParams,
	opts ...CallOption) iter.Seq2[*Page[admin.Endpoint], error] {
	params, with := deepCopy(params), (*engine)(s).with(opts)
	fetch := func(ctx context.Context, limit, offset int) (*Page[admin.Endpoint], error) {
		at := params
		at.Limit, at.Offset = &limit, &offset
		return s.List(ctx, at, opts...)
	}
	return offsetPages(ctx, with, params.Limit, params.Offset, idOfEndpoint, fetch)
}

// All iterates over every endpoint once: see Pages.
// GET /v0/endpoints
func (s *EndpointsService) All(ctx context.Context, params admin.ListEndpointsParams,
	opts ...CallOption) iter.Seq2[admin.Endpoint, error] {
	return itemsOf(s.Pages(ctx, params, opts...))
}

// FindCreated searches by network and chain: use Diff. If three readings of the listing differ, the error is
// [ErrIncompleteListing].
// GET /v0/endpoints
func (s *EndpointsService) FindCreated(ctx context.Context, endpoint admin.CreateEndpointRequest, opts ...CallOption) (
	Lookup[admin.Endpoint], error) {
	create := (*engine)(s).with(opts).call(api.CreateEndpoint(endpoint))
	if err := create.err; err != nil {
		return Lookup[admin.Endpoint]{}, err
	}
	newest := admin.ListEndpointsParams{SortBy: new(admin.SortByCreatedAt), SortDirection: new(admin.SortDirectionDesc)}
	for range lookups {
		var all []admin.Endpoint
		total, changed := -1, false
		for page, err := range s.Pages(ctx, newest, opts...) {
			if err != nil {
				return Lookup[admin.Endpoint]{}, err
			}
			changed = changed || len(all) > 0 && page.Total != total
			total, all = page.Total, append(all, page.Items...)
		}
		if !changed {
			return findMatches(all, nil, idOfEndpoint, func(e *admin.Endpoint) bool {
				return emptyOrEqual(e.Chain, endpoint.Chain) && (emptyOrEqual(e.Network, endpoint.Network) ||
					emptyOrEqual(e.Network, endpoint.Chain+"-"+endpoint.Network) ||
					emptyOrEqual(endpoint.Chain+"-"+e.Network, endpoint.Network))
			})
		}
	}
	return Lookup[admin.Endpoint]{}, fmt.Errorf("%w: it changed during each of %d readings", ErrIncompleteListing, lookups)
}

// lookups is the maximum number of readings of a listing that changes.
const lookups = 3

func idOfEndpoint(e *admin.Endpoint) string { return e.ID }

// emptyOrEqual reports whether a name in a response matches the name that was sent. An omitted name matches.
func emptyOrEqual(got, sent string) bool { return got == "" || strings.EqualFold(got, sent) }

// FindAddedTag searches for the result of AddTag.
// GET /v0/endpoints/{id}
func (s *EndpointsService) FindAddedTag(ctx context.Context, id, label string, opts ...CallOption) (
	Lookup[admin.EndpointTag], error) {
	c := (*engine)(s).call(api.GetEndpoint(id), opts, required("label", label))
	endpoint, err := fetchPayload[admin.SingleEndpoint](ctx, c)
	return findMatches(endpoint.Tags, err,
		func(tag *admin.EndpointTag) string { return formatID(tag.TagID) },
		func(tag *admin.EndpointTag) bool { return deref(tag.Label) == label },
	)
}
