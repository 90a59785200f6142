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

// Create creates an endpoint; see ChainsService.List.
// POST /v0/endpoints
func (s *EndpointsService) Create(ctx context.Context, endpoint admin.CreateEndpointRequest,
	opts ...CallOption) (*admin.SingleEndpoint, error) {
	return fetchPayload[*admin.SingleEndpoint](ctx, (*engine)(s).call(api.CreateEndpoint(endpoint), opts))
}

// Get returns one endpoint with its settings.
// GET /v0/endpoints/{id}
func (s *EndpointsService) Get(ctx context.Context, id string, opts ...CallOption) (*admin.SingleEndpoint, error) {
	return fetchPayload[*admin.SingleEndpoint](ctx, (*engine)(s).call(api.GetEndpoint(id), opts))
}

// Update changes the label, unless it is nil.
// PATCH /v0/endpoints/{id}
func (s *EndpointsService) Update(ctx context.Context, id string, change admin.UpdateEndpointRequest,
	opts ...CallOption) error {
	return confirm(ctx, (*engine)(s).call(api.UpdateEndpoint(id, change), opts))
}

// Archive archives an endpoint: it no longer serves.
// DELETE /v0/endpoints/{id}
func (s *EndpointsService) Archive(ctx context.Context, id string, opts ...CallOption) error {
	return confirm(ctx, (*engine)(s).call(api.ArchiveEndpoint(id), opts))
}

// SetStatus pauses or activates the endpoint.
// PATCH /v0/endpoints/{id}/status
func (s *EndpointsService) SetStatus(ctx context.Context, id string, status admin.EndpointStatus,
	opts ...CallOption) error {
	return confirm(ctx, (*engine)(s).call(api.SetEndpointStatus(id, api.SetEndpointStatusRequest{Status: status}), opts))
}

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

// URLs returns the URLs, which are secrets.
// GET /v0/endpoints/{id}/urls
func (s *EndpointsService) URLs(ctx context.Context, id string, opts ...CallOption) (*admin.EndpointURLs, error) {
	return fetchPayload[*admin.EndpointURLs](ctx, (*engine)(s).call(api.GetEndpointURLs(id), opts))
}

// EnableMultichain lets the endpoint serve every network of the plan, at the URLs that URLs returns.
// POST /v0/endpoints/{id}/enable_multichain
func (s *EndpointsService) EnableMultichain(ctx context.Context, id string, opts ...CallOption) error {
	return confirm(ctx, (*engine)(s).call(api.EnableMultichain(id), opts))
}

// DisableMultichain limits the endpoint to its own network.
// POST /v0/endpoints/{id}/disable_multichain
func (s *EndpointsService) DisableMultichain(ctx context.Context, id string, opts ...CallOption) error {
	return confirm(ctx, (*engine)(s).call(api.DisableMultichain(id), opts))
}

// AddTag adds a tag, and creates it if it is missing. Labels longer than 25 characters were rejected (observed).
// POST /v0/endpoints/{id}/tags
func (s *EndpointsService) AddTag(ctx context.Context, id, label string, opts ...CallOption) error {
	return confirm(ctx, (*engine)(s).call(api.AddEndpointTag(id, api.AddEndpointTagRequest{Label: label}), opts))
}

// RemoveTag removes a tag.
// DELETE /v0/endpoints/{id}/tags/{tag_id}
func (s *EndpointsService) RemoveTag(ctx context.Context, id string, tagID int64, opts ...CallOption) error {
	return confirm(ctx, (*engine)(s).call(api.RemoveEndpointTag(id, tagID), opts))
}

// List returns a page, by default 20, up to 250 (observed).
// GET /v0/endpoints
func (s *EndpointsService) List(ctx context.Context, params admin.ListEndpointsParams,
	opts ...CallOption) (*Page[admin.Endpoint], error) {
	var violation *ValidationError
	if len(params.TagIDs) > 0 && len(params.TagLabels) > 0 {
		violation = &ValidationError{Field: "tag_ids", Rule: "and tag_labels exclude each other"}
	}
	c := (*engine)(s).call(api.ListEndpoints(&params), opts, violation)
	return fetchPage[admin.Endpoint](ctx, c, params.Offset)
}

// Pages iterates over the pages from the offset in params. The loop may archive or pause endpoints: if the total
// decreases, the iteration moves back by the difference, and each endpoint is delivered once. If it cannot move back
// far enough, the error is [ErrIncompleteListing]. Changes of the order, and changes that keep the total, are not
// detected.
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
		if !changed && len(all) >= total {
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
