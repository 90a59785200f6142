package rpcfleet

import (
	"context"
	"fmt"
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

// FindCreated searches by network and chain: use Diff. If three readings of the listing differ, the error is
// [ErrIncompleteListing].
// GET /v0/endpoints
func (s *EndpointsService) FindCreated(ctx context.Context, endpoint admin.CreateEndpointRequest, opts ...CallOption) (
	Lookup[admin.Endpoint], error) {
	create := (*engine)(s).newCall(api.CreateEndpoint(endpoint).Request, opts)
	if err := create.err; err != nil {
		return Lookup[admin.Endpoint]{}, err
	}
	newest := admin.ListEndpointsParams{SortBy: new(admin.SortByCreatedAt), SortDirection: new(admin.SortDirectionDesc)}
	for range lookups {
		var all []admin.Endpoint
		var total int
		var changed bool
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
	endpoint, err := fetch(ctx, (*engine)(s), api.GetEndpoint(id), opts, required("label", label))
	return findMatches(orNew(endpoint).Tags, err,
		func(tag *admin.EndpointTag) string { return formatID(tag.TagID) },
		func(tag *admin.EndpointTag) bool { return tag.Label == label },
	)
}
