package rpcfleet

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// EndpointsService creates, lists, shows, changes and archives endpoints, one at a time or many at once.
//
// Methods that take an id return [ErrNotFound] where there is no such endpoint.
type EndpointsService struct{ engine *engine }

// Create creates an endpoint on a network of a chain; [ChainsService.List] has the slugs of both. It is not repeated
// after a failure that leaves open whether the service acted, which is [ErrOutcomeUnknown]: FindCreated tells then
// whether the endpoint exists. A success without the endpoint's id is [ErrNoRecord].
//
// POST /v0/endpoints
func (s *EndpointsService) Create(
	ctx context.Context, endpoint admin.CreateEndpointRequest, opts ...CallOption,
) (*admin.SingleEndpoint, error) {
	return single(ctx, s.engine.call(api.CreateEndpoint(endpoint), opts))
}

// Get returns one endpoint with its security settings and rate limits.
//
// GET /v0/endpoints/{id}
func (s *EndpointsService) Get(ctx context.Context, id string, opts ...CallOption) (*admin.SingleEndpoint, error) {
	return single(ctx, s.engine.call(api.GetEndpoint(id), opts))
}

// Update changes the endpoint's label. A label that is nil is left as it is.
//
// PATCH /v0/endpoints/{id}
func (s *EndpointsService) Update(
	ctx context.Context, id string, change admin.UpdateEndpointRequest, opts ...CallOption,
) error {
	return confirm(ctx, s.engine.call(api.UpdateEndpoint(id, change), opts))
}

// Archive archives the endpoint: it stops serving and leaves the listings.
//
// DELETE /v0/endpoints/{id}
func (s *EndpointsService) Archive(ctx context.Context, id string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.ArchiveEndpoint(id), opts))
}

// SetStatus pauses or activates the endpoint. A status that the endpoint cannot take is [ErrInvalidRequest].
//
// PATCH /v0/endpoints/{id}/status
func (s *EndpointsService) SetStatus(
	ctx context.Context, id string, status admin.EndpointStatus, opts ...CallOption,
) error {
	return confirm(ctx, s.engine.call(api.SetEndpointStatus(id, admin.SetEndpointStatusRequest{Status: status}), opts))
}

// Pause is SetStatus with "paused".
//
// PATCH /v0/endpoints/{id}/status
func (s *EndpointsService) Pause(ctx context.Context, id string, opts ...CallOption) error {
	return s.SetStatus(ctx, id, admin.EndpointStatusPaused, opts...)
}

// Activate is SetStatus with "active".
//
// PATCH /v0/endpoints/{id}/status
func (s *EndpointsService) Activate(ctx context.Context, id string, opts ...CallOption) error {
	return s.SetStatus(ctx, id, admin.EndpointStatusActive, opts...)
}

// URLs returns the endpoint's addresses. They carry its token, and are of a type that does not print it.
//
// GET /v0/endpoints/{id}/urls
func (s *EndpointsService) URLs(ctx context.Context, id string, opts ...CallOption) (*admin.EndpointURLs, error) {
	return fetch[*admin.EndpointURLs](ctx, s.engine.call(api.GetEndpointURLs(id), opts))
}

// EnableMultichain lets the endpoint serve every network of the account's plan, under addresses that URLs returns.
//
// POST /v0/endpoints/{id}/enable_multichain
func (s *EndpointsService) EnableMultichain(ctx context.Context, id string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.EnableMultichain(id), opts))
}

// DisableMultichain makes the endpoint serve its own network only.
//
// POST /v0/endpoints/{id}/disable_multichain
func (s *EndpointsService) DisableMultichain(ctx context.Context, id string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.DisableMultichain(id), opts))
}

// AddTag puts a tag on the endpoint; the tag is created where the account has none of that label. A label that the
// service does not accept is [ErrInvalidRequest]; one of more than 25 characters has been seen to be (observed).
// After an error that matches [ErrOutcomeUnknown], FindAddedTag tells whether the endpoint has it.
//
// POST /v0/endpoints/{id}/tags
func (s *EndpointsService) AddTag(ctx context.Context, id, label string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.AddEndpointTag(id, admin.AddEndpointTagRequest{Label: label}), opts))
}

// RemoveTag takes a tag off the endpoint.
//
// DELETE /v0/endpoints/{id}/tags/{tag_id}
func (s *EndpointsService) RemoveTag(ctx context.Context, id string, tagID int64, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.RemoveEndpointTag(id, tagID), opts))
}

// single carries out a call that responds with an endpoint.
func single(ctx context.Context, c *call) (*admin.SingleEndpoint, error) {
	endpoint, err := fetch[*admin.SingleEndpoint](ctx, c)
	if err != nil {
		return nil, err
	}
	nameDomains(endpoint.Security.DomainMasks)
	return endpoint, nil
}

// List returns one page of the account's endpoints. The zero parameters stand for the service's defaults: the first 20
// (observed). The service lowers a limit above its own, 250 as observed; the page tells the limit in force.
//
// GET /v0/endpoints
func (s *EndpointsService) List(
	ctx context.Context, params admin.ListEndpointsParams, opts ...CallOption,
) (*Page[admin.Endpoint], error) {
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
func (s *EndpointsService) Pages(
	ctx context.Context, params admin.ListEndpointsParams, opts ...CallOption,
) iter.Seq2[*Page[admin.Endpoint], error] {
	params, with := deepCopy(params), s.engine.with(opts)
	fetch := func(ctx context.Context, limit, offset int) (*Page[admin.Endpoint], error) {
		at := params
		at.Limit, at.Offset = &limit, &offset
		return listEndpoints(ctx, with, at)
	}
	return offsetPages(ctx, with, params.Limit, params.Offset, endpointID, fetch)
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
func (s *EndpointsService) All(
	ctx context.Context, params admin.ListEndpointsParams, opts ...CallOption,
) iter.Seq2[admin.Endpoint, error] {
	return items(s.Pages(ctx, params, opts...))
}

// FindCreated looks for what Create was to make: the endpoints on that network of that chain. An endpoint is created
// without a label, so that nothing but the difference to an earlier lookup tells it from the others: see [Lookup]. A
// network may be spelled with the chain before it or without, as in "ethereum-mainnet" (assumed).
//
// It reads the whole listing, newest first, and again where the listing has changed meanwhile, since that may have
// hidden an endpoint. One that changes during three readings is [ErrIncompleteListing].
//
// GET /v0/endpoints
func (s *EndpointsService) FindCreated(ctx context.Context, endpoint admin.CreateEndpointRequest, opts ...CallOption) (Lookup[admin.Endpoint], error) {
	create := s.engine.with(opts).call(api.CreateEndpoint(endpoint))
	if broken := create.rule; broken != nil {
		return Lookup[admin.Endpoint]{}, broken
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
			return lookUp(all, nil, endpointID, func(e *admin.Endpoint) bool {
				return leftOutOrSame(e.Chain, endpoint.Chain) && (leftOutOrSame(e.Network, endpoint.Network) ||
					leftOutOrSame(e.Network, endpoint.Chain+"-"+endpoint.Network) ||
					leftOutOrSame(endpoint.Chain+"-"+e.Network, endpoint.Network))
			})
		}
	}
	return Lookup[admin.Endpoint]{}, fmt.Errorf("%w: it changed during each of %d readings", ErrIncompleteListing, lookups)
}

// lookups is how often a listing is read that changes meanwhile.
const lookups = 3

func endpointID(e *admin.Endpoint) string { return e.ID }

// leftOutOrSame compares a name of the service's with one that was sent. One that the service left out says nothing.
func leftOutOrSame(got, sent string) bool { return got == "" || strings.EqualFold(got, sent) }

// FindAddedTag looks for what AddTag was to do: a tag of that label on the endpoint.
//
// GET /v0/endpoints/{id}
func (s *EndpointsService) FindAddedTag(ctx context.Context, id, label string, opts ...CallOption) (Lookup[admin.EndpointTag], error) {
	endpoint, err := single(ctx, s.engine.call(api.GetEndpoint(id), opts, required("label", label)))
	if err != nil {
		return Lookup[admin.EndpointTag]{}, err
	}
	return lookUp(endpoint.Tags, nil,
		func(tag *admin.EndpointTag) string { return decimal(tag.TagID) },
		func(tag *admin.EndpointTag) bool { return orZero(tag.Label) == label },
	)
}
